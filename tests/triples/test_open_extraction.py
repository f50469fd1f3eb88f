"""Open extraction over the real parser: each kind of clause, lists, chains of prepositions, short spans."""

import pytest

from kg_assets.triples.open_extraction import as_words, open_triples
from kg_assets.triples.parsed import Tree
from kg_assets.triples.spacy_pass import parse


def triples(sentence: str) -> set[tuple[str, str, str]]:
    tree = Tree(parse([sentence])[0])
    return {as_words(tree, each) for each in open_triples(tree)}


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The gardener planted two trees.", ("The gardener", "planted", "two trees")),
        ("Marie was a famous chemist.", ("Marie", "was", "a famous chemist")),
        ("The bridge was built by Roman soldiers.", ("The bridge", "was built by", "Roman soldiers")),
        ("The captain, who lost a leg, sold the ship.", ("The captain", "lost", "a leg")),
        ("They visited the house which the architect designed.", ("the architect", "designed", "the house")),
        ("She bought a painting made in Florence.", ("a painting", "made in", "Florence")),
        ("Ravel, a French composer, wrote the Bolero.", ("Ravel", "is", "a French composer")),
        ("He wants to learn Greek.", ("He", "wants to learn", "Greek")),
        ("The pilot did not see the tower.", ("The pilot", "did not see", "the tower")),
    ],
)
def test_each_kind_of_clause_is_read(sentence: str, expected: tuple[str, str, str]) -> None:
    assert expected in triples(sentence)


def test_each_member_of_a_list_stands_by_itself() -> None:
    found = triples("Mary and John sold apples and pears.")
    assert {(who, "sold", what) for who in ("Mary", "John") for what in ("apples", "pears")} <= found


def test_what_a_preposition_adds_goes_into_the_predicate() -> None:
    found = triples("She worked as a doctor in a hospital near Lyon.")
    assert ("She", "worked as", "a doctor") in found
    assert any(predicate.endswith("near") and thing == "Lyon" for _, predicate, thing in found)


def test_joined_verbs_share_subject_and_auxiliary() -> None:
    found = triples("The letters were written in 1902 and were found in Vienna.")
    assert ("The letters", "were written in", "1902") in found
    assert ("The letters", "were found in", "Vienna") in found


def test_a_sentence_of_many_lists_gives_a_bounded_number_of_triples() -> None:
    names = ", ".join(f"Name{number}" for number in range(30))
    assert len(triples(f"{names} and Ada met {names} and Bob in {names} and Rome.")) <= 60
