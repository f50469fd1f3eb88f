"""The journal as changes of the graph: what a graph that fell behind catches up with."""

from collections.abc import Sequence
from typing import Any

import msgspec

from kg_assets.model import EntityChange, JournalEntry, SlotChange
from resources.neo4j.writing import Applied

_KINDS: tuple[tuple[type[SlotChange | EntityChange], frozenset[str]], ...] = (
    (SlotChange, frozenset(SlotChange.__struct_fields__)),
    (EntityChange, frozenset(EntityChange.__struct_fields__)),
)


def changes_of(entries: Sequence[JournalEntry]) -> list[Applied]:
    """Those entries that changed the graph.

    They are told by what their payload holds and not by the name of the operation, so that a new operation is not
    passed over. An entry whose payload was erased has nothing to give any more.
    """
    changes = []
    for entry in entries:
        payload: dict[str, Any] = msgspec.json.decode(entry.payload) if entry.payload is not None else {}
        for kind, fields in _KINDS:
            if fields <= payload.keys():
                changes.append(Applied(msgspec.convert(payload, kind), entry.recorded_at, entry.seq))
    return changes
