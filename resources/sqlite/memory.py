"""One memory: its ledger and graph over one connection, so that one transaction covers both."""

import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from kg_assets.errors import Corrupt, LeaseLost, NotReady, PalimpsestError
from kg_assets.model import Head, Lease, MemoryInfo
from kg_assets.ports import GraphStore, Ledger
from resources.inbox import Waiting
from resources.sqlite.connection import MEMORY_SCHEMA, connect
from resources.sqlite.forgetting import UNSCRUBBED
from resources.sqlite.graph import SqliteGraph
from resources.sqlite.ledger import SqliteLedger
from resources.sqlite.session import Session
from resources.sqlite.waiting import waiting_in

KEY_BYTES = 32
COURTESY_SECONDS = 0.002
GENESIS = "0" * 64  # what the first journal entry follows; the same as in `kg_assets.journal`


def create_file(path: Path, memory_id: str) -> None:
    """Make the file of a memory with a fresh key; one that is there is left as it is."""
    connection = connect(path, MEMORY_SCHEMA, create=True)
    try:
        connection.execute(
            "INSERT OR IGNORE INTO state (one, memory_id, key, journal_hash) VALUES (1, ?, ?, ?)",
            (memory_id, secrets.token_bytes(KEY_BYTES), GENESIS),
        )
    finally:
        connection.close()


class SqliteMemory:
    """Implements `ports.Memory`. One thread at a time: a second thread opens its own, or takes a lock.

    Readers never wait for a writer; a writer waits up to ten seconds for another. `queued` is called inside a
    transaction that queued work, just before it commits, and `grown` after a commit that added to the journal; where it
    could not be told (False), it is told after the next transaction, or at `close`.
    """

    def __init__(
        self,
        path: Path,
        info: MemoryInfo,
        lease: Lease | None = None,
        *,
        queued: Callable[[list[Waiting]], None] | None = None,
        grown: Callable[[Head], bool] | None = None,
    ) -> None:
        self.info = info
        self._session = Session(connect(path, MEMORY_SCHEMA))
        self._lease, self._queued, self._grown = lease, queued, grown
        self._reading, self._ended = False, 0.0
        self._untold: Head | None = None
        try:
            row = self._session.row("SELECT memory_id, key FROM state")
            if row is None or row[0] != info.id:
                raise Corrupt(f"{path}: holds another memory than its name says; restore it from a snapshot")
        except PalimpsestError:
            self.close()
            raise
        self.key: bytes = row[1]
        self.ledger: Ledger = SqliteLedger(self._session)
        self.graph: GraphStore = SqliteGraph(self._session)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        if self._session.writing or self._reading:
            raise PalimpsestError(
                "transaction() cannot be nested, nor opened inside snapshot(); end the outer one first"
            )
        self._begin()
        try:
            self._check_fence()
            before = self.ledger.head().journal_seq
            yield
            if self._session.queued and self._queued:
                self._queued(waiting_in(self._session, self._session.queued))
            head = self.ledger.head()
            self._session.commit()
        finally:
            self._session.rollback()
            self._ended = time.monotonic()
        if head.journal_seq > before:
            self._untold = head
        self._tell()

    def _tell(self) -> None:
        if self._untold is not None and (self._grown is None or self._grown(self._untold)):
            self._untold = None

    def _begin(self) -> None:
        if self._lease is not None and time.monotonic() - self._ended < COURTESY_SECONDS:
            time.sleep(COURTESY_SECONDS)  # a run that writes chunk after chunk lets a waiting append in
        self._session.begin()

    def _check_fence(self) -> None:
        """The write lock is held, and a grant needs it too: what holds here holds at the commit."""
        if self._lease is None:
            return
        fence = self._fence()
        if fence > self._lease.token:
            raise LeaseLost(
                f"memory {self.info.id}: lease {self._lease.token} of {self._lease.holder} was followed by {fence}; "
                "nothing was written. Take a new lease and start this memory again"
            )

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """All reads inside see one state of the memory. Inside a transaction, or another snapshot, it adds nothing."""
        if self._session.writing or self._reading:
            yield
            return
        self._session.connection.execute("BEGIN")
        self._reading = True
        try:
            yield
        finally:
            self._reading = False
            self._session.connection.execute("ROLLBACK")

    def raise_fence(self, token: int) -> int:
        """Shut out holders of older leases; returns the highest token granted, which is higher than `token` only
        where the control file was restored from an older copy."""
        if token > self._fence():
            with self.transaction():
                self._session.write("UPDATE state SET fence = max(fence, ?)", (token,))
        return self._fence()

    def _fence(self) -> int:
        return int(self._session.rows("SELECT fence FROM state")[0][0])

    @contextmanager
    def standing_still(self) -> Iterator[list[Waiting]]:
        """What waits, while nobody can write to this memory."""
        self._begin()
        try:
            yield self.waiting()
        finally:
            self._session.rollback()

    def waiting(self) -> list[Waiting]:
        return waiting_in(self._session)

    def value(self, name: str) -> str | None:
        row = self._session.row("SELECT value FROM named_values WHERE name = ?", (name,))
        return row[0] if row else None

    def set_value(self, name: str, value: str) -> None:
        self._session.must_write("set_value")
        self._session.write("INSERT OR REPLACE INTO named_values VALUES (?, ?)", (name, value))

    def scrub(self) -> bool:
        """Write the file anew without free pages, and empty its log. False where a reader still needs the log, or
        another writer is at work."""
        begun = self.value(UNSCRUBBED)
        if begun is None:
            return True
        try:
            self._session.rows("VACUUM")
            ((busy, _, _),) = self._session.rows("PRAGMA wal_checkpoint(TRUNCATE)")
            if busy:
                return False
            with self.transaction():  # another erasure may have come meanwhile
                self._session.write("DELETE FROM named_values WHERE name = ? AND value = ?", (UNSCRUBBED, begun))
        except NotReady:
            return False
        return True

    def close(self) -> None:
        self._tell()
        self._session.connection.close()
