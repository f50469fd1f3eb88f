import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg_assets.novelty.reading import READ_CHARS, beginning, read
from kg_assets.text.ontology import load_ontology
from kg_assets.text.tokens import words
from kg_assets.utterances.intake import TEXT_BYTES
from tests.novelty.drafts import draft, reading


def names(text: str, speaker: str = "Ana") -> list[str]:
    return [name for sentence in reading(text, speaker=speaker).sentences for name in sentence.names]


def test_a_sentence_is_cut_down_to_what_it_tells() -> None:
    (sentence,) = reading("I just moved to Lisbon with my two dogs!").sentences
    assert sentence.content == ("move", "lisbon", "two", "dog")
    assert (sentence.own, sentence.question, sentence.words, sentence.numbers) == (True, False, 9, 0)


@pytest.mark.parametrize("text", ["Hi!", "lol ok", "Thanks so much, that's great!", "Haha yeah", "👍", "Good night"])
def test_courtesies_tell_nothing(text: str) -> None:
    assert [sentence.content for sentence in reading(text).told if sentence.content] == []


def test_questions_are_not_told() -> None:
    found = reading("Do you like sushi? I love ramen. Have you been to Kyoto")
    assert [sentence.question for sentence in found.sentences] == [True, False, True]
    assert [sentence.content for sentence in found.told] == [("ramen",)]


def test_names_are_runs_of_capitals_inside_a_sentence() -> None:
    assert names("My sister Anna Maria met Ben O'Neil in Porto.") == ["anna maria", "ben o'neil", "porto"]
    assert names("Santa Clara is a hospital") == ["santa clara"]
    assert names("Ben, Eve and Max came") == ["eve", "max"]


def test_what_only_looks_like_a_name_is_none() -> None:
    assert names("Family is all that counts. Yesterday I went home.") == []  # the first word of a sentence
    assert names("We met on Monday, in May 2021.") == []  # times
    assert names("I AM SO HAPPY TODAY") == []  # shouting
    assert names("this is Ana, hello", speaker="ana") == []  # the speaker
    assert names("well I think I'm fine") == []


def test_times_and_numbers_are_counted_where_they_stand() -> None:
    first, second = reading("We met on 3 May 2021. He is 42.").sentences
    assert (first.times, second.times) == (1, 0)
    assert (first.numbers, second.numbers) == (2, 1)


def test_a_text_without_words_has_no_sentences() -> None:
    assert reading("🎉🎉 ... !!!").sentences == ()
    assert reading(" ").counts == {}


@pytest.mark.parametrize("piece", ["!", "a.", "Ab ", '!")', "?!x", "A'", "1.", "\n", "日", "in May. ", "May 2020 Ab "])
def test_the_longest_text_of_one_sign_is_read(piece: str) -> None:
    """One pattern for sentences took 38 s over exclamation marks; this suite would show that by its duration."""
    text = piece * (TEXT_BYTES // len(piece.encode()))
    assert sum(sentence.words for sentence in reading(text).sentences) == len(words(beginning(text)))


def test_of_a_long_text_only_the_beginning_is_judged_and_every_word_is_counted() -> None:
    long = draft("I live in Porto. " + "Tea is fine. " * 1000 + "My sister lives in Braga.")
    found = read(long, load_ontology(), multi_speaker=False)
    assert [claim.object_key for claim in found.claims] == ["porto"]
    assert sum(sentence.words for sentence in found.sentences) < READ_CHARS // 3
    assert found.counts["braga"] == 1
    assert found.draft == long


@given(st.text(min_size=1, max_size=30))
@settings(deadline=None)
def test_the_beginning_is_never_longer_than_is_read(piece: str) -> None:
    text = piece * READ_CHARS
    assert text.startswith(beginning(text))
    assert len(beginning(text)) <= READ_CHARS
