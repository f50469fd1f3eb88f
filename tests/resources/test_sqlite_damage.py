"""A file that a disk or a hand has damaged is told as an error of ours, at whichever statement it shows."""

from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from kg_assets.errors import Corrupt, NotReady
from kg_assets.shards import opened
from resources.sqlite import SqliteStores
from tests.shards.memories import NOW, damage, of_one_shard, say


@pytest.fixture
def stores(tmp_path: Path) -> Iterator[SqliteStores]:
    found = SqliteStores(tmp_path, b"secret", clock=lambda: NOW)
    yield found
    found.close()


@pytest.mark.parametrize("table", ["state", "named_values", "sqlite_schema"])
def test_a_damaged_page_is_told_with_the_file_and_what_to_do(stores: SqliteStores, tmp_path: Path, table: str) -> None:
    (info,) = of_one_shard(stores, 1)
    if table == "sqlite_schema":
        path = tmp_path / "memories" / f"{info.id}.db"
        path.write_bytes(path.read_bytes()[:100] + b"\xa5" * 8092)
    else:
        damage(tmp_path, info, table)
    told = pytest.raises(Corrupt, match=rf"{info.id}\.db: is damaged \(CorruptError\); restore it")
    with told, opened(stores, info.id) as memory:
        memory.value("any")


def test_text_that_is_no_text_is_damage(stores: SqliteStores, tmp_path: Path) -> None:
    (info,) = of_one_shard(stores, 1)
    path = tmp_path / "memories" / f"{info.id}.db"
    raw = apsw.Connection(str(path))
    raw.execute("INSERT INTO named_values VALUES ('cursor', CAST(x'ff00ff' AS TEXT))")
    raw.close()
    with opened(stores, info.id) as memory, pytest.raises(Corrupt, match="is damaged"):
        memory.value("cursor")


def test_a_file_that_may_not_be_written_is_no_damage(stores: SqliteStores) -> None:
    (info,) = of_one_shard(stores, 1)
    with opened(stores, info.id) as memory:
        memory._session.connection.execute("PRAGMA query_only = ON")  # type: ignore[attr-defined]
        with pytest.raises(NotReady, match="cannot be read or written"), memory.transaction():
            memory.set_value("cursor", "1")


def test_the_sweep_settles_the_others_and_names_the_damaged(stores: SqliteStores, tmp_path: Path) -> None:
    damaged, whole = of_one_shard(stores, 2)
    say(stores, whole, "I live in Porto.")
    damage(tmp_path, damaged, "pending_counts")
    control = apsw.Connection(str(tmp_path / "control.db"))
    control.execute("DELETE FROM inbox")
    with pytest.raises(Corrupt, match=f"1 memories could not be swept: .*{damaged.id}"):
        stores.sweep()
    assert [work.memories for work in stores.work(["batch"])] == [(whole.id,)]


def test_a_damaged_memory_keeps_no_lease(stores: SqliteStores, tmp_path: Path) -> None:
    (info,) = of_one_shard(stores, 1)
    damage(tmp_path, info, "state")
    with pytest.raises(Corrupt):
        stores.lease(info.id, holder="one", now=NOW, seconds=10)
    with pytest.raises(Corrupt):  # and not None, which would mean that somebody holds it
        stores.lease(info.id, holder="other", now=NOW, seconds=10)
