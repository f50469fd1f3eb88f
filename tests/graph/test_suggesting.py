"""Suggestions to merge: what speaks for and against, what becomes of them; they depend on the evidence alone."""

from contextlib import closing
from pathlib import Path
from random import Random

import dagster as dg
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from kg_assets.graph.asset import merge_suggestions
from kg_assets.graph.curating import Curator, curate
from kg_assets.graph.likeness import likeness
from kg_assets.graph.naming import entity_named
from kg_assets.graph.suggested_counts import suggested_everywhere
from kg_assets.graph.suggesting import Suggestion, decided, suggestions
from kg_assets.model import SAME_AS, SELF_KEY, Assertion, Literal, Mention, Origin
from kg_assets.ports import Memory
from kg_assets.text.ontology import load_ontology
from resources.sqlite import SqliteStores
from tests.graph.evidence import assertion
from tests.graph.test_belief import NOW, derive, new_memory, read, say
from tests.maintenance.telling import erase

CURATOR = Curator(authority="curated", origin=Origin(actor="curator", cause="test"))


@pytest.fixture
def stores(tmp_path: Path) -> SqliteStores:
    return SqliteStores(tmp_path, b"secret", clock=lambda: NOW)


def memory_of(stores: SqliteStores, *evidence: Assertion) -> Memory:
    memory = new_memory(stores)
    say(memory, evidence)
    read(memory, evidence)
    derive(memory)
    return memory


def listed(memory: Memory, **more: str) -> list[Suggestion]:
    with memory.snapshot():
        return suggestions(memory, load_ontology(), **more)


def names(memory: Memory) -> list[tuple[str, str]]:
    return [(each.keep.name, each.merge.name) for each in listed(memory)]


def weights(memory: Memory) -> dict[str, int]:
    (found,) = listed(memory)
    assert found.score == max(0, min(1000, sum(each.weight for each in found.reasons)))
    return {each.words: each.weight for each in found.reasons}


def test_words_that_only_share_their_consonants_are_not_alike() -> None:
    assert likeness("reading", "writing", "person") is None
    for one, other in (("catherine", "kathryn"), ("stephen", "steven"), ("phil", "fil")):
        assert likeness(one, other, "person") is not None, (one, other)


def decide(memory: Memory, suggestion: Suggestion, *, accept: bool) -> str:
    statements = decided(memory, suggestion, CURATOR, NOW, accept=accept)
    (utterance,) = curate(memory, load_ontology(), statements, CURATOR, "test", clock=lambda: NOW).utterances
    return utterance


def test_a_slip_of_the_pen_is_suggested_under_the_name_that_was_said_more_often(stores: SqliteStores) -> None:
    memory = memory_of(
        stores,
        assertion("jonh smith", "likes", "tea", said=1),
        assertion("john smith", "likes", "tea", said=2),
        assertion("john smith", "lives_in", "porto", said=3),
    )
    assert names(memory) == [("John Smith", "Jonh Smith")]
    assert weights(memory) == {
        "'john smith' and 'jonh smith': nearly the same letters": 800,
        "both have 1 fact in common": 100,
        "both were spoken of in one conversation": 100,
        "both are of the type person": 50,
    }


def test_a_first_name_is_suggested_for_each_who_bears_it_and_for_less_where_they_are_several(
    stores: SqliteStores,
) -> None:
    memory = memory_of(
        stores,
        assertion("anna", "likes", "tea", said=1),
        assertion("anna kowalska", "lives_in", "porto", said=2),
    )
    (alone,) = listed(memory)
    assert (alone.keep.name, alone.merge.name) == ("Anna Kowalska", "Anna")
    read_too = assertion("anna nowak", "lives_in", "braga", said=2)
    read(memory, [read_too])
    derive(memory)
    both = listed(memory)
    assert [each.merge.name for each in both] == ["Anna", "Anna"]
    assert {each.score for each in both} == {alone.score - 100}


