"""The laws of half-open intervals."""

import itertools
import random

from hypothesis import given
from hypothesis import strategies as st

from kg_assets.graph.intervals import BEGINNING, FOREVER, Interval, Union, bounds, elementary, interval

EDGES = st.integers(min_value=-50, max_value=50)
SPANS = st.builds(lambda a, b: Interval(min(a, b), max(a, b) + 1), EDGES, EDGES)


def points(*spans: Interval) -> set[int]:
    return {point for span in spans for point in range(span.start, span.end)}


def union(holes: list[Interval]) -> Union:
    found = Union()
    for hole in holes:
        found.add(hole)
    return found


@given(SPANS, st.lists(SPANS, max_size=8))
def test_without_a_union_exactly_the_points_outside_of_it_are_left(span: Interval, holes: list[Interval]) -> None:
    assert points(*union(holes).without(span)) == points(span) - points(*holes)


@given(SPANS, st.lists(SPANS, max_size=8))
def test_what_is_left_is_ordered_and_apart(span: Interval, holes: list[Interval]) -> None:
    left = union(holes).without(span)
    assert all(first.end < second.start for first, second in itertools.pairwise(left))


@given(SPANS, st.lists(SPANS, max_size=8), st.randoms(use_true_random=False))
def test_the_order_in_which_a_union_grew_does_not_matter(
    span: Interval, holes: list[Interval], shuffler: random.Random
) -> None:
    shuffled = shuffler.sample(holes, len(holes))
    assert union(shuffled).without(span) == union(holes).without(span)


@given(st.lists(SPANS, max_size=6))
def test_elementary_intervals_lie_wholly_inside_or_outside_each_span(spans: list[Interval]) -> None:
    for cell in elementary(spans):
        for span in spans:
            assert span.covers(cell) or not points(span) & points(cell)


@given(st.lists(SPANS, max_size=6))
def test_elementary_intervals_cover_every_point_once(spans: list[Interval]) -> None:
    cells = elementary(spans)
    assert points(*spans) <= points(*cells)
    assert sum(len(points(cell)) for cell in cells) == len(points(*cells))


def test_an_open_side_stays_open_there_and_back() -> None:
    assert interval(None, 5) == Interval(BEGINNING, 5)
    assert interval(5, None) == Interval(5, FOREVER)
    assert bounds(Interval(BEGINNING, FOREVER)) == (None, None)


def test_an_interval_that_ends_where_it_starts_is_empty() -> None:
    assert interval(5, 5) is None
    assert interval(6, 5) is None
