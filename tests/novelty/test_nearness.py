import numpy as np
import pytest

from kg_assets.novelty.nearness import FAR, Nearness, Spoken, denies, kept, nearest, spoken, unmatched
from resources.embedder import build_embedder
from tests.novelty.drafts import reading

EMBEDDER = build_embedder("hashing")


def said(text: str) -> Spoken:
    return spoken(reading(text), EMBEDDER.encode([text])[0], EMBEDDER.projection)


def test_one_new_word_leaves_a_statement_unmatched() -> None:
    known = said("My sister paints boats in Porto").tokens
    assert unmatched(said("My sister paints boats"), known) == pytest.approx(0, abs=0.02)
    assert unmatched(said("My sister paints zebras in Porto"), known) > 0.4


def test_of_turns_about_as_near_the_latest_counts() -> None:
    old, new = said("I eat meat"), said("I don't eat meat")
    found = nearest(said("I eat meat"), [(1, old.tokens, old.denied), (2, new.tokens, new.denied)])
    assert (found.seq, found.negated) == (2, True)


def test_nothing_known_and_nothing_told_are_far_from_everything() -> None:
    assert nearest(said("I eat meat"), []) == FAR
    known = said("Do you eat meat?")
    assert nearest(known, [(1, known.tokens, False)]) == Nearness(1.0, False, 0)


def test_what_is_kept_of_a_vector_does_not_depend_on_its_length() -> None:
    rows = np.array([[3.0, 4.0], [0.0, 0.0]], dtype=np.float32)
    assert kept(rows, np.eye(2, dtype=np.float32)).tolist() == kept(rows * 7, np.eye(2, dtype=np.float32)).tolist()
    assert kept(rows, np.eye(2, dtype=np.float32)).tolist() == [[76, 102], [0, 0]]


@pytest.mark.parametrize(("text", "denied"), [("I don't eat", True), ("There is no boy", True), ("I note it", False)])
def test_negations_are_words(text: str, denied: bool) -> None:
    assert denies(text) is denied
