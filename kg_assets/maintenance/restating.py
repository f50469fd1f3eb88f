"""Which journal payloads an erasure takes, and what has to be told again of each."""

from collections.abc import Iterator, Mapping, Sequence

from kg_assets.maintenance.redacting import Payload, decoded, evidence_left, items_left
from kg_assets.maintenance.selecting import Selection
from kg_assets.maintenance.traces import Gone
from kg_assets.model import Head, JournalEntry, NoveltyScore
from kg_assets.payloads import payloads_of, told_entries
from kg_assets.ports import Ledger

INDEX = "index"


def before(ledger: Ledger, head: Head) -> Iterator[JournalEntry]:
    """The journal as it was told before this erasure."""
    return (entry for entry in told_entries(ledger) if entry.seq <= head.journal_seq)


def evidence_restated(
    ledger: Ledger, head: Head, chosen: Selection, gone: Gone, scores: Sequence[NoveltyScore], items: set[str]
) -> dict[int, Payload | None]:
    """Entry → what is left of it, for those that tell of evidence or items; `items` are those that went."""
    seqs, again = {turn.seq for turn in chosen.turns}, {each.seq for each in scores}
    found = {}
    for entry in before(ledger, head):
        payload = decoded(entry)
        if entry.op == INDEX:
            left = items_left(payload, items)
        else:
            left = evidence_left(ledger, entry, payload, seqs, gone.assertions, again) if payload else payload
        if left is not payload:
            found[entry.seq] = left
    return found


def dropped_of(ledger: Ledger, left: Mapping[int, Payload | None]) -> tuple[list[tuple[int, str]], dict[int, Payload]]:
    """Headers whose payloads go, and what has to be restated: also what an earlier erasure restated beside it."""
    told = payloads_of(ledger)
    stale = {told.told_by[seq] for seq in left if seq in told.told_by}
    carried = {seq: told.left[seq] for seq, teller in told.told_by.items() if teller in stale and seq not in left}
    going = sorted(stale | {seq for seq in left if seq not in told.dropped})
    dropped = [(entry.seq, entry.hash) for entry in ledger.journal(going)]
    return dropped, carried | {seq: payload for seq, payload in left.items() if payload is not None}
