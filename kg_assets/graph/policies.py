"""How conflicts of one slot are settled: what each policy sets aside before the contest, and what a person must decide.

latest_valid       among equal authority what can have begun last; a higher authority wins where both are valid. A
                   person's newer statement about themselves against a curated one goes to review.
highest_authority  what contradicts a higher authority anywhere is set aside as a whole; among equals as above.
manual_review      what was said first stands; what contradicts it waits for a curator, whose word is settled by
                   latest_valid.

Pure functions of the set of evidence. A decision names its policy with the version: raise it where the same evidence
comes out differently.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence

import msgspec

from kg_assets.graph.intervals import Interval, Union, interval
from kg_assets.graph.standing import Evidence, Piece, Statement
from kg_assets.model import AUTHORITY_RANK, PolicyName

NEEDS_REVIEW = "needs_review"
HIGHER_AUTHORITY = "higher_authority"
CURATED = AUTHORITY_RANK["curated"]
VERSIONS: dict[PolicyName, int] = {"latest_valid": 6, "highest_authority": 4, "manual_review": 3}


class Policy(msgspec.Struct, frozen=True):
    """What a decision names, such as "latest_valid/6"."""

    name: PolicyName = "latest_valid"

    @property
    def version(self) -> str:
        return f"{self.name}/{VERSIONS[self.name]}"


LATEST_VALID = Policy()


class Dispute(msgspec.Struct, frozen=True, order=True):
    """One statement gave way to another somewhere on the timeline: by which rule, between which assertions."""

    rule: str
    winner: str
    loser: str


def admitted(policy: Policy, pieces: Sequence[Piece]) -> tuple[list[Piece], set[Dispute]]:
    """The pieces of one contest that take part in it, and the disputes that kept the others out."""
    if policy.name == "highest_authority":
        return unopposed(pieces)
    if policy.name == "manual_review":
        return unchallenging(pieces)
    return list(pieces), set()


def asks_a_person(policy: Policy, winner: Evidence, loser: Evidence) -> bool:
    """Whether a person said later of themselves what a curated statement does not let through."""
    return (
        policy.name != "highest_authority"
        and winner.rank == CURATED
        and loser.assertion.authority == "user"
        and loser.order > winner.order
    )


def unheard(policy: Policy, evidence: Iterable[Evidence], left: Iterable[Piece]) -> set[Dispute]:
    """Later denials by the person themselves that a curated statement outlasts, each with the last that does.

    `left` is what stands of the affirmed statements.
    """
    curated: dict[Statement, list[Piece]] = defaultdict(list)
    for piece in left:
        if piece.evidence.rank == CURATED:
            curated[piece.evidence.statement].append(piece)
    found = set()
    for each in evidence:
        span = interval(each.assertion.valid_from, each.assertion.valid_to)
        if each.assertion.polarity == "affirmed" or span is None:
            continue
        against = [
            piece.evidence
            for piece in curated[each.statement]
            if each.assertion.polarity == "retracted" or overlap(piece.span, span)
        ]
        last = max(against, key=lambda other: other.order, default=None)
        if last is not None and asks_a_person(policy, last, each):
            found.add(Dispute(NEEDS_REVIEW, last.assertion.id, each.assertion.id))
    return found


# ---------------------------------------------------------------------------------------------- highest_authority


def unopposed(pieces: Sequence[Piece]) -> tuple[list[Piece], set[Dispute]]:
    """From the highest authority down: what overlaps another statement of higher authority is set aside as a whole.

    What was set aside opposes nothing. O(n log n) in the pieces for each of the five authorities.
    """
    by_rank: dict[int, list[Piece]] = defaultdict(list)
    for piece in pieces:
        by_rank[piece.evidence.rank].append(piece)
    kept: list[Piece] = []
    disputes: set[Dispute] = set()
    for rank in sorted(by_rank, reverse=True):
        here: list[Piece] = []
        higher = {place: Reaching(pieces) for place, pieces in by_place(kept).items()}
        for piece in by_rank[rank]:
            met = (higher[place].opponent(piece) for place in piece.evidence.places if place in higher)
            opponent = next((each for each in met if each is not None), None)
            if opponent is None:
                here.append(piece)
            else:
                disputes.add(Dispute(HIGHER_AUTHORITY, opponent.evidence.assertion.id, piece.evidence.assertion.id))
        kept += here
    return kept, disputes


def by_place(pieces: Iterable[Piece]) -> dict[str, list[Piece]]:
    found: dict[str, list[Piece]] = defaultdict(list)
    for piece in pieces:
        for place in piece.evidence.places:
            found[place].append(piece)
    return found


class Reaching:
    """Pieces by start; up to each, the two of different statements that reach furthest."""

    def __init__(self, pieces: Iterable[Piece]) -> None:
        ordered = sorted(pieces, key=lambda each: (each.span.start, each.strength))
        self.starts = [each.span.start for each in ordered]
        self.furthest: list[tuple[Piece, ...]] = [()]
        for piece in ordered:
            best: dict[Statement, Piece] = {}
            for each in sorted((*self.furthest[-1], piece), key=lambda each: (each.span.end, each.strength)):
                best[each.evidence.statement] = each
            self.furthest.append(tuple(list(best.values())[-2:]))

    def opponent(self, piece: Piece) -> Piece | None:
        """One of another statement that overlaps, None where there is none."""
        reaching = self.furthest[bisect_left(self.starts, piece.span.end)]
        others = [each for each in reaching if each.evidence.statement != piece.evidence.statement]
        last = max(others, key=lambda each: (each.span.end, each.strength), default=None)
        return last if last is not None and last.span.end > piece.span.start else None


# -------------------------------------------------------------------------------------------------- manual_review


def unchallenging(pieces: Sequence[Piece]) -> tuple[list[Piece], set[Dispute]]:
    """What a curator said, and in the order of saying what contradicts nothing that stands already.

    A curator's word settles its time for all that was said before it: what agrees is kept, what contradicts is cut.
    What is said against it later is a challenge again.
    """
    curated = by_place(each for each in pieces if each.evidence.rank == CURATED)
    kept, disputes = [each for each in pieces if each.evidence.rank == CURATED], set()
    holding: dict[str, Holding] = defaultdict(Holding)
    for piece in sorted(pieces, key=lambda each: (each.evidence.order, each.span)):
        if piece.evidence.rank == CURATED:
            continue
        places = piece.evidence.places
        word = Word(piece, (each for place in places for each in curated.get(place, ())))
        disputes |= {Dispute(HIGHER_AUTHORITY, winner, piece.evidence.assertion.id) for winner in word.settled_by}
        kept += [Piece(span, piece.evidence) for span in word.confirmed]
        for span in word.open:
            rest = Piece(span, piece.evidence)
            met = (word.against(span), *(holding[place].against(rest) for place in places))
            standing = next((each for each in met if each is not None), None)
            if standing is not None:
                disputes.add(Dispute(NEEDS_REVIEW, standing.evidence.assertion.id, piece.evidence.assertion.id))
                continue
            kept.append(rest)
            for place in places:
                holding[place].add(rest)
    return kept, disputes


class Word:
    """What curators said of a piece's time: later, and then it is settled (`confirmed`, or cut), or before it."""

    def __init__(self, piece: Piece, curated: Iterable[Piece]) -> None:
        self.settled_by: list[str] = []
        self._before: list[Piece] = []
        agreed, settled = Union(), Union()
        for each in (each for each in curated if overlap(each.span, piece.span)):
            later = each.evidence.order > piece.evidence.order
            if each.evidence.statement == piece.evidence.statement:
                if later:
                    agreed.add(each.span)
            elif later:
                settled.add(each.span)
                self.settled_by.append(each.evidence.assertion.id)
            else:
                self._before.append(each)
        uncut = settled.without(piece.span)
        self.open = [rest for part in uncut for rest in agreed.without(part)]
        unsettled = Union()
        for span in self.open:
            unsettled.add(span)
        self.confirmed = [rest for part in uncut for rest in unsettled.without(part)]

    def against(self, span: Interval) -> Piece | None:
        """A curated piece that was said before and contradicts."""
        return next((each for each in self._before if overlap(each.span, span)), None)


class Holding:
    """Pieces that stand, disjoint and in order: each holds the time that nothing held before it."""

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        self._pieces: list[Piece] = []

    def against(self, piece: Piece) -> Piece | None:
        """The first of another statement that overlaps."""
        first, last = self._met(piece.span)
        others = (each for each in self._pieces[first:last] if each.evidence.statement != piece.evidence.statement)
        return next(others, None)

    def add(self, piece: Piece) -> None:
        """One that nothing stands against."""
        first, last = self._met(piece.span)
        taken = Union()
        for start, end in zip(self._starts[first:last], self._ends[first:last], strict=True):
            taken.add(Interval(start, end))
        for span in taken.without(piece.span):
            place = bisect_left(self._starts, span.start)
            self._starts.insert(place, span.start)
            self._ends.insert(place, span.end)
            self._pieces.insert(place, piece)

    def _met(self, span: Interval) -> tuple[int, int]:
        return bisect_right(self._ends, span.start), bisect_left(self._starts, span.end)


def overlap(one: Interval, other: Interval) -> bool:
    return one.start < other.end and other.start < one.end
