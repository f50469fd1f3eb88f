"""A real Postgres server for the tests: Debian's binaries, a data directory of its own, stopped when the tests end."""

import atexit
import functools
import os
import shutil
import subprocess
import tempfile
from itertools import count
from pathlib import Path

import psycopg
import pytest

from resources.postgres.migration import migrate

_numbers = count()
_FAST = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "max_connections": "200"}


def binaries() -> Path | None:
    """The newest server that is installed: Debian keeps them off the PATH."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda file: int(file.parts[-3]))
    return found[-1].parent if found else None


def _as_postgres(*command: object) -> None:
    """Postgres refuses to run as root."""
    become = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.getuid() == 0 else []
    subprocess.run([*become, *map(str, command)], check=True, capture_output=True, cwd="/")


@functools.cache
def _folder() -> Path:
    """Start the server once a process; its socket lies in this folder."""
    bin_folder = binaries()
    if bin_folder is None:
        pytest.skip("there is no Postgres server here; `apt install postgresql` brings one")
    folder = Path(tempfile.mkdtemp(prefix="palimpsest-postgres-"))
    if os.getuid() == 0:
        shutil.chown(folder, "postgres", "postgres")
    data = folder / "data"
    _as_postgres(
        *(bin_folder / "initdb", "--no-sync", "-A", "trust", "-U", "owner", "-E", "UTF8", "--locale=C.UTF-8"),
        *("-D", data),
    )
    settings = " ".join(f"-c {name}={value}" for name, value in _FAST.items())
    options = f"-k {folder} -c listen_addresses='' {settings}"
    _as_postgres(bin_folder / "pg_ctl", "start", "-w", "-s", "-D", data, "-l", folder / "log", "-o", options)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    atexit.register(_as_postgres, bin_folder / "pg_ctl", "stop", "-m", "immediate", "-s", "-D", data)
    return folder


def owner_dsn(database: str) -> str:
    return f"host={_folder()} user=owner dbname={database}"


def application_dsn(database: str) -> str:
    return f"host={_folder()} user=palimpsest dbname={database}"


def create_database() -> str:
    """The name of a new database with the schema in it; about 0.2 s."""
    name = f"test_{next(_numbers)}"
    with psycopg.connect(owner_dsn("postgres"), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    migrate(owner_dsn(name))
    return name


@functools.cache
def shared_database() -> str:
    """The name of the database that tests share one after the other."""
    return create_database()


def empty_database() -> str:
    """The shared database, emptied."""
    with psycopg.connect(owner_dsn(shared_database())) as connection:
        for table in ("memories", "tickets", "materialisations", "erased", "doomed"):
            connection.execute(f"DELETE FROM palimpsest.{table}".encode())
    return shared_database()
