"""Answers from the graph of a memory that was told, read and derived."""

import pytest

from kg_assets.graph.naming import entity_named
from kg_assets.text.ontology import load_ontology
from serving.fact_queries import FactQuery, find_facts
from tests.answers.conftest import NOW, Told


@pytest.mark.parametrize(
    ("name", "key"),
    [
        *((own, "@self") for own in ("user", "me", "I", "my", "@self")),
        *((sister, "@self's sister") for sister in ("my sister", "My sister", "user's sister", "@self's sister")),
        ("Porto", "porto"),
    ],
)
def test_facts_are_found_by_every_name_that_they_are_told_with(told: Told, name: str, key: str) -> None:
    told.tell("I live in Porto.", "My sister lives in Braga.")
    entity = entity_named(told.memory, name)
    assert entity is not None
    assert entity.key == key
    if key != "porto":
        page = find_facts(told.memory, load_ontology(), FactQuery(subject=name), NOW)
        assert {fact.subject.id for fact in page.facts} == {entity.id}
        shown = find_facts(told.memory, load_ontology(), FactQuery(subject=page.facts[0].subject.name), NOW)
        assert shown == page


@pytest.mark.parametrize("name", ["", "'s ", "nobody's sister", "a's b's c's d's e's f's g", "you"])
def test_a_name_of_nobody_leads_nowhere(told: Told, name: str) -> None:
    told.tell("I live in Porto.", "My sister lives in Braga.")
    assert entity_named(told.memory, name) is None


def test_a_named_sister_is_still_my_sister(told: Told) -> None:
    told.tell("My sister lives in Braga.", "My sister's name is Anna.")
    assert {told.ask(f"Where does {name} live?").answer for name in ("my sister", "Anna")} == {"Braga"}


def test_what_was_believed_before_a_merge_can_still_be_asked(told: Told) -> None:
    before = told.tell("Anna lives in Braga.", "My sister has a son named Tim.")
    merged = entity_named(told.memory, "my sister")
    told.tell("My sister's name is Anna.")
    assert merged is not None
    assert told.memory.graph.entities([merged.id]) == []
    assert told.ask("Who is the parent of Tim?").answer == "Anna"
    assert told.ask("Who is the parent of Tim?", known_at=before).known


def test_a_first_name_alone_asks_for_the_only_person_who_bears_it_in_full(told: Told) -> None:
    before = told.tell("Anna Kowalska lives in Braga.")
    assert told.ask("Where does Anna live?").answer == "Braga"
    told.tell("Anna Nowak lives in Porto.")
    assert not told.ask("Where does Anna live?").known
    assert told.ask("Where does Anna live?", known_at=before).answer == "Braga"


def test_somebody_is_asked_for_however_their_name_is_spelt(told: Told) -> None:
    told.tell("José lives in Málaga.")
    assert {told.ask(f"Where does {name} live?").answer for name in ("Jose", "José", "JOSE")} == {"Málaga"}


def test_what_a_project_depends_on_is_asked_with_the_types_of_both(told: Told) -> None:
    told.tell("The Atlas project depends on the billing migration.", "Street photography is a subtopic of photography.")
    assert told.ask("What does the Atlas project depend on?").answer == "billing migration"
    assert told.ask("What is street photography a subtopic of?").answer == "photography"
    types = {each.name: each.type for each in told.memory.graph.all_entities()}
    assert types == {
        **{"Atlas project": "project", "billing migration": "project"},
        **{"Street photography": "topic", "photography": "topic"},
    }


def test_the_cypher_is_the_path_that_was_walked_as_of_both_times(told: Told) -> None:
    known_at = told.tell("My sister lives in Braga.")
    memory, sister = told.memory.info.id, entity_named(told.memory, "my sister")
    assert sister is not None
    assert told.ask("Where does my sister live?").cypher == (
        f"MATCH (e0:Entity {{memory: '{memory}', id: '{sister.id}'}})-[r0:LIVES_IN]->(e1) WHERE "
        f"coalesce(r0.valid_from <= {NOW}, true) AND coalesce(r0.valid_to > {NOW}, true) "
        "AND r0.recorded_to IS NULL RETURN e1"
    )
    then = told.ask("Where does my sister live?", known_at=known_at).cypher
    assert then is not None
    assert f"r0.recorded_from <= {known_at} AND coalesce(r0.recorded_to > {known_at}, true)" in then


def test_the_cypher_of_a_chain_holds_every_step(told: Told) -> None:
    told.tell("I am married to Ben.", "Ben lives in Porto.")
    answer = told.ask("Where does the spouse of me live?")
    assert answer.answer == "Porto"
    assert answer.cypher is not None
    assert answer.cypher.index("SPOUSE") < answer.cypher.index("LIVES_IN")


def test_what_the_cat_is_called_is_the_name_of_the_one_that_is_a_cat(told: Told) -> None:
    told.tell("We have a cat called Biscuit.")
    answer = told.ask("What is the cat called?")
    assert (answer.answer, answer.path) == ("Biscuit", ("cat", "species", "Biscuit"))
    assert told.ask("What is the name of the cat?").answer == "Biscuit"
    told.tell("Ben has a cat named Zora.")
    assert told.ask("What is the cat called?").values == ("Biscuit", "Zora")


def test_who_was_a_girlfriend_before_the_wedding_stays_married(told: Told) -> None:
    told.tell("I married my girlfriend Anna in June 2024.")
    assert told.ask("Who am I married to?").answer == "Anna"
