"""Erasing utterances: what was said and every trace of it go, in one transaction; what stays is restated.

Evidence goes with scores, counts and items. Entities are resolved and slots derived from what is left. Versions of
facts, decisions and entity states that what is left does not account for are deleted, and journal payloads that told of
any of it: a signed `erase` entry names their headers, and a `restate` entry after it says what they told of rows that
stay.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence

import msgspec

from kg_assets import journal
from kg_assets.graph.entities import mention_keys, resolve_mentions
from kg_assets.graph.generations import dropped_generations, generations, put_generation
from kg_assets.graph.policies import Policy
from kg_assets.graph.slots import touched_slots, write_slots
from kg_assets.graph.sources import Generation, generation_of
from kg_assets.graph.state import slot_hash
from kg_assets.identity import canonical_json
from kg_assets.index.building import CURSOR
from kg_assets.index.quantise import packed
from kg_assets.index.remember import utterance_item
from kg_assets.index.windows import encode_alone
from kg_assets.maintenance.erasure import FORMAT, Certificate, Counts, Sign, signed_part
from kg_assets.maintenance.redacting import (
    RESOLVE,
    Payload,
    decoded,
    dropped_left,
    entities_left,
    naming,
    slots_left,
)
from kg_assets.maintenance.restating import INDEX, dropped_of, evidence_restated, rescored
from kg_assets.maintenance.rewording import reworded
from kg_assets.maintenance.selecting import Selection, selection
from kg_assets.maintenance.traces import Gone, Traces, joined_too, rivals_of, slots_owing, together, traces_in
from kg_assets.model import (
    Change,
    Entity,
    EntityChange,
    GraphRows,
    Head,
    LedgerRows,
    Micros,
    Origin,
    SlotChange,
    StageNote,
    Utterance,
)
from kg_assets.payloads import ERASE, LAST_ERASURE, RESTATE, History
from kg_assets.ports import Clock, Embedder, Memory, Stores
from kg_assets.shards import STAGES, granted, opened, renewed
from kg_assets.text.ontology import Ontology
from kg_assets.triples.read_by import note_unread

NEVER = 2**62
HASH_ALONE = "revise"  # a slot that lost rows and is believed as it was: its hash is told again

Slots = dict[str, tuple[str, str]]  # slot id → (entity, slot name)
Choose = Callable[[Memory], Sequence[Utterance]]
Vectors = Mapping[int, tuple[bytes, bytes, bytes]]  # by utterance, as `packed` gives them


class Forgetting(msgspec.Struct, frozen=True, kw_only=True):
    """Who erases, and with what."""

    certificate_id: str
    scope: str  # utterances | session
    sign: Sign
    clock: Clock
    origin: Origin
    embedder: Embedder
    ontology: Ontology
    policy: Policy


class Forgotten(msgspec.Struct, frozen=True, kw_only=True):
    """`reread`: later turns that wait to be read again. `scrubbed` False: old pages go with the next sweep."""

    certificate: Certificate
    reread: int
    scrubbed: bool


def erase_utterances(stores: Stores, memory_id: str, choose: Choose, *, how: Forgetting, holder: str) -> Forgotten:
    """Erase what `choose` gives of a memory. Raises `NotFound`, and `NotReady` while a run works on it."""
    lease = granted(stores, memory_id, holder=holder, clock=how.clock, advice="erase it again")
    try:
        with renewed(stores, lease, how.clock), opened(stores, memory_id, lease) as memory:
            with memory.snapshot():
                vectors = alone(selection(memory, choose(memory)).near, how.embedder)
            with memory.transaction():
                certificate, reread = forget(memory, choose(memory), vectors, how)
        for stage in STAGES:  # each looks again when its shard is next visited
            stores.note_stage(StageNote(memory_id=memory_id, stage=stage, version="", fingerprint=""))
        return Forgotten(certificate=certificate, reread=reread, scrubbed=stores.scrub(memory_id))
    finally:
        stores.release(lease)


def alone(turns: Sequence[Utterance], embedder: Embedder) -> Vectors:
    """Vectors of turns that were encoded together with erased ones, from their own words."""
    encoded = encode_alone(turns, embedder) if turns else []
    return {turn.seq: packed(each, embedder.projection) for turn, each in zip(turns, encoded, strict=True)}


def forget(memory: Memory, turns: Sequence[Utterance], vectors: Vectors, how: Forgetting) -> tuple[Certificate, int]:
    """Inside the caller's transaction. Returns the certificate, and how many turns are to be read again."""
    ledger = memory.ledger
    head, items = ledger.head(), ledger.item_count()
    at = journal.instant(ledger, how.clock)
    chosen = selection(memory, turns)
    sources = [generation_of(memory, number) for number in numbers(memory)]
    touched = [touched_slots(each, how.ontology, chosen.assertions, set(), set()) for each in sources]  # as of before
    rivals = set[str]().union(*(rivals_of(each, how.ontology, chosen.assertions) for each in sources))
    history = History(ledger)
    ledger.forget(evidence_rows(chosen))
    gone = gone_of(history, chosen, rivals)
    entities = _entities(memory, sources, gone, history, at, how)
    pairs: list[tuple[Generation, Slots]] = []
    found: list[Traces] = []
    for source, before_it, resolved in zip(sources, touched, entities.resolved, strict=True):
        gone = msgspec.structs.replace(gone, left=frozenset(resolved.left))
        slots = before_it | touched_slots(source, how.ontology, chosen.assertions, resolved.moved, resolved.left)
        slots |= slots_owing(source, gone, resolved.left)
        slots |= joined_too(source, how.ontology, slots)
        pairs.append((source, slots))
        found.append(traces_in(source, how.ontology, how.policy, slots, gone))
    traces = together(found)
    _belief(memory, chosen, pairs, traces, at, how)
    stale, cursor = reworded(memory, how.ontology, entities.changed)
    gone_facts = {each.id for each in traces.versions if not memory.graph.history(each.id)}
    unserved = dropped_left(memory, history.told(), gone, traces)
    gone_facts |= unserved.facts
    scores = rescored(ledger, min(turn.seq for turn in turns), head.seq, gone_facts)
    stale += [each.version_id for each in traces.versions]
    ledger.forget(
        LedgerRows(
            items=tuple(stale),
            decisions=(*(each.id for each in traces.decisions), *sorted(unserved.decisions)),
            scores=scores,
        )
    )
    ids = {*gone.assertions, *gone_facts, *(each.version_id for each in traces.versions), *entities.vanished}
    reworded_items = {*stale, *unserved.versions, *(turn.id for turn in (*chosen.turns, *chosen.near))}
    left = {
        **evidence_restated(ledger, history, chosen, gone, scores, reworded_items),
        **entities.entries,
        **slots_left(history.told(), traces),
    }
    left |= unserved.entries
    left |= naming(history.told(), ids, set(left))
    dropped, restated = dropped_of(history, left)
    counts = Counts(
        utterances=len(turns),
        assertions=len(chosen.assertions),
        fact_versions=len(traces.versions),
        entities=len(entities.vanished),
        index_items=items - ledger.item_count(),
        journal_entries=len(dropped),
    )
    certificate = certified(how, counts, at, head, dropped)
    _record(memory, certificate, dropped, restated, head, at, how)
    _queue(memory, chosen, vectors, cursor, at, how)
    return certificate, len(chosen.reread)


