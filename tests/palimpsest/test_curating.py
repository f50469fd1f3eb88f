"""review, correct, suggestions, merge, split, entities and walks on a real home: derived at once, without a run."""

import json
from pathlib import Path
from typing import Any

import pytest

from kg_assets.graph.belief import derive_pending
from kg_assets.model import Origin
from palimpsest.curation_views import also_called
from palimpsest.home import open_home
from tests.palimpsest.conftest import Command


@pytest.fixture
def told(palimpsest: Command, tmp_path: Path) -> Command:
    """Somebody whose curated home is contradicted by their own word."""
    assert palimpsest("init").code == 0
    rows = [
        {"subject": "Ana", "predicate": "likes", "object": "tea", "said_at": "2026-01-01T00:00:00Z"},
        {"subject": "Anna", "predicate": "likes", "object": "rain", "said_at": "2026-01-01T00:00:00Z"},
    ]
    file = tmp_path / "facts.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert palimpsest("assert", file, "--user", "ana").code == 0
    derive()
    return palimpsest


def derive() -> None:
    """As the asset does."""
    with open_home() as home, home.memory("ana") as memory:
        origin = Origin(actor="temporal_graph", cause="test")
        derive_pending(memory, home.ontology, routes=("batch",), origin=origin, clock=home.clock)


def likings(run: Command, *words: str) -> list[dict[str, Any]]:
    done = run("facts", "--user", "ana", "--predicate", "likes", *words, "--json")
    assert done.code == 0
    found: list[dict[str, Any]] = done.json["facts"]
    return sorted(found, key=lambda fact: fact["object"]["name"])


def test_a_fact_is_corrected_and_taken_back_by_the_beginning_of_its_id(told: Command) -> None:
    rain, tea = likings(told)
    done = told(
        "correct", tea["id"][:10], "--object", "coffee", "--valid-from", "2025-05", "--note", "asked her", "--json"
    )
    assert done.code == 0, done.err
    (coffee, *_) = [fact for fact in done.json["facts"] if fact["object"]["name"] == "coffee"]
    assert (coffee["authority"], coffee["valid_from"]) == ("curated", "2025-05-01T00:00:00Z")
    assert "retract" in told("correct", rain["id"][:10], "--wrong").out
    assert [fact["object"]["name"] for fact in likings(told)] == ["coffee"]
    assert told("verify", "--user", "ana").code == 0


def test_a_correction_that_says_nothing_is_refused(told: Command) -> None:
    fact = likings(told)[0]["id"][:10]
    for words in ([], ["--object", "mate", "--wrong"]):
        assert told("correct", fact, *words).code == 1


def test_entities_are_merged_and_split(told: Command) -> None:
    assert told("merge", "Ana", "Anna", "--user", "ana").code == 0
    assert len(likings(told, "--subject", "Anna")) == 2
    assert told("entities", "Anna", "--user", "ana", "--json").json["aliases"] == ["ana", "anna"]
    assert told("split", "Ana", "Anna", "--user", "ana").code == 0
    assert [fact["object"]["name"] for fact in likings(told, "--subject", "Anna")] == ["rain"]
    assert "Anna" in told("entities", "--user", "ana").out


def test_a_suggestion_is_listed_and_declined_for_good_or_accepted(told: Command) -> None:
    assert "sound alike" in told("suggestions", "--user", "ana").out
    (found,) = told("suggestions", "--user", "ana", "--name", "Ana", "--json").json["suggestions"]
    assert {found["keep"]["name"], found["merge"]["name"]} == {"Ana", "Anna"}
    assert told("suggestions", "--user", "ana", found["id"][:10]).code == 1
    done = told("suggestions", "--user", "ana", found["id"][:10], "accept", "--note", "asked her", "--json")
    assert done.code == 0, done.err
    assert len(likings(told, "--subject", "Anna")) == 2
    assert "No two entities" in told("suggestions", "--user", "ana").out

    assert told("split", "Ana", "Anna", "--user", "ana").code == 0
    assert told("suggestions", "--user", "ana", "--json").json == {"suggestions": []}
    assert told("suggestions", "--user", "ana", found["id"][:10], "reject").code == 1
    assert told("verify", "--user", "ana").code == 0


def test_what_stands_around_an_entity_and_the_way_to_another(told: Command) -> None:
    assert "Ana likes tea" in told("neighbourhood", "Ana", "--user", "ana").out
    view = told("neighbourhood", "Ana", "--user", "ana", "--hops", "1", "--json").json
    assert [each["distance"] for each in view["facts"]] == [1]
    done = told("path", "tea", "Ana", "--user", "ana")
    assert (done.code, done.out.splitlines()[0]) == (0, "tea ← likes ← Ana")
    assert told("path", "Ana", "Anna", "--user", "ana").code == 1
    assert told("path", "Ana", "Anna", "--user", "ana", "--max-hops", "9").code == 1


def test_a_review_is_listed_and_decided(told: Command, tmp_path: Path) -> None:
    file = tmp_path / "more.jsonl"
    rows = [
        {"subject": "Ana", "predicate": "lives_in", "object": "Porto", "valid_from": "2020", "authority": "curated"},
        {"subject": "Ana", "predicate": "lives_in", "object": "Braga", "valid_from": "2024", "authority": "user"},
    ]
    for day, row in enumerate(rows, start=1):
        row["said_at"] = f"2026-02-0{day}T00:00:00Z"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert told("assert", file, "--user", "ana").code == 0
    derive()
    assert "Braga" in told("review", "--user", "ana").out
    (review,) = told("review", "--user", "ana", "--json").json["reviews"]
    assert review["id"][:8] in told("review", "--user", "ana").out  # however narrow the terminal, it can be named
    done = told("review", "--user", "ana", review["id"][:8], "accept", "--json")
    assert done.code == 0, done.err
    assert sorted(fact["object"]["name"] for fact in done.json["facts"]) == ["Braga", "Porto"]
    assert "Nothing waits" in told("review", "--user", "ana").out


def test_the_list_of_entities_cuts_no_heading_and_no_id(
    told: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    long = "the evening train from Horsforth to Headingley and back"
    row = {"subject": "Ana", "predicate": "likes", "object": long, "said_at": "2026-01-02T00:00:00Z"}
    file = tmp_path / "more.jsonl"
    file.write_text(json.dumps(row))
    assert told("assert", file, "--user", "ana").code == 0
    derive()
    shown = told("entities", "--user", "ana")
    ids = [each["id"] for each in told("entities", "--user", "ana", "--json").json["entities"]]
    assert {"importance", "mentioned"} < set(shown.out.split())
    assert all(each[:10] in shown.out for each in ids)


def test_facts_are_found_by_their_object(told: Command) -> None:
    found = told("facts", "--user", "ana", "--object", "rain", "--json").json["facts"]
    assert {fact["object"]["name"] for fact in found} == {"rain"}


def test_names_are_listed_beside_the_one_that_is_shown_and_in_words() -> None:
    assert also_called("Irena", ["@self's mum", "irena"]) == ["my mum"]
    assert also_called("Ana", ["@self", "ana", "ana costa"]) == ["me", "ana costa"]
