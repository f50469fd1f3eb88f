"""What each stage left of each memory, as rows of the control file."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

import apsw

from kg_assets.model import StageNote
from resources.rows import Row

_NOTE = "memory_id, stage, version, fingerprint"


class _File(Protocol):
    _connection: apsw.Connection

    def _rows(self, sql: str, bindings: Sequence[Any] = ()) -> list[Row]: ...
    def _transaction(self, *, durable: bool = True) -> AbstractContextManager[None]: ...


class StageRows:
    """The part of the control file that tells where a stage need not look."""

    def stage_notes(self: _File, shard: str, stage: str) -> list[StageNote]:
        rows = self._rows(
            f"""SELECT {_NOTE} FROM memories JOIN stage_notes ON memory_id = id
                WHERE shard = ? AND stage = ? ORDER BY memory_id""",
            (shard, stage),
        )
        return [StageNote(memory_id=row[0], stage=row[1], version=row[2], fingerprint=row[3]) for row in rows]

    def note_stage(self: _File, note: StageNote) -> None:
        # That a stage must look is durable, because what it must look at is; that it has looked can be found again.
        with self._transaction(durable=not note.version):
            self._connection.execute(
                f"INSERT OR REPLACE INTO stage_notes ({_NOTE}) VALUES (?,?,?,?)",
                (note.memory_id, note.stage, note.version, note.fingerprint),
            )
