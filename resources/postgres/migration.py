"""Bringing the schema of a Postgres database up to date, as its owner, and letting the application's role in."""

import re
from importlib.resources import files
from typing import Any

from psycopg import Connection, sql

from kg_assets.errors import NotReady
from resources.postgres.connection import SCHEMA, connect

ROLE = "palimpsest"  # of the application: no superuser, no BYPASSRLS, owns nothing
_LOCK = 0x50414C49  # "PALI"; two processes may migrate at once
# The journal is added to and, by erasure, deleted from; nobody changes it.
_GRANTS = """
GRANT USAGE ON SCHEMA {schema} TO {role};
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA {schema} TO {role};
REVOKE UPDATE ON journal, journal_payloads FROM {role};
REVOKE INSERT, UPDATE, DELETE ON migrations FROM {role};
"""


def scripts() -> tuple[str, ...]:
    """The numbered scripts of `migrations/`: 0001_….sql, 0002_….sql and so on, without a gap."""
    found = sorted(files("resources.postgres").joinpath("migrations").iterdir(), key=lambda file: file.name)
    numbered = [script for script in found if re.fullmatch(r"\d{4}_\w+\.sql", script.name)]
    for number, script in enumerate(numbered, start=1):
        if int(script.name[:4]) != number:
            raise NotReady(f"migrations/{script.name}: number {number:04d} is missing; reinstall the package")
    return tuple(script.read_text(encoding="utf-8") for script in numbered)


def migrate(owner_dsn: str, *, role: str = ROLE) -> int:
    """Run the missing scripts in one transaction and grant what the application needs to `role`, which is made where
    there is none (without a password: give it one, or let it in by certificate or socket). Returns how many ran."""
    known = scripts()
    with connect(owner_dsn) as connection, connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
        connection.execute(sql.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(sql.Identifier(SCHEMA)))
        connection.execute("CREATE TABLE IF NOT EXISTS migrations (number integer PRIMARY KEY)")
        version = version_of(connection)
        if version > len(known):
            raise NotReady(
                f"the database has schema {version}, this version knows up to {len(known)}; install the newer version"
            )
        for number, script in enumerate(known[version:], start=version + 1):
            connection.execute(script.encode())
            connection.execute("INSERT INTO migrations VALUES (%s)", (number,))
        _let_in(connection, role)
    return len(known) - version


def _let_in(connection: Connection[Any], role: str) -> None:
    if not connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (role,)).fetchall():
        connection.execute(
            sql.SQL("CREATE ROLE {} LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE").format(sql.Identifier(role))
        )
    connection.execute(sql.SQL(_GRANTS).format(schema=sql.Identifier(SCHEMA), role=sql.Identifier(role)))


def version_of(connection: Connection[Any]) -> int:
    """The schema's version: the number of the last script that ran."""
    return int(connection.execute("SELECT coalesce(max(number), 0) FROM migrations").fetchall()[0][0])


def check_schema(connection: Connection[Any]) -> None:
    """Raises `NotReady` where the database was not migrated, or by another version."""
    ((there,),) = connection.execute("SELECT to_regclass('migrations') IS NOT NULL").fetchall()
    version, expected = version_of(connection) if there else 0, len(scripts())
    if version != expected:
        raise NotReady(
            f"the Postgres database has schema {version}, this version needs {expected}; "
            "run `palimpsest init` with PALIMPSEST_POSTGRES_OWNER_DSN naming the owner of the database"
        )
