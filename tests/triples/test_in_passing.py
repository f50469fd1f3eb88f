"""What is told in passing is read: in questions and requests, beside them, and in run-on talk."""

import pytest

from kg_assets.text.segments import segments
from tests.triples.reading_lines import Row, read


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("Could you write a card for my manager Ingrid?", [("Ana", "boss", "Ingrid", False)]),
        ("What dessert works for my vegan sister?", [("Ana's sister", "diet", "vegan", False)]),
        ("Any games for my 6 year old nephew Pepe?", [("Pepe", "age", 6, False)]),
        ("Which shoes suit our daughter who is 9?", [("Ana's daughter", "age", 9, False)]),
        ("Should I call my husband's brother Milan in Brno?", [("Milan", "lives_in", "Brno", False)]),
        ("How often does my 2012 Yaris need new tyres?", [("Ana", "owns", "Yaris", False)]),
        ("How do I stay calm in my job at Ericsson?", [("Ana", "works_at", "Ericsson", False)]),
        ("Why is my flat in Turin so cold?", [("Ana", "lives_in", "Turin", False)]),
        ("How do I clean my MacBook?", [("Ana", "owns", "MacBook", False)]),
        ("Can my cat Momo, a siamese, live indoors?", [("Momo", "breed", "siamese", False)]),
        ("As a plumber I kneel a lot, which pads should I buy?", [("Ana", "works_as", "plumber", False)]),
        ("Being coeliac, what can I order in Rome?", [("Ana", "has_condition", "coeliac", False)]),
        ("What can I take for my peanut allergy?", [("Ana", "allergic_to", "peanut", False)]),
        ("Suggest a weekend itinerary for Riga please.", [("Ana", "plans_to_visit", "Riga", False)]),
        ("What can I take for migraines?", [("Ana", "has_condition", "migraines", False)]),
        ("Why does my Flask app crash?", [("Ana", "uses_tool", "Flask", False)]),
        ("On Fedora 40, how do I update?", [("Ana", "uses_tool", "Fedora 40", False)]),
        ("In my country, Peru, how do taxes work?", [("Ana", "comes_from", "Peru", False)]),
        ("My game, a puzzle game called Zobo, is slow, why?", [("Ana", "works_on", "Zobo", False)]),
        ("I love my uncle Pio's stew.", [("Pio", "aunt_or_uncle_of", "Ana", False)]),
        ("What do I get our niece who is 5 and obsessed with trains?", [("Ana's niece", "likes", "trains", False)]),
        ("Can you plan my trip to Oslo?", [("Ana", "plans_to_visit", "Oslo", False)]),
        (
            "Is this fine for my kids, Ute and Nils?",
            [("Ana", "parent_of", "Ute", False), ("Ana", "parent_of", "Nils", False)],
        ),
        ("Write to our downstairs neighbour, Mr Banda, about the noise.", [("Ana", "neighbour", "Mr Banda", False)]),
    ],
)
def test_a_noun_phrase_tells_in_passing(text: str, rows: list[Row]) -> None:
    assert set(rows) <= read(text)


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("I'm allergic to soy, what can I eat in Osaka?", ("Ana", "allergic_to", "soy", False)),
        ("What can I bring, because I'm vegan?", ("Ana", "diet", "vegan", False)),
        ("Where should we eat since my wife is vegetarian?", ("Ana's wife", "diet", "vegetarian", False)),
        ("Hi I'm Olga I live in Minsk what should I see there?", ("Ana", "lives_in", "Minsk", False)),
        ("I live in Porto can you recommend a dentist", ("Ana", "lives_in", "Porto", False)),
    ],
)
def test_what_is_told_beside_a_question_is_told(text: str, row: Row) -> None:
    assert row in read(text)


@pytest.mark.parametrize(
    "text",
    [
        "Pretend you are my grandfather Otto who lives in Bern.",
        "Imagine you are my boss Petra.",
        "Give me a CV of a fictional nurse named Rita Blum who lives in Bonn.",
        "Translate: I live in Rome and my sister Eva is a nurse.",
        "What should I say to my ex wife?",
        "Is this for my future husband?",
        "I live in Porto, don't I?",
        "What is the best restaurant in Paris?",
        "What do people take for hay fever?",
        "Do you live in Porto because you like it?",
        "If I lived in Rome I would need a car.",
        "When I am rich I live in Rome.",
        "We need better schools for our kids.",
        "I took this photo on my trip to Oslo.",
    ],
)
def test_what_nobody_tells_is_not_read(text: str) -> None:
    assert not read(text)


def test_what_follows_a_condition_stays_with_it() -> None:
    assert len(segments("If I had a car I would sell it and I would buy a boat.")) == 1
    assert len(segments("I know what he does.")) == 1


def test_the_parts_of_a_text_hold_all_of_its_words_in_order() -> None:
    text = "so I'm Marta I live in Graz, can you help me, because my son Emil is ill and I have no car?"
    places = [token.start for part in segments(text) for token in part.tokens]
    assert places == sorted(set(places))
    assert len(segments(text)) >= 3
