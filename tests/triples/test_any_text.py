"""Any text whatever neither breaks nor hangs an extractor; the work grows with the length and no faster."""

import json
import sys
from pathlib import Path
from types import FrameType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg_assets.identity import content_hash
from kg_assets.model import Utterance
from kg_assets.text.statements import statements
from kg_assets.triples.extraction import ALL_METHODS, Turn, build_extractor
from kg_assets.triples.plans import READ_CHARS
from kg_assets.triples.preview import read_lines
from kg_assets.utterances.intake import TEXT_BYTES
from tests.triples.reading_lines import SAID

NAUGHTY = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "hostile" / "blns.json"
FRAGMENTS = (
    *("I ", "my ", "Ana ", "'s ", "is ", "was ", "the ", "of ", "to ", "not ", "and ", "who ", "that ", "in ", "May "),
    *(", ", ". ", "? ", '"', "(", "-", "\n", "live ", "work ", "like ", "hiking ", "sister ", "dog ", "2019 ", "last "),
    *(
        "author ",
        "capital ",
        "born ",
        "married ",
        "for ",
        "two ",
        "named ",
        "No, ",
        "\u0301",
        "👩‍👩‍👧",
        "我",
        "\x00",
        "\u202e",
        "İ",
    ),
)
words_at_random = st.lists(st.sampled_from(FRAGMENTS), max_size=60).map("".join)


def read_all(text: str) -> list[dict[str, object]]:
    return list(read_lines([text], build_extractor(ALL_METHODS), said_at=SAID, speaker="Ana"))


def check(text: str) -> None:
    for each in statements(text):
        assert 0 <= each.span[0] <= each.span[1] <= len(text)
    for row in read_all(text):
        span = row["span"]
        assert isinstance(span, list)
        assert 0 <= span[0] <= span[1] <= len(text)
        assert row["predicate"]


@settings(deadline=None, max_examples=150)
@given(st.text(max_size=200))
def test_any_text_is_read_without_an_error(text: str) -> None:
    check(text)


@settings(deadline=None, max_examples=150)
@given(words_at_random)
def test_any_heap_of_telling_words_is_read_without_an_error(text: str) -> None:
    check(text)


@pytest.mark.parametrize("plane", range(17))
def test_every_plane_of_unicode_is_read(plane: int) -> None:
    signs = [chr(plane * 0x10000 + place) for place in range(0, 0x10000, 97)]
    legal = [sign for sign in signs if not 0xD800 <= ord(sign) <= 0xDFFF]
    check("".join(legal))
    check(" ".join(f"I like {sign} and {sign}na is my sister." for sign in legal[:40]))


def test_naughty_strings_are_read() -> None:
    if not NAUGHTY.exists():
        pytest.skip("the list of naughty strings is not beside the project (../shared/data/hostile)")
    for text in json.loads(NAUGHTY.read_text(encoding="utf-8")):
        check(text)


@pytest.mark.parametrize("fragment", ["My sister Anna lives in Porto. ", "a", "my dog, ", "I "])
def test_a_megabyte_is_read(fragment: str) -> None:
    text = (fragment * (TEXT_BYTES // len(fragment) + 1))[:TEXT_BYTES]
    check(text)
    extractor = build_extractor()
    found = extractor.extract([turn(fragment * (1_000_000 // len(fragment)))], b"key")
    assert all(each.span is None or each.span[1] <= READ_CHARS for each in found[0])


@pytest.mark.parametrize(
    "fragment",
    [
        "I ",
        "my dog, ",
        "the end of ",
        '"I ',
        "Ana and ",
        "My sister Anna lives in Porto. ",
        "in May of ",
        "Ana's ",
        "not ",
    ],
)
def test_the_work_grows_with_the_length(fragment: str) -> None:
    short, long = calls(fragment * 400), calls(fragment * 1_600)
    assert long < 5 * short + 2_000


def calls(text: str) -> int:
    """How many functions, Python's and C's, reading a text calls."""
    count = 0

    def seen(_: FrameType, event: str, _of: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    statements("Warm the tables: Lisbon is the capital of Portugal.")
    before = sys.getprofile()
    sys.setprofile(seen)
    try:
        statements(text)
    finally:
        sys.setprofile(before)
    return count


def turn(text: str) -> Turn:
    return Turn(
        Utterance(
            id="1",
            session="s",
            speaker="Ana",
            role="user",
            text=text,
            said_at=SAID,
            seq=1,
            recorded_at=SAID,
            content_hash=content_hash(text),
        )
    )
