"""The journal as changes of the graph: what a graph that fell behind catches up with."""

from collections.abc import Sequence

from kg_assets.model import JournalEntry
from kg_assets.payloads import ERASE, Payloads, entries_of, graph_change
from kg_assets.ports import Ledger
from resources.neo4j import schema
from resources.neo4j.connection import Run
from resources.neo4j.writing import Applied


def changes_of(ledger: Ledger, entries: Sequence[JournalEntry]) -> list[Applied]:
    """Those entries that changed the graph. Of one whose payload was erased, what a later entry says is left of it."""
    erased = [entry.seq for entry in entries if entry.payload is None]
    told = Payloads(entries_of(ledger, erased[0]) if erased else ()).told
    return [
        Applied(change, entry.recorded_at, entry.seq)
        for entry in map(told, entries)
        if (change := graph_change(entry)) is not None
    ]


def began_anew(run: Run, ledger: Ledger, entries: Sequence[JournalEntry], seq: int) -> bool:
    """Empty the graph where these entries tell of an erasure that it missed: what had to go is told by nobody any more.

    Then it is filled again from what the journal still tells; the erasures up to `seq` are not missed a second time.
    """
    first = entries[0].seq == 1
    if not first and not any(entry.op == ERASE for entry in entries):
        return False
    missed = max((each.seq for each in entries_of(ledger) if each.op == ERASE and each.seq <= seq), default=0)
    ((anew,),) = run("MATCH (m:Memory {id: $memory}) RETURN coalesce(m.anew, 0)")
    if missed <= anew:
        return False
    schema.forget(run)
    run("MERGE (m:Memory {id: $memory}) SET m.anew = $missed", missed=missed)
    return True
