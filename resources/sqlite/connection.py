"""Opening a SQLite file the one safe way, how Python's values travel to it, and bringing its schema up to date.

WAL with `synchronous=FULL`: a commit that returned survives kill -9 and loss of power. No mmap, because an I/O error in
mapped memory kills the process. `secure_delete`, because erased text must not stay in free pages.
"""

import re
import time
from importlib.resources import files
from pathlib import Path
from typing import Any

import apsw
import msgspec

from kg_assets.errors import Corrupt, NotFound, NotReady, PalimpsestError

BUSY_SECONDS = 10
POLL_SECONDS = 0.0005
APPLICATION_ID = 0x50414C49  # "PALI"; tells a file of ours from any other SQLite file

_PRAGMAS = """
PRAGMA synchronous = FULL;
PRAGMA foreign_keys = ON;
PRAGMA secure_delete = ON;
PRAGMA mmap_size = 0;
PRAGMA journal_size_limit = 16777216;
PRAGMA temp_store = MEMORY;
PRAGMA trusted_schema = OFF;
"""

# What a statement raises because of the file or the machine, and not of the statement. Text that is no UTF-8 was not
# written by us.
DAMAGED = (apsw.CorruptError, apsw.NotADBError, UnicodeDecodeError)
BUSY = (apsw.BusyError, apsw.LockedError)
OUT_OF_REACH = (apsw.IOError, apsw.FullError, apsw.ReadOnlyError, apsw.CantOpenError, apsw.NoMemError)
FAILURES = (*DAMAGED, *BUSY, *OUT_OF_REACH)

Migrations = tuple[str, ...]  # SQL scripts; the n-th brings a file to schema version n


def migrations(folder: str) -> Migrations:
    """The numbered scripts of `migrations/<folder>`: 0001_….sql, 0002_….sql and so on, without a gap."""
    scripts = sorted(
        (f for f in files("resources.sqlite").joinpath("migrations", folder).iterdir()), key=lambda f: f.name
    )
    numbered = [script for script in scripts if re.fullmatch(r"\d{4}_\w+\.sql", script.name)]
    for number, script in enumerate(numbered, start=1):
        if int(script.name[:4]) != number:
            raise NotReady(f"migrations/{folder}/{script.name}: number {number:04d} is missing; reinstall the package")
    return tuple(script.read_text(encoding="utf-8") for script in numbered)


MEMORY_SCHEMA = migrations("memory")
CONTROL_SCHEMA = migrations("control")


def connect(path: Path, schema: Migrations, *, create: bool = False) -> apsw.Connection:
    """Open a file and run the migrations that it lacks.

    Raises `NotFound` where there is no file and `create` is false, `Corrupt` where it is no file of ours, `NotReady`
    where a newer version wrote it.
    """
    flags = apsw.SQLITE_OPEN_READWRITE | (apsw.SQLITE_OPEN_CREATE if create else 0)
    try:
        connection = apsw.Connection(str(path), flags=flags)
    except apsw.CantOpenError as ex:
        raise NotFound(f"{path}: cannot be opened ({ex}); check the path and its permissions") from ex
    try:
        wait_for_locks(connection)
        _set_up(connection, path, schema)
    except FAILURES as ex:
        connection.close()
        raise told(ex, path) from ex
    except BaseException:
        connection.close()
        raise
    return connection


def told(failure: Exception, path: Path | str) -> PalimpsestError:
    """One of `FAILURES` as an error of ours: `Corrupt` where the file is damaged, else `NotReady`."""
    if isinstance(failure, apsw.NotADBError):
        return Corrupt(f"{path}: is not a SQLite file; restore it from a snapshot")
    if isinstance(failure, DAMAGED):
        return Corrupt(f"{path}: is damaged ({type(failure).__name__}); restore it from a snapshot")
    if isinstance(failure, BUSY):
        return NotReady(f"{path}: another writer held it for more than {BUSY_SECONDS} s; try again")
    return NotReady(f"{path}: cannot be read or written ({failure}); look at the disk and at the file's permissions")


def wait_for_locks(connection: apsw.Connection) -> None:
    """Wait for a lock in even, short steps.

    SQLite's own busy timeout sleeps up to 0.1 s between two looks, and so misses the gaps between the transactions of
    a busy writer: measured beside one, an append waited 3.2 s; with this, and a pause of 2 ms in the writer, 0.03 s.
    """

    def handler(looks: int) -> bool:
        time.sleep(POLL_SECONDS)
        return looks * POLL_SECONDS < BUSY_SECONDS

    connection.set_busy_handler(handler)


def _set_up(connection: apsw.Connection, path: Path, schema: Migrations) -> None:
    connection.convert_binding = _as_json
    _use_wal(connection, path)
    connection.execute(_PRAGMAS)
    if _pragma(connection, "user_version") != len(schema) or _pragma(connection, "application_id") != APPLICATION_ID:
        migrate(connection, path, schema)


def _as_json(_cursor: apsw.Cursor, _number: int, value: Any) -> str:
    """Lists, dicts and structs are bound as JSON text; `msgspec.json.decode` reads them back."""
    return msgspec.json.encode(value).decode()


def _use_wal(connection: apsw.Connection, path: Path) -> None:
    """SQLite does not wait here where another process makes the same change at the same time: that is done here."""
    until = time.monotonic() + BUSY_SECONDS
    while connection.pragma("journal_mode") != "wal":
        path.chmod(0o600)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except apsw.BusyError:
            if time.monotonic() > until:
                raise
            time.sleep(POLL_SECONDS)


def migrate(connection: apsw.Connection, path: Path, schema: Migrations) -> None:
    """Run the missing migrations in one transaction; two processes may try at once."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        version, application = _pragma(connection, "user_version"), _pragma(connection, "application_id")
        if application != APPLICATION_ID and (application or version or _has_tables(connection)):
            raise Corrupt(f"{path}: is a SQLite file of something else; give another data directory")
        if version > len(schema):
            raise NotReady(
                f"{path}: has schema {version}, this version knows up to {len(schema)}; install the newer version"
            )
        for script in schema[version:]:
            connection.execute(script)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {len(schema)}")
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _pragma(connection: apsw.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").get)


def _has_tables(connection: apsw.Connection) -> bool:
    return bool(connection.execute("SELECT count(*) FROM sqlite_schema").get)
