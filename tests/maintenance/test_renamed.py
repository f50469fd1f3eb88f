"""Predicates that were provisional when they were read and are declared since: a rebuild takes their facts up."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from kg_assets.graph.belief import derive_pending
from kg_assets.graph.generations import is_stale
from kg_assets.graph.policies import LATEST_VALID
from kg_assets.graph.soundness import overlapping
from kg_assets.graph.versions import current
from kg_assets.graph.wording import sentence
from kg_assets.maintenance.comparing import difference, in_words
from kg_assets.maintenance.generations import Circumstances, rebuild
from kg_assets.model import Fact, Literal, Origin
from kg_assets.ports import Memory
from kg_assets.text.extra_ontology import extended
from kg_assets.text.ontology import Ontology, load_ontology
from kg_assets.triples.asserting import assert_statements, check_statement
from resources.embedder import build_embedder
from resources.sqlite import SqliteStores
from tests.maintenance.telling import ALL, NOW, clock, process

ORIGIN = Origin(actor="test", cause="test")
ticks = count(NOW + 1)
EXTRA = """
predicates:
  customer_of:
    aliases: [bank with]
    inverse_aliases: [has as a customer]
    functional: true
    phrase: "{subject} is a customer of {object}"
  rival_of:
    aliases: [competes with]
    symmetric: true
    functional: true
  motto:
    aliases: [swears by]
    range: text
    functional: true
"""


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    stores = SqliteStores(tmp_path, b"secret", clock)
    found = stores.open(stores.create("test", "ana", now=NOW).id)
    yield found
    found.close()


def tell(memory: Memory, *statements: tuple[str, str, str, str]) -> None:
    raw = [
        {"subject": subject, "predicate": predicate, "object": target, "valid_from": f"{since}-01-01T00:00:00Z"}
        for subject, predicate, target, since in statements
    ]
    checked = [check_statement(each, load_ontology(), where="") for each in raw]
    assert_statements(memory, checked, load_ontology(), clock=lambda: NOW, origin=ORIGIN)
    process(memory)


def rebuilt(memory: Memory, ontology: Ontology) -> None:
    at = Circumstances(ontology=ontology, embedder=build_embedder("hashing"), origin=ORIGIN, clock=lambda: next(ticks))
    rebuild(memory, at, flip_to_it=True, most_lost=0)


def worded(memory: Memory, ontology: Ontology) -> set[tuple[str, bool]]:
    """(sentence, whether it still holds)."""
    found = set()
    for fact in facts(memory):
        ends = [end for end in (fact.belief.subject_id, fact.belief.object_id) if end]
        entities = {each.id: each for each in memory.graph.entities(ends)}
        words = sentence(fact, entities, ontology).split(" (")[0].rstrip(".")
        found.add((words, fact.belief.valid_to is None))
    return found


def facts(memory: Memory) -> list[Fact]:
    return [fact for page in current(memory.graph) for fact in page]


def test_an_alias_is_taken_up_and_its_slot_holds_one_value(memory: Memory) -> None:
    tell(memory, ("Ana", "bank with", "Wise", "2020"), ("Ana", "bank with", "Revolut", "2024"))
    ontology = extended(EXTRA)
    assert worded(memory, ontology) == {("Ana bank with Wise", True), ("Ana bank with Revolut", True)}
    assert is_stale(memory, ontology, LATEST_VALID)
    assert overlapping(facts(memory), ontology) == []  # what stands as provisional is sound
    rebuilt(memory, ontology)
    assert worded(memory, ontology) == {("Ana is a customer of Wise", False), ("Ana is a customer of Revolut", True)}
    told = difference(memory, 1, 2, ontology)
    assert [(each.kind, "predicate" in each.what) for each in told.differing] == [("changed", True)] * 2
    assert any("Ana bank with Revolut" in line and "customer" in line for line in in_words(told))


def test_an_inverse_alias_turns_the_statement_round(memory: Memory) -> None:
    tell(memory, ("Wise", "has as a customer", "Ana", "2020"), ("Ana", "bank with", "Revolut", "2024"))
    ontology = extended(EXTRA)
    rebuilt(memory, ontology)
    assert worded(memory, ontology) == {("Ana is a customer of Wise", False), ("Ana is a customer of Revolut", True)}


def test_a_symmetric_one_joins_the_slots_of_both(memory: Memory) -> None:
    tell(memory, ("Acme", "competes with", "Nordwind", "2020"), ("Nordwind", "competes with", "Zenith", "2024"))
    ontology = extended(EXTRA)
    rebuilt(memory, ontology)
    holding = {words for words, holds in worded(memory, ontology) if holds}
    assert holding == {"Nordwind rival of Zenith", "Zenith rival of Nordwind"}


def test_a_name_becomes_a_text_where_the_predicate_takes_one(memory: Memory) -> None:
    tell(memory, ("Ana", "swears by", "Less is more", "2020"))
    ontology = extended(EXTRA)
    at = Circumstances(ontology=ontology, embedder=build_embedder("hashing"), origin=ORIGIN, clock=lambda: next(ticks))
    rebuild(memory, at, flip_to_it=True, most_lost=1)
    (fact,) = facts(memory)
    assert fact.belief.value == Literal(value="Less is more", type="text")


def test_what_is_said_before_the_rebuild_joins_what_was_said_before(memory: Memory) -> None:
    """The slot that new evidence touches is derived by the ontology of today, from all that it means."""
    tell(memory, ("Ana", "bank with", "Wise", "2020"))
    ontology = extended(EXTRA)
    said = {"subject": "Ana", "predicate": "customer of", "object": "Revolut", "valid_from": "2024-01-01T00:00:00Z"}
    checked = [check_statement(said, ontology, where="")]
    assert_statements(memory, checked, ontology, clock=lambda: NOW, origin=ORIGIN)
    derive_pending(memory, ontology, routes=ALL, origin=ORIGIN, clock=clock)
    assert {("Ana is a customer of Wise", False), ("Ana is a customer of Revolut", True)} < worded(memory, ontology)
    rebuilt(memory, ontology)
    assert worded(memory, ontology) == {("Ana is a customer of Wise", False), ("Ana is a customer of Revolut", True)}
