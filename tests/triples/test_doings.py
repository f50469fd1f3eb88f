"""What people do, can, use and sign up for; idioms; each as a plain statement."""

import pytest

from kg_assets.text.lexicon import gerund
from kg_assets.triples.paraphrases import table
from tests.triples.reading_lines import dated, read


@pytest.mark.parametrize(
    ("text", "predicate", "thing", "negated"),
    [
        ("I knit.", "hobby", "knitting", False),
        ("i fix cars .", "does", "fixing cars", False),
        ("My brother races motorbikes.", "does", "racing motorbikes", False),
        ("I've been climbing for years.", "hobby", "climbing", False),
        ("I don't surf.", "hobby", "surfing", True),
        ("I used to smoke.", "does", "smoking", True),
        ("I quit smoking in May.", "does", "smoking", True),
        ("I don't drink.", "drinks", "alcohol", True),
        ("I can swim.", "has_ability", "swimming", False),
        ("I can't swim.", "has_ability", "swimming", True),
        ("I wish I could play the piano.", "has_ability", "playing the piano", True),
        ("My aunt Bea taught me to knit.", "has_ability", "knitting", False),
        ("On Sundays I coach under-nines football.", "coaches", "under-nines football", False),
        ("I bank with Monzo these days.", "uses_tool", "Monzo", False),
        ("I switched from Android to an iPhone.", "uses_tool", "Android", True),
        ("I switched from Android to an iPhone.", "uses_tool", "iPhone", False),
        ("I subscribe to Netflix.", "subscribes_to", "Netflix", False),
        ("I unsubscribed from Hulu.", "subscribes_to", "Hulu", True),
        ("I've signed up for a pottery class on Tuesdays.", "signed_up_for", "pottery class", False),
        ("I freelance for Vogue.", "works_at", "Vogue", False),
        ("I commute by train.", "commutes", "train", False),
        ("My rent is 950 euros.", "rent", "950 euros", False),
        ("I have a soft spot for old Volvos.", "likes", "Volvos", False),
        ("Horror films are not for me.", "dislikes", "Horror films", False),
        ("I'm more of a tea person.", "likes", "tea", False),
        ("i want to be a curator .", "wants_to_be", "curator", False),
        ("I'm retraining as an electrician.", "wants_to_be", "electrician", False),
        ("Team lead since January, still feels odd.", "works_as", "Team lead", False),
        ("my hair is red", "appearance", "red hair", False),
        ("I'm 1.83 and weigh about eighty kilos.", "height", "1.83", False),
        ("We finally got the keys to our new flat in Ghent.", "lives_in", "Ghent", False),
    ],
)
def test_a_statement_of_a_life_is_read(text: str, predicate: str, thing: object, negated: bool) -> None:
    about = {row[1:] for row in read(text)}
    assert (predicate, thing, negated) in about


def test_what_was_done_for_years_is_over() -> None:
    assert ("does", "smoking", True, "2026-01-01", None) in dated("I smoked for ten years.")


@pytest.mark.parametrize(
    "text",
    [
        "I make sense.",
        "I run out of things to watch.",
        "I used my contacts to make connections.",
        "Hopefully I can raise enough.",
        "Contemporary dance is so expressive.",
        "I'm painting the kitchen.",
        "I'm seeing more sales.",
        "I signed up Nike for a shoe deal.",
        "He said he knits.",
        "If I could knit I would.",
        "Nothing beats it.",
        "I'm a morning person.",
    ],
)
def test_a_moment_or_another_word_is_no_habit(text: str) -> None:
    assert not read(text)


def test_deeds_have_one_name() -> None:
    assert [gerund(verb) for verb in ("knit", "bake", "garden", "swim", "crochet", "tie")] == (
        ["knitting", "baking", "gardening", "swimming", "crocheting", "tying"]
    )


def test_every_idiom_is_found_by_its_key() -> None:
    assert len(table()) > 30
    for rule in table():
        assert rule.keys
        assert "{w}" in rule.meaning
        assert "w" in rule.pattern.groupindex
        assert "<" not in rule.pattern.pattern.replace("(?P<", "").replace("(?<", "")
