"""The adapters that every suite of this folder runs over. A new backend joins by one entry in `BACKENDS`."""

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from kg_assets.ports import Memory, Stores
from resources.sqlite import SqliteStores

NOW = 1_800_000_000_000_000

Connect = Callable[[], Stores]  # each call is what another process would have: its own stores over the same data
Fresh = Callable[[], Memory]


def sqlite(folder: Path) -> Connect:
    def connect() -> Stores:
        return SqliteStores(folder, b"a secret of the tests", clock=lambda: NOW)

    return connect


BACKENDS: dict[str, Callable[[Path], Connect]] = {"sqlite": sqlite}


@pytest.fixture(params=sorted(BACKENDS))
def connect(request: pytest.FixtureRequest, tmp_path: Path) -> Connect:
    return BACKENDS[request.param](tmp_path)


@pytest.fixture
def stores(connect: Connect) -> Stores:
    return connect()


@pytest.fixture
def memory(stores: Stores) -> Iterator[Memory]:
    opened = stores.open(stores.create("tests", "ana", now=NOW).id)
    yield opened
    opened.close()


@pytest.fixture(scope="session", params=sorted(BACKENDS))
def fresh(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Fresh:
    """An empty memory at each call, for laws that are tried on many examples."""
    stores = BACKENDS[request.param](tmp_path_factory.mktemp(request.param))()
    numbers = count()
    return lambda: stores.open(stores.create("tests", f"user {next(numbers)}", now=NOW).id)
