"""The journal as changes of the graph: what a graph that fell behind catches up with."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from kg_assets.model import EntityChange, Flip, GraphChange, JournalEntry, SlotChange
from kg_assets.ports import Ledger
from resources.neo4j import schema
from resources.neo4j.connection import Run
from resources.neo4j.writing import Applied

CHUNK = 500
ERASE, RESTATE = "erase", "restate"  # as `kg_assets.payloads` names them
_TYPES: tuple[type[GraphChange], ...] = (SlotChange, EntityChange, Flip)
_KINDS = [(kind, {field.name for field in msgspec.structs.fields(kind) if field.required}) for kind in _TYPES]


def changes_of(ledger: Ledger, entries: Sequence[JournalEntry]) -> list[Applied]:
    """Those entries that changed the graph.

    They are told by what their payload holds and not by the name of the operation, so that a new operation is not
    passed over. Of an entry whose payload was erased, what a later entry says is left of it.
    """
    erased = [entry.seq for entry in entries if entry.payload is None]
    left = left_after(ledger, erased[0]) if erased else {}
    changes = []
    for entry in entries:
        payload = left.get(entry.seq, {}) if entry.payload is None else msgspec.json.decode(entry.payload)
        for kind, fields in _KINDS:
            if fields <= payload.keys():
                changes.append(Applied(msgspec.convert(payload, kind), entry.recorded_at, entry.seq))
    return changes


def left_after(ledger: Ledger, seq: int) -> dict[int, dict[str, Any]]:
    """Entry → what is left of its payload, as entries after `seq` tell; the last word counts."""
    left: dict[int, dict[str, Any]] = {}
    for entry in _following(ledger, seq):
        if entry.op == RESTATE and entry.payload is not None:
            left |= {each["entry"]: each["payload"] for each in msgspec.json.decode(entry.payload)["entries"]}
    return left


def began_anew(run: Run, ledger: Ledger, entries: Sequence[JournalEntry], seq: int) -> bool:
    """Empty the graph where these entries tell of an erasure that it missed: what had to go is told by nobody any more.

    Then it is filled again from what the journal still tells; the erasures up to `seq` are not missed a second time.
    """
    first = entries[0].seq == 1
    if not first and not any(entry.op == ERASE for entry in entries):
        return False
    missed = max((each.seq for each in _following(ledger, 0) if each.op == ERASE and each.seq <= seq), default=0)
    ((anew,),) = run("MATCH (m:Memory {id: $memory}) RETURN coalesce(m.anew, 0)")
    if missed <= anew:
        return False
    schema.forget(run)
    run("MERGE (m:Memory {id: $memory}) SET m.anew = $missed", missed=missed)
    return True


def _following(ledger: Ledger, seq: int) -> Iterator[JournalEntry]:
    while entries := ledger.journal_after(seq, CHUNK):
        yield from entries
        seq = entries[-1].seq
