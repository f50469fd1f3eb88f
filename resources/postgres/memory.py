"""One memory in Postgres: its ledger and its graph, bound together by one transaction."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from kg_assets.errors import Corrupt, LeaseLost, PalimpsestError
from kg_assets.model import Head, Lease, MemoryInfo
from kg_assets.ports import GraphStore, Ledger
from resources.inbox import Waiting
from resources.postgres.graph import PostgresGraph
from resources.postgres.ledger import PostgresLedger
from resources.postgres.session import Session
from resources.postgres.waiting import waiting_in


class GraphBeside(GraphStore, Protocol):
    """A graph in another store, which follows the ledger.

    The ledger commits first and is the truth. `prepare` sends all that was applied, before that commit, so that an
    error still undoes both; `commit` follows it, and what a crash between the two leaves undone is caught up with from
    the journal. `rollback` after a commit, or a second time, does nothing.
    """

    def prepare(self) -> None: ...
    def commit(self) -> None: ...
    def rollback(self) -> None: ...


class GraphsBeside(Protocol):
    """The graphs of all memories in that store."""

    def open(self, info: MemoryInfo, session: Session, ledger: Ledger) -> GraphBeside: ...
    def erase(self, memory_id: str) -> None: ...
    def close(self) -> None: ...


class PostgresMemory:
    """Implements `ports.Memory`. One thread at a time: a second thread opens its own, or takes a lock.

    Readers never wait for a writer; a writer waits up to ten seconds for another. A connection is held during a
    transaction, a snapshot or a read only. `queued` is called inside a transaction that queued work, just before it
    commits, and `grown` inside one that added to the journal.
    """

    def __init__(
        self,
        session: Session,
        info: MemoryInfo,
        lease: Lease | None = None,
        *,
        graphs: GraphsBeside | None = None,
        queued: Callable[[list[Waiting]], None] | None = None,
        grown: Callable[[Head], None] | None = None,
    ) -> None:
        self.info = info
        self._session, self._lease, self._queued, self._grown = session, lease, queued, grown
        row = session.row("SELECT key FROM state")
        if row is None:
            raise Corrupt(f"memory {info.id}: its state is gone; restore it from a backup")
        self.key: bytes = row[0]
        self.ledger: Ledger = PostgresLedger(session)
        self._beside = graphs.open(info, session, self.ledger) if graphs else None
        self.graph: GraphStore = self._beside or PostgresGraph(session)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        if self._session.busy:
            raise PalimpsestError(
                "transaction() cannot be nested, nor opened inside snapshot(); end the outer one first"
            )
        try:
            with self._session.begun() as (fence, journal_seq):
                self._check_fence(fence)
                yield
                if self._beside:
                    self._beside.prepare()
                self._tell(journal_seq)
        except BaseException:
            if self._beside:
                self._beside.rollback()
            raise
        if self._beside:
            self._beside.commit()

    def _tell(self, journal_seq: int) -> None:
        """The control plane stands in the same database: what it is told commits with what it is told of."""
        if self._grown:
            head = self.ledger.head()
            if head.journal_seq > journal_seq:
                self._grown(head)
        if self._session.queued and self._queued:
            self._queued(waiting_in(self._session, self._session.queued))

    def _check_fence(self, fence: int) -> None:
        """The write lock is held, and a grant needs it too: what holds here holds at the commit."""
        if self._lease is not None and fence > self._lease.token:
            raise LeaseLost(
                f"memory {self.info.id}: lease {self._lease.token} of {self._lease.holder} was followed by {fence}; "
                "nothing was written. Take a new lease and start this memory again"
            )

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """All reads inside see one state of the memory. Inside a transaction, or another snapshot, it adds nothing."""
        if self._session.busy:
            yield
            return
        with self._session.standing():
            yield

    def value(self, name: str) -> str | None:
        row = self._session.row("SELECT value FROM named_values WHERE name = %s", (name,))
        return row[0] if row else None

    def set_value(self, name: str, value: str) -> None:
        self._session.must_write("set_value")
        self._session.write(
            """INSERT INTO named_values (name, value) VALUES (%s, %s)
               ON CONFLICT (memory_id, name) DO UPDATE SET value = excluded.value""",
            (name, value),
        )

    def close(self) -> None:
        """Nothing is held between transactions."""
