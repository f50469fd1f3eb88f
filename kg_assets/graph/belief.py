"""Deriving belief from evidence for what waits: resolve entities, derive the touched slots, write the differences.

One transaction per chunk of utterances: evidence, decisions, journal, graph rows and the queue move together.
"""

from collections.abc import Sequence

import msgspec

from kg_assets import journal
from kg_assets.graph.entities import resolve_mentions
from kg_assets.graph.generations import belief_version, note_first
from kg_assets.graph.policies import LATEST_VALID, Policy
from kg_assets.graph.slots import touched_slots, write_slots
from kg_assets.graph.sources import Sources, in_service
from kg_assets.graph.unchanging import keys_to_resolve
from kg_assets.model import Change, Micros, Origin, Route
from kg_assets.ports import Clock, Memory
from kg_assets.text.ontology import Ontology


class BeliefReport(msgspec.Struct, frozen=True, kw_only=True):
    """What one run changed in one memory: counts, and the state hash at its end, which is left to who runs it."""

    utterances: int = 0
    slots: int = 0
    entities: int = 0
    operations: dict[str, int] = {}
    conflicts: int = 0
    state_hash: str = ""


def derive_pending(
    memory: Memory,
    ontology: Ontology,
    *,
    routes: Sequence[Route],
    origin: Origin,
    clock: Clock,
    chunk: int = 200,
    policy: Policy = LATEST_VALID,
) -> BeliefReport:
    """Derive until nothing waits on these routes. A crash loses at most the open chunk, which is then derived again."""
    total = BeliefReport()
    while True:
        with memory.transaction():
            seqs = memory.ledger.pending("derive", routes, chunk)
            if not seqs:
                break
            note_first(memory, belief_version(ontology, policy))
            report = derive_chunk(in_service(memory), ontology, seqs, origin=origin, clock=clock, policy=policy)
            memory.ledger.done("derive", seqs)
        total = added(total, report)
    return total


def added(one: BeliefReport, other: BeliefReport) -> BeliefReport:
    operations = dict(one.operations)
    for op, count in other.operations.items():
        operations[op] = operations.get(op, 0) + count
    return BeliefReport(
        utterances=one.utterances + other.utterances,
        slots=one.slots + other.slots,
        entities=one.entities + other.entities,
        operations=operations,
        conflicts=one.conflicts + other.conflicts,
    )


def derive_chunk(
    memory: Sources,
    ontology: Ontology,
    seqs: Sequence[int],
    *,
    origin: Origin,
    clock: Clock,
    policy: Policy = LATEST_VALID,
) -> BeliefReport:
    """Derive all that the assertions of these utterances touch, inside the caller's transaction."""
    assertions = memory.ledger.assertions_of_utterances(seqs)
    at = journal.instant(memory.ledger, clock)
    entities, moved, left = write_entities(memory, keys_to_resolve(memory, assertions), origin=origin, at=at)
    slots = touched_slots(memory, ontology, assertions, moved, left)
    changes = write_slots(memory, ontology, slots, origin=origin, at=at, policy=policy)
    operations: dict[str, int] = {}
    for written in changes:
        operations[written.op] = operations.get(written.op, 0) + 1
    return BeliefReport(
        utterances=len(seqs),
        slots=len(slots),
        entities=entities,
        operations=operations,
        conflicts=sum(len(written.decisions) for written in changes),
    )


def write_entities(memory: Sources, keys: set[str], *, origin: Origin, at: Micros) -> tuple[int, set[str], set[str]]:
    """Resolve these normal forms; returns how many entities changed, the forms that moved, and what they led to."""
    entities, moved, left = resolve_mentions(memory, keys)
    if entities.put or entities.dropped:
        change = Change(op="resolve", payload=msgspec.to_builtins(entities))
        entry = journal.record(memory.ledger, [change], origin=origin, at=at)[0]
        memory.graph.apply(entities, recorded_at=at, journal_seq=entry.seq)
    return len(entities.put), moved, left
