"""Answers that nobody told: what follows by rules from what a memory was told, read and derived."""

import pytest

from kg_assets.text.ontology import load_ontology
from serving.contract import ConclusionView
from serving.fact_queries import FactQuery, find_facts
from tests.answers.conftest import NOW, Told

FAMILY = ("Ana's mother is Maria.", "Maria's mother is Rosa.")
PLACES = ("Ana lives in Lisbon.", "Lisbon is located in Portugal.")


def conclusions(told: Told, known_at: int | None = None, **asked: str) -> list[ConclusionView]:
    query = FactQuery(inferred=True, known_at=known_at, **asked)  # type: ignore[arg-type]
    return list(find_facts(told.memory, load_ontology(), query, NOW).conclusions or ())


def test_a_grandmother_follows_with_her_path_and_less_confidence(told: Told) -> None:
    told.tell(*FAMILY)
    answer = told.ask("Who is Ana's grandmother?")
    assert (answer.known, answer.answer, answer.authority) == (True, "Rosa", "document")
    assert answer.path == ("Ana", "parent_of", "Maria", "parent_of", "Rosa")
    (inferred,) = answer.inferred
    facts = told.memory.graph.facts(valid_at=None, known_at=None, predicates=["parent_of"])
    assert set(answer.facts) == set(inferred.premises) == {fact.id for fact in facts}
    assert inferred.rule == "a parent's parent"
    assert inferred.confidence < min(fact.belief.confidence for fact in facts) / 1000
    assert answer.cypher is None


def test_a_grandmother_is_no_grandfather(told: Told) -> None:
    told.tell(*FAMILY)
    assert not told.ask("Who is Ana's grandfather?").known


def test_a_question_may_lead_on_from_what_follows(told: Told) -> None:
    told.tell(*FAMILY, "Rosa lives in Braga.")
    answer = told.ask("Where does Ana's grandmother live?")
    assert answer.answer == "Braga"
    assert answer.path == ("Ana", "parent_of", "Maria", "parent_of", "Rosa", "lives_in", "Braga")
    assert len(answer.facts) == 3
    assert [each.rule for each in answer.inferred] == ["a parent's parent"]


@pytest.mark.parametrize("question", ["In which country does Ana live?", "What country does Ana live in?"])
def test_who_lives_in_a_city_lives_in_its_country(told: Told, question: str) -> None:
    told.tell(*PLACES)
    assert told.ask(question).answer == "Portugal"
    assert told.ask("Does Ana live in Portugal?").answer == "Yes: Portugal"
    assert told.ask("Who lives in Portugal?").answer == "Ana"
    assert told.ask("Where does Ana live?").answer == "Lisbon"
    assert told.ask("Where does Ana live?").inferred == ()


def test_of_several_places_none_is_taken_for_the_country(told: Told) -> None:
    told.tell(*PLACES, "Portugal is located in Europe.")
    assert not told.ask("In which country does Ana live?").known
    assert told.ask("Does Ana live in Europe?").known


def test_what_was_told_comes_before_what_follows(told: Told) -> None:
    told.tell(*FAMILY, "Ana's grandmother is Julia.")
    answer = told.ask("Who is Ana's grandmother?")
    assert (answer.answer, answer.inferred) == ("Julia", ())


def test_a_conclusion_is_withdrawn_with_its_premise_and_the_past_keeps_it(told: Told) -> None:
    before = told.tell(*PLACES)
    assert [each.object.name for each in conclusions(told, subject="Ana")] == ["Portugal"]
    told.tell("Ana moved to Paris.")
    assert conclusions(told, subject="Ana") == []
    assert not told.ask("In which country does Ana live?").known
    assert [each.object.name for each in conclusions(told, subject="Ana", known_at=before)] == ["Portugal"]
    assert told.ask("In which country does Ana live?", known_at=before).answer == "Portugal"


def test_nothing_that_follows_is_stored(told: Told) -> None:
    told.tell(*FAMILY, *PLACES)
    head, hashes = told.memory.ledger.head(), told.memory.graph.slot_hashes()
    assert conclusions(told, subject="Ana")
    assert (told.memory.ledger.head(), told.memory.graph.slot_hashes()) == (head, hashes)
    assert told.memory.graph.facts(valid_at=None, known_at=None, predicates=["lives_within", "grandparent_of"]) == []


def test_it_is_found_from_either_end(told: Told) -> None:
    told.tell(*FAMILY)
    assert conclusions(told, subject="Rosa") == conclusions(told, object="Ana")
    assert conclusions(told, subject="Rosa", predicate="grandchild") == conclusions(told, subject="Rosa")
    assert conclusions(told, subject="Ana", predicate="grandmother") == conclusions(told, object="Ana")
    assert conclusions(told, subject="Rosa", object="Maria") == []


def test_what_was_denied_does_not_follow(told: Told) -> None:
    before = told.tell(*FAMILY)
    told.tell("Rosa is not Ana's grandmother.")
    assert conclusions(told, subject="Rosa") == []
    assert not told.ask("Who is Ana's grandmother?").known
    assert len(find_facts(told.memory, load_ontology(), FactQuery(predicate="parent_of"), NOW).facts) == 2
    assert [each.object.name for each in conclusions(told, subject="Rosa", known_at=before)] == ["Ana"]
