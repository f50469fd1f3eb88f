"""The transactions of one memory: each says which memory it is bound to before it reads or writes."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg import Connection
from psycopg.pq import TransactionStatus
from psycopg_pool import PoolTimeout

from kg_assets.errors import NotFound, NotReady, PalimpsestError
from resources.postgres.connection import WAIT_SECONDS, Pool
from resources.rows import Row

_BIND = "SELECT set_config('palimpsest.memory', %s, true), set_config('lock_timeout', %s, true)"


class Session:
    """Runs statements for the ledger and the graph of one memory, so that one transaction covers both.

    A connection is held for one transaction only, so that many memories can be open over few connections. The binding
    is local to the transaction: a connection that goes back to the pool is bound to nothing. `queued` collects the
    routes under which this transaction queued work.
    """

    def __init__(self, pool: Pool, memory_id: str) -> None:
        self._pool, self._memory_id = pool, memory_id
        self._connection: Connection[Row] | None = None
        self.writing = False
        self.queued: set[str] = set()
        self._revision: int | None = None

    @property
    def busy(self) -> bool:
        """Inside a transaction or a snapshot."""
        return self._connection is not None

    @property
    def connection(self) -> Connection[Row]:
        """Of the transaction that is under way."""
        if self._connection is None:
            raise PalimpsestError("there is no transaction under way; open one first")
        return self._connection

    @contextmanager
    def _held(self, how: str) -> Iterator[Connection[Row]]:
        """A connection inside a bound transaction of its own. Commits, or rolls back where an error leaves it."""
        try:
            with self._pool.connection(WAIT_SECONDS) as connection:
                try:
                    with connection.pipeline():
                        connection.execute(how.encode())
                        connection.execute(_BIND, (self._memory_id, f"{WAIT_SECONDS}s"))
                    yield connection
                    connection.execute("COMMIT")
                finally:
                    if not connection.closed and connection.info.transaction_status != TransactionStatus.IDLE:
                        connection.execute("ROLLBACK")
        except PoolTimeout as ex:
            raise NotReady(f"no connection to Postgres within {WAIT_SECONDS} s ({ex}); is the server up?") from ex
        except psycopg.errors.LockNotAvailable as ex:
            raise NotReady(
                f"memory {self._memory_id}: another writer held it for more than {WAIT_SECONDS} s; try again"
            ) from ex
        except psycopg.OperationalError as ex:
            raise NotReady(f"Postgres broke off ({ex}); what was not committed is undone: try again") from ex

    @contextmanager
    def begun(self) -> Iterator[tuple[int, int]]:
        """A writing transaction under the memory's write lock, which is the lock of its row of `state`.

        Gives (fence, journal seq) as they stand under that lock. The level is READ COMMITTED: what was committed while
        this waited for the lock is seen.
        """
        with self._held("BEGIN ISOLATION LEVEL READ COMMITTED") as connection:
            found = connection.execute("SELECT fence, journal_seq FROM state FOR UPDATE").fetchall()
            if not found:
                raise NotFound(f"memory {self._memory_id}: it is gone; somebody erased it")
            self._connection, self.writing, self._revision = connection, True, None
            self.queued.clear()
            try:
                yield found[0][0], found[0][1]
            finally:
                self._connection, self.writing = None, False

    @contextmanager
    def standing(self) -> Iterator[None]:
        """Reads inside see one state and wait for nobody."""
        with self._held("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY") as connection:
            self._connection = connection
            try:
                yield
            finally:
                self._connection = None

    def rows(self, statement: str, bindings: Sequence[Any] | dict[str, Any] = (), *, binary: bool = False) -> list[Row]:
        if self._connection is not None:
            return self._connection.execute(statement.encode(), bindings or None, binary=binary).fetchall()
        with self._held("BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY") as connection:
            return connection.execute(statement.encode(), bindings or None, binary=binary).fetchall()

    def row(self, statement: str, bindings: Sequence[Any] = ()) -> Row | None:
        found = self.rows(statement, bindings)
        return found[0] if found else None

    def write(self, statement: str, bindings: Sequence[Any] = ()) -> int:
        """Run one writing statement; returns the number of rows it changed."""
        return self.connection.execute(statement.encode(), bindings or None).rowcount

    def write_many(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        """One statement for many rows, sent in one go."""
        with self.connection.cursor() as cursor:
            cursor.executemany(statement.encode(), rows)

    def must_write(self, what: str) -> None:
        """Raises where a write method is called outside `Memory.transaction()`."""
        if not self.writing:
            raise PalimpsestError(f"{what}() writes; call it inside `with memory.transaction():`")

    def new_revision(self) -> int:
        """The revision that this transaction's commit makes; to be asked for by every write that readers can see."""
        if self._revision is None:
            ((revision,),) = self.rows("UPDATE state SET revision = revision + 1 RETURNING revision")
            self._revision = int(revision)
        return self._revision
