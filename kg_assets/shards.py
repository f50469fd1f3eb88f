"""Going through the memories of one shard: a lease for each, the stage's work, and quarantine for what fails.

One memory's failure never stops the others. It is noted in the memory itself; later stages leave it alone until the
stage that failed has succeeded.
"""

import json
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from kg_assets.errors import LeaseLost, NotReady, PalimpsestError
from kg_assets.identity import content_hash
from kg_assets.model import Lease, Micros, Route, StageNote
from kg_assets.ports import Clock, Memory, Stores

# In the order of processing: a memory that is in quarantine since one of them is left alone by those after it.
STAGES = (
    *("utterances", "novelty_scores", "extracted_triples", "temporal_graph", "embedding_index"),
    *("rebuilt_graph", "kept_generations"),
)
QUARANTINE = "quarantine"

# Short, so that the memories of a killed run are free again soon; renewed while work goes on.
LEASE_SECONDS = 10.0
RENEW_SECONDS = 3.0
PATIENCE = LEASE_SECONDS + 1  # a lease that nobody renews has run out by then
LOOK_SECONDS = 0.25


Seen = TypeVar("Seen")


class Quarantine(msgspec.Struct, frozen=True, kw_only=True):
    """Why a memory is left alone. Names the kind and place of an error, never its message: that may quote a text."""

    stage: str
    error: str
    place: str
    since: Micros
    times: int = 1


class Visit(msgspec.Struct, frozen=True, kw_only=True):
    """What a stage does with a memory: whether there is work, the work, and what names the outcome.

    `fingerprint` returns JSON types that depend on the stage's content alone, never on how it came about. `version` is
    of what the stage works with; where it is another than last time, each memory is looked at.
    """

    wanted: Callable[[Memory], bool]
    work: Callable[[Memory], Any]
    fingerprint: Callable[[Memory], Any]
    version: str


class Round(msgspec.Struct, frozen=True, kw_only=True):
    """A stage's way through one shard, by memory id.

    visited       how many of the shard's memories were opened: those where something waits
    done          what was worked on, with its report
    busy          held by another run all the time
    held          in quarantine since an earlier stage
    fingerprints  a hash of what each memory of the shard held when the stage last looked
    """

    memories: int
    visited: int
    done: dict[str, Any]
    failed: dict[str, Quarantine]
    busy: tuple[str, ...]
    held: tuple[str, ...]
    fingerprints: dict[str, str]


def go_through(
    stores: Stores,
    shard: str,
    stage: str,
    visit: Visit,
    *,
    routes: Sequence[Route],
    holder: str,
    clock: Clock,
    patience: float = PATIENCE,
) -> Round:
    """Visit the memories of a shard where work may wait; those that another run holds are tried again for `patience`
    seconds. The others are not opened: a shard may hold thousands of which one has work."""
    infos = stores.memories(shard)
    walk = _Walk(stores, shard, stage, visit, holder, clock)
    waiting = walk.due([info.id for info in infos], routes)
    found: dict[str, tuple[str, Any]] = {}
    deadline = time.monotonic() + patience
    while waiting:
        found |= {memory_id: walk.outcome(memory_id) for memory_id in waiting}
        waiting = [memory_id for memory_id in waiting if found[memory_id][0] == "busy"]
        if time.monotonic() >= deadline:
            break
        if waiting:
            time.sleep(LOOK_SECONDS)
    by_kind: dict[str, dict[str, Any]] = {"done": {}, "idle": {}, "failed": {}, "busy": {}, "held": {}}
    for memory_id, (kind, report) in found.items():
        by_kind[kind][memory_id] = report
    return Round(
        memories=len(infos),
        visited=len(found),
        done=by_kind["done"],
        failed=by_kind["failed"],
        busy=tuple(by_kind["busy"]),
        held=tuple(by_kind["held"]),
        fingerprints={
            note.memory_id: note.fingerprint for note in stores.stage_notes(shard, stage) if note.fingerprint
        },
    )


def data_version(stage: str, shard: str, fingerprints: Mapping[str, str]) -> str:
    """One hash over what all memories of a shard hold for a stage, whatever the order or the batches it came in."""
    return content_hash(stage, shard, sorted(fingerprints.items()))


