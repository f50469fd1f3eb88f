"""Half-open intervals `[start, end)` of microseconds, and the few laws that timelines need.

Inside this module an unbounded side is a number beyond every real time, so that intervals compare without branches.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

from kg_assets.model import Micros

BEGINNING = -(1 << 62)
FOREVER = 1 << 62


class Interval(NamedTuple):
    """`start` < `end`; `BEGINNING` and `FOREVER` stand for unbounded."""

    start: int
    end: int

    def covers(self, other: "Interval") -> bool:
        return self.start <= other.start and other.end <= self.end


ALWAYS = Interval(BEGINNING, FOREVER)


def interval(valid_from: Micros | None, valid_to: Micros | None) -> Interval | None:
    """From the model's form, where None is unbounded; None for an empty interval."""
    start = BEGINNING if valid_from is None else valid_from
    end = FOREVER if valid_to is None else valid_to
    return Interval(start, end) if start < end else None


def bounds(span: Interval) -> tuple[Micros | None, Micros | None]:
    """Back to the model's form."""
    return (
        None if span.start == BEGINNING else span.start,
        None if span.end == FOREVER else span.end,
    )


class Union:
    """A growing union of intervals, kept as disjoint ones in order."""

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []

    def add(self, span: Interval) -> None:
        """Amortised O(log n); what it touches melts into one."""
        first = bisect_left(self._ends, span.start)
        last = bisect_right(self._starts, span.end)
        start = min([span.start, *self._starts[first : first + 1]]) if first < last else span.start
        end = max([span.end, *self._ends[last - 1 : last]]) if first < last else span.end
        self._starts[first:last] = [start]
        self._ends[first:last] = [end]

    def without(self, span: Interval) -> list[Interval]:
        """What is left of `span` outside of the union, in order."""
        left, start = [], span.start
        for place in range(bisect_right(self._ends, span.start), bisect_left(self._starts, span.end)):
            if start < self._starts[place]:
                left.append(Interval(start, self._starts[place]))
            start = self._ends[place]
        return [*left, Interval(start, span.end)] if start < span.end else left


def elementary(spans: Iterable[Interval]) -> list[Interval]:
    """The finest intervals between all boundaries of `spans`, in order; each is wholly inside or outside each."""
    edges = sorted({edge for span in spans for edge in span})
    return [Interval(start, end) for start, end in pairwise(edges)]
