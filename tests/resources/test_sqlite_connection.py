"""Opening files: safety settings, migrations, and files that are not ours."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import apsw
import pytest

from kg_assets.errors import Corrupt, NotFound, NotReady
from resources.sqlite.connection import MEMORY_SCHEMA, connect, migrations

FIRST = "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT; INSERT INTO notes VALUES (1, 'one');"
SECOND = "ALTER TABLE notes ADD COLUMN tag TEXT NOT NULL DEFAULT 'none'; UPDATE notes SET tag = 'old';"
BROKEN = "CREATE TABLE half (id INTEGER); INSERT INTO nowhere VALUES (1);"


def test_a_file_is_opened_durable_and_private(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    connection = connect(path, MEMORY_SCHEMA, create=True)
    found = {name: connection.pragma(name) for name in ("journal_mode", "synchronous", "secure_delete", "foreign_keys")}
    assert found == {"journal_mode": "wal", "synchronous": 2, "secure_delete": 1, "foreign_keys": 1}
    assert connection.pragma("mmap_size") == 0
    connection.execute("INSERT INTO named_values VALUES ('a', 'b')")
    assert {file.stat().st_mode & 0o777 for file in tmp_path.iterdir()} == {0o600}


def test_migrations_run_in_order_and_only_those_that_are_missing(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    connect(path, (FIRST,), create=True).close()
    connection = connect(path, (FIRST, SECOND))
    assert connection.execute("SELECT text, tag FROM notes").fetchall() == [("one", "old")]
    assert connection.pragma("user_version") == 2


def test_a_migration_that_fails_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    connect(path, (FIRST,), create=True).close()
    with pytest.raises(apsw.SQLError, match="nowhere"):
        connect(path, (FIRST, BROKEN))
    connection = connect(path, (FIRST,))
    assert connection.pragma("user_version") == 1
    assert connection.execute("SELECT name FROM sqlite_schema").fetchall() == [("notes",)]


def test_many_may_open_an_old_file_at_once(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    connect(path, (FIRST,), create=True).close()
    with ThreadPoolExecutor(8) as pool:
        connections = list(pool.map(lambda _: connect(path, (FIRST, SECOND)), range(8)))
    assert [connection.execute("SELECT tag FROM notes").get for connection in connections] == ["old"] * 8


def test_many_may_make_the_same_file_at_once(tmp_path: Path) -> None:
    with ThreadPoolExecutor(6) as pool:
        for number in range(30):
            path = tmp_path / f"{number}.db"
            opened = list(pool.map(lambda _, path=path: connect(path, (FIRST,), create=True), range(6)))
            assert [connection.execute("SELECT text FROM notes").get for connection in opened] == ["one"] * 6


def test_a_file_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    connect(path, (FIRST, SECOND), create=True).close()
    with pytest.raises(NotReady, match=r"m\.db: has schema 2, this version knows up to 1; install the newer"):
        connect(path, (FIRST,))


def test_a_file_of_something_else_is_left_alone(tmp_path: Path) -> None:
    foreign = sqlite3.connect(tmp_path / "foreign.db")
    foreign.execute("CREATE TABLE theirs (x)")
    foreign.close()
    with pytest.raises(Corrupt, match="of something else"):
        connect(tmp_path / "foreign.db", (FIRST,))
    (tmp_path / "text.db").write_text("this is no database, but it is long enough to look like one" * 10)
    with pytest.raises(Corrupt, match="not a SQLite file"):
        connect(tmp_path / "text.db", (FIRST,))


def test_a_missing_file_is_not_made_by_opening_it(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="cannot be opened"):
        connect(tmp_path / "none.db", (FIRST,))
    assert not (tmp_path / "none.db").exists()


def test_the_shipped_migrations_are_numbered_without_a_gap() -> None:
    for folder in ("memory", "control"):
        assert len(migrations(folder)) >= 1
