"""Sentences that are a form of the ontology from end to end, and those that only look like one."""

import pytest

from kg_assets.text.ontology import load_ontology
from kg_assets.text.statements import statements


def told(text: str) -> list[tuple[str, str, str]]:
    return [(each.subject.text, each.predicate, each.object.text) for each in statements(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The author of Oliver Twist is Charles Dickens.", ("Oliver Twist", "author", "Charles Dickens")),
        ("Lisbon is the capital of Portugal.", ("Portugal", "capital", "Lisbon")),
        ("Portugal's capital is Lisbon.", ("Portugal", "capital", "Lisbon")),
        ("The CEO of Acme Inc. is Jane Roe.", ("Acme Inc.", "chief_executive", "Jane Roe")),
        ("Pride and Prejudice was written by Jane Austen.", ("Pride and Prejudice", "author", "Jane Austen")),
        ("We Will Rock You was performed by Queen.", ("We Will Rock You", "performer", "Queen")),
        ("judo was founded by Jigoro Kano.", ("judo", "founder", "Jigoro Kano")),
        ("Acme was founded in 1976.", ("Acme", "founded_on", "1976")),
        ("Acme was founded in Porto.", ("Acme", "founded_in_place", "Porto")),
        ("Jeopardy! was created by Merv Griffin.", ("Jeopardy!", "creator", "Merv Griffin")),
    ],
)
def test_a_form_is_read_into_its_slot(text: str, expected: tuple[str, str, str]) -> None:
    assert told(text) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "Who is the author of Oliver Twist?",
        "Maybe Lisbon is the capital of Portugal.",
        "My uncle is known for his jokes.",
        "It was created by Jane Roe.",
        "She said the author of Oliver Twist is Charles Dickens.",
        "Oliver Twist was written by someone who I met.",
    ],
)
def test_questions_doubts_and_pronouns_are_no_form(text: str) -> None:
    encyclopaedic = {each.name for each in load_ontology().predicates.values() if each.encyclopaedic}
    assert not [each for each in told(text) if each[1] in encyclopaedic]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The Atlas project depends on the billing migration.", ("Atlas project", "depends_on", "billing migration")),
        ("The billing migration blocks the Atlas project.", ("Atlas project", "depends_on", "billing migration")),
        ("Photography is part of my hobbies.", ("Photography", "part_of", "hobbies")),
        ("Street photography is a branch of photography.", ("Street photography", "subtopic_of", "photography")),
        ("The kickoff comes before the design review.", ("kickoff", "precedes", "design review")),
        ("The launch takes place after the design review.", ("design review", "precedes", "launch")),
        ("Quantum computing is related to cryptography.", ("Quantum computing", "related_to", "cryptography")),
        ("Jazz is a kind of music.", ("Jazz", "in_category", "music")),
        ("Lisbon is part of Portugal.", ("Lisbon", "part_of", "Portugal")),
    ],
)
def test_topics_projects_and_events_need_no_name(text: str, expected: tuple[str, str, str]) -> None:
    assert told(text) == [expected]


def test_a_list_of_things_is_each_of_them() -> None:
    found = told("The Atlas project depends on the billing migration, the new API and my thesis.")
    assert [each[2] for each in found] == ["billing migration", "API", "thesis"]


@pytest.mark.parametrize(
    "text",
    [
        "Photography is not part of my hobbies.",
        "Photography is no longer part of my hobbies.",
        "Photography isn't part of my hobbies.",
    ],
)
def test_what_is_no_part_is_denied(text: str) -> None:
    (found,) = statements(text)
    assert (found.predicate, found.polarity) == ("part_of", "denied")


def test_what_depends_on_something_no_longer_ends() -> None:
    (found,) = statements("The Atlas project no longer depends on the billing migration.")
    assert (found.subject.text, found.polarity, found.aspect) == ("Atlas project", "denied", "ends")


@pytest.mark.parametrize(
    "text",
    [
        "It depends on the weather.",
        "This is part of my plan.",
        "Whether we go depends on Anna.",
        "My mood depends on a good night.",
        "The trip depends on Monday.",
        "The hike depends on how I feel.",
        "Being alone is part of it.",
        "Maybe the Atlas project depends on the API.",
        "Does the Atlas project depend on the API?",
    ],
)
def test_what_names_no_two_things_is_no_form_of_things(text: str) -> None:
    of_things = {each.name for each in load_ontology().predicates.values() if each.common_forms}
    assert not [each for each in told(text) if each[1] in of_things]


def test_a_form_that_goes_on_is_left_to_the_clauses() -> None:
    assert told("Tom is married to Ana and lives in Porto.") == [("Tom", "spouse", "Ana")]


def test_every_form_of_the_ontology_reads_back() -> None:
    ontology = load_ontology()
    for predicate in ontology.predicates.values():
        for form in (*predicate.forms, *predicate.common_forms):
            if predicate.range == "date":
                continue
            text = form.format(subject="Zandor Quill", object="Brixton Vale")
            text = text[0].upper() + text[1:] + "."
            assert ("Zandor Quill", predicate.name, "Brixton Vale") in told(text), form
