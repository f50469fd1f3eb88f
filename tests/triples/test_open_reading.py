"""The open voter: off by default, provisional predicates, nothing where another voter has read."""

from kg_assets.text.chunks import Times
from kg_assets.text.ontology import load_ontology
from kg_assets.text.sentences import split
from kg_assets.triples.extraction import ALL_METHODS, METHODS, build_extractor
from kg_assets.triples.open_reading import OpenReader
from kg_assets.triples.parsed import Tree, Word
from kg_assets.triples.preview import read_lines
from tests.triples.reading_lines import SAID, read


def test_it_reads_what_no_pattern_knows() -> None:
    text = "I untangle torches in the park."
    assert not read(text)
    assert ("Ana", "untangle", "torches", False) in read(text, ALL_METHODS)
    assert load_ontology().canonical("untangle")[0].provisional


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
    assert ("Ana", "untangle", "clocks", True) in read("I do not untangle clocks.", ALL_METHODS)
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
    assert not list(OpenReader(text, sentence, Tree(words), Times(())).statements())
