"""Erased memories in the control file: what stays of them, and which files are still to be removed."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

import apsw

from kg_assets.model import Erased
from resources.rows import Row


class _Control(Protocol):
    _connection: apsw.Connection

    def _rows(self, sql: str, bindings: Sequence[Any] = ()) -> list[Row]: ...
    def _transaction(self, *, durable: bool = True) -> AbstractContextManager[None]: ...


class ErasedRows:
    def erase(self: _Control, memory_id: str, erased: Erased) -> None:
        """From here on the memory cannot be opened; its file is doomed."""
        with self._transaction():
            self._connection.execute(
                "INSERT INTO erased VALUES (?,?,?,?)",
                (erased.id, erased.erased_at, erased.certificate, erased.chain),
            )
            self._connection.execute("INSERT INTO doomed VALUES (?)", (memory_id,))
            self._connection.execute("DELETE FROM memories WHERE id = ?", (memory_id,))

    def erased(self: _Control) -> list[Erased]:
        rows = self._rows("SELECT id, erased_at, certificate, chain FROM erased ORDER BY erased_at, id")
        return [Erased(id=row[0], erased_at=row[1], certificate=row[2], chain=row[3]) for row in rows]

    def doomed(self: _Control) -> list[str]:
        return [row[0] for row in self._rows("SELECT memory_id FROM doomed")]

    def forget(self: _Control, memory_id: str) -> None:
        """The file is gone: take the last trace of it out of this file and its log."""
        with self._transaction():
            self._connection.execute("DELETE FROM doomed WHERE memory_id = ?", (memory_id,))
        self._connection.execute("VACUUM")
        self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
