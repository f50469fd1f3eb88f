"""What is left of journal payloads once the traces of erased evidence are taken out. Pure, but for reads of the ledger.

Each function takes the payload of one kind of entry and gives it without those traces: the same object where there was
none, None where nothing is left that tells of a row.
"""

from collections.abc import Iterator
from typing import Any

import msgspec

from kg_assets.graph.generations import dropped_generations, generations
from kg_assets.journal import content_root, row_hash
from kg_assets.maintenance.traces import Gone, Traces, resolved_without
from kg_assets.model import Entity, EntityChange, JournalEntry, SlotChange
from kg_assets.payloads import ERASE, NOTHING_LEFT, RESTATE
from kg_assets.ports import Ledger, Memory
from kg_assets.utterances.sealing import chunk_root, hash_of

Payload = dict[str, Any]
SLOT_FIELDS = frozenset(field.name for field in msgspec.structs.fields(SlotChange) if field.required)
RESOLVE = "resolve"
LOOKED_THROUGH = frozenset((ERASE, RESTATE, NOTHING_LEFT, RESOLVE, "remember", "seal", "score", "extract", "index"))
SLOT = b'"slot_hash":'


class Redacted(msgspec.Struct):
    """`entries`: entry → what is left of its payload. `touched`: entities that something was taken out of. `entities`:
    what the redacted history makes of all entities, by generation. `told`: the redacted history itself."""

    entries: dict[int, Payload | None]
    touched: set[str]
    entities: dict[int, dict[str, Entity]]
    told: list[tuple[JournalEntry, EntityChange]]


def decoded(entry: JournalEntry) -> Payload:
    return msgspec.json.decode(entry.payload) if entry.payload is not None else {}


# ------------------------------------------------------------------------------------------------------ evidence


def evidence_left(
    ledger: Ledger, entry: JournalEntry, payload: Payload, seqs: set[int], gone: frozenset[str], rescored: set[int]
) -> Payload | None:
    """Of `remember`, `seal`, `score` and `extract`; `rescored` are utterances whose score was written anew."""
    if entry.op == "remember":
        if payload["seq"] in seqs:
            return None
        if payload["seq"] in rescored:
            return {**payload, "novelty": row_hash(ledger.novelty([payload["seq"]])[0])}
    elif entry.op == "seal" and any(payload["first"] <= seq <= payload["last"] for seq in seqs):
        hashes = [hash_of(each) for each in ledger.utterances(range(payload["first"], payload["last"] + 1))]
        return {**payload, "count": len(hashes), "content_root": chunk_root(hashes)} if hashes else None
    elif entry.op == "score" and not (seqs | rescored).isdisjoint(payload["seqs"]):
        scores = ledger.novelty(payload["seqs"])
        left = [each.seq for each in scores]
        return {**payload, "seqs": left, "content_root": content_root(scores)} if left else None
    elif entry.op == "extract" and not gone.isdisjoint(payload["assertions"]):
        ids = [each for each in payload["assertions"] if each not in gone]
        stored = {each.id: each for each in ledger.assertions(ids)}
        root = content_root(stored[each] for each in ids)
        return {**payload, "assertions": ids, "content_root": root} if ids else None
    return payload


def items_left(payload: Payload, gone: set[str]) -> Payload | None:
    """Of an `index` entry, which tells of each item by a hash over its words and vectors."""
    items = payload.get("items", {})
    if gone.isdisjoint(items):
        return payload
    left = {item_id: told for item_id, told in items.items() if item_id not in gone}
    return {**payload, "items": left} if left else None


# ------------------------------------------------------------------------------------------------------ entities


def entities_left(memory: Memory, entries: Iterator[JournalEntry], gone: Gone) -> Redacted:
    """Of all `resolve` entries."""
    found = Redacted({}, set(), {}, [])
    for entry in entries:
        if entry.op != RESOLVE or entry.payload is None:
            continue
        change = msgspec.json.decode(entry.payload, type=EntityChange)
        entities = found.entities.setdefault(change.generation, {})
        put = tuple(each for each in change.put if resolved_without(memory, each, entry.seq, gone))
        dropped = tuple(each for each in change.dropped if each in entities)
        for each in dropped:
            del entities[each]
        entities |= {each.id: each for each in put}
        left = msgspec.structs.replace(change, put=put, dropped=dropped)
        if left != change:
            found.entries[entry.seq] = msgspec.to_builtins(left) if put or dropped else None
            kept = {*dropped, *(each.id for each in put)}
            found.touched |= {*change.dropped, *(each.id for each in change.put)} - kept
        found.told.append((entry, left))
    return found