# ------------------------------------------------------------------------------------------------------ evidence


def evidence_rows(chosen: Selection) -> LedgerRows:
    return LedgerRows(
        seqs=tuple(turn.seq for turn in chosen.turns),
        assertions=tuple(each.id for each in chosen.assertions),
        terms=chosen.terms,
        items=tuple(turn.id for turn in chosen.turns),
    )


def gone_of(history: History, chosen: Selection, rivals: set[str]) -> Gone:
    ids = {each.id for each in chosen.assertions}
    read_by: dict[str, int] = {}
    for entry in history.told():
        if entry.op == "extract":
            read_by |= dict.fromkeys(decoded(entry).get("assertions", ()), entry.seq)
    since = min((read_by.get(each, 0) for each in ids), default=NEVER)
    keys = frozenset(mention_keys(chosen.assertions))
    return Gone(assertions=frozenset(ids), keys=keys, since=since, read_by=read_by, rivals=frozenset(rivals))


# -------------------------------------------------------------------------------------------------------- belief


class Resolved(msgspec.Struct, frozen=True):
    """The forms that moved in one generation, and what they led to."""

    moved: set[str]
    left: set[str]


class Entities(msgspec.Struct, frozen=True, kw_only=True):
    """`resolved`: for each generation. `changed`: entities that may have other names now. `vanished`: those that
    nothing tells of any more."""

    resolved: list[Resolved]
    changed: set[str]
    vanished: set[str]
    entries: dict[int, Payload | None]


