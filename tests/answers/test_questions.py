"""What a question is read as."""

import pytest

from kg_assets.answers.questions import read_question
from kg_assets.text.instants import parse_instant
from kg_assets.text.ontology import load_ontology

NOW = parse_instant("2026-07-01T12:00:00Z")


@pytest.mark.parametrize(
    ("text", "kind", "subject", "predicate"),
    [
        ("Where does Ana live?", "value", "ana", "lives_in"),
        ("Where did Ana live?", "value", "ana", "lives_in"),
        ("Where do I live?", "value", "i", "lives_in"),
        ("Where does Ana’s sister live?", "value", "ana's sister", "lives_in"),
        ("Where does Ben work?", "value", "ben", "works_at"),
        ("How old is Mia?", "value", "mia", "age"),
        ("When is Ben's birthday?", "value", "ben", "birthday"),
        ("Who is Chiara's husband?", "value", "chiara's", "spouse"),
        ("Who is the spouse of the author of Our Mutual Friend?", "value", "the author of our mutual friend", "spouse"),
        ("What is Ana allergic to?", "value", "ana", "allergic_to"),
        ("What is the name of Ana's puppy?", "name", "ana's puppy", ""),
        ("What is Ana's puppy called?", "name", "ana's puppy", ""),
        ("When did Ana move to Lisbon?", "when", "ana move to lisbon", ""),
    ],
)
def test_a_fact_question_names_its_subject_and_predicate(text: str, kind: str, subject: str, predicate: str) -> None:
    first = read_question(text, load_ontology(), NOW)[0]
    assert (first.kind, first.subject, first.predicate) == (kind, subject, predicate)


def test_the_time_in_a_question_is_taken_out_and_kept() -> None:
    (question, *_) = read_question("Where did Ana live in March 2026?", load_ontology(), NOW)
    assert question.subject == "ana"
    assert question.past
    assert question.instant is not None
    assert parse_instant("2026-03-01T00:00:00Z") < question.instant < parse_instant("2026-04-01T00:00:00Z")


@pytest.mark.parametrize("text", ["What did Chiara's car do again?", "Tell me a story", "", "?", "Why?"])
def test_what_is_no_fact_question_is_read_as_none(text: str) -> None:
    assert [each for each in read_question(text, load_ontology(), NOW) if each.kind != "when"] == []


def test_a_relation_noun_that_names_the_inverse_turns_the_statement_round() -> None:
    (question, *_) = read_question("Who is Mia's mother?", load_ontology(), NOW)
    assert (question.predicate, question.inverted) == ("parent_of", True)
