"""Who "I" is, and which facts a name rests on."""

import pytest

from tests.answers.conftest import Told


@pytest.mark.parametrize(
    "question", ["Where do I live?", "What is my cat called?", "Who am I?", "My sister lives where?", "where do i live"]
)
@pytest.mark.parametrize("graph", [True, False])
def test_among_several_speakers_i_is_nobody(friends: Told, question: str, graph: bool) -> None:
    answer = friends.ask(question, graph=graph)
    assert (answer.known, answer.values, answer.facts, answer.memories) == (False, (), (), ())
    assert answer.answer == "Several people speak in this memory; ask about one of them by name."


@pytest.mark.parametrize(
    "question", ["Tell me, where does Ben work?", "When did World War I begin?", "Who wrote My Fair Lady?"]
)
def test_an_i_that_means_nobody_is_no_reason_to_ask_back(friends: Told, question: str) -> None:
    assert "Several people" not in friends.ask(question).answer


def test_in_a_memory_of_one_person_i_is_that_person(told: Told) -> None:
    told.tell("I live in Porto.")
    assert told.ask("Where do I live?").answer == "Porto"


def test_a_name_cites_the_fact_that_ties_it_to_its_owner(told: Told) -> None:
    told.tell("I have a cat named Minka.", "My sister Joana lives in Braga.")
    for question in ("What is my cat called?", "What is the name of my cat?"):
        answer = told.ask(question)
        assert answer.answer == "Minka"
        assert told.statements(answer) == {("has_pet", "minka")}
        assert answer.authority == "user"
    sister = told.ask("What is my sister's name?")
    assert sister.answer == "Joana"
    assert ("sibling", "joana") in told.statements(sister)


def test_my_own_people_are_found_by_their_relation(told: Told) -> None:
    told.tell("My sister Joana lives in Braga.", "I'm married to Rui.")
    assert told.ask("Who is my sister?").answer == "Joana"
    assert told.ask("Do I have a husband?").answer == "Yes: Rui"
    assert told.ask("Am I married?").answer == "Yes: Rui"
    assert not told.ask("Do I have a brother?").known
