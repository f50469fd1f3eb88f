"""What hurts, who treats, where the money is, and the groups that people are in."""

import pytest

from tests.triples.reading_lines import Row, read


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("My shoulder still aches.", ("Ana", "has_condition", "shoulder", False)),
        ("My dad's knee is swollen.", ("Ana's dad", "has_condition", "knee", False)),
        ("I see Dr Okafor on Monday.", ("Ana", "doctor", "Dr Okafor", False)),
        ("Our mortgage is with Santander.", ("Ana", "uses_tool", "Santander", False)),
        ("I sing in a choir.", ("Ana", "member_of", "choir", False)),
        ("My brother he lives in Cork.", ("Ana's brother", "lives_in", "Cork", False)),
        ("I'm fifty-three.", ("Ana", "age", 53, False)),
        ("I have to fly to Lagos on 3 February.", ("Ana", "plans_to_visit", "Lagos", False)),
        ("My kid has a sesame allergy.", ("Ana's kid", "allergic_to", "sesame", False)),
        ("Ove is off sick with chickenpox.", ("Ove", "has_condition", "chickenpox", False)),
        ("I'm a single mum of three.", ("Ana", "child_count", 3, False)),
        ("My 8 year old loves trains.", ("Ana's 8 year old", "age", 8, False)),
        ("Write a story for Nora, she's 4.", ("Nora", "age", 4, False)),
        ("Never been to Asia.", ("Ana", "visited", "Asia", True)),
        ("I'm a ceramicist from Faenza who studied chemistry.", ("Ana", "works_as", "ceramicist", False)),
        ("I'm on lithium these days.", ("Ana", "takes_medication", "lithium", False)),
        ("I have a Polish passport.", ("Ana", "nationality", "Polish", False)),
        ("I vote Labour.", ("Ana", "votes_for", "Labour", False)),
        ("I support Arsenal.", ("Ana", "likes", "Arsenal", False)),
        ("I have a mortgage with Barclays.", ("Ana", "uses_tool", "Barclays", False)),
        ("I'm coeliac and my dad is vegan, lunch ideas?", ("Ana", "has_condition", "coeliac", False)),
        ("I live with my flatmates, Ole and Ida.", ("Ana", "roommate", "Ida", False)),
        ("two cats and a dog", ("Ana", "has_pet", "Ana's two cats", False)),
    ],
)
def test_it_is_read(text: str, row: Row) -> None:
    assert row in read(text)


@pytest.mark.parametrize(
    "text",
    [
        "My heart is broken.",
        "I have 20 years of experience.",
        "two questions about Rome",
        "I have chicken, rice and beans.",
    ],
)
def test_it_is_not(text: str) -> None:
    assert not read(text)


def test_feet_and_inches_are_no_age() -> None:
    assert not {row for row in read("I'm 5'7 and I like chess.") if row[1] == "age"}
