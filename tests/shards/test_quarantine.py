"""One memory's failure never stops the others of its shard."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from kg_assets.model import MemoryInfo
from kg_assets.ports import Memory
from kg_assets.shards import STAGES, Round, Visit, go_through, opened, quarantine_of
from resources.sqlite import SqliteStores
from tests.shards.memories import NOW, damage, of_one_shard, say


@pytest.fixture
def stores(tmp_path: Path) -> Iterator[SqliteStores]:
    found = SqliteStores(tmp_path, b"secret", clock=lambda: NOW)
    yield found
    found.close()


@pytest.fixture
def infos(stores: SqliteStores) -> list[MemoryInfo]:
    found = of_one_shard(stores, 3)
    for info in found:
        say(stores, info, "I live in Porto.")
    return found


def walk(stores: SqliteStores, infos: list[MemoryInfo], *, stage: str = STAGES[0], failing: str = "") -> Round:
    """A stage that has work in each memory; in the one named `failing` it goes wrong."""

    def work(memory: Memory) -> str:
        if memory.info.id == failing:
            raise ZeroDivisionError("I live in Porto.")
        return "worked"

    visit = Visit(wanted=lambda _: True, work=work, fingerprint=lambda memory: memory.ledger.head().seq, version="1")
    return go_through(
        stores, infos[0].shard, stage, visit, routes=("batch",), holder="run-1", clock=lambda: NOW, patience=0
    )


@pytest.mark.parametrize("table", ["named_values", "state", "pending"])
def test_a_damaged_file_stops_nobody_else(
    stores: SqliteStores, infos: list[MemoryInfo], tmp_path: Path, table: str
) -> None:
    damage(tmp_path, infos[1], table)

    def work(memory: Memory) -> int:
        return len(memory.ledger.pending("seal", ("batch",), 1))

    visit = Visit(
        wanted=lambda memory: bool(memory.ledger.pending("seal", ("batch",), 1)),
        work=work,
        fingerprint=lambda memory: memory.ledger.head().seq,
        version="1",
    )
    found = go_through(
        stores, infos[0].shard, STAGES[0], visit, routes=("batch",), holder="run-1", clock=lambda: NOW, patience=0
    )
    assert found.done == {infos[0].id: 1, infos[2].id: 1}
    assert list(found.failed) == [infos[1].id]
    assert found.failed[infos[1].id].error == "Corrupt"
    assert set(found.fingerprints) == {infos[0].id, infos[2].id}


def test_an_error_is_noted_in_the_memory_without_its_message(stores: SqliteStores, infos: list[MemoryInfo]) -> None:
    found = walk(stores, infos, failing=infos[1].id)
    assert found.done == {infos[0].id: "worked", infos[2].id: "worked"}
    with opened(stores, infos[1].id) as memory:
        noted = quarantine_of(memory)
        assert "Porto" not in str(memory.value("quarantine"))
    assert noted == found.failed[infos[1].id]
    assert (noted.stage, noted.error, noted.times) == (STAGES[0], "ZeroDivisionError", 1)
    assert noted.place.startswith("test_quarantine.py:")


def test_later_stages_leave_it_alone_until_the_one_that_failed_succeeds(
    stores: SqliteStores, infos: list[MemoryInfo]
) -> None:
    walk(stores, infos, stage=STAGES[1], failing=infos[1].id)
    assert walk(stores, infos, stage=STAGES[3]).held == (infos[1].id,)
    assert walk(stores, infos, stage=STAGES[0]).held == ()
    assert walk(stores, infos, stage=STAGES[1], failing=infos[1].id).failed[infos[1].id].times == 2
    assert infos[1].id in walk(stores, infos, stage=STAGES[1]).done
    assert infos[1].id in walk(stores, infos, stage=STAGES[3]).done
    with opened(stores, infos[1].id) as memory:
        assert quarantine_of(memory) is None
