"""One slot's timeline: from evidence to beliefs, by the policy `latest_valid`.

A pure function of the set of evidence: neither order nor batches matter.

1. A retraction voids what was said before it of the same statement; a denial cuts its interval out of it.
2. Statements that exclude each other compete: all of a functional slot, the same object within an exclusive group.
   Elsewhere a statement competes with itself alone.
3. Between any two boundaries the evidence of highest authority wins, then the one that became valid last, then the one
   said last. Neighbouring intervals of one statement are joined.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from heapq import heappop, heappush

import msgspec

from kg_assets.graph.intervals import Interval, bounds, elementary, interval, subtract
from kg_assets.model import AUTHORITY_RANK, Assertion, Authority, Precision

POLICY = "latest_valid/1"
CERTAIN = 1000  # thousandths
MOST = 990  # no number of repetitions makes a belief certain
FINEST: tuple[Precision, ...] = ("instant", "day", "month", "year", "unknown")


class Statement(msgspec.Struct, frozen=True, order=True):
    """What competes: a predicate and the object's key within one slot."""

    predicate: str
    object_key: str


class Evidence(msgspec.Struct, frozen=True):
    """An assertion with its mentions resolved: `statement` names entities by canonical key."""

    assertion: Assertion
    statement: Statement
    competes: str  # statements with the same value exclude each other

    @property
    def order(self) -> tuple[int, int, str]:
        return (self.assertion.said_at, self.assertion.seq, self.assertion.id)

    @property
    def rank(self) -> int:
        return AUTHORITY_RANK[self.assertion.authority]


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


class Dispute(msgspec.Struct, frozen=True, order=True):
    """One statement gave way to another somewhere on the timeline: by which rule, between which assertions."""

    rule: str
    winner: str
    loser: str


class Piece(msgspec.Struct, frozen=True):
    """What denials left of one assertion's interval."""

    span: Interval
    evidence: Evidence

    @property
    def strength(self) -> tuple[int, int, tuple[int, int, str]]:
        return (self.evidence.rank, self.span.start, self.evidence.order)


def derive_slot(evidence: Iterable[Evidence]) -> tuple[list[Stretch], list[Dispute]]:
    """Beliefs of one slot in order of (statement, valid_from), and the disputes that were settled for them."""
    contests: dict[str, list[Piece]] = defaultdict(list)
    for piece in standing(sorted(evidence, key=lambda each: each.order)):
        contests[piece.evidence.competes].append(piece)
    stretches: list[Stretch] = []
    disputes: set[Dispute] = set()
    for competing in contests.values():
        won, settled = contest(competing)
        stretches += won
        disputes |= settled
    stretches.sort(key=lambda each: (each.statement, bounds_key(each)))
    return stretches, sorted(disputes)


def bounds_key(stretch: Stretch) -> tuple[bool, int]:
    """Sorts an unknown beginning first."""
    return (stretch.valid_from is not None, stretch.valid_from or 0)


def standing(evidence: Sequence[Evidence]) -> list[Piece]:
    """What is left of each affirmed assertion after later retractions and denials of the same statement."""
    against: dict[Statement, list[Evidence]] = defaultdict(list)
    for each in evidence:
        if each.assertion.polarity != "affirmed":
            against[each.statement].append(each)
    pieces: list[Piece] = []
    for each in evidence:
        span = interval(each.assertion.valid_from, each.assertion.valid_to)
        if each.assertion.polarity != "affirmed" or span is None:
            continue
        left = [span]
        for other in against[each.statement]:
            if other.order <= each.order or other.rank < each.rank:
                continue
            hole = interval(other.assertion.valid_from, other.assertion.valid_to)
            if other.assertion.polarity == "retracted":
                left = []
            elif hole is not None:
                left = [rest for span in left for rest in subtract(span, hole)]
        pieces += [Piece(span, each) for span in left]
    return pieces


def contest(pieces: Sequence[Piece]) -> tuple[list[Stretch], set[Dispute]]:
    """Sweep over the boundaries: who holds each elementary interval, and whom did they displace.

    O(n log n) in the pieces. A statement that is displaced, or never comes to hold, leaves one dispute per start.
    """
    ranked = sorted(pieces, key=lambda piece: piece.strength)
    starting: dict[int, list[int]] = defaultdict(list)
    for place, piece in enumerate(ranked):
        starting[piece.span.start].append(place)
    strongest: list[int] = []  # a heap of negated places in `ranked`; pieces that have ended are dropped when met
    running: dict[Statement, list[int]] = defaultdict(list)
    held: list[tuple[Interval, Statement, list[int]]] = []
    disputes: set[Dispute] = set()
    for cell in elementary(piece.span for piece in pieces):
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
        displaced = [place for place in begun if ranked[place].evidence.statement != statement]
        if held and held[-1][1] == statement and held[-1][0].end == cell.start:
            before, _, support = held.pop()
            support += [place for place in begun if ranked[place].evidence.statement == statement]
            held.append((Interval(before.start, cell.end), statement, support))
        else:
            running[statement] = still_running(ranked, running[statement], cell)
            displaced += still_running(ranked, held[-1][2], cell) if held else []
            held.append((cell, statement, list(running[statement])))
        disputes |= {dispute(winner, ranked[place]) for place in displaced}
    stretches = [stretch(span, statement, [ranked[place] for place in support]) for span, statement, support in held]
    return stretches, disputes


def still_running(ranked: Sequence[Piece], places: Sequence[int], cell: Interval) -> list[int]:
    return [place for place in places if ranked[place].span.covers(cell)]


def dispute(winner: Piece, loser: Piece) -> Dispute:
    if winner.evidence.rank != loser.evidence.rank:
        rule = "higher_authority"
    elif winner.span.start != loser.span.start:
        rule = "later_valid_from"
    else:
        rule = "later_said"
    return Dispute(rule, winner.evidence.assertion.id, loser.evidence.assertion.id)


def stretch(span: Interval, statement: Statement, support: Sequence[Piece]) -> Stretch:
    valid_from, valid_to = bounds(span)
    first = [piece.evidence.assertion for piece in support if piece.span.start == span.start]
    known = [each for each in first if each.start_known]
    precisions: list[Precision] = [each.precision for each in known or first]
    evidence = [piece.evidence for piece in support]
    return Stretch(
        statement=statement,
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
    """Noisy-or over distinct utterances, in thousandths; sorted first, so that rounding does not depend on order."""
    best: dict[str, int] = {}
    for each in evidence:
        said_in = each.assertion.utterance_id
        best[said_in] = max(best.get(said_in, 0), each.assertion.confidence)
    doubt = CERTAIN
    for confidence in sorted(best.values(), reverse=True):
        doubt = doubt * (CERTAIN - confidence) // CERTAIN
    return min(MOST, CERTAIN - doubt)
