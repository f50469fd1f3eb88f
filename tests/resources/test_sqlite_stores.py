"""What SQLite stores promise beyond the contract: crash windows between two files, and races."""

import threading
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from kg_assets import journal
from kg_assets.errors import Corrupt, LeaseLost, NotReady
from kg_assets.model import Route
from resources.inbox import Waiting
from resources.sqlite import SqliteStores, connection, memory
from tests.conformance.samples import append, record

NOW = 1_800_000_000_000_000
ALL: tuple[Route, ...] = ("immediate", "batch", "log")


@pytest.fixture
def stores(tmp_path: Path) -> Iterator[SqliteStores]:
    opened = SqliteStores(tmp_path, b"secret", clock=lambda: NOW)
    yield opened
    opened.close()


@pytest.fixture
def ana(stores: SqliteStores) -> Iterator[memory.SqliteMemory]:
    opened = stores.open(stores.create("tests", "ana", now=NOW).id)
    yield opened
    opened.close()


def control(tmp_path: Path) -> apsw.Connection:
    return apsw.Connection(str(tmp_path / "control.db"))


def test_a_crash_after_the_file_and_before_the_register_is_taken_up(tmp_path: Path, stores: SqliteStores) -> None:
    info = stores.create("tests", "ana", now=NOW)
    key = stores.open(info.id).key
    control(tmp_path).execute("DELETE FROM memories")
    assert stores.create("tests", "ana", now=NOW) == info
    assert stores.open(info.id).key == key


def test_a_memory_whose_file_is_gone_is_not_begun_anew(tmp_path: Path, stores: SqliteStores) -> None:
    info = stores.create("tests", "ana", now=NOW)
    (tmp_path / "memories" / f"{info.id}.db").unlink()
    with pytest.raises(Corrupt, match="restore it from a snapshot"):
        stores.open(info.id)


def test_a_file_under_the_name_of_another_memory_is_refused(tmp_path: Path, stores: SqliteStores) -> None:
    ana, ben = (stores.create("tests", name, now=NOW) for name in ("ana", "ben"))
    files = tmp_path / "memories"
    (files / f"{ana.id}.db").rename(files / f"{ben.id}.db")
    with pytest.raises(Corrupt, match="holds another memory"):
        stores.open(ben.id)


def test_the_sweep_goes_on_after_a_memory_that_cannot_be_read(tmp_path: Path, stores: SqliteStores) -> None:
    infos = sorted((stores.create("tests", name, now=NOW) for name in ("ana", "ben")), key=lambda info: info.id)
    append(stores.open(infos[1].id), [1])
    control(tmp_path).execute("DELETE FROM inbox")
    (tmp_path / "memories" / f"{infos[0].id}.db").unlink()
    with pytest.raises(Corrupt, match="1 memories could not be swept"):
        stores.sweep()
    assert [work.memories for work in stores.work(ALL)] == [(infos[1].id,)]


def test_the_sweep_finds_a_hint_that_a_crash_lost(
    tmp_path: Path, stores: SqliteStores, ana: memory.SqliteMemory
) -> None:
    append(ana, [1])
    control(tmp_path).execute("DELETE FROM inbox")
    assert stores.work(ALL) == []
    assert stores.sweep() == 1
    assert stores.work(ALL)[0].memories == (ana.info.id,)
    assert stores.sweep() == 0


def test_the_sweep_clears_a_mark_without_work(stores: SqliteStores, ana: memory.SqliteMemory) -> None:
    append(ana, [1])
    with ana.transaction():
        for stage in ("seal", "extract", "index"):
            ana.ledger.done(stage, [1])
    assert stores.sweep() == 1
    assert stores.work(ALL) == []


def test_settling_between_the_look_at_the_hint_and_the_commit_loses_no_mark(
    stores: SqliteStores, ana: memory.SqliteMemory
) -> None:
    append(ana, [1])
    with ana.transaction():
        for stage in ("seal", "extract", "index"):
            ana.ledger.done(stage, [1])
    # Nothing waits, but the hint says so: the next append finds it marked, and leaves it.
    settling = threading.Thread(target=stores.settle, args=(ana.info.id,))
    look = ana._queued
    assert look is not None

    def overtaken(found: list[Waiting]) -> None:
        look(found)
        settling.start()
        settling.join(0.2)

    ana._queued = overtaken
    append(ana, [2])
    settling.join()
    assert [work.waiting for work in stores.work(ALL)] == [{"batch": 1}]


def test_a_control_file_restored_from_an_older_copy_grants_no_token_twice(
    tmp_path: Path, stores: SqliteStores, ana: memory.SqliteMemory
) -> None:
    first = stores.lease(ana.info.id, holder="a", now=NOW, seconds=10)
    assert first is not None
    stores.release(first)
    lease = stores.lease(ana.info.id, holder="b", now=NOW, seconds=10)
    assert lease is not None
    assert lease.token > first.token
    control(tmp_path).execute("DELETE FROM leases")
    again = stores.lease(ana.info.id, holder="c", now=NOW, seconds=10)
    assert again is not None
    assert again.token > lease.token
    held = stores.open(ana.info.id, again)
    append(held, [1])
    held.close()
    stale = stores.open(ana.info.id, lease)
    with pytest.raises(LeaseLost):
        append(stale, [2])
    stale.close()


def test_a_lease_that_cannot_be_fenced_is_not_granted(
    monkeypatch: pytest.MonkeyPatch, stores: SqliteStores, ana: memory.SqliteMemory
) -> None:
    monkeypatch.setattr(connection, "BUSY_SECONDS", 0.01)
    with ana.transaction(), pytest.raises(NotReady, match="another writer held it"):
        stores.lease(ana.info.id, holder="a", now=NOW, seconds=10)
    assert stores.lease(ana.info.id, holder="b", now=NOW, seconds=10) is not None


def test_a_commit_does_not_wait_for_the_control_file(
    tmp_path: Path, stores: SqliteStores, ana: memory.SqliteMemory
) -> None:
    other = control(tmp_path)
    other.execute("BEGIN IMMEDIATE")
    record(ana, "one")
    assert stores.witnessed_head(ana.info.id) is None
    other.execute("ROLLBACK")
    (last,) = record(ana, "two")
    assert stores.witnessed_head(ana.info.id) == (2, last.hash)


@pytest.mark.parametrize("end", ["another transaction", "close"])
def test_what_the_control_file_was_too_busy_for_is_noted_later(
    tmp_path: Path, stores: SqliteStores, ana: memory.SqliteMemory, end: str
) -> None:
    other = control(tmp_path)
    other.execute("BEGIN IMMEDIATE")
    (last,) = record(ana, "one")
    other.execute("ROLLBACK")
    if end == "close":
        ana.close()
    else:
        with ana.transaction():
            ana.set_value("without", "an entry")
    assert stores.witnessed_head(ana.info.id) == (1, last.hash)


def test_the_first_journal_entry_follows_what_the_domain_calls_genesis() -> None:
    assert memory.GENESIS == journal.GENESIS
