"""Deeds without a date, what others are reported to say, and what a turn itself takes back."""

import pytest

from tests.triples.reading_lines import read


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("My sister broke her wrist.", ("Ana's sister", "did", "broke her wrist", False)),
        ("I failed my driving test.", ("Ana", "did", "failed my driving test", False)),
        ("I donated a kidney.", ("Ana", "did", "donated a kidney", False)),
        ("Ben told me he is moving to Oslo in June.", ("Ben", "lives_in", "Oslo", False)),
        ("Lucía mentioned that she works at the aquarium.", ("Lucía", "works_at", "aquarium", False)),
        ("Jonas said his dad has asthma.", ("Jonas's dad", "has_condition", "asthma", False)),
        ("My doctor says I have anaemia.", ("Ana", "has_condition", "anaemia", False)),
        ("It was my sister who went to Peru, not me.", ("Ana", "visited", "Peru", True)),
        ("It's not me who's allergic to cats, it's my husband.", ("Ana's husband", "allergic_to", "cats", False)),
        ("I don't work at Shell, that's my brother.", ("Ana's brother", "works_at", "Shell", False)),
        ("I live in Leeds, no wait, Sheffield.", ("Ana", "lives_in", "Sheffield", False)),
        ("My dog is three, sorry, four years old.", ("Ana's dog", "age", 4, False)),
        ("I'm a vegan. Just kidding, I love steak.", ("Ana", "likes", "steak", False)),
    ],
)
def test_what_is_told_in_one_turn_is_read(text: str, row: tuple[object, ...]) -> None:
    assert row in read(text)


@pytest.mark.parametrize(
    "text",
    [
        "I lost my mind.",
        "We had a chat.",
        "I almost bought a boat.",
        "He nearly lost his leg.",
        "I won the lottery! jk",
        "I live in a castle. Just kidding!",
        "Kwame tells everyone he's a millionaire.",
        "My sister said he is moving to Oslo.",
        "Ben said he might move to Oslo.",
        "Explain compound interest like I'm five.",
    ],
)
def test_what_is_unsaid_unsure_or_everyday_is_not_read(text: str) -> None:
    assert not {row for row in read(text) if row[1] not in ("sibling",)}


@pytest.mark.parametrize(
    ("text", "wrong"), [("I live in Leeds, no wait, Sheffield.", "Leeds"), ("I'm not kidding, I live in Leeds.", "")]
)
def test_only_what_is_put_right_is_left_out(text: str, wrong: str) -> None:
    places = {row[2] for row in read(text)}
    assert places
    assert wrong not in places