# -------------------------------------------------------------------------------------------------------- belief


def slots_left(entries: Iterator[JournalEntry], traces: Traces) -> dict[int, Payload | None]:
    """Of all changes of slots with traces, from the first trace in each on."""
    since: dict[str, int] = {}
    firsts = [(each.belief.slot, each.opened_by) for each in traces.versions]
    for slot, seq in [*firsts, *((each.slot, each.journal_seq) for each in traces.decisions)]:
        since[slot] = min(seq, since.get(slot, seq))
    found: dict[int, Payload | None] = {}
    for entry in entries:
        payload = decoded(entry)
        if payload.keys() >= SLOT_FIELDS and entry.seq >= since.get(payload["slot"], entry.seq + 1):
            left = slot_left(msgspec.convert(payload, SlotChange), traces)
            told = left.opened or left.closed or left.decisions
            found[entry.seq] = msgspec.to_builtins(left) if told else None
    return found


def slot_left(change: SlotChange, traces: Traces) -> SlotChange:
    """The hash goes in any case: it is one over all that was believed of the slot."""
    versions = {each.version_id for each in traces.versions}
    decisions = {each.id for each in traces.decisions}
    return msgspec.structs.replace(
        change,
        slot_hash="",
        opened=tuple(each for each in change.opened if each.version_id not in versions),
        closed=tuple(each for each in change.closed if each not in versions),
        decisions=tuple(each for each in change.decisions if each.id not in decisions),
    )


class Dropped(msgspec.Struct):
    """What the journal still told of generations that were dropped. `entries`: entry → what is left of its payload.

    `decisions` go with them: those that name what is gone, or stand in a slot of an entity that is in no generation any
    more. `versions` and `facts` were rows of theirs alone.
    """

    entries: dict[int, Payload | None] = {}
    decisions: set[str] = set()
    versions: set[str] = set()
    facts: set[str] = set()


def dropped_left(memory: Memory, entries: Iterator[JournalEntry], gone: Gone, traces: Traces) -> Dropped:
    """Nothing is kept but the decisions that stay, since no row rests on the rest."""
    dropped, found = dropped_generations(memory), Dropped()
    taken = {each.id for each in traces.decisions}
    graphs = [memory.graph.of(each.generation) for each in generations(memory) if not each.dropped]
    for entry in entries if dropped else ():
        payload = decoded(entry)
        if payload.get("generation") not in dropped:
            continue
        found.entries[entry.seq] = None
        if payload.keys() >= SLOT_FIELDS:
            change = msgspec.convert(payload, SlotChange)
            there = any(graph.entities([change.slot.split("|", 1)[0]]) for graph in graphs)
            stay = [
                each
                for each in change.decisions
                if there and each.id not in taken and gone.assertions.isdisjoint((each.winner, *each.losers))
            ]
            found.decisions |= {each.id for each in change.decisions} - {each.id for each in stay} - taken
            found.versions |= {each.version_id for each in change.opened}
            found.facts |= {each.id for each in change.opened}
            if stay:
                bare = {"slot_hash": "", "opened": (), "closed": (), "decisions": tuple(stay)}
                found.entries[entry.seq] = msgspec.to_builtins(msgspec.structs.replace(change, **bare))
    found.facts = {each for each in found.facts if not memory.graph.history(each)}
    return found


# ---------------------------------------------------------------------------------------------------- the others


def naming(entries: Iterator[JournalEntry], ids: set[str], known: set[int]) -> dict[int, Payload | None]:
    """Entries of any other operation that name one of these keyed ids: nothing of them is kept.

    Changes of slots that show no trace name none: what they name is of their own slot.
    """
    return {
        entry.seq: None
        for entry in entries
        if entry.op not in LOOKED_THROUGH
        and entry.seq not in known
        and SLOT not in (entry.payload or b"")
        and not ids.isdisjoint(strings_in(decoded(entry)))
    }


def strings_in(value: Any) -> set[str]:
    if isinstance(value, str):
        return {value}
    if isinstance(value, dict):
        return set(value).union(*map(strings_in, value.values()))
    if isinstance(value, list):
        return set().union(*map(strings_in, value))
    return set()
