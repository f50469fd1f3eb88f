"""Which memories of a shard a stage opens, and what it leaves of them."""

import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from kg_assets.errors import LeaseLost, NotReady
from kg_assets.model import MemoryInfo
from kg_assets.ports import Memory
from kg_assets.shards import LEASE_SECONDS, STAGES, Round, Visit, data_version, go_through, opened, renewed, settle
from kg_assets.utterances.sealing import seal_pending
from resources.sqlite import SqliteStores
from tests.shards.memories import NOW, ORIGIN, of_one_shard, say

SECOND = 1_000_000


class Opened(SqliteStores):
    """Real stores that remember which memories were opened."""

    def __init__(self, data_dir: Path) -> None:
        super().__init__(data_dir, b"secret", clock=lambda: NOW)
        self.seen: set[str] = set()

    def open(self, memory_id: str, *args: object) -> object:  # type: ignore[override]
        self.seen.add(memory_id)
        return super().open(memory_id, *args)  # type: ignore[arg-type]


@pytest.fixture
def stores(tmp_path: Path) -> Iterator[Opened]:
    found = Opened(tmp_path)
    yield found
    found.close()


@pytest.fixture
def infos(stores: Opened) -> list[MemoryInfo]:
    """Three memories that all stages have looked at."""
    found = of_one_shard(stores, 3)
    for stage in STAGES:
        walk(stores, found, stage)
    return found


def walk(stores: Opened, infos: list[MemoryInfo], stage: str = STAGES[0], version: str = "1", **more: object) -> Round:
    def work(memory: Memory) -> int:
        return seal_pending(memory, origin=ORIGIN, clock=lambda: NOW).utterances

    visit = Visit(
        wanted=lambda memory: stage == STAGES[0] and bool(memory.ledger.pending("seal", ("immediate", "batch"), 1)),
        work=work,
        fingerprint=lambda memory: memory.ledger.head().seq,
        version=version,
    )
    stores.seen.clear()
    settings: dict[str, object] = {"routes": ("immediate", "batch"), "holder": "run-1", "patience": 0} | more
    return go_through(stores, infos[0].shard, stage, visit, clock=lambda: NOW, **settings)  # type: ignore[arg-type]


def test_only_memories_where_work_waits_are_opened(stores: Opened, infos: list[MemoryInfo]) -> None:
    say(stores, infos[1], "I live in Porto.")
    found = walk(stores, infos)
    assert stores.seen == {infos[1].id}
    assert (found.memories, found.visited, found.done) == (3, 1, {infos[1].id: 1})


def test_what_waits_on_other_routes_than_the_runs_is_left(stores: Opened, infos: list[MemoryInfo]) -> None:
    say(stores, infos[1], "I live in Porto.")
    assert walk(stores, infos, routes=("log",)).visited == 0
    assert stores.seen == set()


def test_the_data_version_covers_the_memories_that_were_not_opened(stores: Opened, infos: list[MemoryInfo]) -> None:
    before = walk(stores, infos)
    assert set(before.fingerprints) == {info.id for info in infos}
    say(stores, infos[1], "I live in Porto.")
    after = walk(stores, infos)
    changed = {
        memory_id for memory_id in after.fingerprints if after.fingerprints[memory_id] != before.fingerprints[memory_id]
    }
    assert changed == {infos[1].id}
    versions = {
        data_version(STAGES[0], infos[0].shard, each.fingerprints) for each in (before, after, walk(stores, infos))
    }
    assert len(versions) == 2


def test_another_version_of_a_stage_looks_at_each_memory_once(stores: Opened, infos: list[MemoryInfo]) -> None:
    assert walk(stores, infos, version="2").visited == 3
    assert walk(stores, infos, version="2").visited == 0


def test_a_new_memory_is_looked_at(stores: Opened, infos: list[MemoryInfo]) -> None:
    (*_, new) = of_one_shard(stores, 4)
    walk(stores, infos)
    assert stores.seen == {new.id}


