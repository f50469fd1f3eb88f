"""Going through the memories of one shard: a lease for each, the stage's work, and quarantine for what fails.

One memory's failure never stops the others. It is noted in the memory itself; later stages leave it alone until the
stage that failed has succeeded.
"""

import json
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, get_args

import msgspec

from kg_assets.errors import LeaseLost, PalimpsestError
from kg_assets.identity import content_hash
from kg_assets.model import Lease, Micros, Route
from kg_assets.ports import Clock, Memory, Stores

# In the order of processing: a memory that is in quarantine since one of them is left alone by those after it.
STAGES = ("utterances", "novelty_scores", "extracted_triples", "temporal_graph", "embedding_index")
QUARANTINE = "quarantine"

# Short, so that the memories of a killed run are free again soon; renewed while work goes on.
LEASE_SECONDS = 10.0
RENEW_SECONDS = 3.0
PATIENCE = LEASE_SECONDS + 1  # a lease that nobody renews has run out by then
LOOK_SECONDS = 0.25


class Quarantine(msgspec.Struct, frozen=True, kw_only=True):
    """Why a memory is left alone. Names the kind and place of an error, never its message: that may quote a text."""

    stage: str
    error: str
    place: str
    since: Micros
    times: int = 1


class Visit(msgspec.Struct, frozen=True, kw_only=True):
    """What a stage does with a memory: whether there is work, the work, and what names the outcome.

    `fingerprint` returns JSON types that depend on the stage's content alone, never on how it came about.
    """

    wanted: Callable[[Memory], bool]
    work: Callable[[Memory], Any]
    fingerprint: Callable[[Memory], Any]


class Round(msgspec.Struct, frozen=True, kw_only=True):
    """A stage's way through one shard, by memory id.

    done   what was worked on, with its report
    busy   held by another run all the time
    held   in quarantine since an earlier stage
    """

    memories: int
    done: dict[str, Any]
    failed: dict[str, Quarantine]
    busy: tuple[str, ...]
    held: tuple[str, ...]
    fingerprints: dict[str, Any]


def go_through(
    stores: Stores, shard: str, stage: str, visit: Visit, *, holder: str, clock: Clock, patience: float = PATIENCE
) -> Round:
    """Visit every memory of a shard; those that another run holds are tried again for `patience` seconds."""
    waiting = [info.id for info in stores.memories(shard)]
    found: dict[str, tuple[str, Any]] = {}
    deadline = clock() + int(patience * 1_000_000)
    while waiting:
        found |= {memory_id: _outcome(stores, memory_id, stage, visit, holder, clock) for memory_id in waiting}
        waiting = [memory_id for memory_id in waiting if found[memory_id][0] == "busy"]
        if clock() > deadline:
            break
        if waiting:
            time.sleep(LOOK_SECONDS)
    by_kind: dict[str, dict[str, Any]] = {"done": {}, "idle": {}, "failed": {}, "busy": {}, "held": {}}
    for memory_id, (kind, report) in found.items():
        by_kind[kind][memory_id] = report
    readable = [memory_id for memory_id in found if memory_id not in by_kind["failed"]]
    fingerprints = {memory_id: _fingerprint(stores, memory_id, visit) for memory_id in readable}
    return Round(
        memories=len(found),
        done=by_kind["done"],
        failed=by_kind["failed"],
        busy=tuple(by_kind["busy"]),
        held=tuple(by_kind["held"]),
        fingerprints={memory_id: each for memory_id, each in fingerprints.items() if each is not None},
    )


def data_version(stage: str, shard: str, fingerprints: Mapping[str, Any]) -> str:
    """One hash over what all memories of a shard hold for a stage, whatever the order or the batches it came in."""
    return content_hash(stage, shard, sorted(fingerprints.items()))


def _outcome(stores: Stores, memory_id: str, stage: str, visit: Visit, holder: str, clock: Clock) -> tuple[str, Any]:
    """("done", report), ("failed", quarantine), or one of "idle", "busy" and "held" with None."""
    try:
        with opened(stores, memory_id) as memory:
            quarantine = quarantine_of(memory)
            if quarantine and STAGES.index(quarantine.stage) < STAGES.index(stage):
                return "held", None
            if quarantine is None and not visit.wanted(memory):
                return "idle", None
        lease = stores.lease(memory_id, holder=holder, now=clock(), seconds=LEASE_SECONDS)
        if lease is None:
            return "busy", None
        try:
            return "done", _worked(stores, lease, stage, visit, clock)
        finally:
            stores.release(lease)
    except LeaseLost:
        return "busy", None
    # The one place where every error is caught: what goes wrong in one memory must not stop the others.
    except Exception as ex:  # noqa: BLE001
        return "failed", _quarantine(stores, memory_id, stage, ex, clock())


def _worked(stores: Stores, lease: Lease, stage: str, visit: Visit, clock: Clock) -> Any:
    with _renewed(stores, lease, clock), opened(stores, lease.memory_id, lease) as memory:
        report = visit.work(memory)
        quarantine = quarantine_of(memory)
        if quarantine and quarantine.stage == stage:
            with memory.transaction():
                memory.set_value(QUARANTINE, "")
        return report


def _fingerprint(stores: Stores, memory_id: str, visit: Visit) -> Any:
    """None where the memory cannot be read."""
    with suppress(Exception), opened(stores, memory_id) as memory:
        return visit.fingerprint(memory)
    return None


def settle(stores: Stores, shard: str) -> None:
    """Bring the hints of a shard up to what really waits. One that cannot be settled stays, and is tried again."""
    for work in stores.work(get_args(Route)):
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


@contextmanager
def _renewed(stores: Stores, lease: Lease, clock: Clock) -> Iterator[None]:
    """Renew the lease in the background. Should that fail, the next commit says so."""
    ended = threading.Event()

    def renew() -> None:
        with suppress(PalimpsestError):
            while not ended.wait(RENEW_SECONDS):
                stores.lease(lease.memory_id, holder=lease.holder, now=clock(), seconds=LEASE_SECONDS)

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


def _quarantine(stores: Stores, memory_id: str, stage: str, error: Exception, now: Micros) -> Quarantine:
    """Note in the memory that it failed, where it can still be written to."""
    found = Quarantine(stage=stage, error=type(error).__name__, place=place_of(error), since=now)
    # Whatever goes wrong here too is of the same memory: a damaged file, or a note in it that cannot be read.
    with suppress(Exception), opened(stores, memory_id) as memory:
        before = quarantine_of(memory)
        if before and before.stage == stage:
            found = msgspec.structs.replace(found, since=before.since, times=before.times + 1)
        with memory.transaction():
            memory.set_value(QUARANTINE, json.dumps(msgspec.to_builtins(found)))
    return found


def place_of(error: BaseException) -> str:
    """`file.py:123 in function` of where it was raised."""
    frames = traceback.extract_tb(error.__traceback__)
    return f"{Path(frames[-1].filename).name}:{frames[-1].lineno} in {frames[-1].name}" if frames else ""
