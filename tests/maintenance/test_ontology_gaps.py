"""What users say that the ontology lacks: counted, and named only where enough memories say it."""

from pathlib import Path
from typing import Any

import dagster as dg
import msgspec
import pytest

from kg_assets.maintenance.asset import ontology_gaps
from kg_assets.maintenance.nearest_predicate import NONE, nearest
from kg_assets.maintenance.ontology_gaps import Gap, Least, gaps_of, gaps_of_memory, is_plain, uses_of
from kg_assets.model import MemoryInfo, Origin
from kg_assets.text.extra_ontology import extended
from kg_assets.text.ontology import load_ontology
from kg_assets.triples.asserting import assert_statements, check_statement
from resources.embedder import build_embedder
from resources.sqlite import SqliteStores
from tests.maintenance.telling import NOW, clock, process

EMBEDDER = build_embedder("hashing")
BANKS = ("bank with", "Revolut")
PRIVATE = ("secretly met marie", "Paris")


@pytest.fixture
def stores(tmp_path: Path) -> SqliteStores:
    return SqliteStores(tmp_path, b"secret", clock)


def told(stores: SqliteStores, name: str, *statements: tuple[str, str]) -> MemoryInfo:
    info = stores.create("test", name, now=NOW)
    memory = stores.open(info.id)
    raw = [{"subject": "I", "predicate": predicate, "object": thing} for predicate, thing in statements]
    checked = [check_statement(each, load_ontology(), where="") for each in raw]
    origin = Origin(actor="test", cause="test")
    assert_statements(memory, checked, load_ontology(), clock=lambda: NOW, origin=origin)
    process(memory)
    memory.close()
    return info


def everybody(stores: SqliteStores) -> None:
    told(stores, "ana", BANKS, ("lives in", "Porto"), PRIVATE)
    told(stores, "ben", BANKS, ("bank with", "Wise"), PRIVATE, ("juggle with", "torches"))
    told(stores, "eva", BANKS, PRIVATE, ("juggle with", "torches"))


def test_a_predicate_is_named_where_enough_memories_use_it(stores: SqliteStores) -> None:
    everybody(stores)
    found = gaps_of(stores, load_ontology(), EMBEDDER, least=3)
    (gap,) = found.gaps
    assert (gap.predicate, gap.memories, gap.assertions, gap.facts) == ("bank_with", 3, 4, 4)
    assert (gap.subject, gap.object) == ("person", "thing")
    assert gap.share == pytest.approx(4 / found.assertions, abs=1e-4)
    assert (found.memories, found.unread, found.least) == (3, 0, 3)
    assert found.provisional == found.assertions - 1


def test_what_few_say_and_what_is_worded_with_names_is_counted_only(stores: SqliteStores) -> None:
    everybody(stores)
    found = gaps_of(stores, load_ontology(), EMBEDDER, least=3)
    assert (found.hidden, found.hidden_assertions, found.worded) == (2, 5, 1)
    assert "marie" not in msgspec.json.encode(found).decode()
    assert {gap.predicate for gap in gaps_of(stores, load_ontology(), EMBEDDER, least=2).gaps} == {
        "bank_with",
        "juggle_with",
    }


def test_a_person_sees_all_of_their_own(stores: SqliteStores) -> None:
    info = told(stores, "ana", BANKS, PRIVATE)
    memory = stores.open(info.id)
    found = gaps_of_memory(memory, load_ontology(), EMBEDDER)
    assert {gap.predicate for gap in found.gaps} == {"bank_with", "secretly_met_marie"}
    memory.close()


def test_a_predicate_that_is_declared_by_now_waits_for_a_rebuild(stores: SqliteStores) -> None:
    info = told(stores, "ana", BANKS)
    memory = stores.open(info.id)
    assert uses_of(memory, load_ontology()).renamed == 0
    found = uses_of(memory, extended("predicates: {customer_of: {aliases: [bank with]}}"))
    assert (found.renamed, found.provisional) == (1, {})
    memory.close()


def test_one_memory_that_is_broken_hides_none(stores: SqliteStores, tmp_path: Path) -> None:
    everybody(stores)
    broken = told(stores, "zoe", BANKS)
    for file in tmp_path.rglob(f"*{broken.id}*"):
        if file.is_file():
            file.write_bytes(b"no database")
    found = gaps_of(stores, load_ontology(), EMBEDDER)
    assert (found.memories, found.unread, found.gaps[0].memories) == (4, 1, 3)


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("bank_with", True),
        ("insures_with", True),
        ("goes_hiking_in", True),
        ("want_to_visit", True),
        ("is", True),
        ("marie", False),
        ("met_marie", False),
        ("with_bank", False),
        ("vote_for_a_party_of_mine", False),
        ("心配する", False),
        ("", False),
    ],
)
def test_only_verbs_and_small_words_are_plain(name: str, plain: bool) -> None:
    assert is_plain(name) is plain


def test_a_declared_predicate_is_suggested_where_it_shares_a_verb() -> None:
    ontology = load_ontology()
    found = nearest(["volunteer_at", "qqqq"], ontology, EMBEDDER)
    assert found["volunteer_at"].predicate == "volunteers_at"
    assert found["qqqq"] == NONE
    assert nearest([], ontology, EMBEDDER) == {}


def test_the_asset_shows_counts_and_names_nothing_private(stores: SqliteStores) -> None:
    everybody(stores)
    with dg.DagsterInstance.ephemeral() as instance:
        result = dg.materialize(
            [ontology_gaps],
            instance=instance,
            resources={
                "stores": stores,
                "ontology": load_ontology(),
                "embedder": EMBEDDER,
                "least": Least(3),
            },
        )
        (event,) = result.asset_materializations_for_node("ontology_gaps")
    shown: dict[str, Any] = {name: each.value for name, each in event.metadata.items()}
    assert [gap["predicate"] for gap in shown["all_gaps"]] == ["bank_with"]
    assert set(shown["all_gaps"][0]) == set(Gap.__struct_fields__)
    assert (shown["hidden_predicates"], shown["hidden_for_their_words"], shown["memories"]) == (2, 1, 3)
    assert "marie" not in str(shown).casefold()
    assert "revolut" not in str(shown).casefold()
