"""Which items a question is put to: the `filters` of a recall request, read strictly."""

from collections.abc import Mapping
from typing import Any

import msgspec

from kg_assets.errors import InvalidInput
from kg_assets.model import Micros
from kg_assets.text.instants import parse_instant

KNOWN = ("session", "speaker", "role", "tags", "said_from", "said_to", "metadata")


class Filters(msgspec.Struct, frozen=True, kw_only=True):
    """Empty means any. Of several sessions, speakers or roles one must fit; of the tags and metadata, all.

    Speakers are compared casefolded. `said_from` and `said_to` bound when it was said, `[from, to)`.
    """

    sessions: frozenset[str] = frozenset()
    speakers: frozenset[str] = frozenset()
    roles: frozenset[str] = frozenset()
    tags: frozenset[str] = frozenset()
    said_from: Micros | None = None
    said_to: Micros | None = None
    metadata: dict[str, Any] = {}

    @property
    def per_item(self) -> bool:
        """Whether anything but the time must be compared item by item."""
        return bool(self.sessions or self.speakers or self.roles or self.tags or self.metadata)


def read_filters(given: Mapping[str, Any]) -> Filters:
    """From JSON: `session`, `speaker`, `role`, `tags` take a text or a list of them, `said_from` and `said_to` RFC
    3339, `metadata` an object whose values must be equal. Raises `InvalidInput` with a pointer into the request."""
    for name in given:
        if name not in KNOWN:
            raise InvalidInput(f"is no filter; use some of {', '.join(KNOWN)}", where=f"/filters/{name}")
    metadata = given.get("metadata") or {}
    if not isinstance(metadata, Mapping):
        raise InvalidInput("must be an object of names and values", where="/filters/metadata")
    return Filters(
        sessions=_texts(given, "session"),
        speakers=frozenset(speaker.casefold() for speaker in _texts(given, "speaker")),
        roles=_texts(given, "role"),
        tags=_texts(given, "tags"),
        said_from=_instant(given, "said_from"),
        said_to=_instant(given, "said_to"),
        metadata=dict(metadata),
    )


def _texts(given: Mapping[str, Any], name: str) -> frozenset[str]:
    value = given.get(name)
    values = [value] if isinstance(value, str) else [] if value is None else value
    if not isinstance(values, list | tuple) or not all(isinstance(each, str) for each in values):
        raise InvalidInput("must be a text or a list of texts", where=f"/filters/{name}")
    return frozenset(values)


def _instant(given: Mapping[str, Any], name: str) -> Micros | None:
    value = given.get(name)
    if value is None:
        return None
    where = f"/filters/{name}"
    if not isinstance(value, str):
        raise InvalidInput("must be a time like 2026-05-30T18:04:00Z", where=where)
    try:
        return parse_instant(value)
    except InvalidInput as ex:
        raise InvalidInput(ex.reason, where=where) from ex
