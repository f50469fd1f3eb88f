"""Questions that no template was written for, read by how the ontology words its facts."""

import re

import pytest

from kg_assets.answers.forms import base_forms, forms
from kg_assets.answers.questions import read_question
from kg_assets.text.ontology import load_ontology
from tests.answers.conftest import NOW, Told


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who is Ana engaged to?", "Rui"),
        ("What instrument does Ben play?", "cello"),
        ("Who plays the cello?", "Ben"),
        ("Who lives in Milan?", "Chiara"),
        ("Who works for Nordwind?", "Ben"),
        ("Which company does Ben work for?", "Nordwind"),
        ("Who is a nurse?", "Chiara"),
        ("What pet does Ana have?", "Luna"),
        ("Does Ana have a dog?", "Yes: Luna"),
        ("Does Ana have any pets?", "Yes: Luna"),
        ("Does Chiara have a daughter?", "Yes: Mia"),
        ("Does Ben play an instrument?", "Yes: cello"),
        ("Does Ana live in Lisbon?", "Yes: Lisbon"),
        ("Does Ana's sister live in Lisbon?", "Yes: Lisbon"),
        ("Has Ana lived in Porto?", "Yes: Porto"),
        ("Did Ana live in Porto?", "Yes: Porto"),
        ("Has Ana ever lived in Porto?", "Yes: Porto"),
        ("What is Ana's dog called?", "Luna"),
        ("Is Chiara a nurse?", "Yes: nurse"),
        ("Is Ana engaged to Rui?", "Yes: Rui"),
        ("Is Ana engaged?", "Yes: Rui"),
        ("Is Ana engaged to anybody?", "Yes: Rui"),
        ("Is Chiara married?", "Yes: Paolo"),
        ("Does Chiara have a husband?", "Yes: Paolo"),
        ("Since when does Ana live in Porto?", "2019"),
        ("Where did Ana live before Lisbon?", "Porto"),
        ("Where did Ana live before she moved to Lisbon?", "Porto"),
        ("Where did Ana live before?", "Porto"),
    ],
)
def test_a_fact_is_reached_by_the_questions_that_people_ask(friends: Told, question: str, answer: str) -> None:
    found = friends.ask(question)
    assert (found.known, found.route, found.answer) == (True, "fact", answer)
    assert found.facts


def test_everyone_of_whom_it_is_so_is_named(friends: Told) -> None:
    assert set(friends.ask("Who lives in Lisbon?").values) == {"Ana", "Joana"}


@pytest.mark.parametrize(
    "question",
    [
        "Does Ana have a cat?",
        "Does Ana have a brother?",
        "Does Ben have a dog?",
        "Does Ana live in Porto?",
        "Does Ben live in Milan?",
        "Is Ben a nurse?",
        "Is Ana engaged to Ben?",
        "Is Ben married?",
        "Does Chiara have a wife?",
        "Who is Chiara's wife?",
        "Who is Ana's brother?",
        "Where does Ana's brother live?",
        "What is Ana's cat called?",
        "Who is Chiara's son?",
        "What game does Ben play?",
        "Where did Ana live before Milan?",
        "Where did Chiara live before?",
    ],
)
def test_what_nobody_said_is_not_known_and_never_a_no(friends: Told, question: str) -> None:
    answer = friends.ask(question)
    assert (answer.known, answer.route) == (False, "context")
    assert answer.answer.startswith("not known")


def test_a_place_is_asked_for_without_its_preposition() -> None:
    found = {each.predicate for each in forms("where does ana volunteer", load_ontology())}
    assert found == {"volunteers_at"}


def test_every_verb_phrase_of_the_ontology_reads_as_a_question_from_its_other_end() -> None:
    ontology = load_ontology()
    phrases = [(each.name, each.phrase.removeprefix("{subject} ")) for each in ontology.predicates.values()]
    verbal = [(name, words) for name, words in phrases if re.fullmatch(r"(?!and )[a-z' ]+ \{object\}", words)]
    assert len(verbal) > 80
    for name, words in verbal:
        readings = read_question(f"Who {words.format(object='Lisbon')}?", ontology, NOW)
        assert (name, True) in [(each.predicate, each.inverted) for each in readings]


@pytest.mark.parametrize(
    ("verb", "base"),
    [("lives", "live"), ("studies", "study"), ("watches", "watch"), ("goes", "go"), ("plays", "play"), ("has", "have")],
)
def test_a_verb_after_does_is_in_its_base_form(verb: str, base: str) -> None:
    assert base_forms(verb) == (base,)


def test_a_question_without_end_has_few_readings() -> None:
    assert len(read_question("is " + "a b " * 900, load_ontology(), NOW)) < 100


@pytest.mark.parametrize(
    "text", ["does", "who is", "is", "what - does ana have", "does _ have _", "does ana have", "who"]
)
def test_a_torn_question_is_read_without_harm(text: str) -> None:
    for reading in read_question(text, load_ontology(), NOW):
        assert reading.subject or reading.mentions
