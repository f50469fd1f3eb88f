"""Choosing the store set by settings, and where its passwords come from."""

from contextlib import closing
from pathlib import Path

import pytest

from kg_assets.errors import InvalidInput, NotReady
from resources.settings import Settings, create_home, load_settings
from resources.sqlite import SqliteStores
from resources.stores import neo4j_password, open_stores, postgres_dsn, prepare_stores


@pytest.fixture
def home(tmp_path: Path) -> Path:
    create_home(tmp_path)
    return tmp_path


def test_the_default_set_is_sqlite(home: Path) -> None:
    settings = load_settings(home, {})
    prepare_stores(settings)
    with closing(open_stores(settings, lambda: 0)) as stores:
        assert isinstance(stores, SqliteStores)


def test_the_set_and_its_addresses_are_settings_like_others(home: Path) -> None:
    (home / "settings.toml").write_text('[stores]\nkind = "postgres+neo4j"\nneo4j_user = "graph"')
    stores = load_settings(home, {"PALIMPSEST_STORES_NEO4J_URI": "bolt://elsewhere:7687"}).stores
    assert (stores.kind, stores.neo4j_user, stores.neo4j_uri) == ("postgres+neo4j", "graph", "bolt://elsewhere:7687")
    assert load_settings(home, {"PALIMPSEST_STORES_KIND": "sqlite"}).stores.kind == "sqlite"


def test_another_kind_is_refused_with_those_that_there_are(home: Path) -> None:
    with pytest.raises(InvalidInput, match=r"expected one of 'sqlite', 'postgres', 'postgres\+neo4j'"):
        load_settings(home, {"PALIMPSEST_STORES_KIND": "redis"})


def passwords(settings: Settings) -> tuple[bytes | None, bytes | None]:
    found = [settings.postgres_password, settings.neo4j_password]
    one, other = (None if each is None else bytes(each) for each in found)
    return one, other


def test_a_password_comes_from_the_environment_or_a_file_it_names_or_the_keys(home: Path, tmp_path: Path) -> None:
    assert passwords(load_settings(home, {})) == (None, None)
    (home / "keys" / "neo4j-password").write_text("of the home\n")
    named = tmp_path / "secret"
    named.write_text("of a file")
    assert passwords(load_settings(home, {"PALIMPSEST_POSTGRES_PASSWORD_FILE": str(named)})) == (
        b"of a file",
        b"of the home",
    )
    both = {"PALIMPSEST_NEO4J_PASSWORD_FILE": str(named), "PALIMPSEST_NEO4J_PASSWORD": "of the environment"}
    assert passwords(load_settings(home, both))[1] == b"of the environment"


def test_a_password_file_that_is_not_there_is_named(home: Path) -> None:
    with pytest.raises(NotReady, match="nowhere/secret"):
        load_settings(home, {"PALIMPSEST_NEO4J_PASSWORD_FILE": "/nowhere/secret"})


@pytest.mark.parametrize("dsn", ["host=db password=hush", "postgresql://app:hush@db/palimpsest"])
def test_a_password_in_the_settings_file_is_refused(home: Path, dsn: str) -> None:
    (home / "settings.toml").write_text(f'[stores]\npostgres_dsn = "{dsn}"')
    with pytest.raises(InvalidInput, match="keys/postgres-password") as ex:
        load_settings(home, {})
    assert "hush" not in str(ex.value)


def test_no_password_is_shown_by_a_print_of_the_settings(home: Path) -> None:
    given = {"PALIMPSEST_NEO4J_PASSWORD": "hush-1", "PALIMPSEST_POSTGRES_PASSWORD": "hush-2"}
    settings = load_settings(home, given)
    assert "hush" not in repr(settings)
    assert "hush" not in str(settings)
    pytest.importorskip("psycopg")
    assert postgres_dsn(settings).endswith("password=hush-2")


def test_a_missing_password_of_neo4j_says_where_to_put_it(home: Path) -> None:
    with pytest.raises(NotReady, match=r"keys/neo4j-password.*PALIMPSEST_NEO4J_PASSWORD"):
        neo4j_password(load_settings(home, {}))


def test_a_server_that_is_not_there_says_so(home: Path) -> None:
    pytest.importorskip("psycopg")
    nowhere = {"PALIMPSEST_STORES_KIND": "postgres", "PALIMPSEST_STORES_POSTGRES_DSN": "host=127.0.0.1 port=1"}
    with pytest.raises(NotReady, match="Postgres cannot be reached"):
        open_stores(load_settings(home, nowhere), lambda: 0)
    with pytest.raises(NotReady, match=r"(?s)cannot be reached.*PALIMPSEST_POSTGRES_OWNER_DSN"):
        prepare_stores(load_settings(home, nowhere))
    pytest.importorskip("neo4j")
    nowhere |= {
        "PALIMPSEST_STORES_KIND": "postgres+neo4j",
        "PALIMPSEST_STORES_NEO4J_URI": "bolt://127.0.0.1:1",
        "PALIMPSEST_NEO4J_PASSWORD": "hush",
    }
    with pytest.raises(NotReady, match="Neo4j does not answer") as ex:
        open_stores(load_settings(home, nowhere), lambda: 0)
    assert "hush" not in str(ex.value)
