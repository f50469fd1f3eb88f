"""What people work with, build and lead, and which school their children are at."""

import pytest

from tests.triples.reading_lines import Row, read


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("We use Redis 7 on Azure.", [("Ana", "uses_tool", "Redis 7", False), ("Ana", "uses_tool", "Azure", False)]),
        ("Our frontend is in Svelte.", [("Ana", "uses_tool", "Svelte", False)]),
        ("I mostly write Rust at work.", [("Ana", "uses_tool", "Rust", False)]),
        ("My blog runs on WordPress.", [("Ana", "uses_tool", "WordPress", False)]),
        ("I'm on Ubuntu, how do I install this?", [("Ana", "uses_tool", "Ubuntu", False)]),
        (
            "We migrated from MySQL to Postgres.",
            [("Ana", "uses_tool", "MySQL", True), ("Ana", "uses_tool", "Postgres", False)],
        ),
        (
            "I lead a team of nine at Ericsson.",
            [("Ana", "leads", "team", False), ("Ana", "works_at", "Ericsson", False)],
        ),
        ("I'm working on a novel.", [("Ana", "works_on", "novel", False)]),
        ("My dad uses a wheelchair.", [("Ana's dad", "uses_tool", "wheelchair", False)]),
        ("My son is in 5th grade.", [("Ana's son", "school_year", "5th grade", False)]),
        ("Our twins started kindergarten and Elsa is in year 6.", [("Elsa", "school_year", "year 6", False)]),
        ("My niece got into Leiden for physics.", [("Ana's niece", "studies_at", "Leiden", False)]),
    ],
)
def test_it_is_read(text: str, rows: list[Row]) -> None:
    assert set(rows) <= read(text)


@pytest.mark.parametrize(
    "text",
    [
        "You can use Postgres for that.",
        "I use my phone a lot.",
        "They won't let us use Slack.",
        "It runs on Linux.",
        "I'm working on it.",
    ],
)
def test_what_is_of_others_or_of_nothing_is_not(text: str) -> None:
    assert not {row for row in read(text) if row[0] == "Ana"}
