"""One connection to a memory's file and the transaction that runs on it."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

import apsw

from kg_assets.errors import Corrupt, PalimpsestError
from resources.rows import Row
from resources.sqlite.connection import FAILURES, told


class Session:
    """Runs statements for the ledger and the graph of one memory, so that one transaction covers both.

    `queued` collects the routes under which this transaction queued work. What goes wrong with the file itself is
    raised as `Corrupt` or `NotReady`.
    """

    def __init__(self, connection: apsw.Connection) -> None:
        self.connection = connection
        self.writing = False
        self.queued: set[str] = set()
        self._revision: int | None = None

    def rows(self, sql: str, bindings: Sequence[Any] = ()) -> list[Row]:
        try:
            return self.connection.execute(sql, bindings).fetchall()
        except UnicodeDecodeError as ex:
            tables = ", ".join(re.findall(r"(?:FROM|JOIN) (?!json_each)(\w+)", sql))
            raise Corrupt(
                f"{self.connection.filename}: is damaged, a text is no UTF-8 ({tables}); restore it from a snapshot"
            ) from ex
        except FAILURES as ex:
            raise told(ex, self.connection.filename) from ex

    def row(self, sql: str, bindings: Sequence[Any] = ()) -> Row | None:
        found = self.rows(sql, bindings)
        return found[0] if found else None

    def rows_of(self, sql: str, values: Iterable[str | int]) -> list[Row]:
        """Run a statement whose only parameter is a JSON list of values: `… IN (SELECT value FROM json_each(?))`."""
        return self.rows(sql, (list(values),))

    def write(self, sql: str, bindings: Sequence[Any] = ()) -> int:
        """Run one writing statement; returns the number of rows it changed."""
        self.rows(sql, bindings)
        return self.connection.changes()

    def write_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        try:
            self.connection.executemany(sql, rows)
        except FAILURES as ex:
            raise told(ex, self.connection.filename) from ex

    def must_write(self, what: str) -> None:
        """Raises where a write method is called outside `Memory.transaction()`."""
        if not self.writing:
            raise PalimpsestError(f"{what}() writes; call it inside `with memory.transaction():`")

    def new_revision(self) -> int:
        """The revision that this transaction's commit makes; to be asked for by every write that readers can see."""
        if self._revision is None:
            self.write("UPDATE state SET revision = revision + 1")
            (self._revision,) = self.rows("SELECT revision FROM state")[0]
        return self._revision

    def begin(self) -> None:
        self.rows("BEGIN IMMEDIATE")
        self.writing, self._revision = True, None
        self.queued.clear()

    def commit(self) -> None:
        self.rows("COMMIT")
        self.writing = False

    def rollback(self) -> None:
        self.writing = False
        if self.connection.in_transaction:
            self.connection.execute("ROLLBACK")