@pytest.mark.parametrize(
    ("evidence", "against"),
    [
        ([assertion("anna", "sibling", "ana", said=3)], None),
        ([assertion("anna", "colleague", "ana", said=3, polarity="denied")], None),
        (
            [assertion(who, "lives_in", home, said=3) for who, home in (("ana", "porto"), ("anna", "rome"))],
            "would have two values of lives_in",
        ),
    ],
)
def test_what_is_said_of_two_speaks_against_their_being_one(
    stores: SqliteStores, evidence: list[Assertion], against: str | None
) -> None:
    likes = [assertion("ana", "likes", "tea", said=1), assertion("anna", "likes", "tea", said=2)]
    memory = memory_of(stores, *likes, *evidence)
    assert against in weights(memory) if against else listed(memory) == []


def test_values_that_hold_at_different_times_do_not_contradict(stores: SqliteStores) -> None:
    memory = memory_of(
        stores,
        assertion("ana", "lives_in", "porto", said=9, since=1, until=4),
        assertion("anna", "lives_in", "rome", said=9, since=4),
    )
    assert "would have two values of lives_in" not in weights(memory)


def test_things_of_different_types_are_hardly_one(stores: SqliteStores) -> None:
    lisbon = [assertion("jon", "lives_in", "lisboa", said=1), assertion("jon", "visited", "lisbon", said=2)]
    told = [
        replace(each, object=Mention(surface=name.title(), key=name, type=kind))
        for each, name, kind in zip(lisbon, ("lisboa", "lisbon"), ("place", "animal"), strict=True)
    ]
    memory = memory_of(stores, *told)
    assert weights(memory)["one is of the type place, the other animal"] == -300


def test_a_declined_suggestion_never_comes_back_unless_the_word_is_erased(stores: SqliteStores) -> None:
    memory = memory_of(
        stores, assertion("ana", "likes", "tea", said=1), assertion("anna", "likes", "tea", said=2),
        assertion("annna", "likes", "rain", said=3),
    )  # fmt: skip
    before = listed(memory)
    assert {(each.keep.name, each.merge.name) for each in before} >= {("Ana", "Anna")}
    (pair,) = [each for each in before if {each.keep.key, each.merge.key} == {"ana", "anna"}]
    word = decide(memory, pair, accept=False)
    assert pair.id not in {each.id for each in listed(memory)}
    (another,) = [each for each in listed(memory) if {each.keep.key, each.merge.key} == {"anna", "annna"}]
    decide(memory, another, accept=True)
    assert listed(memory) == []  # Ana is not Anna, whatever else Anna is called
    erase(stores, memory, word)
    assert [{each.keep.key, each.merge.key} for each in listed(memory)] == [{"ana", "anna"}]


def test_an_accepted_suggestion_is_a_merge_in_the_journal(stores: SqliteStores) -> None:
    memory = memory_of(stores, assertion("jonh", "likes", "tea", said=1), assertion("john", "likes", "rain", said=2))
    (found,) = listed(memory)
    decide(memory, found, accept=True)
    (entity,) = [each for each in memory.graph.all_entities() if each.type == "person"]
    assert entity.aliases == ("john", "jonh")
    (link,) = memory.ledger.links(["john"])
    assert (link.predicate, link.authority) == (SAME_AS, "curated")
    assert listed(memory) == []


def test_suggestions_of_one_entity_are_told_alone(stores: SqliteStores) -> None:
    people = ("jonh", "john", "maria", "mariah")
    memory = memory_of(
        stores, *(assertion(name, "likes", f"thing {day}", said=day) for day, name in enumerate(people, start=1))
    )
    assert len(names(memory)) == 2
    assert [{each.keep.key, each.merge.key} for each in listed(memory, name="Maria")] == [{"maria", "mariah"}]