def numbers(memory: Memory) -> list[int]:
    """Of every generation that may have rows."""
    noted = {each.generation for each in generations(memory)}
    return sorted((noted | {memory.graph.generation}) - dropped_generations(memory))


def _entities(
    memory: Memory, sources: Sequence[Generation], gone: Gone, history: History, at: Micros, how: Forgetting
) -> Entities:
    """Resolve anew what was mentioned, and say in one entry a generation what the journal does not tell rightly."""
    if not gone.keys:
        return Entities(resolved=[Resolved(set(), set()) for _ in sources], changed=set(), vanished=set(), entries={})
    changes = [resolve_mentions(each, set(gone.keys)) for each in sources]
    told = entities_left(memory, history.told(), gone)
    wanted: list[dict[str, Entity]] = []
    for source, (change, _, _) in zip(sources, changes, strict=True):
        now = {each.id: each for each in source.graph.all_entities() if each.id not in change.dropped}
        wanted.append(now | {each.id: each for each in change.put})
    there = {each for now in wanted for each in now}
    vanished = {each for change, _, _ in changes for each in change.dropped} - there
    forgotten = told.touched | vanished
    dropped_already = dropped_generations(memory)
    memory.graph.forget(GraphRows(entities=tuple(sorted(forgotten))))
    for entry, left in told.told:
        if left.generation in dropped_already:
            continue
        put = tuple(each for each in left.put if each.id in forgotten)
        dropped = tuple(each for each in left.dropped if each in forgotten)
        if put or dropped:
            again = msgspec.structs.replace(left, put=put, dropped=dropped)
            memory.graph.apply(again, recorded_at=entry.recorded_at, journal_seq=entry.seq)
    changed = set(forgotten)
    for source, now in zip(sources, wanted, strict=True):
        restated = _restated(told.entities.get(source.graph.generation, {}), now, source.graph.generation)
        if restated is not None:
            told_again = Change(op=RESOLVE, payload=msgspec.to_builtins(restated))
            (entry,) = journal.record(memory.ledger, [told_again], origin=how.origin, at=at)
            memory.graph.apply(restated, recorded_at=at, journal_seq=entry.seq)
            changed |= {*restated.dropped, *(each.id for each in restated.put)}
    return Entities(
        resolved=[Resolved(moved, left) for _, moved, left in changes],
        changed=changed,
        vanished=vanished,
        entries=told.entries,
    )


def _restated(told: Mapping[str, Entity], now: Mapping[str, Entity], generation: int) -> EntityChange | None:
    """What the journal has to say so that it tells of the entities that are."""
    put = tuple(now[each] for each in sorted(now) if told.get(each) != now[each])
    dropped = tuple(each for each in sorted(told) if each not in now)
    return EntityChange(put=put, dropped=dropped, generation=generation) if put or dropped else None


