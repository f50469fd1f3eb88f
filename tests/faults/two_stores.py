"""A process that writes to Postgres and Neo4j until it is killed, and what must hold after that; importable, because
it is spawned."""

import os
import signal
from collections.abc import Callable
from contextlib import ExitStack, closing
from typing import NamedTuple

import msgspec

from kg_assets.model import Entity, EntityChange, Fact
from kg_assets.ports import Memory
from resources.neo4j import Neo4jGraph, Neo4jGraphs
from resources.neo4j.replaying import changes_of
from resources.postgres import PostgresStores
from tests.conformance.logs import derive, random_log, tell
from tests.graph.evidence import DAY

LOG = random_log(3, 4_000)
SEVERAL = 3  # assertions that are told at once


class Servers(NamedTuple):
    dsn: str
    uri: str
    user: str
    password: str

    def open(self, opened: ExitStack, name: str = "ana") -> Memory:
        graphs = Neo4jGraphs(self.uri, self.user, self.password, predicates=["lives_in", "likes"])
        stores = PostgresStores(self.dsn, b"secret", clock=lambda: 0, pool_size=2, graphs=graphs)
        opened.enter_context(closing(stores))
        return opened.enter_context(closing(stores.open(stores.create("tests", name, now=0).id)))


def write_on(memory: Memory) -> None:
    """Tell the next of the log and derive it; what an earlier process left underived goes first."""
    last = memory.ledger.head().seq
    derive(memory, now=(last + 1) * DAY, chunk=1)
    told = LOG[last : last + SEVERAL]
    tell(memory, told)
    derive(memory, now=(last + SEVERAL + 1) * DAY, chunk=2)


def finish(memory: Memory) -> int:
    """Derive what is told and was not derived; returns how much of the log was told."""
    last = memory.ledger.head().seq
    derive(memory, now=(last + 1) * DAY)
    return last


def write_until_killed(servers: Servers, where: str, changes: int) -> None:
    """Dies by kill -9 in the given transaction that changes the graph: `before` the commit of the ledger, `between` the
    two commits, or `after` both."""
    step, late = ("prepare", True) if where == "before" else ("commit", where == "after")
    original: Callable[[Neo4jGraph], None] = getattr(Neo4jGraph, step)
    left = changes

    def deadly(graph: Neo4jGraph) -> None:
        nonlocal left
        left -= bool(graph._waiting or graph._writing)
        if late:
            original(graph)
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)
        if not late:
            original(graph)

    setattr(Neo4jGraph, step, deadly)
    write_for_ever(servers)


def write_for_ever(servers: Servers) -> None:
    with ExitStack() as opened:
        memory = servers.open(opened)
        while True:
            write_on(memory)


def replayed(memory: Memory) -> tuple[dict[str, Fact], dict[str, Entity], list[str]]:
    """What the journal says the graph must hold: rows, entities and slot hashes."""
    rows: dict[str, Fact] = {}
    entities: dict[str, Entity] = {}
    hashes: dict[str, str] = {}
    for applied in changes_of(memory.ledger, memory.ledger.journal_after(0, 1_000_000)):
        change = applied.change
        if isinstance(change, EntityChange):
            entities = {name: each for name, each in entities.items() if name not in change.dropped}
            entities |= {each.id: each for each in change.put}
            continue
        for version in change.closed:
            rows[version] = msgspec.structs.replace(
                rows[version], recorded_to=applied.recorded_at, closed_by=applied.seq
            )
        rows |= {each.version_id: each for each in change.opened}
        hashes[change.slot] = change.slot_hash
    return rows, entities, sorted(each for each in hashes.values() if each)


def check(memory: Memory) -> None:
    """The graph holds what the journal says, no more and no less."""
    rows, entities, hashes = replayed(memory)
    with memory.snapshot():
        found = memory.graph.changed_facts(after_journal_seq=0, limit=1_000_000)
        assert {each.version_id: each for each in found} == rows
        assert {each.id: each for each in memory.graph.all_entities()} == entities
        assert memory.graph.slot_hashes() == hashes
