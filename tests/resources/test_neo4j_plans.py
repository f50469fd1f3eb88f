"""No statement of Neo4j walks through a label: each plan is looked at, because a slow plan gives right answers."""

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import neo4j
import pytest

from kg_assets.model import EntityChange
from resources.neo4j import Neo4jGraphs
from resources.neo4j.connection import Bound
from resources.postgres import PostgresMemory, PostgresStores
from tests.conformance.neo4j_server import empty_server, server
from tests.conformance.postgres_server import application_dsn, empty_database
from tests.conformance.samples import entity, fact, number, slot_change

pytestmark = pytest.mark.neo4j

SCANS = {"AllNodesScan", "NodeByLabelScan", "UndirectedAllRelationshipsScan", "DirectedAllRelationshipsScan"}
MANY = 600


@pytest.fixture
def memory() -> Iterator[PostgresMemory]:
    neo, dsn = empty_server(), application_dsn(empty_database())
    graphs = Neo4jGraphs(neo.uri, neo.user, neo.password)
    with (
        closing(PostgresStores(dsn, b"secret", clock=lambda: 0, graphs=graphs)) as stores,
        closing(stores.open(stores.create("tests", "ana", now=0).id)) as opened,
    ):
        yield opened


def opened_in(seq: int) -> list[Any]:
    value = {"object_id": None, "object_key": f"number:{seq}", "value": number(seq)}
    mine = {"slot": f"slot {seq}", "opened_by": seq, "recorded_from": seq, "subject_id": f"e-{seq % 50}"}
    return [fact(f"v{seq}", **mine), fact(f"w{seq}", **mine, **value)]


def write(memory: PostgresMemory, first: int, last: int) -> None:
    with memory.transaction():
        for seq in range(first, last):
            change = slot_change(opened_in(seq), [f"v{seq - 40}"] if seq > 40 else [], slot=f"slot {seq}")
            memory.graph.apply(change, recorded_at=seq, journal_seq=seq)
            put = (entity(str(seq % 50), f"alias {seq}"),)
            memory.graph.apply(EntityChange(put=put, dropped=()), recorded_at=seq, journal_seq=seq)


def read_everything(memory: PostgresMemory) -> None:
    read = memory.graph
    read.slot("slot 7")
    read.slot_hashes()
    for known_at in (None, 300):
        for chosen in ({}, {"subjects": ["e-1", "e-2"]}, {"objects": ["e-lisbon"]}, {"predicates": ["lives_in"]}):
            read.facts(valid_at=5, known_at=known_at, **chosen)
        read.facts(valid_at=None, known_at=known_at, subjects=["e-1"], objects=["e-lisbon"], predicates=["lives_in"])
    read.history("fact of v9")
    read.fact_versions(["v1", "v2"])
    read.facts_of_utterances(["u1", "u2"])
    read.changed_facts(after_journal_seq=590, limit=5)
    read.entities(["e-1", "e-2"])
    read.entities_by_key(["1", "alias 7"])
    read.all_entities()


def operators(plan: dict[str, Any]) -> Iterator[str]:
    yield plan["operatorType"].partition("@")[0]
    for child in plan.get("children", []):
        yield from operators(child)


def test_no_statement_scans(memory: PostgresMemory, monkeypatch: pytest.MonkeyPatch) -> None:
    write(memory, 1, MANY)
    ran: dict[str, dict[str, Any]] = {}
    run_in = Bound.run_in

    def recording(self: Bound, transaction: neo4j.Transaction) -> Any:
        run = run_in(self, transaction)

        def recorded(statement: str, **parameters: Any) -> Any:
            ran[statement] = {**parameters, "memory": self.memory_id}
            return run(statement, **parameters)

        return recorded

    monkeypatch.setattr(Bound, "run_in", recording)
    read_everything(memory)
    write(memory, MANY, MANY + 60)
    with server().driver() as driver:
        driver.execute_query("CALL db.awaitIndexes(60)")
        walked = []
        for statement, parameters in ran.items():
            plan = driver.execute_query(f"EXPLAIN {statement}", parameters).summary.plan
            assert plan is not None
            if SCANS & set(operators(plan)):
                walked.append(statement)
    assert not walked
    assert len(ran) > 25
