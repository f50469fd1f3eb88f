"""A body is decoded strictly, and what is wrong is pointed at."""

from typing import Any

import falcon
import msgspec
import pytest

from kg_assets.errors import InvalidInput
from serving.bodies import decode, instant_or_none
from serving.errors import InvalidBody


class Part(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    size: int = 0


class Whole(msgspec.Struct, forbid_unknown_fields=True):
    parts: list[Part]
    extra: dict[str, Any] = {}
    limit: int = 10


@pytest.mark.parametrize(
    ("raw", "pointer"),
    [
        ('{"parts": [], "colour": 1}', "/colour"),
        ('{"parts": [{"name": "a"}, {"name": "b", "colour": 1}]}', "/parts/1/colour"),
        ('{"parts": [{"name": "a", "a/b~c": 1}]}', "/parts/0/a~1b~0c"),
        ('{"parts": [{"name": 1}]}', "/parts/0/name"),
        ('{"parts": [{"name": "a", "size": 1.5}]}', "/parts/0/size"),
        ('{"parts": [{}]}', "/parts/0"),
        ('{"parts": {}}', "/parts"),
        ('{"parts": [], "limit": "ten"}', "/limit"),
        ('{"parts": [], "extra": {"a": 1e999}}', "/extra"),
        ("{}", ""),
        ("[]", ""),
        ("null", ""),
    ],
)
def test_what_is_wrong_is_pointed_at(raw: str, pointer: str) -> None:
    with pytest.raises(InvalidBody) as caught:
        decode(raw.encode(), Whole)
    assert [place.pointer for place in caught.value.places] == [pointer]


@pytest.mark.parametrize(
    "raw",
    [b"", b"{", b'{"parts": [}', b'{"parts": [\xff]}', b'{"parts": [NaN]}', b"\xef\xbb\xbf{}", b'{"parts": []}{}'],
)
def test_what_is_no_json_is_a_bad_request(raw: bytes) -> None:
    with pytest.raises(falcon.HTTPBadRequest):
        decode(raw, Whole)


def test_deep_nesting_is_a_bad_request() -> None:
    nested = b"[" * 100_000 + b"]" * 100_000
    with pytest.raises(falcon.HTTPBadRequest):
        decode(b'{"parts": [], "extra": {"a": ' + nested + b"}}", Whole)


def test_a_good_body_is_read() -> None:
    whole = decode(b'{"parts": [{"name": "a"}], "extra": {"b": [1, null]}}', Whole)
    assert (whole.parts, whole.extra, whole.limit) == ([Part("a")], {"b": [1, None]}, 10)


def test_a_time_is_read_and_a_wrong_one_is_placed() -> None:
    assert instant_or_none(None, where="/valid_at") is None
    assert instant_or_none("1970-01-01T00:00:01Z", where="/valid_at") == 1_000_000
    with pytest.raises(InvalidInput, match=r"^/valid_at: "):
        instant_or_none("yesterday", where="/valid_at")
