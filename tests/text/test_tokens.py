"""Words and terms."""

import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg_assets.text.tokens import stem, terms, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I don’t like it", ["i", "don't", "like", "it"]),
        ("3.5 km at 10:30, 1,000 steps.", ["3.5", "km", "at", "10:30", "1,000", "steps"]),
        ("well-known snake_case", ["well", "known", "snake", "case"]),
        ("STRASSE Straße ＦＵＬＬ", ["strasse", "strasse", "full"]),
        ("cafe\u0301 naïve", ["café", "naïve"]),
        ("我 moved到北京", ["我", "moved", "到", "北", "京"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        (" ...'' \n", []),
    ],
)
def test_words_are_casefolded_runs_of_letters_and_digits(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_terms_join_the_forms_of_a_word_and_keep_numbers() -> None:
    assert terms("Ana's moving; she moved in 2023") == ["ana", "move", "she", "move", "in", "2023"]


@given(st.text())
def test_each_word_gives_one_term_and_no_word_is_dropped(text: str) -> None:
    found = words(text)
    assert len(terms(text)) == len(found)
    assert all(found)


def test_a_megabyte_of_one_word_is_one_word() -> None:
    assert len(words("a" * 1_000_000)) == 1


def test_threads_that_stem_at_once_agree_with_one_that_stems_alone() -> None:
    vocabulary = [
        f"{start}{end}" for start in ("relat", "generous", "mov", "hop") for end in ("ional", "ly", "ing", "es")
    ] * 50
    alone = [stem.__wrapped__(word) for word in vocabulary]
    stem.cache_clear()
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            assert list(pool.map(stem, vocabulary)) == alone
    finally:
        sys.setswitchinterval(interval)
