"""Quick writing is read like careful writing: small letters, no apostrophes, no subject, fillers and doubled words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg_assets.text.casual import restored
from tests.triples.reading_lines import Row, read


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        (
            "i live in leipzig with my gf clara",
            [("Ana", "lives_in", "Leipzig", False), ("Ana", "partner", "Clara", False)],
        ),
        ("im 41 and from ghana", [("Ana", "age", 41, False), ("Ana", "comes_from", "Ghana", False)]),
        ("my hubby works at bosch", [("Ana's hubby", "works_at", "Bosch", False)]),
        ("just moved to tallinn", [("Ana", "lives_in", "Tallinn", False)]),
        ("got a new job at lidl", [("Ana", "works_at", "Lidl", False)]),
        ("allergic to shrimp btw", [("Ana", "allergic_to", "shrimp", False)]),
        ("cant eat pork", [("Ana", "eats", "pork", True)]),
        ("vegan since 2019", [("Ana", "diet", "vegan", False)]),
        ("learning Welsh now", [("Ana", "learns", "Welsh", False)]),
        ("nurse at a clinic in Bern", [("Ana", "works_as", "nurse", False)]),
        ("I live in Graz and work at Spar.", [("Ana", "lives_in", "Graz", False), ("Ana", "works_at", "Spar", False)]),
        ("um so I I live in in Bend comma we have two cats", [("Ana", "lives_in", "Bend", False)]),
    ],
)
def test_quick_writing_is_read(text: str, rows: list[Row]) -> None:
    assert set(rows) <= read(text)


@pytest.mark.parametrize(
    "text",
    [
        "Based in London, the company grew.",
        "Learning Welsh is hard.",
        "Vegan recipes please",
        "Love you!",
        "u r the best",
    ],
)
def test_what_is_not_the_speakers_is_not_taken_for_it(text: str) -> None:
    assert not read(text)


def test_careful_writing_stays_as_it_is() -> None:
    for text in ("I live in Porto with may flowers.", "We met Rose in paris.", "IKEA opened."):
        assert restored(text) == text


@given(st.text(max_size=120))
def test_nothing_moves(text: str) -> None:
    assert len(restored(text)) == len(text)
