"""What is left of each affirmed assertion of a slot once denials, retractions and successors have had their say."""

from collections import defaultdict
from collections.abc import Sequence

import msgspec

from kg_assets.graph.intervals import ALWAYS, BEGINNING, Interval, Union, interval
from kg_assets.model import AUTHORITY_RANK, Assertion, Micros, Precision
from kg_assets.text.periods import DAY_MICROS, day_of, midnight, month, years

ONE_PLACE = ("",)  # of a slot that no other is joined to


class Statement(msgspec.Struct, frozen=True, order=True):
    """What competes: a predicate and the object's key within one slot."""

    predicate: str
    object_key: str


class Evidence(msgspec.Struct, frozen=True):
    """An assertion with its mentions resolved: `statement` names entities by canonical key.

    What a symmetric functional predicate says of two takes up a place in the slots of both (`places`): statements that
    share a place exclude each other. What stands `elsewhere` competes, and is believed in the slots of others.
    """

    assertion: Assertion
    statement: Statement
    competes: str  # statements with the same value exclude each other
    places: tuple[str, ...] = ONE_PLACE
    elsewhere: bool = False

    @property
    def order(self) -> tuple[int, int, str]:
        return (self.assertion.said_at, self.assertion.seq, self.assertion.id)

    @property
    def rank(self) -> int:
        return AUTHORITY_RANK[self.assertion.authority]


class Piece(msgspec.Struct, frozen=True):
    """A part of one assertion's interval in which nobody took it back."""

    span: Interval
    evidence: Evidence

    @property
    def strength(self) -> tuple[int, int, tuple[int, int, str]]:
        """By authority, then by the latest moment at which it can have begun, then by when it was said."""
        return (self.evidence.rank, latest_start(self.evidence.assertion), self.evidence.order)


def latest_start(assertion: Assertion) -> Micros:
    """The last moment at which what was said can have begun: it had begun when it was said.

    "In May", said on 30 May, can have begun on that day; so it is later than "I live in Porto" of 20 May.
    """
    start = BEGINNING if assertion.valid_from is None else assertion.valid_from
    if start == BEGINNING or not assertion.start_known:
        return start
    return max(start, min(end_of_precision(start, assertion.precision) - 1, assertion.said_at))


def end_of_precision(start: Micros, precision: Precision) -> Micros:
    """Where the day, month or year ends that holds this instant; an instant ends at once."""
    if precision == "day":
        return start + DAY_MICROS
    day = day_of(start)
    if day is None or precision not in ("month", "year"):
        return start + 1
    end = midnight((month(day.year, day.month) if precision == "month" else years(day.year)).end)
    return start + 1 if end is None else end


def standing(evidence: Sequence[Evidence]) -> list[Piece]:
    """What is left of each affirmed assertion after later retractions and denials of the same statement.

    From the last to the first that was said, in O(n log n): what takes back is gathered by statement and authority.
    """
    against: dict[Statement, dict[int, Union]] = defaultdict(lambda: defaultdict(Union))
    pieces: list[Piece] = []
    for each in sorted(evidence, key=lambda each: each.order, reverse=True):
        span = interval(each.assertion.valid_from, each.assertion.valid_to)
        if each.assertion.polarity == "retracted":
            against[each.statement][each.rank].add(ALWAYS)
        elif each.assertion.polarity == "denied" and span is not None:
            against[each.statement][each.rank].add(span)
        elif each.assertion.polarity == "affirmed" and span is not None:
            left = [span]
            for rank, taken_back in against[each.statement].items():
                if rank >= each.rank:
                    left = [rest for part in left for rest in taken_back.without(part)]
            pieces += [Piece(part, each) for part in left]
    return pieces


class Closing(msgspec.Struct, frozen=True):
    """`loser` ends for good where `winner` begins."""

    winner: Piece
    loser: Piece


def succeeded(pieces: Sequence[Piece]) -> tuple[list[Piece], list[Closing]]:
    """Pieces cut off where an open-ended successor of another statement begins, and by whom.

    Who says "I work at Siemens" has left Nordwind, and "I left Siemens" does not bring Nordwind back. A stay that was
    told with its end is no successor: after a summer in Rome one is home again. A successor is no weaker in authority
    and can have begun later. O(n log n) in the pieces.
    """
    # By place and rank: the earliest successor, and the earliest of another statement.
    earliest: dict[str, dict[int, list[Piece]]] = defaultdict(dict)
    left: list[Piece] = []
    closings: list[Closing] = []
    for piece in sorted(pieces, key=lambda each: each.strength[1:], reverse=True):
        rivals = [
            rival
            for place in piece.evidence.places
            for rank, successors in earliest[place].items()
            if rank >= piece.evidence.rank
            for rival in successors
            if rival.evidence.statement != piece.evidence.statement
        ]
        successor = min(rivals, key=lambda each: (each.span.start, each.strength), default=None)
        if successor is None or successor.span.start >= piece.span.end:
            left.append(piece)
        else:
            closings.append(Closing(successor, piece))
            if piece.span.start < successor.span.start:
                left.append(Piece(Interval(piece.span.start, successor.span.start), piece.evidence))
        if piece.evidence.assertion.valid_to is None:
            for place in piece.evidence.places:
                note(earliest[place].setdefault(piece.evidence.rank, []), piece)
    return left, closings


def note(successors: list[Piece], piece: Piece) -> None:
    """Keep the earliest piece of each of the two statements that begin first."""
    for place, other in enumerate(successors):
        if other.evidence.statement == piece.evidence.statement:
            successors[place] = min(other, piece, key=lambda each: each.span.start)
            break
    else:
        successors.append(piece)
    successors.sort(key=lambda each: each.span.start)
    del successors[2:]