def test_somebody_known_by_a_relation_alone_is_suggested_to_be_who_shares_their_facts(stores: SqliteStores) -> None:
    evidence = [
        assertion(who, predicate, target, said=day)
        for day, (who, predicate, target) in enumerate(
            [
                *(("ana's sister", "lives_in", "braga"), ("ana's sister", "works_at", "acme")),
                *(("berta", "lives_in", "braga"), ("berta", "works_at", "acme")),
                *(("carlos", "lives_in", "braga"), ("carlos", "works_at", "siemens")),
            ],
            start=1,
        )
    ]
    memory = memory_of(stores, *evidence)
    (found,) = listed(memory)
    assert {found.keep.key, found.merge.key} == {"ana's sister", "berta"}
    assert found.keep.key == "berta"
    assert "both have 2 facts in common" in {each.words for each in found.reasons}
    assert [each.id for each in listed(memory, name="Ana's sister")] == [found.id]
    assert listed(memory, name="Carlos") == []
    decide(memory, found, accept=True)
    assert entity_named(memory, "Ana's sister") == entity_named(memory, "Berta")


def test_the_memorys_own_person_keeps_their_name(stores: SqliteStores) -> None:
    own = Mention(surface="Ana", key=SELF_KEY, type="person")
    memory = memory_of(
        stores,
        replace(assertion("ana", "likes", "tea", said=1), subject=own),
        assertion("ana silva", "likes", "rain", said=2),
    )
    (found,) = listed(memory)
    assert (found.keep.key, found.merge.key) == (SELF_KEY, "ana silva")


def test_literals_and_nobodys_names_are_no_entities(stores: SqliteStores) -> None:
    age = assertion("ana", "age", "x", said=1, authority="user")
    memory = memory_of(
        stores,
        replace(age, object=Literal(value=34, type="number")),
        assertion("ana's sister", "likes", "tea", said=2),
        assertion("ana's sisters", "likes", "tea", said=3),
    )
    assert listed(memory) == []


def test_suggestions_of_all_memories_are_counted_without_a_name(stores: SqliteStores) -> None:
    memory_of(stores, assertion("jonh", "likes", "tea", said=1), assertion("john", "likes", "rain", said=2)).close()
    new_memory(stores, "empty").close()
    found = suggested_everywhere(stores, load_ontology())
    assert (found.memories, found.unread, found.entities, found.pairs, found.full) == (2, 0, 4, 1, 0)
    assert found.by_score == {9: 1}
    with dg.DagsterInstance.ephemeral() as instance:
        resources = {"stores": stores, "ontology": load_ontology()}
        result = dg.materialize([merge_suggestions], instance=instance, resources=resources)
        (event,) = result.asset_materializations_for_node("merge_suggestions")
    shown = {name: each.value for name, each in event.metadata.items()}
    assert (shown["memories"], shown["suggestions"], shown["entities"]) == (2, 1, 4)
    assert "john" not in str(shown).casefold()


ROWS = st.lists(
    st.tuples(
        st.sampled_from(["john smith", "jonh smith", "j smith", "john", "jon", "johnny"]),
        st.sampled_from(["likes", "lives_in", "sibling", SAME_AS]),
        st.sampled_from(["tea", "porto", "john", "jon"]),
    ).filter(lambda row: row[0] != row[2]),
    min_size=2,
    max_size=8,
)


@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@example(
    rows=[("jonh smith", "likes", "tea"), ("john smith", "likes", "porto"), ("john smith", SAME_AS, "porto")],
    shuffler=Random(1),
)
@given(rows=ROWS, shuffler=st.randoms(use_true_random=False))
def test_suggestions_depend_on_the_evidence_alone(tmp_path_factory: pytest.TempPathFactory, rows, shuffler) -> None:
    evidence = [assertion(*row, said=day) for day, row in enumerate(rows, start=1)]
    with closing(SqliteStores(tmp_path_factory.mktemp("stores"), b"secret", clock=lambda: NOW)) as stores:
        at_once = memory_of(stores, *evidence)
        one_by_one = new_memory(stores, "other")
        say(one_by_one, evidence)
        shuffler.shuffle(evidence)
        for each in evidence:
            read(one_by_one, [each])
            derive(one_by_one)
        told = [
            sorted((each.keep.key, each.merge.key, each.score, *(r.words for r in each.reasons)) for each in listed(of))
            for of in (at_once, one_by_one)
        ]
        assert told[0] == told[1]
        at_once.close()
        one_by_one.close()
