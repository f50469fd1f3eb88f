"""The open voter: off by default, provisional predicates, nothing where another voter has read."""

import pytest

from kg_assets.text.chunks import Times
from kg_assets.text.ontology import load_ontology
from kg_assets.text.phrases import Phrase
from kg_assets.text.sentences import split
from kg_assets.triples.extraction import ALL_METHODS, METHODS, build_extractor
from kg_assets.triples.open_reading import OpenReader
from kg_assets.triples.open_verbs import predicate_of
from kg_assets.triples.parsed import Tree, Word
from kg_assets.triples.preview import read_lines
from tests.triples.reading_lines import SAID, read


def test_it_reads_what_no_pattern_knows() -> None:
    text = "I untangle torches in the park."
    assert not read(text)
    assert ("Ana", "untangles", "torches", False) in read(text, ALL_METHODS)
    assert load_ontology().canonical("untangles")[0].provisional


def test_it_is_off_by_default_and_changes_the_version() -> None:
    assert "open" not in METHODS
    assert build_extractor(ALL_METHODS).version != build_extractor().version


def test_what_another_voter_read_is_left_to_it() -> None:
    text = "I live in Porto and I work as a nurse."
    assert read(text, ALL_METHODS) >= read(text)
    rows = read_lines([text], build_extractor(ALL_METHODS), said_at=SAID)
    assert not [row for row in rows if row["extractor"] == "open" and row["object"] in ("Porto", "nurse")]


def test_it_is_less_sure_than_the_others() -> None:
    rows = list(read_lines(["I untangle torches."], build_extractor(ALL_METHODS), said_at=SAID))
    assert rows
    assert all(row["confidence"] <= 0.5 for row in rows)


def test_negation_is_kept_and_what_is_only_possible_is_not_read() -> None:
    assert ("Ana", "untangles", "clocks", True) in read("I do not untangle clocks.", ALL_METHODS)
    assert not read("I might repair clocks.", ALL_METHODS)
    assert not read("Do you repair clocks?", ALL_METHODS)


def test_spaces_do_not_change_what_is_read() -> None:
    assert read("My sister  Anna,   who lives in   Porto, works as a nurse.") == read(
        "My sister Anna, who lives in Porto, works as a nurse."
    )


def test_a_sign_that_the_parser_takes_for_a_verb_says_nothing() -> None:
    text = "I \u200d cake"
    words = (
        Word(0, "I", "i", "PRP", "nsubj", 1, 0),
        Word(1, "\u200d", "\u200d", "VBP", "ROOT", 1, 2),
        Word(2, "cake", "cake", "NN", "dobj", 1, 4),
    )
    (sentence,) = split(text)
    assert not list(OpenReader(text, sentence, Tree(words), Times(()), load_ontology()).statements())


def names(text: str) -> dict[object, str]:
    """Object → predicate of what only the open voter reads."""
    rows = read_lines([text], build_extractor(("open",)), said_at=SAID, speaker="Ana")
    return {row["object"]: row["predicate"] for row in rows if row["subject"] == "Ana" and not row["negated"]}


@pytest.mark.parametrize(
    ("text", "thing", "predicate"),
    [
        ("I love all kinds of spicy noodles.", "spicy noodles", "likes"),
        ("I prefer simple things like hot dogs.", "hot dogs", "likes"),
        ("I have a passion for origami.", "origami", "likes"),
        ("I am afraid of spiders.", "spiders", "fears"),
        ("I work as a juggler at the circus.", "circus", "work_at"),
        ("I want to become a pilot.", "pilot", "wants_to_be"),
        ("I would love to become a pilot.", "pilot", "wants_to_be"),
        ("I graduated from Harvard.", "Harvard", "graduated_from"),
        ("I go shopping on weekends.", "shopping on weekends", "does"),
        ("I know how to weld pipes.", "weld pipes", "has_ability"),
        ("I coach the juniors.", "juniors", "coaches"),
        ("I sketch bridges.", "bridges", "sketches"),
        ("The bookstore I work in is tiny.", "bookstore", "works_at"),
    ],
)
def test_verbs_are_named_by_the_ontology_or_in_the_third_person(text: str, thing: str, predicate: str) -> None:
    assert names(text).get(thing) == predicate


@pytest.mark.parametrize(
    ("text", "thing"),
    [
        ("I run a small bakery near a river in Leeds.", "Leeds"),  # said of the river
        ("My boss wants everyone back in the office.", "everyone back in the office"),
        ("I was seven.", "seven"),
        ("I changed my mind.", "mind"),
        ("I hardly drink wine.", "wine"),
        ("I would move to Rome and become a baker.", "baker"),
        ("I work nights.", "nights"),
    ],
)
def test_clauses_numbers_times_and_what_is_only_possible_are_nothing_to_keep(text: str, thing: str) -> None:
    assert thing not in names(text)


def test_an_exception_is_denied() -> None:
    rows = read_lines(["I eat anything except broccoli."], build_extractor(("open",)), said_at=SAID, speaker="Ana")
    assert ("broccoli", True) in {(row["object"], row["negated"]) for row in rows}


def test_no_name_is_one_that_supersedes_or_turns_round() -> None:
    ontology = load_ontology()
    for name in ("coach", "attend", "work for", "go by", "call"):
        named = predicate_of(name, Phrase("Nordwind", 0, 8, ("nordwind",)), ontology)
        canonical, inverted = ontology.names.get(named, (named, False))
        declared = ontology.predicates.get(canonical)
        assert not inverted
        assert declared is None or not declared.functional
