"""A hundred mutations of a memory in Postgres, a hundred of facts in Neo4j by Cypher: each is found and placed."""

import random
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import psycopg
import pytest

from kg_assets.ports import Memory
from quality.trail import walk
from resources.postgres import PostgresStores
from tests.conformance.postgres_server import application_dsn, create_database, empty_database, owner_dsn
from tests.quality.conversation import NOW, converse
from tests.quality.mutations import KEYS, Raw, Row, Unchanged, flipped, kinds, mutate

TRIED = 100
COLUMNS = """
    SELECT column_name, data_type FROM information_schema.columns
    WHERE table_schema = 'palimpsest' AND table_name = %s AND is_generated = 'NEVER' ORDER BY ordinal_position
"""


class PostgresTables:
    """The tables of the one memory of a database, as their owner sees them."""

    raw = False

    def __init__(self, database: str) -> None:
        self._connection = psycopg.connect(owner_dsn(database), autocommit=True)
        self._connection.execute("SET search_path = palimpsest")
        self._connection.execute("SET session_replication_role = replica")  # without foreign keys and triggers

    def rows(self, table: str) -> list[Row]:
        chosen = ", ".join(f"{name}::text" if kind == "json" else name for name, kind in self._columns(table).items())
        found = self._run(f"SELECT {chosen} FROM {table} ORDER BY {', '.join(KEYS[table])}")
        return [dict(zip(self._columns(table), row, strict=True)) for row in found.fetchall()]

    def change(self, table: str, row: Row, column: str, value: object) -> None:
        assert not isinstance(value, Raw)
        mark = "%s::json" if self._columns(table)[column] == "json" else "%s"
        where, key = self._of(table, row)
        self._altered(f"UPDATE {table} SET {column} = {mark} WHERE {where}", (value, *key))

    def remove(self, table: str, row: Row) -> None:
        where, key = self._of(table, row)
        self._altered(f"DELETE FROM {table} WHERE {where}", key)

    def add(self, table: str, row: Row) -> None:
        marks = ", ".join("%s::json" if self._columns(table)[name] == "json" else "%s" for name in row)
        self._altered(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})", tuple(row.values()))

    def end_at(self, journal_seq: int, journal_hash: str, recorded_at: int) -> None:
        sql = "UPDATE state SET journal_seq = %s, journal_hash = %s, recorded_at = %s"
        self._altered(sql, (journal_seq, journal_hash, recorded_at))

    def close(self) -> None:
        self._connection.close()

    def _columns(self, table: str) -> dict[str, str]:
        return dict(self._run(COLUMNS, (table,)).fetchall())

    def _of(self, table: str, row: Row) -> tuple[str, tuple[object, ...]]:
        return " AND ".join(f"{name} = %s" for name in KEYS[table]), tuple(row[name] for name in KEYS[table])

    def _run(self, sql: str, bindings: tuple[object, ...] = ()) -> psycopg.Cursor[Any]:
        try:
            return self._connection.execute(sql.encode(), bindings)
        except (psycopg.DataError, psycopg.IntegrityError) as ex:
            raise Unchanged from ex

    def _altered(self, sql: str, bindings: tuple[object, ...]) -> None:
        assert self._run(sql, bindings).rowcount == 1


def opened(database: str, **more: Any) -> PostgresStores:
    return PostgresStores(application_dsn(database), b"secret", clock=lambda: NOW, pool_size=2, **more)


@pytest.fixture(scope="module")
def made() -> str:
    """A database with one memory."""
    database = create_database()
    with (
        closing(opened(database)) as stores,
        closing(stores.open(stores.create("test", "ana", now=NOW).id)) as memory,
    ):
        converse(memory)
        assert walk(memory, stores.witnessed_head(memory.info.id)).broken is None
    return database


@pytest.mark.postgres
def test_of_a_hundred_mutations_in_postgres_a_hundred_are_found_and_placed(made: str) -> None:
    missed = []
    schedule = kinds(journal_weight=2)
    with psycopg.connect(owner_dsn("postgres"), autocommit=True) as server:
        for number in range(TRIED):
            server.execute(f"CREATE DATABASE mutated TEMPLATE {made}".encode())
            with closing(PostgresTables("mutated")) as tables:
                mutation = mutate(schedule[number % len(schedule)], tables, random.Random(number))
            with closing(opened("mutated")) as stores:
                (info,) = stores.memories()
                with closing(stores.open(info.id)) as memory:
                    broken = walk(memory, stores.witnessed_head(info.id)).broken
            server.execute(b"DROP DATABASE mutated")
            if not broken or not any(name in broken for name in mutation.names):
                missed.append(f"{number}: {mutation.kind}, {mutation.what}: {broken}")
    assert not missed


@pytest.fixture
def beside() -> Iterator[tuple[PostgresStores, Memory]]:
    """A memory whose graph stands in Neo4j."""
    from resources.neo4j import Neo4jGraphs
    from tests.conformance.neo4j_server import empty_server

    neo = empty_server()
    graphs = Neo4jGraphs(neo.uri, neo.user, neo.password)
    with (
        closing(opened(empty_database(), graphs=graphs)) as stores,
        closing(stores.open(stores.create("test", "ana", now=NOW).id)) as memory,
    ):
        converse(memory)
        yield stores, memory


@pytest.mark.neo4j
def test_of_a_hundred_facts_altered_by_cypher_a_hundred_are_found_and_placed(
    beside: tuple[PostgresStores, Memory],
) -> None:
    from resources.neo4j.rows import FACT
    from tests.conformance.neo4j_server import server

    stores, memory = beside
    missed = []
    with server().driver() as driver:
        nodes = [
            dict(row["f"]) for row in driver.execute_query("MATCH (f:Fact) RETURN f ORDER BY f.version_id").records
        ]
        for number in range(TRIED):
            chance = random.Random(number)
            node = chance.choice(nodes)
            name = chance.choice([each for each in FACT if node.get(each) is not None])
            try:
                other = flipped(node[name], "value" if name == "literal" else name, chance, raw=False)
            except Unchanged:
                other = None  # taken away
            change = f"MATCH (f:Fact) WHERE elementId(f) = $id SET f.{name} = $value"
            where = "MATCH (f:Fact {version_id: $version}) RETURN elementId(f)"
            (element,) = driver.execute_query(where, version=node["version_id"]).records[0]
            driver.execute_query(change, id=element, value=other)
            broken = walk(memory, stores.witnessed_head(memory.info.id)).broken
            driver.execute_query(change, id=element, value=node[name])
            told = (node["version_id"], *(f"journal entry {node.get(by)}:" for by in ("opened_by", "closed_by")))
            if not broken or not any(each in broken for each in told):
                missed.append(f"{number}: {name} of {node['version_id']}: {broken}")
    assert not missed
    assert walk(memory, stores.witnessed_head(memory.info.id)).broken is None
