"""Values in words."""

import pytest

from kg_assets.graph.wording import literal
from kg_assets.model import Literal


@pytest.mark.parametrize(
    ("value", "kind", "words"),
    [
        ("05-05", "date", "5 May"),
        ("1990-12-31", "date", "31 December 1990"),
        ("02-29", "date", "29 February"),
        ("13-01", "date", "13-01"),
        ("1990", "date", "1990"),
        ("05-05", "text", "05-05"),
        (7, "number", "7"),
    ],
)
def test_a_date_is_told_in_words_and_other_values_as_they_are(value: str | int, kind: str, words: str) -> None:
    assert literal(Literal(value=value, type=kind)) == words
