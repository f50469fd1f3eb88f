"""What follows from facts, on the command line."""

from pathlib import Path

import pytest

from tests.palimpsest.conftest import Command
from tests.palimpsest.test_curating import derive

TOLD = "".join(
    f'{{"subject": "{subject}", "predicate": "{predicate}", "object": "{target}", "said_at": "2026-01-01T00:00:00Z"}}\n'
    for subject, predicate, target in (("Ana", "lives_in", "Lisbon"), ("Lisbon", "located_in", "Portugal"))
)


@pytest.fixture
def told(palimpsest: Command, tmp_path: Path) -> Command:
    file = tmp_path / "told.jsonl"
    file.write_text(TOLD)
    assert palimpsest("init").code == 0
    assert palimpsest("assert", file, "--user", "ana").code == 0
    derive()
    return palimpsest


def test_what_follows_is_listed_apart_with_the_facts_it_rests_on(told: Command) -> None:
    shown = told("facts", "--user", "ana", "--subject", "Ana", "--inferred")
    assert shown.code == 0
    assert "Nobody told, and it follows:" in shown.out
    assert "Ana lives_within Portugal" in shown.out
    (concluded,) = told("facts", "--user", "ana", "--subject", "Ana", "--inferred", "--json").json["conclusions"]
    for fact in concluded["inferred"]["premises"]:
        assert fact[:8] in shown.out
        assert told("lineage", fact).code == 0


def test_where_nothing_follows_it_is_said(told: Command) -> None:
    assert "Nothing follows from it." in told("facts", "--user", "ana", "--subject", "Portugal", "--inferred").out
    assert "follows" not in told("facts", "--user", "ana", "--subject", "Ana").out


def test_of_nobody_nothing_follows(told: Command) -> None:
    done = told("facts", "--user", "ana", "--inferred")
    assert done.code != 0
    assert "name a subject" in done.err


def test_an_answer_says_that_nobody_told_it(told: Command) -> None:
    shown = told("ask", "In which country does Ana live?", "--user", "ana")
    assert shown.out.splitlines()[0].strip() == "Portugal"
    assert "nobody told, it follows: where the home lies" in shown.out
