"""kill -9 around the two commits of Postgres and Neo4j: what the ledger has, the graph has after the next look."""

import multiprocessing
import os
import random
import signal
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path

import psycopg
import pytest

from kg_assets import journal
from kg_assets.graph.state import state_hash
from resources.sqlite import SqliteStores
from tests.conformance.logs import derive, tell
from tests.conformance.neo4j_server import empty_server, server
from tests.conformance.postgres_server import application_dsn, empty_database, owner_dsn, shared_database
from tests.faults.two_stores import LOG, Servers, check, finish, write_for_ever, write_until_killed

TIMES = int(os.environ.get("PALIMPSEST_KILLS", "20"))

pytestmark = [pytest.mark.faults, pytest.mark.neo4j, pytest.mark.timeout(1800)]


@pytest.fixture
def servers() -> Servers:
    neo4j = empty_server()
    return Servers(application_dsn(empty_database()), neo4j.uri, neo4j.user, neo4j.password)


def run_until_killed(target: Callable[..., None], *arguments: object, seconds: float | None = None) -> None:
    """A process of its own, which kills itself, or is killed after so long."""
    spawn = multiprocessing.get_context("forkserver")
    spawn.set_forkserver_preload(["tests.faults.two_stores"])
    process = spawn.Process(target=target, args=arguments)
    process.start()
    process.join(120 if seconds is None else seconds)
    if seconds is not None:
        process.kill()
        process.join()
    assert process.exitcode == -signal.SIGKILL


def standing() -> tuple[int, int]:
    """(journal entry up to which the ledger changed the graph, the one up to which the graph came), from outside."""
    with psycopg.connect(owner_dsn(shared_database())) as connection:
        ((ledger,),) = connection.execute("SELECT graph_seq FROM palimpsest.state").fetchall()
    with server().driver() as driver:
        found = driver.execute_query("MATCH (m:Memory) RETURN coalesce(m.applied, 0)").records
    return ledger, found[0][0] if found else 0


def healed(servers: Servers) -> None:
    """A reader looks: all is as the journal says."""
    with ExitStack() as opened:
        memory = servers.open(opened)
        check(memory)
        assert journal.first_broken(memory.ledger.journal_after(0, 1_000_000)) is None
    ledger, graph = standing()
    assert graph >= ledger


def hash_in_sqlite(folder: Path, length: int) -> str:
    with ExitStack() as opened:
        stores = opened.enter_context(closing(SqliteStores(folder, b"secret", clock=lambda: 0)))
        memory = opened.enter_context(closing(stores.open(stores.create("tests", "ana", now=0).id)))
        tell(memory, LOG[:length])
        derive(memory, now=0)
        return state_hash(memory)


def test_a_kill_between_the_two_commits_is_healed_by_the_next_reader_or_writer(
    servers: Servers, tmp_path: Path
) -> None:
    moments = random.Random(4)
    for number in range(TIMES):
        run_until_killed(write_until_killed, servers, "between", moments.randint(1, 4))
        ledger, graph = standing()
        assert graph < ledger  # the kill hit the moment that it was meant for
        if number % 2:  # every other time the next writer finds it so
            healed(servers)
    with ExitStack() as opened:
        memory = servers.open(opened)
        told = finish(memory)
        check(memory)
        assert told >= TIMES
        assert state_hash(memory) == hash_in_sqlite(tmp_path, told)


@pytest.mark.parametrize("where", ["before", "after"])
def test_a_kill_before_or_after_both_commits_leaves_both_stores_equal(servers: Servers, where: str) -> None:
    for number in range(5):
        run_until_killed(write_until_killed, servers, where, number + 1)
        ledger, graph = standing()
        assert graph == ledger
        healed(servers)


def test_kills_at_random_moments_are_healed(servers: Servers, tmp_path: Path) -> None:
    moments = random.Random(5)
    for _ in range(10):
        run_until_killed(write_for_ever, servers, seconds=moments.uniform(0.2, 1.5))
        healed(servers)
    with ExitStack() as opened:
        memory = servers.open(opened)
        told = finish(memory)
        assert told > 0
        assert state_hash(memory) == hash_in_sqlite(tmp_path, told)


def test_a_graph_that_was_lost_is_filled_again_from_the_journal(servers: Servers) -> None:
    run_until_killed(write_until_killed, servers, "after", 12)
    empty_server()
    healed(servers)


def test_a_graph_ahead_of_a_ledger_that_was_set_back_begins_again_from_it(servers: Servers) -> None:
    run_until_killed(write_until_killed, servers, "after", 4)
    with server().driver() as driver:
        driver.execute_query(
            """MATCH (m:Memory) SET m.applied = m.applied + 100 WITH m
               CREATE (:Slot {memory: m.id, slot: 'of a future that is no more', opened_by: m.applied, hash: 'h'})"""
        )
    run_until_killed(write_until_killed, servers, "after", 2)
    ledger, graph = standing()
    assert graph == ledger
    with server().driver() as driver:
        assert not driver.execute_query("MATCH (s:Slot {hash: 'h'}) RETURN s").records
    healed(servers)
