import msgspec
import numpy as np
import pytest

from kg_assets.novelty.nearness import FAR, NOTHING, Spoken, aligned, denies, heard, kept, nearest, spoken
from kg_assets.text.tokens import words
from resources.embedder import build_embedder
from tests.novelty.drafts import reading

EMBEDDER = build_embedder("hashing")


def said(text: str) -> Spoken:
    return spoken(reading(text), EMBEDDER.encode([text])[0], EMBEDDER.projection)


def test_one_new_word_leaves_a_statement_unmatched() -> None:
    known = said("My sister paints boats in Porto").heard
    again, other = (
        aligned(said("My sister paints boats"), known),
        aligned(said("My sister paints zebras in Porto"), known),
    )
    assert again.unmatched == pytest.approx(0, abs=0.02)
    assert other.unmatched > 0.4
    assert other.second_unmatched < other.mean_unmatched < other.unmatched
    assert again.known_longer > 0 == other.known_longer
    assert again.left_out > again.rest_unmatched


def test_numbers_and_names_that_the_known_turn_does_not_hold_are_counted() -> None:
    known = said("We paid 40 dollars to Anna and Ben in two months").heard
    assert aligned(said("We paid 40 dollars to Anna"), known).other_number == 0
    assert aligned(said("We paid 45 dollars to Anna"), known).other_number == 1
    assert aligned(said("We paid Anna in three months"), known).other_number == 1
    assert aligned(said("We paid 40 dollars to Anna and Carl"), known).other_names == pytest.approx(1 / 3)


def test_what_is_a_wider_word_for_what_was_said_is_explained() -> None:
    known = said("A woman buys a small dog").heard
    wider, other = (
        aligned(said("A person buys a small animal"), known),
        aligned(said("A woman sells a tiny cat"), known),
    )
    assert (wider.reworded, wider.unexplained) == (pytest.approx(2 / 3), 0)
    assert wider.unmatched > 0.4
    assert (other.opposites, other.reworded) == (pytest.approx(1 / 3), pytest.approx(1 / 3))  # sells; tiny
    assert other.unexplained == other.unmatched > other.mean_unexplained > 0
    assert aligned(said("A girl buys a poodle"), known).narrower > 0
    assert aligned(said("We went by bus"), said("We went by train").heard).siblings > 0


def test_of_turns_about_as_near_the_latest_counts() -> None:
    old, new = said("I eat meat"), said("I don't eat meat")
    found = nearest(said("I eat meat"), [(1, old.heard), (2, new.heard)])
    assert (found.seq, found.alignment.negated, found.alignment.both_deny) == (2, 1, 0)
    assert aligned(new, new.heard).both_deny == 1


def test_a_turn_is_aligned_alike_alone_and_among_others() -> None:
    turn, near = said("The ferry to Oslo was late"), said("The late ferry came from Oslo at last").heard
    far = said("We adopted a kitten").heard
    among, alone = nearest(turn, [(1, far), (2, near), (3, far)]), nearest(turn, [(2, near)])
    assert among.seq == alone.seq
    assert alone.alignment.others_unmatched == 1
    assert among.alignment == msgspec.structs.replace(alone.alignment, others_unmatched=aligned(turn, far).unmatched)


def test_nothing_known_and_nothing_told_are_far_from_everything() -> None:
    assert nearest(said("I eat meat"), []) == FAR
    asked = said("Do you eat meat?")
    assert nearest(asked, [(1, asked.heard)]).alignment == NOTHING
    silent = heard(np.zeros((0, 64), dtype=np.int8), "")
    assert nearest(said("I eat meat"), [(1, silent)]) == FAR


def test_what_is_kept_of_a_vector_does_not_depend_on_its_length() -> None:
    rows = np.array([[3.0, 4.0], [0.0, 0.0]], dtype=np.float32)
    assert kept(rows, np.eye(2, dtype=np.float32)).tolist() == kept(rows * 7, np.eye(2, dtype=np.float32)).tolist()
    assert kept(rows, np.eye(2, dtype=np.float32)).tolist() == [[76, 102], [0, 0]]


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("I don't eat", True),
        ("There is no boy", True),
        ("I note it", False),
        ("Can't wait to see it", False),
        ("No worries, but I can't come", True),
        ("That will not", True),
    ],
)
def test_negations_are_words_that_deny_something(text: str, denied: bool) -> None:
    assert denies(words(text)) is denied
