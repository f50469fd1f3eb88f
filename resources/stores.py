"""The store set that the settings name: the one place that chooses."""

from collections.abc import Callable, Iterable
from typing import Protocol

from kg_assets.errors import NotReady
from kg_assets.ports import Clock, Stores
from resources.settings import Settings, StoresSettings


class ClosingStores(Stores, Protocol):
    def close(self) -> None: ...


def open_stores(
    settings: Settings, clock: Clock, *, predicates: Callable[[], Iterable[str]] = lambda: ()
) -> ClosingStores:
    """`predicates` gives the ontology's names, which Neo4j has as relation types; asked for only where it is used.

    Raises `NotReady` where a server cannot be reached or was not set up.
    """
    if settings.stores.kind == "sqlite":
        from resources.sqlite.stores import SqliteStores

        return SqliteStores(settings.data_dir, settings.secret, clock)
    try:
        from resources.postgres.stores import PostgresStores

        if settings.stores.kind == "postgres":
            return PostgresStores(postgres_dsn(settings), settings.secret, clock)
        from resources.neo4j.graphs import Neo4jGraphs
    except ModuleNotFoundError as ex:
        raise _missing(settings.stores, ex) from ex
    graphs = Neo4jGraphs(
        settings.stores.neo4j_uri, settings.stores.neo4j_user, neo4j_password(settings), predicates=predicates()
    )
    try:
        return PostgresStores(postgres_dsn(settings), settings.secret, clock, graphs=graphs)
    except BaseException:
        graphs.close()
        raise


def prepare_stores(settings: Settings, owner_dsn: str = "") -> None:
    """Make or update the schemas of the servers, any number of times; SQLite makes its files itself.

    Postgres is migrated as the owner of the database, and its tables opened to the role that the settings name. Raises
    `NotReady` where they are missing and `owner_dsn` is empty.
    """
    if settings.stores.kind == "sqlite":
        return
    try:
        _prepare_postgres(settings, owner_dsn)
        if settings.stores.kind == "postgres+neo4j":
            _prepare_neo4j(settings)
    except ModuleNotFoundError as ex:
        raise _missing(settings.stores, ex) from ex


def _prepare_postgres(settings: Settings, owner_dsn: str) -> None:
    from psycopg.conninfo import conninfo_to_dict

    from resources.postgres.connection import connect
    from resources.postgres.migration import ROLE, check_schema, migrate

    if owner_dsn:
        migrate(owner_dsn, role=str(conninfo_to_dict(settings.stores.postgres_dsn).get("user") or ROLE))
    try:
        with connect(postgres_dsn(settings)) as connection:
            check_schema(connection)
    except NotReady as ex:
        if owner_dsn:
            raise
        raise NotReady(
            f"{ex}. To set the database up, run this once with PALIMPSEST_POSTGRES_OWNER_DSN naming its owner"
        ) from ex


def _prepare_neo4j(settings: Settings) -> None:
    from resources.neo4j.connection import open_driver
    from resources.neo4j.schema import migrate

    driver = open_driver(settings.stores.neo4j_uri, settings.stores.neo4j_user, neo4j_password(settings))
    try:
        migrate(driver)
    finally:
        driver.close()


def _missing(stores: StoresSettings, ex: ModuleNotFoundError) -> NotReady:
    return NotReady(
        f"stores of kind {stores.kind!r} need the package {ex.name}: "
        "pip install 'palimpsest-memory[postgres,neo4j]', or set `kind` of [stores] to \"sqlite\""
    )


def postgres_dsn(settings: Settings) -> str:
    """With the password, where one is set."""
    from psycopg.conninfo import make_conninfo

    if settings.postgres_password is None:
        return settings.stores.postgres_dsn
    return make_conninfo(settings.stores.postgres_dsn, password=bytes(settings.postgres_password).decode())


def neo4j_password(settings: Settings) -> str:
    """Raises `NotReady` where none is set."""
    if settings.neo4j_password is None:
        raise NotReady(
            f"there is no password for Neo4j; put it into {settings.home / 'keys' / 'neo4j-password'}, "
            "or set PALIMPSEST_NEO4J_PASSWORD or PALIMPSEST_NEO4J_PASSWORD_FILE"
        )
    return bytes(settings.neo4j_password).decode()
