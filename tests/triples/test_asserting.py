"""Dated statements without a text: checked field by field, appended once, believed like anything else."""

from pathlib import Path
from typing import Any

import pytest

from kg_assets.errors import InvalidInput
from kg_assets.graph.belief import derive_pending
from kg_assets.model import Literal, Origin
from kg_assets.ports import Memory
from kg_assets.text.instants import parse_instant
from kg_assets.text.ontology import load_ontology
from kg_assets.triples.asserting import AssertReport, assert_statements, check_statement
from resources.sqlite import SqliteStores

NOW = parse_instant("2026-06-01T00:00:00Z")
ORIGIN = Origin(actor="test", cause="test")


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    stores = SqliteStores(tmp_path, b"secret" * 8, clock=lambda: NOW)
    return stores.open(stores.create("test", "ana", now=NOW).id)


def line(**fields: Any) -> dict[str, Any]:
    return {"subject": "Ana", "predicate": "lives_in", "object": "Porto", **fields}


def assert_lines(memory: Memory, *lines: dict[str, Any]) -> AssertReport:
    ontology = load_ontology()
    statements = [check_statement(each, ontology, where="test") for each in lines]
    return assert_statements(memory, statements, ontology, clock=lambda: NOW, origin=ORIGIN)


def homes(memory: Memory, at: str) -> list[str]:
    ontology = load_ontology()
    derive_pending(memory, ontology, routes=("batch",), origin=ORIGIN, clock=lambda: NOW)
    facts = memory.graph.facts(valid_at=parse_instant(at), known_at=None, predicates=["lives_in"])
    return sorted(fact.belief.object_key for fact in facts)


def test_statements_are_believed_in_their_intervals(memory: Memory) -> None:
    assert_lines(memory, line(valid_from="2010", valid_to="2014-03"), line(object="Lisbon", valid_from="2014-03"))
    names = {each.id: each.name for each in memory.graph.entities_by_key(["porto", "lisbon"]).values()}
    assert homes(memory, "2009-12-31T23:59:59Z") == []
    assert homes(memory, "2010-01-01T00:00:00Z") == ["porto"], names
    assert homes(memory, "2014-02-28T23:59:59Z") == ["porto"]
    assert homes(memory, "2014-03-01T00:00:00Z") == ["lisbon"]


def test_asserting_again_changes_nothing(memory: Memory) -> None:
    assert assert_lines(memory, line(), line(object="Lisbon")) == AssertReport(new=2, known=0)
    head = memory.ledger.head()
    assert assert_lines(memory, line(object="Lisbon"), line()) == AssertReport(new=0, known=2)
    assert memory.ledger.head() == head


def test_what_is_denied_is_no_longer_believed(memory: Memory) -> None:
    assert_lines(memory, line(valid_from="2010", said_at="2010-01-02T00:00:00Z"))
    assert_lines(memory, line(valid_from="2015", said_at="2015-01-02T00:00:00Z", denied=True))
    assert homes(memory, "2014-12-31T00:00:00Z") == ["porto"]
    assert homes(memory, "2015-01-01T00:00:00Z") == []


def test_a_curator_corrects_what_was_said(memory: Memory) -> None:
    assert_lines(memory, line(valid_from="2010", authority="user"))
    assert_lines(memory, line(object="Lisbon", valid_from="2010", authority="curated"))
    assert homes(memory, "2020-01-01T00:00:00Z") == ["lisbon"]


def test_an_inverse_name_is_turned_round(memory: Memory) -> None:
    assert_lines(memory, {"subject": "Mia", "predicate": "child_of", "object": "Ana"})
    (assertion,) = memory.ledger.assertions_about(["mia"])
    assert (assertion.subject.key, assertion.predicate) == ("ana", "parent_of")


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        ({"value": 3, "type": "number"}, Literal(value=3, type="number")),
        (3.5, Literal(value=3.5, type="number")),
    ],
)
def test_literals_stay_literals(memory: Memory, given: Any, stored: Literal) -> None:
    assert_lines(memory, line(predicate="zorps", object=given))
    (assertion,) = memory.ledger.assertions_about(["ana"])
    assert assertion.object == stored


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ([], "a statement is an object"),
        (line(extra=1), "unknown field 'extra'"),
        (line(subject=" "), "subject: is missing or empty"),
        (line(object=None), "object: is missing or empty"),
        (line(object={"value": 1}), "a literal is"),
        (line(authority="god"), "authority: 'god' is unknown"),
        (line(valid_from="2020-02-30"), "not a possible date"),
        (line(valid_from="May 2020"), "is not a time"),
        (line(valid_from="2020", valid_to="2020"), "not after valid_from"),
        (line(said_at=5), "said_at: is a time"),
        (line(subject="a\0b"), "NUL"),
        (line(subject="\ud800"), "surrogate"),
        (line(denied="yes"), "denied: is true or false"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(raw: object, words: str) -> None:
    with pytest.raises(InvalidInput, match=r"f\.jsonl:3") as caught:
        check_statement(raw, load_ontology(), where="f.jsonl:3")
    assert words in str(caught.value)
