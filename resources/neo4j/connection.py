"""The driver, and statements that can only speak of one memory."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

import neo4j
from neo4j import Driver, GraphDatabase, ManagedTransaction, Session, Transaction
from neo4j.exceptions import AuthError, DriverError, Neo4jError, ServiceUnavailable, SessionExpired

from kg_assets.errors import NotReady, PalimpsestError

DATABASE = "neo4j"  # Community edition has one
WAIT_SECONDS = 10
POOL_SIZE = 32
WRITE_SECONDS = 120  # a writer that hangs is undone by the server, so that nobody waits for it for ever

Row = list[Any]
Got = TypeVar("Got")
Run = Callable[..., list[Row]]  # (statement, **parameters) → rows


def open_driver(uri: str, user: str, password: str) -> Driver:
    """Raises `NotReady` where the server cannot be reached or refuses the password."""
    logging.getLogger("neo4j.io").setLevel(logging.WARNING)  # at DEBUG it writes every parameter: what people said
    try:
        driver = GraphDatabase.driver(
            uri,
            auth=(user, password),
            user_agent="palimpsest",
            connection_timeout=WAIT_SECONDS,
            connection_acquisition_timeout=WAIT_SECONDS,
            max_connection_pool_size=POOL_SIZE,
            max_transaction_retry_time=WAIT_SECONDS,
            notifications_min_severity="OFF",  # it warns of every label that has no node yet
            telemetry_disabled=True,
        )
    except (DriverError, ValueError) as ex:
        raise NotReady(f"Neo4j address {uri!r} is none ({ex}); write it like bolt://localhost:7687") from ex
    try:
        with plain_errors():
            driver.verify_connectivity()
    except NotReady:
        driver.close()
        raise
    return driver


@contextmanager
def plain_errors() -> Iterator[None]:
    """The driver's errors as `NotReady`, where waiting or setting something up helps."""
    try:
        yield
    except AuthError as ex:
        raise NotReady(
            f"Neo4j refused the user ({ex.code}); "
            "put the password into keys/neo4j-password or PALIMPSEST_NEO4J_PASSWORD"
        ) from ex
    except (ServiceUnavailable, SessionExpired) as ex:
        raise NotReady(f"Neo4j does not answer ({ex}); check the address, and that the server runs") from ex
    except (DriverError, Neo4jError) as ex:
        if not ex.is_retryable() and "TimedOut" not in str(getattr(ex, "code", "")):
            raise
        raise NotReady(f"Neo4j gave up ({ex}); nothing of it was kept: try again") from ex


class Bound:
    """The database as one memory sees it: every statement runs with its id as `$memory`, and must use it."""

    def __init__(self, driver: Driver, memory_id: str) -> None:
        self._driver, self.memory_id = driver, memory_id

    def _session(self, access: str) -> Session:
        return self._driver.session(database=DATABASE, default_access_mode=access)

    def run_in(self, transaction: ManagedTransaction | Transaction) -> Run:
        """Statements of this memory inside a transaction."""

        def run(statement: str, **parameters: Any) -> list[Row]:
            if "$memory" not in statement:
                raise PalimpsestError(f"a statement that names no memory: {statement!r}; match on memory: $memory")
            return transaction.run(statement, {**parameters, "memory": self.memory_id}).values()

        return run

    def read(self, statement: str, **parameters: Any) -> list[Row]:
        """One statement, tried again where the driver says so."""
        with plain_errors(), self._session(neo4j.READ_ACCESS) as session:
            return session.execute_read(lambda transaction: self.run_in(transaction)(statement, **parameters))

    def write(self, work: Callable[[Run], Got]) -> Got:
        """`work` in a transaction of its own; it may run more than once, where the driver tries again."""
        with plain_errors(), self._session(neo4j.WRITE_ACCESS) as session:
            return session.execute_write(lambda transaction: work(self.run_in(transaction)))

    def begin(self) -> "Writing":
        return Writing(self)

    def open_transaction(self) -> tuple[Session, Transaction]:
        session = self._session(neo4j.WRITE_ACCESS)
        try:
            return session, session.begin_transaction(timeout=WRITE_SECONDS)
        except BaseException:
            session.close()
            raise


class Writing:
    """A transaction that is committed from outside, after another store's."""

    def __init__(self, bound: Bound) -> None:
        with plain_errors():
            self._session, self._transaction = bound.open_transaction()
        self._run = bound.run_in(self._transaction)

    def run(self, statement: str, **parameters: Any) -> list[Row]:
        with plain_errors():
            return self._run(statement, **parameters)

    def commit(self) -> None:
        try:
            with plain_errors():
                self._transaction.commit()
        finally:
            self._close()

    def rollback(self) -> None:
        """Never raises: the server undoes what it hears no more of."""
        with suppress(DriverError, Neo4jError):
            if not self._transaction.closed():
                self._transaction.rollback()
        self._close()

    def _close(self) -> None:
        with suppress(DriverError, Neo4jError):
            self._session.close()
