"""The control file: memories, leases, the inbox, the heads of the journals, and materialisations.

Locks are always taken in one order, a memory's file before the control file, so that no two processes wait for each
other. Nothing here opens a memory.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import Any

import apsw

from kg_assets.errors import NotReady
from kg_assets.model import Head, Lease, Materialisation, MemoryInfo, Micros, Route, ShardWork
from resources.inbox import Waiting, shard_work, to_hint, to_settle
from resources.rows import INFO, MATERIALISATION, Row, info_of, materialisation_of, row_of_materialisation
from resources.sqlite.connection import BUSY_SECONDS, CONTROL_SCHEMA, connect, wait_for_locks
from resources.sqlite.erased_rows import ErasedRows
from resources.sqlite.stage_rows import StageRows

_NEXT = "UPDATE ticket SET number = number + 1 RETURNING number"


class Control(StageRows, ErasedRows):
    """One connection to the control file, shared by the threads of a process under a lock."""

    def __init__(self, path: Path) -> None:
        self._lock = RLock()
        self._connection = connect(path, CONTROL_SCHEMA, create=True)

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    def _rows(self, sql: str, bindings: Sequence[Any] = ()) -> list[Row]:
        with self._lock:
            return self._connection.execute(sql, bindings).fetchall()

    @contextmanager
    def _transaction(self, *, durable: bool = True) -> Iterator[None]:
        """`durable=False` for hints: they survive a killed process, and a loss of power costs one sweep."""
        with self._lock:
            self._connection.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                yield
                self._connection.execute("COMMIT")
            except apsw.BusyError as ex:
                raise NotReady(f"the control file was locked for more than {BUSY_SECONDS} s; try again") from ex
            finally:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")

    # memories

    def add(self, info: MemoryInfo, issuer: str) -> None:
        with self._transaction():
            self._connection.execute(
                "INSERT OR IGNORE INTO memories VALUES (?,?,?,?,?,?)",
                (info.id, issuer, info.name, info.shard, info.multi_speaker, info.created_at),
            )

    def find(self, memory_id: str) -> MemoryInfo | None:
        rows = self._rows(f"SELECT {INFO} FROM memories WHERE id = ?", (memory_id,))
        return info_of(rows[0]) if rows else None

    def memories(self, shard: str | None) -> list[MemoryInfo]:
        where, bindings = ("", ()) if shard is None else ("WHERE shard = ?", (shard,))
        return [info_of(row) for row in self._rows(f"SELECT {INFO} FROM memories {where} ORDER BY id", bindings)]

    # leases

    def grant(self, memory_id: str, *, holder: str, now: Micros, until: Micros, above: int = 0) -> Lease | None:
        """A lease whose token is higher than `above`; its holder's own is renewed with the token it has."""
        with self._transaction():
            rows = self._rows("SELECT holder, token, expires_at FROM leases WHERE memory_id = ?", (memory_id,))
            held_by, token, expires_at = rows[0] if rows else ("", 0, 0)
            if held_by not in ("", holder) and expires_at > now:
                return None
            if held_by != holder or token <= above:
                token = max(token, above) + 1
            self._connection.execute(
                """INSERT INTO leases VALUES (?1,?2,?3,?4)
                   ON CONFLICT DO UPDATE SET holder = ?2, token = ?3, expires_at = ?4""",
                (memory_id, holder, token, until),
            )
        return Lease(memory_id=memory_id, holder=holder, token=token, expires_at=until)

    def release(self, lease: Lease) -> None:
        with self._transaction():
            self._connection.execute(
                "UPDATE leases SET holder = '', expires_at = 0 WHERE memory_id = ? AND token = ?",
                (lease.memory_id, lease.token),
            )

    # inbox

    def hint(self, info: MemoryInfo, found: Sequence[Waiting]) -> None:
        """Called inside the memory's transaction, before it commits: mark routes on their change from clean."""
        if news := to_hint(found, self.hints(info.id)):
            with self._transaction(durable=False):
                self._tell(info, news)

    def settle(self, info: MemoryInfo, found: Sequence[Waiting]) -> bool:
        """Called while nobody can write to the memory: the hints become what was found. True where one was wrong."""
        news, wrong = to_settle(found, self.hints(info.id))
        if news:
            with self._transaction(durable=False):
                self._tell(info, news)
        return wrong

    def hints(self, memory_id: str) -> list[Waiting]:
        sql = "SELECT route, waiting, oldest, newest FROM inbox WHERE memory_id = ?"
        return [Waiting(*row) for row in self._rows(sql, (memory_id,))]

    def _tell(self, info: MemoryInfo, news: Sequence[Waiting]) -> None:
        ((head,),) = self._rows(_NEXT)
        self._connection.executemany(
            """INSERT INTO inbox VALUES (?1,?2,?3,?4,?5,?6,?7)
               ON CONFLICT DO UPDATE SET head = ?4, waiting = ?5, oldest = ?6, newest = ?7""",
            [(info.id, w.route, info.shard, head, w.count, w.oldest, w.newest) for w in news],
        )

    def work(self, routes: Sequence[Route]) -> list[ShardWork]:
        rows = self._rows(
            """SELECT shard, memory_id, route, waiting, oldest FROM inbox
               WHERE waiting > 0 AND route IN (SELECT value FROM json_each(?)) ORDER BY shard, oldest, memory_id""",
            (list(routes),),
        )
        shards: dict[str, list[Row]] = {}
        for row in rows:
            shards.setdefault(row[0], []).append(row)
        return [self._shard_work(shard, found) for shard, found in shards.items()]

    def _shard_work(self, shard: str, rows: list[Row]) -> ShardWork:
        # Over all rows of the shard, clean ones too: so the head never falls back to one that a run had already.
        ((head,),) = self._rows("SELECT max(head) FROM inbox WHERE shard = ?", (shard,))
        return shard_work(shard, head, rows)

    def totals(self) -> tuple[int, dict[Route, int], Micros | None]:
        """(memories, waiting per route, recorded time of the oldest that waits)."""
        ((memories,),) = self._rows("SELECT count(*) FROM memories")
        rows = self._rows("SELECT route, sum(waiting), min(oldest) FROM inbox WHERE waiting > 0 GROUP BY route")
        return memories, {route: count for route, count, _ in rows}, min((row[2] for row in rows), default=None)

    # heads of the journals

    def witness(self, memory_id: str, head: Head) -> bool:
        """Note how far a journal has grown. False while another process writes: no append waits for this.

        So a cut goes unseen where it falls between a commit and the note of it: milliseconds, or until the memory's
        next transaction or close where the file was busy, or what a loss of power takes from the control file.
        """
        with self._lock:
            self._connection.set_busy_handler(None)
            try:
                with self._transaction(durable=False):
                    self._connection.execute(
                        """INSERT INTO heads SELECT ?1, ?2, ?3 FROM memories WHERE id = ?1 ON CONFLICT DO UPDATE
                           SET journal_seq = ?2, journal_hash = ?3 WHERE ?2 > journal_seq""",
                        (memory_id, head.journal_seq, head.journal_hash),
                    )
            except NotReady:
                return False
            finally:
                wait_for_locks(self._connection)
        return True

    def witnessed(self, memory_id: str) -> tuple[int, str] | None:
        rows = self._rows("SELECT journal_seq, journal_hash FROM heads WHERE memory_id = ?", (memory_id,))
        return (rows[0][0], rows[0][1]) if rows else None

    # materialisations

    def add_materialisation(self, m: Materialisation) -> None:
        with self._transaction():
            self._connection.execute(
                "INSERT OR REPLACE INTO materialisations VALUES (?,?,?,?,?,?,?)",
                row_of_materialisation(m),
            )

    def materialisations(self, run_ids: Sequence[str]) -> list[Materialisation]:
        rows = self._rows(
            f"""SELECT {MATERIALISATION} FROM materialisations WHERE run_id IN (SELECT value FROM json_each(?))
                ORDER BY finished_at, asset, partition""",
            (list(run_ids),),
        )
        return [materialisation_of(row) for row in rows]
