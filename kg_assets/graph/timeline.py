"""One slot's timeline: from evidence to beliefs, under a policy (`policies`).

A pure function of the set of evidence: neither order nor batches matter.

1. A retraction voids what was said before it of the same statement; a denial cuts its interval out of it.
2. Statements that exclude each other compete: all of a functional slot, the same object within an exclusive group.
   Elsewhere a statement competes with itself alone.
3. The policy may set statements aside (`policies.admitted`).
4. An open-ended statement that can have begun later ends another for good (`standing.succeeded`).
5. Between any two boundaries the evidence of highest authority wins, then the one that can have begun last, then the
   one said last. Neighbouring intervals of one statement are joined, unless its authority changes there.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from heapq import heappop, heappush

import msgspec

from kg_assets.graph.intervals import BEGINNING, Interval, bounds, elementary
from kg_assets.graph.policies import (
    HIGHER_AUTHORITY,
    LATEST_VALID,
    NEEDS_REVIEW,
    Dispute,
    Policy,
    admitted,
    asks_a_person,
    unheard,
)
from kg_assets.graph.standing import ONE_PLACE, Evidence, Piece, Statement, standing, succeeded
from kg_assets.model import AUTHORITY_RANK, Authority, Micros, Precision

CERTAIN = 1000  # thousandths
MOST = 990  # no number of repetitions makes a belief certain
FINEST: tuple[Precision, ...] = ("instant", "day", "month", "year", "unknown")


class Stretch(msgspec.Struct, frozen=True):
    """One statement believed over one interval, with the evidence that carries it."""

    statement: Statement
    valid_from: int | None
    valid_to: int | None
    start_known: bool
    precision: Precision
    confidence: int
    authority: Authority
    assertions: tuple[str, ...]
    utterances: tuple[str, ...]


def derive_slot(evidence: Iterable[Evidence], policy: Policy = LATEST_VALID) -> tuple[list[Stretch], list[Dispute]]:
    """Beliefs of one slot in order of (statement, valid_from), and the disputes that were settled for them."""
    contests: dict[str, list[Piece]] = defaultdict(list)
    told = sorted(evidence, key=lambda each: each.order)
    left = standing(told)
    for piece in left:
        contests[piece.evidence.competes].append(piece)
    stretches: list[Stretch] = []
    disputes = unheard(policy, told, left)
    for competing in contests.values():
        won, settled = contest(competing, policy)
        stretches += won
        disputes |= settled
    stretches.sort(key=lambda each: (each.statement, bounds_key(each)))
    here = {each.assertion.id for each in told if not each.elsewhere}
    return stretches, sorted(each for each in disputes if {each.winner, each.loser} & here)


def bounds_key(stretch: Stretch) -> tuple[bool, int]:
    """Sorts an unknown beginning first."""
    return (stretch.valid_from is not None, stretch.valid_from or 0)


class Held(msgspec.Struct):
    """A stretch in the making: one statement over neighbouring cells, carried by pieces of one authority."""

    span: Interval
    winner: Piece
    support: list[int]  # places in `ranked`

    @property
    def is_here(self) -> bool:
        """Whether it is believed in this slot, and not only in that of somebody joined to it."""
        return not self.winner.evidence.elsewhere

    def goes_on(self, cell: Interval, winner: Piece) -> bool:
        """Whether this cell belongs to it. A confirmation that names no beginning of its own opens nothing new."""
        if self.span.end != cell.start or self.winner.evidence.statement != winner.evidence.statement:
            return False
        before, after = self.winner.evidence.rank, winner.evidence.rank
        return after == before or (after > before and not winner.evidence.assertion.start_known)


def contest(pieces: Sequence[Piece], policy: Policy) -> tuple[list[Stretch], set[Dispute]]:
    """Who holds each elementary interval, and whom did they displace.

    A statement that is displaced, or never comes to hold, leaves one dispute per start.
    """
    taking_part, disputes = admitted(policy, pieces)
    left, closings = succeeded(taking_part)
    displaced = [(closing.winner, closing.loser) for closing in closings]
    ranked = sorted(left, key=lambda piece: piece.strength)
    several = any(piece.evidence.places != ONE_PLACE for piece in ranked)
    held, gave_way = swept_together(ranked) if several else swept(ranked)
    disputes |= {dispute(winner, loser, policy) for winner, loser in (*displaced, *gave_way)}
    stretches = [stretch(each, [ranked[place] for place in each.support]) for each in held if each.is_here]
    return stretches, disputes


def swept(ranked: Sequence[Piece]) -> tuple[list[Held], list[tuple[Piece, Piece]]]:
    """One place, which one statement holds at a time. O(n log n) in the pieces."""
    gave_way: list[tuple[Piece, Piece]] = []
    starting: dict[int, list[int]] = defaultdict(list)
    for place, piece in enumerate(ranked):
        starting[piece.span.start].append(place)
    strongest: list[int] = []  # a heap of negated places in `ranked`; pieces that have ended are dropped when met
    running: dict[Statement, list[int]] = defaultdict(list)
    held: list[Held] = []
    for cell in elementary(piece.span for piece in ranked):
        begun = starting[cell.start]
        for place in begun:
            heappush(strongest, -place)
            running[ranked[place].evidence.statement].append(place)
        while strongest and ranked[-strongest[0]].span.end <= cell.start:
            heappop(strongest)
        if not strongest:
            continue
        winner = ranked[-strongest[0]]
        statement = winner.evidence.statement
        displaced = list(begun)
        if held and held[-1].goes_on(cell, winner):
            held[-1].support += [place for place in begun if ranked[place].evidence.statement == statement]
            held[-1] = Held(Interval(held[-1].span.start, cell.end), winner, held[-1].support)
        else:
            running[statement] = still_running(ranked, running[statement], cell)
            displaced += still_running(ranked, held[-1].support, cell) if held else []
            held.append(Held(cell, winner, list(running[statement])))
        losers = (ranked[place] for place in displaced)
        gave_way += [(winner, loser) for loser in losers if loser.evidence.statement != statement]
    return held, gave_way


def swept_together(ranked: Sequence[Piece]) -> tuple[list[Held], list[tuple[Piece, Piece]]]:
    """The places of several people: in each interval the strongest first, each where all its places are free.

    O(n) for each interval in the pieces that run there: what was said of people that are joined, a handful.
    """
    starting: dict[int, list[int]] = defaultdict(list)
    for place, piece in enumerate(ranked):
        starting[piece.span.start].append(place)
    running: list[int] = []
    held: list[Held] = []
    gave_way: list[tuple[Piece, Piece]] = []
    last: dict[Statement, Held] = {}
    for cell in elementary(piece.span for piece in ranked):
        running = sorted(still_running(ranked, [*running, *starting[cell.start]], cell))
        taken: dict[str, Piece] = {}
        winners: dict[Statement, Piece] = {}
        losers: list[tuple[Piece, int]] = []
        support: dict[Statement, list[int]] = defaultdict(list)
        for place in reversed(running):
            piece = ranked[place]
            statement = piece.evidence.statement
            blocking = next((taken[each] for each in piece.evidence.places if each in taken), None)
            if statement in winners:
                support[statement].append(place)
            elif blocking is None:
                winners[statement] = piece
                support[statement].append(place)
                taken |= dict.fromkeys(piece.evidence.places, piece)
            else:
                losers.append((blocking, place))
        for winner, place in losers:
            before = last.get(ranked[place].evidence.statement)
            ended = before is not None and before.span.end == cell.start and place in before.support
            if ended or ranked[place].span.start == cell.start:
                gave_way.append((winner, ranked[place]))
        for statement, winner in winners.items():
            before = last.get(statement)
            if before is not None and before.goes_on(cell, winner):
                before.support += [each for each in support[statement] if each not in before.support]
                before.span, before.winner = Interval(before.span.start, cell.end), winner
            else:
                last[statement] = Held(cell, winner, support[statement])
                held.append(last[statement])
    return held, gave_way


def still_running(ranked: Sequence[Piece], places: Iterable[int], cell: Interval) -> list[int]:
    return [place for place in places if ranked[place].span.covers(cell)]


def dispute(winner: Piece, loser: Piece, policy: Policy) -> Dispute:
    if asks_a_person(policy, winner.evidence, loser.evidence):
        rule = NEEDS_REVIEW
    elif winner.evidence.rank != loser.evidence.rank:
        rule = HIGHER_AUTHORITY
    elif beginning(winner) > beginning(loser):
        rule = "later_valid_from"
    else:
        rule = "later_said"
    return Dispute(rule, winner.evidence.assertion.id, loser.evidence.assertion.id)


def beginning(piece: Piece) -> Micros:
    start = piece.evidence.assertion.valid_from
    return BEGINNING if start is None else start


def stretch(held: Held, support: Sequence[Piece]) -> Stretch:
    valid_from, valid_to = bounds(held.span)
    first = [piece.evidence.assertion for piece in support if piece.span.start == held.span.start]
    known = [each for each in first if each.start_known]
    precisions: list[Precision] = [each.precision for each in known or first]
    evidence = [piece.evidence for piece in support]
    return Stretch(
        statement=held.winner.evidence.statement,
        valid_from=valid_from,
        valid_to=valid_to,
        start_known=bool(known),
        precision=min(precisions, key=FINEST.index, default="unknown"),
        confidence=combined_confidence(evidence),
        authority=max((each.assertion.authority for each in evidence), key=AUTHORITY_RANK.__getitem__),
        assertions=tuple(sorted({each.assertion.id for each in evidence})),
        utterances=tuple(sorted({each.assertion.utterance_id for each in evidence})),
    )


def combined_confidence(evidence: Iterable[Evidence]) -> int:
    """Noisy-or over distinct utterances, in thousandths; sorted first, so that rounding does not depend on order.

    All that rests on a model's word is one witness: it makes the same mistake each time.
    """
    best: dict[str, int] = {}
    for each in evidence:
        said_in = "" if each.assertion.authority == "model" else each.assertion.utterance_id
        best[said_in] = max(best.get(said_in, 0), each.assertion.confidence)
    doubt = CERTAIN
    for confidence in sorted(best.values(), reverse=True):
        doubt = doubt * (CERTAIN - confidence) // CERTAIN
    return min(MOST, CERTAIN - doubt)
