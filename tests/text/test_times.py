"""Time expressions stand for the intervals that a person takes them for."""

from pathlib import Path

import pytest

from benchmarks.time_expressions import FILE, Case, cases, judge, overlapping
from kg_assets.text.instants import format_instant, parse_instant
from kg_assets.text.times import find_times

# Read otherwise, and why: no interval before the year 1, no clock times, no reading of verbs ("for two years"), nothing
# narrower than the year where day and month may be swapped.
OTHERWISE = {
    "coarse": {"5/6/2021", "2026-03-10T22:15:00Z"},
    "missed": {"44 BC", "at 16:45", "since 5 am", "these twenty years"},
    "wrong": {"for two years", "from the 18th century", "Friday the 13th"},
}
EXPECTED = {words: outcome for outcome, every in OTHERWISE.items() for words in every}
SECOND = Path(__file__).with_name("time_expressions_second.txt")


def words_of(case: Case) -> str:
    return case.text[slice(*case.span)]


@pytest.mark.parametrize("case", cases(FILE), ids=words_of)
def test_an_expression_is_read_as_a_person_reads_it(case: Case) -> None:
    assert judge(case, overlapping(case))[0] == EXPECTED.get(words_of(case), "exact")


def test_most_of_a_second_set_is_read_as_well() -> None:
    read = [judge(case, overlapping(case))[0] for case in cases(SECOND)]
    assert read.count("exact") >= 40


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("from Tuesday to Friday", "2026-03-03", "2026-03-07"),
        ("from November to February", "2025-11-01", "2026-03-01"),
        ("from June to September last year", "2025-06-01", "2025-10-01"),
        ("Monday to Wednesday", "2026-03-16", "2026-03-19"),
        ("last year in May", "2025-05-01", "2025-06-01"),
        ("on Tuesday the 24th", "2026-02-24", "2026-02-25"),
    ],
)
def test_expressions_that_belong_together_are_one(text: str, first: str, last: str) -> None:
    (found,) = find_times(text, parse_instant("2026-03-11T10:30:00Z"), forward=text.startswith("Monday"))
    assert found.valid_from is not None
    assert found.valid_to is not None
    assert (format_instant(found.valid_from)[:10], format_instant(found.valid_to)[:10]) == (first, last)


@pytest.mark.parametrize(
    ("said", "day"), [("2026-03-11T00:30:00Z", "2026-03-10"), ("2026-03-11T10:30:00Z", "2026-03-11")]
)
def test_an_hour_ago_may_have_been_yesterday(said: str, day: str) -> None:
    (found,) = find_times("I ate an hour ago.", parse_instant(said))
    assert found.valid_from is not None
    assert format_instant(found.valid_from)[:10] == day


@pytest.mark.parametrize(
    ("year", "day"), [(2024, "2024-03-31"), (2025, "2025-04-20"), (2038, "2038-04-25"), (1818, "1818-03-22")]
)
def test_easter_moves(year: int, day: str) -> None:
    (found,) = find_times(f"We met at Easter {year}.", parse_instant("2026-03-11T10:30:00Z"))
    assert found.valid_from is not None
    assert format_instant(found.valid_from)[:10] == day