class _Walk:
    """One stage's visits to memories, and the notes that it leaves of them outside."""

    def __init__(self, stores: Stores, shard: str, stage: str, visit: Visit, holder: str, clock: Clock) -> None:
        self.stores, self.shard, self.stage, self.visit = stores, shard, stage, visit
        self.holder, self.clock = holder, clock
        self.notes = {note.memory_id: note for note in stores.stage_notes(shard, stage)}
        following = STAGES[STAGES.index(stage) + 1 :][:1]
        self.following = {note.memory_id: note for name in following for note in stores.stage_notes(shard, name)}

    def due(self, memory_ids: Iterable[str], routes: Sequence[Route]) -> list[str]:
        """Where something waits on these routes, where the stage failed, and where it has not looked since something
        else changed: its own version, or the memory by the stage before it."""
        hinted = {each for work in self.stores.work(routes) if work.shard == self.shard for each in work.memories}
        looked = {each.memory_id for each in self.notes.values() if each.version == self.visit.version}
        return [memory_id for memory_id in memory_ids if memory_id in hinted or memory_id not in looked]

    def outcome(self, memory_id: str) -> tuple[str, Any]:
        """("done", report), ("failed", quarantine), or one of "idle", "busy" and "held" with None."""
        try:
            with opened(self.stores, memory_id) as memory:
                quarantine = quarantine_of(memory)
                if quarantine and STAGES.index(quarantine.stage) < STAGES.index(self.stage):
                    return "held", None
                if quarantine is None and not self.visit.wanted(memory):
                    self.looked_at(memory)
                    return "idle", None
            lease = self.stores.lease(memory_id, holder=self.holder, now=self.clock(), seconds=LEASE_SECONDS)
            if lease is None:
                return "busy", None
            try:
                return "done", self.worked(lease)
            finally:
                self.stores.release(lease)
        except LeaseLost:
            return "busy", None
        # The one place where every error is caught: what goes wrong in one memory must not stop the others.
        except Exception as ex:  # noqa: BLE001
            return "failed", self.failed(memory_id, ex)

    def worked(self, lease: Lease) -> Any:
        with renewed(self.stores, lease, self.clock), opened(self.stores, lease.memory_id, lease) as memory:
            after = self.following.get(lease.memory_id)
            if after and after.version:  # before the work, so that no crash hides it from the next stage
                self.stores.note_stage(msgspec.structs.replace(after, version=""))
            report = self.visit.work(memory)
            quarantine = quarantine_of(memory)
            if quarantine and quarantine.stage == self.stage:
                with memory.transaction():
                    memory.set_value(QUARANTINE, "")
            self.looked_at(memory)
            return report

    def looked_at(self, memory: Memory) -> None:
        fingerprint = content_hash(self.visit.fingerprint(memory))
        self.note(memory.info.id, self.visit.version, fingerprint)

    def failed(self, memory_id: str, error: Exception) -> Quarantine:
        """Note outside that the stage must look again, and in the memory what went wrong, if it can be written to."""
        found = Quarantine(stage=self.stage, error=type(error).__name__, place=place_of(error), since=self.clock())
        # Whatever goes wrong here too is of the same memory: a damaged file, a note in it that cannot be read, or an
        # erasure meanwhile.
        with suppress(Exception):
            self.note(memory_id, "", "")
        with suppress(Exception), opened(self.stores, memory_id) as memory:
            before = quarantine_of(memory)
            if before and before.stage == self.stage:
                found = msgspec.structs.replace(found, since=before.since, times=before.times + 1)
            with memory.transaction():
                memory.set_value(QUARANTINE, json.dumps(msgspec.to_builtins(found)))
        return found

    def note(self, memory_id: str, version: str, fingerprint: str) -> None:
        note = StageNote(memory_id=memory_id, stage=self.stage, version=version, fingerprint=fingerprint)
        if self.notes.get(memory_id) != note:
            self.stores.note_stage(note)
            self.notes[memory_id] = note


def settle(stores: Stores, shard: str, routes: Sequence[Route]) -> None:
    """Bring the hints of these routes up to what really waits. One that cannot be settled stays, and is tried again."""
    for work in stores.work(routes):
        if work.shard == shard:
            for memory_id in work.memories:
                with suppress(PalimpsestError):
                    stores.settle(memory_id)


@contextmanager
def opened(stores: Stores, memory_id: str, lease: Lease | None = None) -> Iterator[Memory]:
    memory = stores.open(memory_id, lease)
    try:
        yield memory
    finally:
        memory.close()


def granted(stores: Stores, memory_id: str, *, holder: str, clock: Clock, advice: str = "try again") -> Lease:
    """A lease for a command. Raises `NotFound`, and `NotReady` with this advice while a run holds one."""
    lease = stores.lease(memory_id, holder=holder, now=clock(), seconds=LEASE_SECONDS)
    if lease is None:
        raise NotReady(f"memory {memory_id}: a run works on it; {advice} when that has ended")
    return lease


def seen_in_each(stores: Stores, look: Callable[[Memory], Seen]) -> Iterator[Seen | None]:
    """What `look` finds in each memory of the deployment, without a lease; None for one that cannot be read, which
    does not hide the others."""
    for info in stores.memories():
        try:
            with opened(stores, info.id) as memory:
                found = look(memory)
        except PalimpsestError:
            yield None
        else:
            yield found


@contextmanager
def renewed(stores: Stores, lease: Lease, clock: Clock, *, every: float = RENEW_SECONDS) -> Iterator[None]:
    """Renew the lease in the background. What fails in passing is tried again in time; should the lease be lost, the
    next commit says so."""
    ended = threading.Event()

    def renew() -> None:
        while not ended.wait(every):
            with suppress(PalimpsestError):
                again = stores.lease(lease.memory_id, holder=lease.holder, now=clock(), seconds=LEASE_SECONDS)
                if again is None:
                    return
                if again.token != lease.token:  # it had run out, and somebody else's came in between
                    stores.release(again)
                    return

    thread = threading.Thread(target=renew, name="renew-lease", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


# --------------------------------------------------------------------------------------------------- quarantine


def quarantine_of(memory: Memory) -> Quarantine | None:
    value = memory.value(QUARANTINE)
    return msgspec.json.decode(value, type=Quarantine) if value else None


def place_of(error: BaseException) -> str:
    """`file.py:123 in function` of where it was raised."""
    frames = traceback.extract_tb(error.__traceback__)
    return f"{Path(frames[-1].filename).name}:{frames[-1].lineno} in {frames[-1].name}" if frames else ""
