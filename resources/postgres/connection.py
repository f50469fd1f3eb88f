"""Connections to Postgres, and how Python's values travel on them.

Postgres cannot keep the character U+0000 in text, and people's text may hold it. So it travels as U+0001 "0", and
U+0001 itself as U+0001 "1": one rule for all text, applied here, on the way in and on the way out.
"""

import functools
from typing import Any

import msgspec
import psycopg
from psycopg import Connection
from psycopg.abc import Buffer
from psycopg.adapt import Loader
from psycopg.conninfo import make_conninfo
from psycopg.types.json import JsonDumper, set_json_loads
from psycopg.types.string import StrDumper
from psycopg_pool import ConnectionPool

from kg_assets.errors import NotReady
from kg_assets.model import Literal

SCHEMA = "palimpsest"  # the tables stand in a schema of their own: Dagster's may stand beside them
POOL_SIZE = 16
WAIT_SECONDS = 10

Pool = ConnectionPool[Connection[tuple[Any, ...]]]


class TextDumper(StrDumper):
    def dump(self, obj: str) -> Buffer | None:
        if "\x00" in obj or "\x01" in obj:
            obj = obj.replace("\x01", "\x011").replace("\x00", "\x010")
        return super().dump(obj)


class TextLoader(Loader):
    def load(self, data: Buffer) -> str:
        text = str(data, "utf-8")
        if "\x01" in text:
            text = text.replace("\x010", "\x00").replace("\x011", "\x01")
        return text


class JsonColumnDumper(JsonDumper):
    """Dicts and literals travel as `json`."""

    def dump(self, obj: Any) -> Buffer | None:
        return msgspec.json.encode(obj)


def configure(connection: Connection[Any]) -> None:
    """Set up one new connection."""
    connection.adapters.register_dumper(str, TextDumper)
    connection.adapters.register_loader("text", TextLoader)
    connection.adapters.register_dumper(dict, JsonColumnDumper)
    connection.adapters.register_dumper(Literal, JsonColumnDumper)
    set_json_loads(functools.partial(msgspec.json.decode), connection)


def conninfo_of(dsn: str) -> str:
    return make_conninfo(dsn, options=f"-c search_path={SCHEMA}", application_name="palimpsest", client_encoding="utf8")


def connect(dsn: str) -> Connection[tuple[Any, ...]]:
    """One connection outside of any pool. Raises `NotReady` where the server cannot be reached."""
    try:
        connection = psycopg.connect(conninfo_of(dsn), autocommit=True, connect_timeout=WAIT_SECONDS)
    except psycopg.OperationalError as ex:
        raise NotReady(f"Postgres cannot be reached: {ex}; check the address, and that the server runs") from ex
    configure(connection)
    return connection


def open_pool(dsn: str, size: int = POOL_SIZE) -> Pool:
    """Connections of the application, opened as they are needed.

    Raises `NotReady` where the role passes row-level security: then nothing would keep memories apart.
    """
    with connect(dsn) as connection:
        role, passes = connection.execute(
            "SELECT rolname, rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user"
        ).fetchall()[0]
    if passes:
        raise NotReady(
            f"Postgres role {role}: is a superuser or has BYPASSRLS, so that nothing would keep memories apart; "
            "connect as the role that the migrations granted"
        )
    return ConnectionPool(
        conninfo_of(dsn),
        min_size=0,
        max_size=size,
        timeout=WAIT_SECONDS,
        kwargs={"autocommit": True, "connect_timeout": WAIT_SECONDS},
        configure=configure,
        name="palimpsest",
        open=True,
    )
