"""The adapters that every suite of this folder runs over. A new backend joins by one entry in `BACKENDS`."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from itertools import count
from pathlib import Path
from typing import Protocol

import pytest

from kg_assets.ports import Memory, Stores
from resources.sqlite import SqliteStores

NOW = 1_800_000_000_000_000


class ClosingStores(Stores, Protocol):
    def close(self) -> None: ...


Connect = Callable[[], Stores]  # each call is what another process would have: its own stores over the same data
Fresh = Callable[[], Memory]
Backend = Callable[[Path], Callable[[], ClosingStores]]


def sqlite(folder: Path) -> Callable[[], ClosingStores]:
    def connect() -> ClosingStores:
        return SqliteStores(folder, b"a secret of the tests", clock=lambda: NOW)

    return connect


def postgres(_: Path) -> Callable[[], ClosingStores]:
    from resources.postgres import PostgresStores
    from tests.conformance.postgres_server import application_dsn, empty_database

    dsn = application_dsn(empty_database())
    return lambda: PostgresStores(dsn, b"a secret of the tests", clock=lambda: NOW, pool_size=4)


def postgres_and_neo4j(_: Path) -> Callable[[], ClosingStores]:
    from resources.neo4j import Neo4jGraphs
    from resources.postgres import PostgresStores
    from tests.conformance.neo4j_server import empty_server
    from tests.conformance.postgres_server import application_dsn, empty_database

    server, dsn = empty_server(), application_dsn(empty_database())

    def connect() -> ClosingStores:
        graphs = Neo4jGraphs(server.uri, server.user, server.password, predicates=["lives_in", "likes"])
        return PostgresStores(dsn, b"a secret of the tests", clock=lambda: NOW, pool_size=4, graphs=graphs)

    return connect


BACKENDS: dict[str, Backend] = {"sqlite": sqlite, "postgres": postgres, "postgres+neo4j": postgres_and_neo4j}
MARKS: dict[str, list[pytest.MarkDecorator]] = {  # of those that need a server
    "postgres": [pytest.mark.postgres],
    "postgres+neo4j": [pytest.mark.neo4j],
}
PARAMETERS = [pytest.param(name, marks=MARKS.get(name, [])) for name in BACKENDS]


@pytest.fixture(params=PARAMETERS)
def connect(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Connect]:
    backend = BACKENDS[request.param](tmp_path)
    with ExitStack() as made:
        yield lambda: made.enter_context(closing(backend()))


@pytest.fixture
def stores(connect: Connect) -> Stores:
    return connect()


@pytest.fixture
def memory(stores: Stores) -> Iterator[Memory]:
    opened = stores.open(stores.create("tests", "ana", now=NOW).id)
    yield opened
    opened.close()


@pytest.fixture(scope="session", params=PARAMETERS)
def fresh(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fresh]:
    """An empty memory at each call, for laws that are tried on many examples."""
    numbers = count()
    with closing(BACKENDS[request.param](tmp_path_factory.mktemp(request.param))()) as stores:
        yield lambda: stores.open(stores.create("tests", f"user {next(numbers)}", now=NOW).id)
