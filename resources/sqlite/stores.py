"""All memories of a deployment in SQLite: one file each, and one control file."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kg_assets.errors import Corrupt, NotFound, PalimpsestError
from kg_assets.identity import keyed_id
from kg_assets.model import Erased, Lease, Materialisation, MemoryInfo, Micros, Route, ShardWork, StageNote
from kg_assets.partitions import shard_of
from kg_assets.ports import Clock
from resources.sqlite.control import Control
from resources.sqlite.memory import SqliteMemory, create_file


class SqliteStores:
    """Implements `ports.Stores` over `data_dir/control.db` and `data_dir/memories/<id>.db`.

    May be shared by threads. Not by processes: after a fork, or in a worker, make a new one.

    Fencing. A lease's token is granted in the control file, then written into the memory's own file before `lease`
    returns. That write needs the memory's write lock, so it waits for a transaction that is under way, and every later
    transaction of an older holder reads the new token under the same lock and is refused. A crash between the two
    writes leaves a token that nobody holds; the next grant takes a higher one.

    Hints. A commit that queues work looks at the memory's row of the inbox first, and marks it where it is clean;
    `settle` reads and clears under the same write lock of the memory. So between the two no mark is lost; a crash
    between mark and commit leaves a mark without work, which the next `settle` clears.
    """

    def __init__(self, data_dir: Path, secret: bytes, clock: Clock) -> None:
        self._files = data_dir / "memories"
        self._secret, self._clock = secret, clock
        self._files.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._control = Control(data_dir / "control.db")

    def close(self) -> None:
        self._control.close()

    # memories

    def memory_id(self, issuer: str, subject: str) -> str:
        return keyed_id(self._secret, "memory", issuer, subject)

    def create(self, issuer: str, subject: str, *, multi_speaker: bool = False, now: Micros) -> MemoryInfo:
        memory_id = self.memory_id(issuer, subject)
        if found := self._control.find(memory_id):
            return found
        self._remove_doomed()  # the same person may come back
        # The file comes first: a crash between the two leaves a file that the next call takes up.
        create_file(self._file(memory_id), memory_id)
        info = MemoryInfo(
            id=memory_id, name=subject, shard=shard_of(memory_id), multi_speaker=multi_speaker, created_at=now
        )
        self._control.add(info, issuer)
        return self._info(memory_id)

    def find(self, memory_id: str) -> MemoryInfo | None:
        return self._control.find(memory_id)

    def memories(self, shard: str | None = None) -> list[MemoryInfo]:
        return self._control.memories(shard)

    def open(self, memory_id: str, lease: Lease | None = None) -> SqliteMemory:
        info = self._info(memory_id)
        try:
            return SqliteMemory(
                self._file(memory_id),
                info,
                lease,
                queued=lambda found: self._control.hint(info, found),
                grown=lambda head: self._control.witness(memory_id, head),
            )
        except NotFound as ex:
            raise Corrupt(f"memory {memory_id}: its file is gone; restore it from a snapshot ({ex})") from ex

    def _info(self, memory_id: str) -> MemoryInfo:
        info = self._control.find(memory_id)
        if info is None:
            raise NotFound(f"memory {memory_id}: there is none; create it by writing to it first")
        return info

    def _file(self, memory_id: str) -> Path:
        return self._files / f"{memory_id}.db"

    # erasure

    def erase(self, memory_id: str, erased: Erased) -> None:
        self._info(memory_id)
        self._control.erase(memory_id, erased)
        self._remove_doomed()

    def erased(self) -> list[Erased]:
        return self._control.erased()

    def _remove_doomed(self) -> None:
        for memory_id in self._control.doomed():
            for ending in ("", "-wal", "-shm"):
                self._file(memory_id).with_name(f"{memory_id}.db{ending}").unlink(missing_ok=True)
            self._control.forget(memory_id)

    def scrub(self, memory_id: str) -> bool:
        memory = self.open(memory_id)
        try:
            return memory.scrub()
        finally:
            memory.close()

    # leases

    def lease(self, memory_id: str, *, holder: str, now: Micros, seconds: float) -> Lease | None:
        self._info(memory_id)
        until = now + int(seconds * 1_000_000)
        lease = self._control.grant(memory_id, holder=holder, now=now, until=until)
        while lease is not None:
            try:
                fence = self._raise_fence(lease)
            except PalimpsestError:
                self._control.release(lease)
                raise
            if fence <= lease.token:
                return lease
            lease = self._control.grant(memory_id, holder=holder, now=now, until=until, above=fence)
        return None

    def _raise_fence(self, lease: Lease) -> int:
        memory = self.open(lease.memory_id)
        try:
            return memory.raise_fence(lease.token)
        finally:
            memory.close()

    def release(self, lease: Lease) -> None:
        self._control.release(lease)

    # inbox

    def work(self, routes: Sequence[Route]) -> list[ShardWork]:
        return self._control.work(routes)

    def settle(self, memory_id: str) -> None:
        self._settle(memory_id)

    def _settle(self, memory_id: str) -> bool:
        memory = self.open(memory_id)
        try:
            with memory.standing_still() as waiting:
                return self._control.settle(memory.info, waiting)
        finally:
            memory.close()

    def sweep(self) -> int:
        """Raises `Corrupt` at the end where memories could not be opened; all others are settled then."""
        self._remove_doomed()
        wrong, unreadable = 0, []
        for info in self.memories():
            try:
                wrong += self._settle(info.id)
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
        """(journal seq, journal hash) as last noted in the control file: a journal that does not reach it was cut."""
        return self._control.witnessed(memory_id)

    def add_materialisation(self, row: Materialisation) -> None:
        self._control.add_materialisation(row)

    def materialisations(self, run_ids: Sequence[str]) -> list[Materialisation]:
        return self._control.materialisations(run_ids)
