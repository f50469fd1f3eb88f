"""The control plane: memories, leases, the inbox, the heads of the journals, and materialisations.

It stands in the database of the memories, so that a hint commits with the work that it tells of. Locks are taken in
one order: a memory's row of `state`, then its lease, then the ticket of its shard.
"""

from collections.abc import Sequence
from typing import Any

import psycopg
from psycopg import Connection
from psycopg_pool import PoolTimeout

from kg_assets.errors import NotReady
from kg_assets.model import Erased, Head, Lease, Materialisation, MemoryInfo, Micros, Route, ShardWork, StageNote
from resources.inbox import Waiting, shard_work, to_hint, to_settle
from resources.postgres.connection import WAIT_SECONDS, Pool
from resources.rows import INFO, MATERIALISATION, Row, info_of, materialisation_of, row_of_materialisation

_NEXT = """
    INSERT INTO tickets (shard, number) VALUES (%s, 1)
    ON CONFLICT (shard) DO UPDATE SET number = tickets.number + 1 RETURNING number
"""


class Control:
    """Reads and writes of no single memory. Methods that take a connection belong to a transaction of the caller."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    def _rows(self, statement: str, bindings: Sequence[Any] = ()) -> list[Row]:
        try:
            with self._pool.connection(WAIT_SECONDS) as connection:
                return connection.execute(statement.encode(), bindings or None).fetchall()
        except (PoolTimeout, psycopg.OperationalError) as ex:
            raise NotReady(f"Postgres does not answer ({ex}); is the server up?") from ex

    # memories

    def add(self, info: MemoryInfo, issuer: str, key: bytes, genesis: str) -> None:
        """Register a memory and give it its state; one that exists is left as it is."""
        with self._pool.connection(WAIT_SECONDS) as connection, connection.transaction():
            connection.execute("SELECT set_config('palimpsest.memory', %s, true)", (info.id,))
            connection.execute(
                f"INSERT INTO memories (issuer, {INFO}) VALUES (%s,%s,%s,%s,%s,%s) ON CONFLICT DO NOTHING",
                (issuer, info.id, info.name, info.shard, info.multi_speaker, info.created_at),
            )
            connection.execute(
                "INSERT INTO state (key, journal_hash) VALUES (%s, %s) ON CONFLICT DO NOTHING", (key, genesis)
            )

    def find(self, memory_id: str) -> MemoryInfo | None:
        rows = self._rows(f"SELECT {INFO} FROM memories WHERE id = %s", (memory_id,))
        return info_of(rows[0]) if rows else None

    def memories(self, shard: str | None) -> list[MemoryInfo]:
        where, bindings = ("", ()) if shard is None else ("WHERE shard = %s", (shard,))
        return [info_of(row) for row in self._rows(f"SELECT {INFO} FROM memories {where} ORDER BY id", bindings)]

    def erase(self, memory_id: str, erased: Erased, *, doomed: bool) -> None:
        """All rows of a memory go with its own. `doomed`: a graph of it stands in another store."""
        with self._pool.connection(WAIT_SECONDS) as connection, connection.transaction():
            connection.execute("SELECT set_config('palimpsest.memory', %s, true)", (memory_id,))
            connection.execute(
                "INSERT INTO erased (id, erased_at, certificate, chain) VALUES (%s,%s,%s,%s)",
                (erased.id, erased.erased_at, erased.certificate, erased.chain),
            )
            if doomed:
                connection.execute("INSERT INTO doomed (memory_id) VALUES (%s)", (memory_id,))
            connection.execute("DELETE FROM memories WHERE id = %s", (memory_id,))

    def erased(self) -> list[Erased]:
        rows = self._rows("SELECT id, erased_at, certificate, chain FROM erased ORDER BY erased_at, id")
        return [Erased(id=row[0], erased_at=row[1], certificate=row[2], chain=row[3]) for row in rows]

    def doomed(self) -> list[str]:
        return [row[0] for row in self._rows("SELECT memory_id FROM doomed")]

    def forget(self, memory_id: str) -> None:
        with self._pool.connection(WAIT_SECONDS) as connection:
            connection.execute("DELETE FROM doomed WHERE memory_id = %s", (memory_id,))

    # leases

    def held_by_another(self, memory_id: str, *, holder: str, now: Micros) -> bool:
        """A look without a lock, so that who is refused need not wait for a transaction of the holder."""
        rows = self._rows("SELECT holder, expires_at FROM leases WHERE memory_id = %s", (memory_id,))
        return bool(rows) and rows[0][0] not in ("", holder) and rows[0][1] > now

    def grant(
        self, connection: Connection[Row], memory_id: str, *, holder: str, now: Micros, until: Micros, above: int
    ) -> Lease | None:
        """A lease whose token is at least `above`; its holder's own is renewed with the token it has."""
        rows = connection.execute(
            "SELECT holder, token, expires_at FROM leases WHERE memory_id = %s FOR UPDATE", (memory_id,)
        ).fetchall()
        held_by, token, expires_at = rows[0] if rows else ("", 0, 0)
        if held_by not in ("", holder) and expires_at > now:
            return None
        if held_by != holder or token < above:
            token = max(token, above) + 1
        connection.execute(
            """INSERT INTO leases (memory_id, holder, token, expires_at) VALUES (%s,%s,%s,%s)
               ON CONFLICT (memory_id) DO UPDATE
               SET holder = excluded.holder, token = excluded.token, expires_at = excluded.expires_at""",
            (memory_id, holder, token, until),
        )
        return Lease(memory_id=memory_id, holder=holder, token=token, expires_at=until)

    def release(self, lease: Lease) -> None:
        with self._pool.connection(WAIT_SECONDS) as connection:
            connection.execute(
                "UPDATE leases SET holder = '', expires_at = 0 WHERE memory_id = %s AND token = %s",
                (lease.memory_id, lease.token),
            )

    # inbox

    def hint(self, connection: Connection[Row], info: MemoryInfo, found: Sequence[Waiting]) -> None:
        """Called inside the memory's transaction, just before it commits: mark routes on their change from clean."""
        self._tell(connection, info, to_hint(found, self._hints(connection, info.id)))

    def settle(self, connection: Connection[Row], info: MemoryInfo, found: Sequence[Waiting]) -> bool:
        """Called while nobody can write to the memory: the hints become what was found. True where one was wrong."""
        news, wrong = to_settle(found, self._hints(connection, info.id))
        self._tell(connection, info, news)
        return wrong

    def _hints(self, connection: Connection[Row], memory_id: str) -> list[Waiting]:
        sql = "SELECT route, waiting, oldest, newest FROM inbox WHERE memory_id = %s"
        return [Waiting(*row) for row in connection.execute(sql, (memory_id,)).fetchall()]

    def _tell(self, connection: Connection[Row], info: MemoryInfo, news: Sequence[Waiting]) -> None:
        if not news:
            return
        ((head,),) = connection.execute(_NEXT, (info.shard,)).fetchall()
        with connection.cursor() as cursor:
            cursor.executemany(
                """INSERT INTO inbox (memory_id, route, shard, head, waiting, oldest, newest)
                   VALUES (%s,%s,%s,%s,%s,%s,%s) ON CONFLICT (memory_id, route) DO UPDATE
                   SET head = excluded.head, waiting = excluded.waiting, oldest = excluded.oldest,
                       newest = excluded.newest""",
                [(info.id, w.route, info.shard, head, w.count, w.oldest, w.newest) for w in news],
            )

    def work(self, routes: Sequence[Route]) -> list[ShardWork]:
        # The head is over all rows of a shard, clean ones too: so it never falls back to one that a run had already.
        rows = self._rows(
            """SELECT shard, memory_id, route, waiting, oldest,
                      (SELECT max(head) FROM inbox other WHERE other.shard = inbox.shard)
               FROM inbox WHERE waiting > 0 AND route = ANY(%s::text[]) ORDER BY shard, oldest, memory_id""",
            (list(routes),),
        )
        shards: dict[str, list[Row]] = {}
        for row in rows:
            shards.setdefault(row[0], []).append(row)
        return [shard_work(shard, found[0][5], found) for shard, found in shards.items()]

    def totals(self) -> tuple[int, dict[Route, int], Micros | None]:
        """(memories, waiting per route, recorded time of the oldest that waits)."""
        ((memories,),) = self._rows("SELECT count(*) FROM memories")
        rows = self._rows("SELECT route, sum(waiting)::bigint, min(oldest) FROM inbox WHERE waiting > 0 GROUP BY route")
        return memories, {route: count for route, count, _ in rows}, min((row[2] for row in rows), default=None)

    # heads of the journals

    def witness(self, connection: Connection[Row], memory_id: str, head: Head) -> None:
        """Note how far a journal has grown."""
        connection.execute(
            """INSERT INTO heads (memory_id, journal_seq, journal_hash) VALUES (%s,%s,%s)
               ON CONFLICT (memory_id) DO UPDATE
               SET journal_seq = excluded.journal_seq, journal_hash = excluded.journal_hash
               WHERE excluded.journal_seq > heads.journal_seq""",
            (memory_id, head.journal_seq, head.journal_hash),
        )

    def witnessed(self, memory_id: str) -> tuple[int, str] | None:
        rows = self._rows("SELECT journal_seq, journal_hash FROM heads WHERE memory_id = %s", (memory_id,))
        return (rows[0][0], rows[0][1]) if rows else None

    # what each stage left

    def stage_notes(self, shard: str, stage: str) -> list[StageNote]:
        rows = self._rows(
            """SELECT memory_id, stage, version, fingerprint FROM memories JOIN stage_notes ON memory_id = id
               WHERE shard = %s AND stage = %s ORDER BY memory_id""",
            (shard, stage),
        )
        return [StageNote(memory_id=row[0], stage=row[1], version=row[2], fingerprint=row[3]) for row in rows]

    def note_stage(self, note: StageNote) -> None:
        with self._pool.connection(WAIT_SECONDS) as connection:
            connection.execute(
                """INSERT INTO stage_notes (memory_id, stage, version, fingerprint) VALUES (%s,%s,%s,%s)
                   ON CONFLICT (memory_id, stage) DO UPDATE
                   SET version = excluded.version, fingerprint = excluded.fingerprint""",
                (note.memory_id, note.stage, note.version, note.fingerprint),
            )

    # materialisations

    def add_materialisation(self, m: Materialisation) -> None:
        with self._pool.connection(WAIT_SECONDS) as connection:
            connection.execute(
                f"""INSERT INTO materialisations ({MATERIALISATION}) VALUES (%s,%s,%s,%s,%s,%s,%s)
                    ON CONFLICT (run_id, asset, partition) DO UPDATE
                    SET code_version = excluded.code_version, data_version = excluded.data_version,
                        started_at = excluded.started_at, finished_at = excluded.finished_at""",
                row_of_materialisation(m),
            )

    def materialisations(self, run_ids: Sequence[str]) -> list[Materialisation]:
        rows = self._rows(
            f"""SELECT {MATERIALISATION} FROM materialisations WHERE run_id = ANY(%s::text[])
                ORDER BY finished_at, asset, partition""",
            (list(run_ids),),
        )
        return [materialisation_of(row) for row in rows]
