"""Spellings of one name lead to one entity, whichever came first; a word parts them, and order never matters."""

from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kg_assets.graph.naming import entity_named
from kg_assets.graph.state import state_hash
from kg_assets.maintenance.generations import Circumstances, rebuild
from kg_assets.model import SAME_AS, SELF_KEY, Entity, Mention
from kg_assets.ports import Memory
from kg_assets.text.ontology import load_ontology
from resources.embedder import build_embedder
from resources.sqlite import SqliteStores
from tests.graph.evidence import assertion
from tests.graph.test_belief import NOW, ORIGIN, believed, derive, new_memory, read, say


@pytest.fixture
def stores(tmp_path: Path) -> SqliteStores:
    return SqliteStores(tmp_path, b"secret", clock=lambda: NOW)


def known(memory: Memory) -> list[tuple[str, str, str, tuple[str, ...]]]:
    found: list[Entity] = memory.graph.all_entities()
    return sorted((each.key, each.name, each.type, each.aliases) for each in found)


@pytest.mark.parametrize(("first", "second"), [("josé", "jose"), ("jose", "josé"), ("josé", "josè")])
def test_two_spellings_are_one_entity_under_the_first(stores: SqliteStores, first: str, second: str) -> None:
    evidence = [assertion(first, "lives_in", "porto", said=1), assertion(second, "lives_in", "lisbon", said=2)]
    memory = new_memory(stores)
    say(memory, evidence)
    for each in evidence:
        read(memory, [each])
        derive(memory)
    assert {fact.belief.subject_key for fact in believed(memory)} == {first}
    for name in (first.upper(), second, "Jose", "JOSÉ"):
        found = entity_named(memory, name)
        assert found is not None
        assert found.key == first


def test_a_name_is_found_by_a_spelling_that_nobody_used(stores: SqliteStores) -> None:
    memory = new_memory(stores)
    evidence = [assertion("j.r.r tolkien", "likes", "tea", said=1), assertion("jose", "likes", "rain", said=2)]
    say(memory, evidence)
    read(memory, evidence)
    derive(memory)
    found = [entity_named(memory, name) for name in ("JRR Tolkien", "J. R. R. Tolkien", "José", "josé's sister")]
    assert [each.key if each else None for each in found] == ["j.r.r tolkien", "j.r.r tolkien", "jose", None]


@pytest.mark.parametrize("authority", ["user", "curated"])
def test_spellings_that_somebody_parts_are_two_and_come_together_again(stores: SqliteStores, authority: str) -> None:
    evidence = [
        assertion("josé", "lives_in", "porto", said=1),
        assertion("jose", "lives_in", "lisbon", said=2),
        assertion("josé", SAME_AS, "jose", said=3, polarity="denied", authority=authority),
        assertion("josé", SAME_AS, "jose", said=4, authority=authority),
    ]
    memory = new_memory(stores)
    say(memory, evidence)
    read(memory, evidence[:3])
    derive(memory)
    assert {fact.belief.subject_key for fact in believed(memory)} == {"josé", "jose"}
    read(memory, evidence[3:])
    derive(memory)
    assert {fact.belief.subject_key for fact in believed(memory)} == {"josé"}


def test_a_relation_that_was_given_two_names_joins_neither_however_its_owner_is_spelt(stores: SqliteStores) -> None:
    evidence = [
        assertion("josé's sister", SAME_AS, "joana", said=1),
        assertion("jose's sister", SAME_AS, "rita", said=2),
        assertion("josé's sister", "works_as", "carpenter", said=3),
    ]
    memory = new_memory(stores)
    say(memory, evidence)
    read(memory, evidence)
    derive(memory)
    assert {each.key for each in memory.graph.all_entities()} == {"josé's sister", "joana", "rita", "carpenter"}


def test_the_memorys_own_person_bears_every_spelling_of_their_label(stores: SqliteStores) -> None:
    own = Mention(surface="José", key=SELF_KEY, type="person")
    evidence = [
        msgspec.structs.replace(assertion("josé", "likes", "tea", said=1), subject=own),
        assertion("jose", "likes", "rain", said=2),
    ]
    memory = new_memory(stores)
    say(memory, evidence)
    read(memory, evidence)
    derive(memory)
    assert {fact.belief.subject_key for fact in believed(memory)} == {SELF_KEY}


NAMES = st.sampled_from(["josé", "jose", "josè", "josé's sister", "jose's sister", "anne-marie", "anne marie"])
ROWS = st.lists(
    st.one_of(
        st.tuples(NAMES, st.just("lives_in"), st.sampled_from(["porto", "málaga", "malaga"])),
        st.tuples(NAMES, st.just("likes"), st.sampled_from(["tea", "anne-marie"])),
        st.tuples(NAMES, st.just("spouse"), NAMES).filter(lambda row: row[0] != row[2]),
        st.tuples(NAMES, st.just(SAME_AS), NAMES).filter(lambda row: row[0] != row[2]),
    ),
    min_size=1,
    max_size=9,
)


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows=ROWS,
    chunk=st.integers(1, 5),
    shuffler=st.randoms(use_true_random=False),
    denials=st.lists(st.sampled_from(["", "", "user", "curated"]), min_size=9, max_size=9),
)
def test_entities_and_belief_depend_on_the_evidence_alone(
    tmp_path_factory: pytest.TempPathFactory, rows, chunk: int, shuffler, denials: list[str]
) -> None:
    evidence = [
        assertion(*row, said=day, authority=by or "user", polarity="denied" if by else "affirmed")
        for day, (row, by) in enumerate(zip(rows, denials, strict=False), start=1)
    ]
    with closing(SqliteStores(tmp_path_factory.mktemp("stores"), b"secret", clock=lambda: NOW)) as stores:
        at_once, one_by_one = new_memory(stores, "one"), new_memory(stores, "other")
        say(at_once, evidence)
        read(at_once, evidence)
        derive(at_once)

        say(one_by_one, evidence)
        shuffled = list(evidence)
        shuffler.shuffle(shuffled)
        for start in range(0, len(shuffled), chunk):
            read(one_by_one, shuffled[start : start + chunk])
            derive(one_by_one, chunk=1)
        assert known(one_by_one) == known(at_once)
        assert state_hash(one_by_one) == state_hash(at_once)

        circumstances = Circumstances(
            ontology=load_ontology(), embedder=build_embedder("hashing"), origin=ORIGIN, clock=lambda: NOW
        )
        rebuild(one_by_one, circumstances, most_lost=1.0)
        assert known(one_by_one) == known(at_once)
        assert state_hash(one_by_one) == state_hash(at_once)
        at_once.close()
        one_by_one.close()
