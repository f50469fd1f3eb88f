"""All memories of a deployment in one Postgres database."""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from kg_assets.errors import Corrupt, NotFound, PalimpsestError
from kg_assets.identity import keyed_id
from kg_assets.model import Erased, Lease, Materialisation, MemoryInfo, Micros, Route, ShardWork, StageNote
from kg_assets.partitions import shard_of
from kg_assets.ports import Clock
from resources.postgres.connection import POOL_SIZE, connect, open_pool
from resources.postgres.control import Control
from resources.postgres.forgetting import UNSCRUBBED
from resources.postgres.memory import GraphsBeside, PostgresMemory
from resources.postgres.migration import check_schema
from resources.postgres.session import Session
from resources.postgres.waiting import waiting_in

KEY_BYTES = 32
GENESIS = "0" * 64  # what the first journal entry follows; the same as in `kg_assets.journal`


class PostgresStores:
    """Implements `ports.Stores` over one database, whose schema `migration.migrate` made.

    May be shared by threads. Not by processes: after a fork, or in a worker, make a new one. `graphs` opens the graph
    of a memory in another store, and is closed with this one; without it, the graph stands in tables of this database.

    Fencing. A lease's token is granted under the memory's write lock and written into its state in one transaction: a
    grant waits for a transaction that is under way, and every later one of an older holder is refused.

    Hints. They commit with the work that they tell of, so that a crash loses none; `settle` and `sweep` clear those
    whose work was done.
    """

    def __init__(
        self, dsn: str, secret: bytes, clock: Clock, *, graphs: GraphsBeside | None = None, pool_size: int = POOL_SIZE
    ) -> None:
        self._secret, self._clock, self._graphs = secret, clock, graphs
        with connect(dsn) as connection:
            check_schema(connection)
        self._pool = open_pool(dsn, pool_size)
        self._control = Control(self._pool)

    def close(self) -> None:
        self._pool.close()
        if self._graphs:
            self._graphs.close()

    # memories

    def memory_id(self, issuer: str, subject: str) -> str:
        return keyed_id(self._secret, "memory", issuer, subject)

    def create(self, issuer: str, subject: str, *, multi_speaker: bool = False, now: Micros) -> MemoryInfo:
        memory_id = self.memory_id(issuer, subject)
        if found := self._control.find(memory_id):
            return found
        self._remove_doomed()  # the same person may come back
        info = MemoryInfo(
            id=memory_id, name=subject, shard=shard_of(memory_id), multi_speaker=multi_speaker, created_at=now
        )
        self._control.add(info, issuer, secrets.token_bytes(KEY_BYTES), GENESIS)
        return self._info(memory_id)

    def find(self, memory_id: str) -> MemoryInfo | None:
        return self._control.find(memory_id)

    def memories(self, shard: str | None = None) -> list[MemoryInfo]:
        return self._control.memories(shard)

    def open(self, memory_id: str, lease: Lease | None = None) -> PostgresMemory:
        info = self._info(memory_id)
        session = Session(self._pool, memory_id)
        return PostgresMemory(
            session,
            info,
            lease,
            graphs=self._graphs,
            queued=lambda found: self._control.hint(session.connection, info, found),
            grown=lambda head: self._control.witness(session.connection, memory_id, head),
        )

    def _info(self, memory_id: str) -> MemoryInfo:
        info = self._control.find(memory_id)
        if info is None:
            raise NotFound(f"memory {memory_id}: there is none; create it by writing to it first")
        return info

    # erasure

    def erase(self, memory_id: str, erased: Erased) -> None:
        self._info(memory_id)
        self._control.erase(memory_id, erased, doomed=self._graphs is not None)
        self._remove_doomed()

    def erased(self) -> list[Erased]:
        return self._control.erased()

    def _remove_doomed(self) -> None:
        if self._graphs is None:
            return
        for memory_id in self._control.doomed():
            self._graphs.erase(memory_id)
            self._control.forget(memory_id)

    def scrub(self, memory_id: str) -> bool:
        """A graph in another store follows; pages of Postgres are the server's, and its vacuum's."""
        memory = self.open(memory_id)
        begun = memory.value(UNSCRUBBED)
        if begun is None:
            return True
        memory.graph.slot_hashes()
        session = Session(self._pool, memory_id)
        with session.begun():
            session.write("DELETE FROM named_values WHERE name = %s AND value = %s", (UNSCRUBBED, begun))
        return True

    # leases

    def lease(self, memory_id: str, *, holder: str, now: Micros, seconds: float) -> Lease | None:
        self._info(memory_id)
        if self._control.held_by_another(memory_id, holder=holder, now=now):
            return None
        until = now + int(seconds * 1_000_000)
        session = Session(self._pool, memory_id)
        with session.begun() as (fence, _):
            lease = self._control.grant(session.connection, memory_id, holder=holder, now=now, until=until, above=fence)
            if lease is not None:
                session.write("UPDATE state SET fence = %s", (lease.token,))
        return lease

    def release(self, lease: Lease) -> None:
        self._control.release(lease)

    # inbox

    def work(self, routes: Sequence[Route]) -> list[ShardWork]:
        return self._control.work(routes)

    def settle(self, memory_id: str) -> None:
        self._settle(self._info(memory_id))

    def _settle(self, info: MemoryInfo) -> bool:
        session = Session(self._pool, info.id)
        with session.begun():
            return self._control.settle(session.connection, info, waiting_in(session))

    def sweep(self) -> int:
        """Raises `Corrupt` at the end where memories could not be read; all others are settled then."""
        self._remove_doomed()
        wrong, unreadable = 0, []
        for info in self.memories():
            try:
                wrong += self._settle(info)
                self.scrub(info.id)
            except PalimpsestError as ex:
                unreadable.append(str(ex))
        if unreadable:
            raise Corrupt(f"{len(unreadable)} memories could not be swept: " + "; ".join(unreadable))
        return wrong

    def counters(self) -> Mapping[str, Any]:
        """`oldest_waiting_seconds` is None where nothing waits."""
        memories, waiting, oldest = self._control.totals()
        age = None if oldest is None else max(0, self._clock() - oldest) / 1_000_000
        return {"memories": memories, "waiting": waiting, "oldest_waiting_seconds": age}

    # what each stage left

    def stage_notes(self, shard: str, stage: str) -> list[StageNote]:
        return self._control.stage_notes(shard, stage)

    def note_stage(self, note: StageNote) -> None:
        self._control.note_stage(note)

    # lineage

    def witnessed_head(self, memory_id: str) -> tuple[int, str] | None:
        """(journal seq, journal hash) as last noted beside the journal: one that does not reach it was cut."""
        return self._control.witnessed(memory_id)

    def add_materialisation(self, row: Materialisation) -> None:
        self._control.add_materialisation(row)

    def materialisations(self, run_ids: Sequence[str]) -> list[Materialisation]:
        return self._control.materialisations(run_ids)
