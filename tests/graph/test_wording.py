"""Values in words."""

from pathlib import Path
from typing import Any

import pytest

from kg_assets.graph.belief import derive_pending
from kg_assets.graph.wording import literal, sentence
from kg_assets.model import Literal, Origin
from kg_assets.text.ontology import load_ontology
from kg_assets.triples.asserting import assert_statements, check_statement
from resources.sqlite import SqliteStores


@pytest.mark.parametrize(
    ("value", "kind", "words"),
    [
        ("05-05", "date", "5 May"),
        ("1990-12-31", "date", "31 December 1990"),
        ("02-29", "date", "29 February"),
        ("13-01", "date", "13-01"),
        ("1990", "date", "1990"),
        ("05-05", "text", "05-05"),
        (7, "number", "7"),
    ],
)
def test_a_date_is_told_in_words_and_other_values_as_they_are(value: str | int, kind: str, words: str) -> None:
    assert literal(Literal(value=value, type=kind)) == words


@pytest.mark.parametrize(
    ("valid_from", "valid_to", "words"),
    [
        ("2026-09", "2026-10", "(September 2026)"),
        ("2026", "2027", "(2026)"),
        ("2026-09-03", "2026-09-04", "(3 September 2026)"),
        ("2026-09", "2026-11", "(September 2026 to 1 November 2026)"),
        ("2026-09", None, "(since September 2026)"),
        (None, "2026-10", "(until 1 October 2026)"),
        (None, None, ""),
    ],
)
def test_one_period_is_told_once(tmp_path: Path, valid_from: str | None, valid_to: str | None, words: str) -> None:
    ontology, origin = load_ontology(), Origin(actor="test", cause="test")
    stores = SqliteStores(tmp_path, b"secret" * 8, clock=lambda: 1)
    memory = stores.open(stores.create("test", "ana", now=1).id)
    raw: dict[str, Any] = {"subject": "Ana", "predicate": "lives_in", "object": "Lisbon"}
    raw |= {"valid_from": valid_from, "valid_to": valid_to}
    statement = check_statement(raw, ontology, where="test")
    assert_statements(memory, [statement], ontology, clock=lambda: 1, origin=origin)
    derive_pending(memory, ontology, routes=("batch",), origin=origin, clock=lambda: 1)
    (fact,) = memory.graph.facts(valid_at=None, known_at=None)
    entities = {entity.id: entity for entity in memory.graph.all_entities()}
    assert sentence(fact, entities, ontology) == f"Ana lives in Lisbon {words}".strip() + "."
    memory.close()
    stores.close()
