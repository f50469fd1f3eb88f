"""Reading a request's body: at most so many bytes, strictly the declared fields, and the pointer to what is wrong."""

import re
from collections.abc import Mapping, Sequence
from typing import TypeVar

import falcon
import falcon.asgi
import msgspec

from kg_assets.errors import InvalidInput
from kg_assets.model import Micros
from kg_assets.text.instants import parse_instant
from serving.errors import InvalidBody, Place

Body = TypeVar("Body")

_PLACE = re.compile(r"^(?P<what>.*?)(?: - at `(?:key in )?\$(?P<path>.*)`)?$", re.DOTALL)
_STEP = re.compile(r"\.([^.\[]+)|\[(\d+)\]|\[\.\.\.\]")
_UNKNOWN = re.compile(r"^Object contains unknown field `(.*)`$", re.DOTALL)


async def read_json(req: falcon.asgi.Request, shape: type[Body], *, limit: int) -> Body:
    """The body as `shape`. Raises `InvalidBody`, or the framework's 400, 413 and 415."""
    raw, _ = await read_bytes(req, ("application/json",), limit=limit)
    return decode(raw, shape)


async def read_bytes(req: falcon.asgi.Request, types: Sequence[str], *, limit: int) -> tuple[bytes, str]:
    """The body as it came, and which of these media types it is; without a header, the first."""
    media_type = (req.content_type or types[0]).partition(";")[0].strip().lower()
    if media_type not in types or req.get_header("Content-Encoding"):
        wanted = " or ".join(f"`Content-Type: {each}`" for each in types)
        raise falcon.HTTPUnsupportedMediaType(description=f"Send it plain, with {wanted}.")
    too_large = falcon.HTTPContentTooLarge(description=f"The body may have {limit} bytes; send less at a time.")
    if (req.content_length or 0) > limit:
        raise too_large
    raw = await req.stream.read(limit + 1)
    if len(raw) > limit:
        raise too_large
    return raw, media_type


def decode(raw: bytes, shape: type[Body]) -> Body:
    """Strict: unknown fields are refused with a pointer to them."""
    try:
        return msgspec.json.decode(raw, type=shape)
    except msgspec.ValidationError as ex:
        raise InvalidBody([place_of(str(ex))]) from ex
    except UnicodeDecodeError as ex:
        raise falcon.HTTPBadRequest(description="The body is not UTF-8.") from ex
    except RecursionError as ex:
        raise falcon.HTTPBadRequest(description="The body is nested too deeply.") from ex
    except msgspec.DecodeError as ex:
        raise falcon.HTTPBadRequest(description=f"The body is not JSON: {ex}.") from ex


def place_of(message: str) -> Place:
    """msgspec's "… - at `$.a[0]`" as a JSON pointer and the rest."""
    found = _PLACE.match(message)
    what, path = (found["what"], found["path"] or "") if found else (message, "")
    pointer = "".join(f"/{escape(name or number)}" for name, number in _STEP.findall(path) if name or number)
    if unknown := _UNKNOWN.match(what):
        return Place(f"{pointer}/{escape(unknown[1])}", "there is no such field; remove it or correct its spelling")
    return Place(pointer, what[:1].lower() + what[1:])


def escape(part: str) -> str:
    """One part of a JSON pointer (RFC 6901)."""
    return part.replace("~", "~0").replace("/", "~1")


def given_params(req: falcon.asgi.Request, names: Sequence[str]) -> dict[str, str]:
    """The query string, strictly: an unknown or repeated parameter would quietly answer another question."""
    given = {}
    for name, value in req.params.items():
        if name not in names:
            raise InvalidInput(f"there is no such parameter; use {', '.join(names)}", where=f"?{name[:40]}")
        if not isinstance(value, str):
            raise InvalidInput("is given twice; give it once", where=f"?{name}")
        if value.strip():
            given[name] = value
    return given


def whole_number(given: Mapping[str, str], name: str, default: int) -> int:
    try:
        return int(given.get(name, default))
    except ValueError as ex:
        raise InvalidInput("is not a whole number", where=f"?{name}") from ex


def flag(given: Mapping[str, str], name: str) -> bool:
    """`true` or `false`; without it, false."""
    text = given.get(name, "false")
    if text not in ("true", "false"):
        raise InvalidInput("must be true or false", where=f"?{name}")
    return text == "true"


def time_param(given: Mapping[str, str], name: str) -> Micros | None:
    """A query string turns the plus of "+01:00" into a space."""
    text = given.get(name)
    text = text[:-6] + "+" + text[-5:] if text is not None and text[-6:-5] == " " else text
    return instant_or_none(text, where=f"?{name}")


def instant_or_none(text: str | None, *, where: str) -> Micros | None:
    """A time of a body or query as microseconds; None stays None."""
    if text is None:
        return None
    try:
        return parse_instant(text)
    except InvalidInput as ex:
        raise InvalidInput(ex.reason, where=where) from ex
