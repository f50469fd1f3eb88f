"""One raw utterance, checked field by field. What passes can be stored, hashed, journaled and given back unchanged.

Only what no store can hold is refused: NUL and lone surrogates have no place in Postgres text or in UTF-8. Anything
else that a person can type is kept as it came, to the letter.
"""

import math
import secrets
from collections.abc import Mapping
from typing import Any, cast, get_args

from kg_assets.errors import InvalidInput
from kg_assets.model import Draft, Micros, Role
from kg_assets.text.instants import parse_instant

FIELDS = ("id", "session", "speaker", "role", "text", "said_at", "salience", "tags", "metadata")
ROLES: tuple[str, ...] = get_args(Role)
DEFAULT_ROLE: Role = "user"
DEFAULT_SPEAKERS: Mapping[str, str] = {"user": "user", "assistant": "assistant", "other": "other"}
DEFAULT_SESSION = "default"

TEXT_BYTES = 64 * 1024  # a long chat turn is 2 kB; more is a document, which wants sections of its own
NAME_CHARACTERS = 200  # of an id, session, speaker or tag
TAGS = 64
METADATA_BYTES = 16 * 1024
METADATA_DEPTH = 8
LARGEST_INTEGER = 2**63 - 1  # what SQLite and Postgres hold


def check(raw: object, *, where: str, default_id: str | None = None) -> Draft:
    """The draft that one raw utterance (fields of `POST /v1/utterances`) describes.

    `where` names its place for the message. An absent id becomes `default_id`, or a random one: an id made of the words
    would let anyone confirm by guessing what was said, after it was erased too. Raises `InvalidInput` at the first
    thing that is wrong.
    """
    try:
        return _draft(raw, default_id or secrets.token_hex(16))
    except InvalidInput as ex:
        raise InvalidInput(ex.reason, where=where) from ex


def _draft(raw: object, default_id: str) -> Draft:
    if not isinstance(raw, Mapping):
        raise InvalidInput(f'an utterance is an object such as {{"text": …, "said_at": …}}, not {_kind(raw)}')
    for field in raw:
        if field not in FIELDS:
            raise InvalidInput(f"unknown field {_shown(field)}; the fields are {', '.join(FIELDS)}")
    role = raw.get("role", DEFAULT_ROLE)
    if role not in ROLES:
        raise InvalidInput(f"role: {_shown(role)} is unknown; it is one of {', '.join(ROLES)}")
    return Draft(
        id=_name(raw, "id", default_id),
        session=_name(raw, "session", DEFAULT_SESSION),
        speaker=_name(raw, "speaker", DEFAULT_SPEAKERS[role]),
        role=cast(Role, role),
        text=_text(raw),
        said_at=_said_at(raw),
        salience=_salience(raw.get("salience", 1.0)),
        tags=_tags(raw.get("tags", ())),
        metadata=_metadata(raw.get("metadata", {})),
    )


def _name(raw: Mapping[str, Any], field: str, default: str) -> str:
    """An id, session or speaker: absent takes the default, empty is a mistake."""
    if field not in raw:
        return default
    value = _string(raw[field], field)
    if not value.strip():
        raise InvalidInput(f"{field}: is empty; give a name, or leave the field out")
    if len(value) > NAME_CHARACTERS:
        raise InvalidInput(f"{field}: has {len(value)} characters; shorten it to {NAME_CHARACTERS}")
    return value


def _text(raw: Mapping[str, Any]) -> str:
    if "text" not in raw:
        raise InvalidInput("text: is missing; say what was said")
    text = _string(raw["text"], "text")
    if not text.strip():
        raise InvalidInput("text: is empty; say what was said, or leave this utterance out")
    if (size := len(text.encode())) > TEXT_BYTES:
        raise InvalidInput(
            f"text: is {size} bytes of UTF-8 and the limit is {TEXT_BYTES}; split it into several utterances"
        )
    return text


