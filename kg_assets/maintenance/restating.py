"""Which journal payloads an erasure takes, and what has to be told again of each."""

from collections.abc import Mapping, Sequence

import msgspec

from kg_assets.maintenance.redacting import Payload, decoded, evidence_left, items_left
from kg_assets.maintenance.selecting import Selection
from kg_assets.maintenance.traces import Gone
from kg_assets.model import NoveltyScore
from kg_assets.payloads import History
from kg_assets.ports import Ledger

INDEX = "index"
CHUNK = 500


def evidence_restated(
    ledger: Ledger, history: History, chosen: Selection, gone: Gone, scores: Sequence[NoveltyScore], items: set[str]
) -> dict[int, Payload | None]:
    """Entry → what is left of it, for those that tell of evidence or items; `items` are those that went."""
    seqs, again = {turn.seq for turn in chosen.turns}, {each.seq for each in scores}
    found = {}
    for entry in history.told():
        payload = decoded(entry)
        if entry.op == INDEX:
            left = items_left(payload, items)
        else:
            left = evidence_left(ledger, entry, payload, seqs, gone.assertions, again) if payload else payload
        if left is not payload:
            found[entry.seq] = left
    return found


def dropped_of(
    history: History, left: Mapping[int, Payload | None]
) -> tuple[list[tuple[int, str]], dict[int, Payload]]:
    """Headers whose payloads go, and what has to be restated: also what an earlier erasure restated beside it."""
    told = history.payloads
    stale = {told.told_by[seq] for seq in left if seq in told.told_by}
    carried = {seq: told.left[seq] for seq, teller in told.told_by.items() if teller in stale and seq not in left}
    going = stale | {seq for seq in left if seq not in told.dropped}
    dropped = [(entry.seq, entry.hash) for entry in history.entries if entry.seq in going]
    return dropped, carried | {seq: payload for seq, payload in left.items() if payload is not None}


def rescored(ledger: Ledger, first: int, last: int, gone_facts: set[str]) -> tuple[NoveltyScore, ...]:
    """Scores that name a fact which is gone as contradicted, without it."""
    found = []
    for start in range(first, last + 1, CHUNK) if gone_facts else ():
        for each in ledger.novelty(range(start, min(start + CHUNK, last + 1))):
            if not gone_facts.isdisjoint(each.conflicts):
                left = tuple(fact for fact in each.conflicts if fact not in gone_facts)
                found.append(msgspec.structs.replace(each, conflicts=left))
    return tuple(found)
