"""What people tell of themselves in plain sentences: tastes, things of their own, what they do at all times."""

import pytest

from tests.triples.reading_lines import read


@pytest.mark.parametrize(
    ("text", "predicate", "thing"),
    [
        ("I love the smell of leather.", "likes", "smell of leather"),
        ("I love my family.", "likes", "Ana's family"),
        ("I enjoy walking and reading.", "likes", "reading"),
        ("I like to watch funny sitcoms and read thrillers.", "likes", "read thrillers"),
        ("I enjoy crocheting, how about you?", "likes", "crocheting"),
        ("Hi what band do you like I like Creed", "likes", "Creed"),
        ("Do you like video games? I love them.", "likes", "video games"),
        ("Honestly, pottery is my pastime.", "likes", "pottery"),
        ("I have a huge fear of spiders.", "fears", "spiders"),
        ("I suck at cooking.", "has_weakness", "cooking"),
        ("Hop into my black car!", "owns", "black car"),
        ("Come and see my record player!", "owns", "record player"),
        ("I have a collection of stamps.", "collects", "stamps"),
        ("I have a marketing degree.", "has_degree_in", "marketing"),
        ("I go to college.", "studies_at", "college"),
        ("I have two huskies.", "has_pet", "Ana's two huskies"),
        ("I follow a strict vegan diet.", "diet", "vegan"),
        ("I recently became a vegetarian.", "diet", "vegetarian"),
        ("I live in a small town.", "dwelling", "small town"),
        ("I'm in the navy.", "works_at", "navy"),
        ("I am retired.", "works_as", "retired"),
        ("I have lots of tattoos.", "appearance", "tattoos"),
        ("I mow lawns.", "does", "mowing lawns"),
        ("I spend my weekends painting.", "does", "painting"),
        ("I go shopping.", "does", "shopping"),
        ("My dream is to be an astronaut.", "wants_to_be", "astronaut"),
        ("I am always doodling and drawing.", "hobby", "drawing"),
        ("I own my own boat.", "owns", "boat"),
        ("My car is blue, which is my favourite colour.", "favourite_colour", "blue"),
        ("Mine is green. Do you have a favorite color?", "favourite_colour", "green"),
        ("Walking is something I enjoy.", "likes", "Walking"),
        ("I like taking my dog for walks.", "likes", "taking my dog for walks"),
        ("I write poetry and listen to jazz.", "listens_to", "jazz"),
        ("I spend my spare time singing.", "does", "singing"),
        ("I have a mild case of OCD.", "has_condition", "OCD"),
        ("I don't care for country music.", "dislikes", "country music"),
    ],
)
def test_it_is_read(text: str, predicate: str, thing: str) -> None:
    assert ("Ana", predicate, thing, False) in read(text)


@pytest.mark.parametrize(
    "text",
    [
        "I love the necklace.",
        "I love watching them.",
        "I like making this.",
        "I've been working hard.",
        "Networking plays a big role.",
        "My phone is two years old.",
        "I want to sell my car.",
        "Do you like video games? I wonder.",
        "I own 10.",
        "I play any instruments.",
    ],
)
def test_what_passes_or_names_nothing_is_not(text: str) -> None:
    assert not read(text)


def test_a_denial_answers_an_own_question_too() -> None:
    assert ("Ana", "likes", "holidays", False) not in read("Do you like holidays? I don't.")
    assert {row[1:3] for row in read("Do you like holidays? I don't.")} == {("dislikes", "holidays")}