def test_a_stage_looks_at_what_the_one_before_it_changed_even_if_its_run_was_killed(
    stores: Opened, infos: list[MemoryInfo]
) -> None:
    say(stores, infos[1], "I live in Porto.")
    walk(stores, infos)
    with opened(stores, infos[1].id) as memory, memory.transaction():  # nothing waits in the queues any more
        for stage in ("extract", "derive", "index"):
            memory.ledger.done(stage, [1])
    settle(stores, infos[0].shard, ("batch",))
    assert stores.work(("batch",)) == []
    walk(stores, infos, STAGES[1])
    assert stores.seen == {infos[1].id}
    walk(stores, infos, STAGES[1])
    assert stores.seen == set()


def test_one_that_failed_is_opened_again_though_nothing_says_that_it_has_work(
    stores: Opened, infos: list[MemoryInfo]
) -> None:
    say(stores, infos[1], "I live in Porto.")
    with opened(stores, infos[1].id) as memory:
        memory._session.connection.execute("UPDATE utterances SET text = 'forged'")  # type: ignore[attr-defined]
    found = walk(stores, infos)
    assert found.failed[infos[1].id].error == "Corrupt"
    assert infos[1].id not in found.fingerprints
    assert walk(stores, infos, routes=("log",)).failed[infos[1].id].times == 2


def test_a_memory_that_another_run_holds_is_told_and_left(stores: Opened, infos: list[MemoryInfo]) -> None:
    say(stores, infos[1], "I live in Porto.")
    held = stores.lease(infos[1].id, holder="another", now=NOW, seconds=10)
    assert walk(stores, infos).busy == (infos[1].id,)
    assert held is not None
    stores.release(held)
    assert walk(stores, infos).done == {infos[1].id: 1}


# ------------------------------------------------------------------------------------------------------- leases


def test_a_lease_is_renewed_while_work_goes_on(stores: Opened, infos: list[MemoryInfo]) -> None:
    now = [NOW]
    lease = stores.lease(infos[0].id, holder="run-1", now=NOW, seconds=LEASE_SECONDS)
    assert lease is not None
    with renewed(stores, lease, lambda: now[0], every=0.01):
        for _ in range(5):
            now[0] += 9 * SECOND
            time.sleep(0.05)
            assert stores.lease(infos[0].id, holder="another", now=now[0], seconds=LEASE_SECONDS) is None
    stores.release(lease)
    assert stores.lease(infos[0].id, holder="another", now=now[0], seconds=LEASE_SECONDS) is not None


def test_a_renewal_that_fails_in_passing_is_tried_again(stores: Opened, infos: list[MemoryInfo]) -> None:
    lease = stores.lease(infos[0].id, holder="run-1", now=NOW, seconds=LEASE_SECONDS)
    assert lease is not None
    asked, renewed_again = [0], threading.Event()

    def clock() -> int:
        asked[0] += 1
        if asked[0] == 1:
            raise NotReady("the server is away")
        if asked[0] == 4:  # so the second and the third have come through
            renewed_again.set()
        return NOW + 9 * SECOND

    with renewed(stores, lease, clock, every=0.01):
        assert renewed_again.wait(10)
    later = NOW + 15 * SECOND  # past the first lease, within the renewed one
    assert stores.lease(infos[0].id, holder="another", now=later, seconds=LEASE_SECONDS) is None


def test_a_lease_that_was_lost_is_not_taken_again(stores: Opened, infos: list[MemoryInfo]) -> None:
    """Its token would be another's, which nobody gives back."""
    lease = stores.lease(infos[0].id, holder="run-1", now=NOW, seconds=LEASE_SECONDS)
    assert lease is not None
    now, lost = NOW + 11 * SECOND, threading.Event()
    other = stores.lease(infos[0].id, holder="another", now=now, seconds=LEASE_SECONDS)
    assert other is not None
    stores.release(other)

    def clock() -> int:
        lost.set()
        return now

    with suppress(LeaseLost), renewed(stores, lease, clock, every=0.01):
        assert lost.wait(10)
        time.sleep(0.1)
        with opened(stores, infos[0].id, lease) as memory, pytest.raises(LeaseLost), memory.transaction():
            pass
    stores.release(lease)
    assert stores.lease(infos[0].id, holder="a third", now=now, seconds=LEASE_SECONDS) is not None
