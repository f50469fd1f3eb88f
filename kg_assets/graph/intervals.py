"""Half-open intervals `[start, end)` of microseconds, and the few laws that timelines need.

Inside this module an unbounded side is a number beyond every real time, so that intervals compare without branches.
"""

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


def subtract(span: Interval, hole: Interval) -> list[Interval]:
    """What is left of `span` without `hole`: none, one or two intervals, in order."""
    pieces = [
        (span.start, min(span.end, hole.start)),
        (max(span.start, hole.end), span.end),
    ]
    return [Interval(start, end) for start, end in pieces if start < end]


def elementary(spans: Iterable[Interval]) -> list[Interval]:
    """The finest intervals between all boundaries of `spans`, in order; each is wholly inside or outside each."""
    edges = sorted({edge for span in spans for edge in span})
    return [Interval(start, end) for start, end in pairwise(edges)]
