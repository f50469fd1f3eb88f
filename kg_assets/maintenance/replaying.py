"""The graph thrown away and made again from the journal: the same rows under the same recorded times."""

from collections.abc import Iterator

import msgspec

from kg_assets import journal
from kg_assets.errors import Corrupt
from kg_assets.graph.state import state_hash
from kg_assets.model import Change, GraphChange, JournalEntry, Origin
from kg_assets.payloads import History, graph_change
from kg_assets.ports import Clock, Memory


class Replayed(msgspec.Struct, frozen=True, kw_only=True):
    """How many entries were applied, and the state hash before and after."""

    applied: int
    before: str
    after: str


def replay(memory: Memory, *, origin: Origin, clock: Clock) -> Replayed:
    """In one transaction: a crash leaves the graph as it was.

    A graph that was damaged is mended by it, which the two hashes tell. Nothing else of the memory is touched. Raises
    `Corrupt` where an entry that changed the graph cannot be read.
    """
    before, applied = state_hash(memory), 0
    with memory.transaction():
        memory.graph.clear()
        for entry, change in graph_changes(memory):
            memory.graph.apply(change, recorded_at=entry.recorded_at, journal_seq=entry.seq)
            applied += 1
        told = Change(op="replay", payload={"applied": applied})
        journal.record(memory.ledger, [told], origin=origin, at=journal.instant(memory.ledger, clock))
    return Replayed(applied=applied, before=before, after=state_hash(memory))


def graph_changes(memory: Memory) -> Iterator[tuple[JournalEntry, GraphChange]]:
    """In the order of the journal, with what erasures left."""
    for entry in History(memory.ledger).told():
        try:
            change = graph_change(entry)
        except msgspec.ValidationError as ex:
            said = f"journal entry {entry.seq} cannot be applied ({ex}); run `palimpsest verify`"
            raise Corrupt(said) from ex
        if change is not None:
            yield entry, change
