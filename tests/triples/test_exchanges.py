"""Answers and follow-ups are read with what they answer and follow."""

import pytest

from benchmarks.extraction_everyday import Case, turn, written
from kg_assets.triples.extraction import build_extractor


def told(before: str, text: str, who: str = "them") -> set[str]:
    """What Alex's second turn says, as "subject predicate object", "-" in front of what is denied."""
    found = build_extractor().extract([turn(0, Case("", ((who, before),), text, ()))], b"key")[0]
    return {written(each).rpartition(" (")[0] for each in found}


@pytest.mark.parametrize(
    ("before", "text", "wanted"),
    [
        ("Any allergies?", "Shellfish and soy", {"Alex allergic_to Shellfish", "Alex allergic_to soy"}),
        ("Do you have any dietary requirements?", "no beef, vegetarian", {"-Alex eats beef", "Alex diet vegetarian"}),
        ("What are your hobbies?", "chess and sailing", {"Alex hobby chess", "Alex hobby sailing"}),
        ("What's your name and where do you live?", "Olga, Minsk", {"Alex name Olga", "Alex lives_in Minsk"}),
        ("How old is your daughter?", "She's nine.", {"Alex's daughter age 9"}),
        ("What does your brother do?", "He's a plumber", {"Alex's brother works_as plumber"}),
        ("What are your kids' names?", "Ole and Siri", {"Alex parent_of Ole", "Alex parent_of Siri"}),
        ("Great, how tall are you?", "181", {"Alex height 181"}),
        ("What do you study? That helps me.", "law", {"Alex studies law"}),
        ("Do you prefer tea or coffee?", "coffee", {"Alex likes coffee"}),
        (
            "What's your name, age and city?",
            "Olga, 44, Minsk",
            {"Alex name Olga", "Alex age 44", "Alex lives_in Minsk"},
        ),
        (
            "Tell me about yourself.",
            "29, three kids, live in Bath, vegan",
            {"Alex age 29", "Alex child_count 3", "Alex lives_in Bath", "Alex diet vegan"},
        ),
        (
            "Where are you based, and what do you do?",
            "Bodø, I'm a welder",
            {"Alex lives_in Bodø", "Alex works_as welder"},
        ),
        ("Do you have any medical conditions?", "asthma", {"Alex has_condition asthma"}),
    ],
)
def test_an_answer_is_read_with_its_question(before: str, text: str, wanted: set[str]) -> None:
    assert wanted <= told(before, text)


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("Any allergies?", "None that I know of"),
        ("Any allergies?", "Why do you ask?"),
        ("Do you have any pets?", "No"),
        ("How many are coming, and are there allergies?", "four, and one of them is late"),
        ("What's your budget and your destination?", "No idea"),
        ("Any questions?", "Yes, two"),
    ],
)
def test_no_answer_says_nothing(before: str, text: str) -> None:
    assert not {each for each in told(before, text) if not each.startswith("-")}


def test_what_holds_of_one_more_is_said_of_both() -> None:
    assert "Alex's sister allergic_to peanuts" in told("I'm allergic to peanuts.", "And my sister too.", "me")
    assert "Alex likes hiking" in told("I love hiking.", "Me too!")


def test_what_was_bought_and_stolen_is_owned_no_longer() -> None:
    assert "-Alex owns Trek bike" in told("I bought a Trek bike.", "It got stolen.", "me")
