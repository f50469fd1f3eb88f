"""The journal as changes of the graph: what a graph that fell behind catches up with."""

from collections.abc import Sequence

import msgspec

from kg_assets.model import EntityChange, JournalEntry, SlotChange
from resources.neo4j.writing import Applied

RESOLVE = "resolve"
OF_SLOTS = ("assert", "reinforce", "supersede", "retract")  # `SlotChange.op`

_entities = msgspec.json.Decoder(EntityChange)
_slot = msgspec.json.Decoder(SlotChange)


def changes_of(entries: Sequence[JournalEntry]) -> list[Applied]:
    """Those entries that changed the graph. One whose payload was erased has nothing to give any more."""
    changes = []
    for entry in entries:
        if entry.payload is None or entry.op not in (RESOLVE, *OF_SLOTS):
            continue
        change = _entities.decode(entry.payload) if entry.op == RESOLVE else _slot.decode(entry.payload)
        changes.append(Applied(change, entry.recorded_at, entry.seq))
    return changes
