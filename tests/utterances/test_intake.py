import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg_assets.errors import InvalidInput
from kg_assets.identity import canonical_json
from kg_assets.utterances.intake import LARGEST_INTEGER, METADATA_BYTES, TEXT_BYTES, check
from tests.utterances.naughty import naughty_strings

GOOD: dict[str, Any] = {"text": "I moved to Lisbon in May.", "said_at": "2026-05-30T18:04:00Z"}


def nested(levels: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(levels - 1):
        value = {"in": value}
    return value


def test_absent_fields_take_their_defaults() -> None:
    draft = check(GOOD, where="/utterances/0", default_id="u-1")
    assert (draft.id, draft.session, draft.speaker, draft.role) == ("u-1", "default", "user", "user")
    assert (draft.said_at, draft.salience, draft.tags, draft.metadata) == (1_780_164_240_000_000, 1.0, (), {})
    assert check({**GOOD, "role": "assistant"}, where="", default_id="u-1").speaker == "assistant"


def test_all_fields_come_through_unchanged() -> None:
    raw = {
        **GOOD,
        "id": " c-7 ",
        "session": "s-12",
        "speaker": "Ana",
        "role": "other",
        "salience": 2,
        "tags": ["home", "home"],
        "metadata": {"n": LARGEST_INTEGER, "x": [1.5, None, True, {"deep": "é"}]},
    }
    draft = check(raw, where="", default_id="unused")
    assert (draft.id, draft.session, draft.speaker, draft.role) == (" c-7 ", "s-12", "Ana", "other")
    assert (draft.salience, draft.tags, draft.metadata) == (2.0, ("home", "home"), raw["metadata"])


def test_an_id_made_here_tells_nothing_of_what_was_said() -> None:
    made = {check(GOOD, where="/0").id for _ in range(4)}
    assert (len(made), {len(each) for each in made}) == (4, {32})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"txt": "x"}, "unknown field 'txt'; the fields are id, session"),
        ({"id": 7}, "id: is a number; write a string"),
        ({"id": ""}, "id: is empty"),
        ({"id": "x" * 201}, "id: has 201 characters; shorten it to 200"),
        ({"session": "  "}, "session: is empty"),
        ({"session": None}, "session: is null"),
        ({"speaker": ""}, "speaker: is empty; give a name, or leave the field out"),
        ({"speaker": "A\0na"}, "speaker: holds a NUL character .at 1."),
        ({"role": "system"}, "role: 'system' is unknown; it is one of user, assistant, other"),
        ({"role": ["user"]}, "role: a list is unknown"),
        ({"text": ""}, "text: is empty"),
        ({"text": " \n\u3000"}, "text: is empty"),
        ({"text": None}, "text: is null"),
        ({"text": b"bytes"}, "text: is a bytes"),
        ({"text": "a\0b"}, "text: holds a NUL"),
        ({"text": "a\ud800b"}, "text: holds half of a surrogate pair .at 1."),
        ({"text": "é" * (TEXT_BYTES // 2) + "x"}, "text: is 65537 bytes .* limit is 65536; split it"),
        ({"said_at": "2026-13-01T00:00:00Z"}, "said_at: .*month"),
        ({"said_at": "2026-02-30T00:00:00Z"}, "said_at: .*day"),
        ({"said_at": "2026-05-30T18:04:00"}, "said_at: .*no offset"),
        ({"said_at": 1780164240}, "said_at: is a number"),
        ({"said_at": ""}, "said_at: .*RFC 3339"),
        ({"salience": -0.1}, "salience: -0.1 is not one from 0 up"),
        ({"salience": float("nan")}, "salience: nan"),
        ({"salience": float("inf")}, "salience: inf"),
        ({"salience": 10**400}, "salience: a number is not one"),
        ({"salience": True}, "salience: is a boolean"),
        ({"salience": "1"}, "salience: is a string"),
        ({"tags": "home"}, "tags: is a string; give a list"),
        ({"tags": ["x"] * 65}, "tags: there are 65; give at most 64"),
        ({"tags": [""]}, "tags: is empty"),
        ({"tags": [1]}, "tags: is a number"),
        ({"metadata": []}, "metadata: is a list; give an object"),
        ({"metadata": {"a": "x" * METADATA_BYTES}}, "metadata: is about .* the limit is 16384"),
        ({"metadata": {"a": float("inf")}}, "metadata: holds inf"),
        ({"metadata": {"a": LARGEST_INTEGER + 1}}, "metadata: holds an integer beyond 64 bits"),
        ({"metadata": {"a": b""}}, "metadata: holds a bytes"),
        ({"metadata": {1: "a"}}, "metadata: holds a key that is not a string"),
        ({"metadata": {"\ud800": "a"}}, "metadata: holds half of a surrogate pair"),
        ({"metadata": nested(9)}, "metadata: is nested deeper than 8"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(change: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput, match=message) as caught:
        check({**GOOD, **change}, where="chat.jsonl:12")
    assert caught.value.where == "chat.jsonl:12"
    assert str(caught.value).startswith("chat.jsonl:12: ")


@pytest.mark.parametrize("field", ["text", "said_at"])
def test_a_missing_field_is_named(field: str) -> None:
    with pytest.raises(InvalidInput, match=f"{field}: is missing"):
        check({name: value for name, value in GOOD.items() if name != field}, where="")


@pytest.mark.parametrize("raw", [None, [], "text", 3])
def test_what_is_no_object_is_refused(raw: object) -> None:
    with pytest.raises(InvalidInput, match="an utterance is an object"):
        check(raw, where="")


def test_text_and_metadata_at_their_limits_are_taken() -> None:
    draft = check({**GOOD, "text": "é" * (TEXT_BYTES // 2), "metadata": nested(8)}, where="")
    assert len(draft.text.encode()) == TEXT_BYTES


def test_the_shortest_texts_are_kept_as_they_are() -> None:
    assert [check({**GOOD, "text": text}, where="").text for text in (" x\n", "\x01", "0")] == [
        " x\n",
        "\x01",
        "0",
    ]


def test_negative_zero_has_the_content_of_zero() -> None:
    assert str(check({**GOOD, "salience": -0.0}, where="").salience) == "0.0"


def test_naughty_strings_pass_to_the_letter() -> None:
    for text in filter(str.strip, naughty_strings()):
        raw = {**GOOD, "text": text, "metadata": {"as": text}, "tags": [text[:200]] if text.strip() else []}
        draft = check(json.loads(json.dumps(raw)), where="")
        again = msgspec.json.decode(canonical_json(draft))
        assert (draft.text, again["text"], again["metadata"]) == (text, text, {"as": text})


@given(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=200).filter(
        str.strip
    )
)
def test_any_text_without_nul_and_surrogates_passes(text: str) -> None:
    assert check({**GOOD, "text": text}, where="").text == text