def _belief(
    memory: Memory,
    chosen: Selection,
    pairs: Sequence[tuple[Generation, Slots]],
    traces: Traces,
    at: Micros,
    how: Forgetting,
) -> None:
    memory.graph.forget(
        GraphRows(
            versions=tuple(each.version_id for each in traces.versions),
            slots=tuple(sorted(traces.slots)),
            assertions=tuple(each.id for each in chosen.assertions),
            utterances=tuple(turn.id for turn in chosen.turns),
        )
    )
    for source, slots in pairs:
        written = write_slots(source, how.ontology, slots, origin=how.origin, at=at, policy=how.policy)
        for slot in sorted(traces.slots - {each.slot for each in written}):
            if facts := source.graph.slot(slot):
                _tell_hash(source, slot, slot_hash(each.belief for each in facts), at, how.origin)


def _tell_hash(source: Generation, slot: str, hashed: str, at: Micros, origin: Origin) -> None:
    change = SlotChange(
        slot=slot,
        op=HASH_ALONE,
        slot_hash=hashed,
        closed=(),
        opened=(),
        decisions=(),
        generation=source.graph.generation,
    )
    (entry,) = journal.record(
        source.ledger, [Change(op=change.op, payload=msgspec.to_builtins(change))], origin=origin, at=at
    )
    source.graph.apply(change, recorded_at=at, journal_seq=entry.seq)


# ------------------------------------------------------------------------------------------------------- journal


def certified(
    how: Forgetting, counts: Counts, at: Micros, head: Head, dropped: Sequence[tuple[int, str]]
) -> Certificate:
    """`journal_head` is that before the erasure, `chain_hash` covers the headers whose payloads went."""
    unsigned = Certificate(
        format=FORMAT,
        id=how.certificate_id,
        scope=how.scope,
        erased_at=at,
        erased=counts,
        journal_head=head.journal_hash,
        chain_hash=hashlib.sha256(canonical_json(dropped)).hexdigest(),
        signature="",
    )
    return msgspec.structs.replace(unsigned, signature=how.sign(signed_part(unsigned)).hex())


def _record(
    memory: Memory,
    certificate: Certificate,
    dropped: Sequence[tuple[int, str]],
    restated: Mapping[int, Payload],
    head: Head,
    at: Micros,
    how: Forgetting,
) -> None:
    payload = {"certificate": msgspec.to_builtins(certificate), "dropped": dropped, "upto": head.seq}
    changes = [Change(op=ERASE, payload=payload)]
    if restated:
        entries = [{"entry": seq, "payload": restated[seq]} for seq in sorted(restated)]
        changes.append(Change(op=RESTATE, payload={"entries": entries}))
    recorded = journal.record(memory.ledger, changes, origin=how.origin, at=at)
    memory.ledger.forget(LedgerRows(payloads=tuple(seq for seq, _ in dropped)))
    memory.set_value(LAST_ERASURE, str(recorded[0].seq))


def _queue(
    memory: Memory, chosen: Selection, vectors: Vectors, cursor: int | None, at: Micros, how: Forgetting
) -> None:
    """What others make of the change: turns to read and to encode again, and facts to word again."""
    version = how.embedder.version
    vectors = {**alone([turn for turn in chosen.near if turn.seq not in vectors], how.embedder), **vectors}
    items = [utterance_item(turn, vectors[turn.seq], version, provisional=True) for turn in chosen.near]
    if items:
        memory.ledger.put_items(items)
        told = {"index_version": version, "utterances": len(items), "items": journal.item_hashes(items)}
        journal.record(memory.ledger, [Change(op=INDEX, payload=told)], origin=how.origin, at=at)
    memory.ledger.enqueue("extract", chosen.reread)
    unread = [*(turn.seq for turn in chosen.turns), *chosen.reread]
    note_unread(memory, unread)
    for made in generations(memory):
        if made.again:
            again = tuple(each.without(unread) for each in made.again)
            put_generation(memory, msgspec.structs.replace(made, again=again))
    memory.ledger.enqueue("index", chosen.rewindow)
    if cursor is not None:
        memory.set_value(CURSOR, str(cursor))