def _said_at(raw: Mapping[str, Any]) -> Micros:
    if "said_at" not in raw:
        raise InvalidInput("said_at: is missing; say when it was said, like 2026-05-30T18:04:00Z")
    value = raw["said_at"]
    if not isinstance(value, str):
        raise InvalidInput(f"said_at: is {_kind(value)}; write a string like 2026-05-30T18:04:00Z")
    try:
        return parse_instant(value)
    except InvalidInput as ex:
        raise InvalidInput(f"said_at: {ex.reason}") from ex


def _salience(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidInput(f"salience: is {_kind(value)}; give a number from 0 up, 1.0 is ordinary")
    if not 0 <= value <= LARGEST_INTEGER:  # false for NaN too
        raise InvalidInput(f"salience: {_shown(value)} is not one from 0 up to 2^63; 1.0 is ordinary")
    return float(value) + 0.0  # makes -0.0 plain zero: one content, one hash


def _tags(value: object) -> tuple[str, ...]:
    if not isinstance(value, list | tuple):
        raise InvalidInput(f"tags: is {_kind(value)}; give a list of strings")
    if len(value) > TAGS:
        raise InvalidInput(f"tags: there are {len(value)}; give at most {TAGS}")
    return tuple(_name({"tags": tag}, "tags", "") for tag in value)


def _metadata(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise InvalidInput(f"metadata: is {_kind(value)}; give an object")
    size = _size(value, METADATA_DEPTH)
    if size > METADATA_BYTES:
        raise InvalidInput(f"metadata: is about {size} bytes and the limit is {METADATA_BYTES}; make it smaller")
    return value


def _size(value: object, depth: int) -> int:
    """About how many bytes of JSON; raises where a part could not be stored and given back."""
    if value is None or isinstance(value, bool):
        return 5
    if isinstance(value, str):
        return len(_string(value, "metadata").encode()) + 2
    if isinstance(value, int):
        if abs(value) > LARGEST_INTEGER:
            raise InvalidInput("metadata: holds an integer beyond 64 bits; write it as a string")
        return len(str(value))
    if isinstance(value, float):
        if not math.isfinite(value):
            raise InvalidInput(f"metadata: holds {value}, which JSON cannot say; leave it out or write null")
        return len(repr(value))
    if not isinstance(value, dict | list):
        raise InvalidInput(f"metadata: holds {_kind(value)}; use what JSON has")
    if depth == 0:
        raise InvalidInput(f"metadata: is nested deeper than {METADATA_DEPTH} levels; flatten it")
    if isinstance(value, list):
        return 2 + sum(_size(part, depth - 1) + 1 for part in value)
    if not all(isinstance(name, str) for name in value):
        raise InvalidInput("metadata: holds a key that is not a string; JSON has string keys only")
    return 2 + sum(_size(name, 1) + _size(part, depth - 1) + 2 for name, part in value.items())


def _string(value: object, field: str) -> str:
    if not isinstance(value, str):
        raise InvalidInput(f"{field}: is {_kind(value)}; write a string")
    if "\0" in value:
        raise InvalidInput(f"{field}: holds a NUL character (at {value.index(chr(0))}); remove it")
    try:
        value.encode()
    except UnicodeEncodeError as ex:
        raise InvalidInput(
            f"{field}: holds half of a surrogate pair (at {ex.start}), which is not text; repair or remove it"
        ) from ex
    return value


def _kind(value: object) -> str:
    """How JSON calls it."""
    if value is None:
        return "null"
    names = {bool: "a boolean", int: "a number", float: "a number", str: "a string", list: "a list", dict: "an object"}
    return names.get(type(value), f"a {type(value).__name__}")


def _shown(value: object) -> str:
    """A short, printable rendering for a message; only strings and floats are repeated."""
    if isinstance(value, str):
        return ascii(value[:40])
    return repr(value) if isinstance(value, float) else _kind(value)
