"""Deriving belief from evidence for what waits: resolve entities, derive the touched slots, write the differences.

One transaction per chunk of utterances: evidence, decisions, journal, graph rows and the queue move together.
"""

from collections.abc import Sequence
from typing import get_args

import msgspec

from kg_assets import journal
from kg_assets.graph.entities import mention_keys, resolve_mentions
from kg_assets.graph.policies import LATEST_VALID, Policy
from kg_assets.graph.slots import touched_slots, write_slots
from kg_assets.model import Change, Origin, Route, Stage
from kg_assets.ports import Clock, Memory
from kg_assets.text.ontology import Ontology

DERIVED_UNDER = "graph.derived_under"  # the ontology and policy that all of belief was last derived with
BEFORE: tuple[Stage, ...] = ("extract", "derive")
ALL: tuple[Route, ...] = get_args(Route)


def belief_version(ontology: Ontology, policy: Policy) -> str:
    """Belief of one version differs only where the evidence does."""
    return f"{ontology.version}/{policy.version}"


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
    total = derive_again(memory, ontology, policy, origin=origin, clock=clock, chunk=chunk)
    while True:
        with memory.transaction():
            seqs = memory.ledger.pending("derive", routes, chunk)
            if not seqs:
                break
            report = derive_chunk(memory, ontology, seqs, origin=origin, clock=clock, policy=policy)
            memory.ledger.done("derive", seqs)
        total = added(total, report)
    return total


def is_stale(memory: Memory, ontology: Ontology, policy: Policy) -> bool:
    """Whether belief was derived with another ontology or policy, or by a version that did not say."""
    return memory.ledger.head().seq > 0 and memory.value(DERIVED_UNDER) != belief_version(ontology, policy)


def derive_again(
    memory: Memory, ontology: Ontology, policy: Policy, *, origin: Origin, clock: Clock, chunk: int
) -> BeliefReport:
    """Where belief is stale, derive all that was derived before; what waits for its first time goes on waiting.

    Should it end midway, it begins again: deriving what is derived changes nothing.
    """
    total = BeliefReport()
    if not is_stale(memory, ontology, policy):
        return total
    waiting = {seq for stage in BEFORE for seq in memory.ledger.pending(stage, ALL)}
    seqs = [seq for seq in range(1, memory.ledger.head().seq + 1) if seq not in waiting]
    for start in range(0, len(seqs), chunk):
        with memory.transaction():
            report = derive_chunk(
                memory, ontology, seqs[start : start + chunk], origin=origin, clock=clock, policy=policy
            )
        total = added(total, report)
    with memory.transaction():
        memory.set_value(DERIVED_UNDER, belief_version(ontology, policy))
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
    memory: Memory,
    ontology: Ontology,
    seqs: Sequence[int],
    *,
    origin: Origin,
    clock: Clock,
    policy: Policy = LATEST_VALID,
) -> BeliefReport:
    """Derive all that the assertions of these utterances touch, inside the caller's transaction."""
    assertions = memory.ledger.assertions_of_utterances(seqs)
    entities, moved, left = resolve_mentions(memory, mention_keys(assertions))
    at = journal.instant(memory.ledger, clock)
    if entities.put or entities.dropped:
        change = Change(op="resolve", payload=msgspec.to_builtins(entities))
        entry = journal.record(memory.ledger, [change], origin=origin, at=at)[0]
        memory.graph.apply(entities, recorded_at=at, journal_seq=entry.seq)
    slots = touched_slots(memory, ontology, assertions, moved, left)
    changes = write_slots(memory, ontology, slots, origin=origin, at=at, policy=policy)
    operations: dict[str, int] = {}
    for written in changes:
        operations[written.op] = operations.get(written.op, 0) + 1
    return BeliefReport(
        utterances=len(seqs),
        slots=len(slots),
        entities=len(entities.put),
        operations=operations,
        conflicts=sum(len(written.decisions) for written in changes),
    )
