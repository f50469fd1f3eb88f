"""Everyday statements of oneself and of those one names, through both default voters."""

import pytest

from tests.triples.reading_lines import Row, read


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I listen to jazz.", ("Ana", "listens_to", "jazz", False)),
        ("I don't drink coffee.", ("Ana", "drinks", "coffee", True)),
        ("I have brown hair.", ("Ana", "appearance", "brown hair", False)),
        ("I'm tall.", ("Ana", "looks", "tall", False)),
        ("I'm divorced.", ("Ana", "marital_status", "divorced", False)),
        ("I'm unemployed.", ("Ana", "job_status", "unemployed", False)),
        ("I am afraid of spiders.", ("Ana", "fears", "spiders", False)),
        ("I'm good at chess.", ("Ana", "has_ability", "chess", False)),
        ("My shoe size is 42.", ("Ana", "shoe_size", "42", False)),
        ("My email is ana@example.org.", ("Ana", "email", "ana@example.org", False)),
        ("My landlord is Tom Reis.", ("Ana", "landlord", "Tom Reis", False)),
        ("I spent the day with my three cats.", ("Ana", "has_pet", "Ana's three cats", False)),
        ("I went to the beach with my sister.", ("Ana", "sibling", "Ana's sister", False)),
        ("Blue is my favourite.", ("Ana", "likes", "Blue", False)),
    ],
)
def test_it_is_read(text: str, expected: Row) -> None:
    assert expected in read(text)


@pytest.mark.parametrize(
    "text",
    [
        "I'm good, thanks!",
        "I'm eating sushi right now.",
        "I would eat sushi.",
        "Do you listen to jazz?",
        "She said my shoe size is 42.",
        "Maybe my landlord is Tom.",
    ],
)
def test_moments_courtesies_and_doubts_are_not(text: str) -> None:
    assert not read(text)


def test_a_shoe_size_is_no_age() -> None:
    assert {row[1] for row in read("My shoe size is 42.")} == {"shoe_size"}


def test_what_only_looks_like_a_trait_is_none() -> None:
    assert "looks" not in {row[1] for row in read("Dance is pretty much my go-to for stress relief.")}
    assert "species" not in {row[1] for row in read("My mom was big bird.")}
    assert ("Ana", "favourite_colour", "color", False) not in read("My favorite color is the color of my car.")
    assert ("Ana", "watches", "anime shows", False) in read("I watch anime shows a lot.")


@pytest.mark.parametrize("text", ["My friend says I live in Rome.", "My mother told my aunt that I live in Rome."])
def test_what_others_say_of_one_is_no_word_of_ones_own(text: str) -> None:
    assert not [row for row in read(text) if row[1] == "lives_in"]


@pytest.mark.parametrize("text", ["I told you that I live in Rome.", "As I said, I live in Rome."])
def test_what_one_says_that_one_said_is(text: str) -> None:
    assert ("Ana", "lives_in", "Rome", False) in read(text)


@pytest.mark.parametrize(
    ("text", "over"),
    [
        ("I used to live in Porto.", True),
        ("I worked at Siemens until 2020.", True),
        ("I lived in Porto in 2015.", False),
        ("I live in Porto.", False),
    ],
)
def test_what_used_to_be_is_also_no_longer_so(text: str, over: bool) -> None:
    polarities = {row[3] for row in read(text) if row[1] in ("lives_in", "works_at")}
    assert polarities == ({True, False} if over else {False})


@pytest.mark.parametrize(
    "text",
    [
        "I never said that my sister lives in Braga.",
        "I didn't say my sister lives in Braga.",
        "I have never told you that I work at Nordwind.",
        "It's not true that I live in Rome.",
        "When I am rich I live in Rome.",
        "Whenever I'm rich, I live in Rome.",
    ],
)
def test_what_was_never_said_or_waits_for_a_condition_is_not(text: str) -> None:
    assert all(row[3] for row in read(text))


def test_what_was_said_and_when_it_was_is_read() -> None:
    assert ("Ana", "works_at", "Nordwind", False) in read("I told you that I work at Nordwind.")
    assert ("Ana", "lives_in", "Rome", False) in read("I never told you, but I live in Rome.")
    assert ("Ana", "lives_in", "Rome", False) in read("When I was rich I lived in Rome.")
