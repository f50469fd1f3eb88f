"""What is particular to the graph in Neo4j: what people find there, who can read it, and what if it is away."""

import logging
import re
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import neo4j
import pytest
from neo4j.exceptions import ClientError

from kg_assets.errors import NotReady, PalimpsestError
from kg_assets.maintenance.generations import flip, rebuild
from kg_assets.model import EntityChange
from kg_assets.ports import Memory, Stores
from resources.neo4j import Neo4jGraphs
from resources.neo4j.connection import Bound, Writing
from resources.neo4j.schema import check_schema, migrate, statements
from resources.postgres import PostgresStores
from tests.conformance.logs import live_through, random_log
from tests.conformance.neo4j_server import Server, empty_server
from tests.conformance.postgres_server import application_dsn, empty_database
from tests.conformance.samples import append, assertion, entity, fact, number, slot_change
from tests.graph.evidence import DAY
from tests.maintenance.test_generations import circumstances

pytestmark = pytest.mark.neo4j


@pytest.fixture
def server() -> Server:
    return empty_server()


@pytest.fixture
def driver(server: Server) -> Iterator[neo4j.Driver]:
    with server.driver() as opened:
        yield opened


@pytest.fixture
def stores(server: Server) -> Iterator[Stores]:
    graphs = Neo4jGraphs(server.uri, server.user, server.password, predicates=["lives_in", "has_age"])
    dsn = application_dsn(empty_database())
    with closing(PostgresStores(dsn, b"secret", clock=lambda: 0, pool_size=4, graphs=graphs)) as opened:
        yield opened


@pytest.fixture
def memory(stores: Stores) -> Iterator[Memory]:
    with closing(stores.open(stores.create("tests", "ana", now=0).id)) as opened:
        yield opened


def apply(memory: Memory, seq: int, *changes: object) -> None:
    with memory.transaction():
        for change in changes:
            memory.graph.apply(change, recorded_at=seq * 100, journal_seq=seq)  # type: ignore[arg-type]


def found(driver: neo4j.Driver, statement: str) -> list[list[object]]:
    return [record.values() for record in driver.execute_query(statement).records]


# for people


def test_a_fact_is_a_relation_that_is_named_by_its_predicate(memory: Memory, driver: neo4j.Driver) -> None:
    named = EntityChange(put=(entity("ana"), entity("lisbon", type="place")), dropped=())
    age = fact("v2", predicate="has_age", object_id=None, object_key="number:34", value=number(34))
    apply(memory, 1, named, slot_change([fact("v1", valid_from=5), age]))
    home = "MATCH (a:Entity {name: 'Ana'})-[r:LIVES_IN]->(b:Entity) RETURN b.name, r.valid_from, r.recorded_to"
    assert found(driver, home) == [["Lisbon", 5, None]]
    assert found(driver, "MATCH (:Entity {name: 'Ana'})-[:HAS_AGE]->(v:Value) RETURN v.value") == [[34]]
    apply(memory, 2, slot_change([], ["v1"], slot_hash=""))
    assert found(driver, home) == [["Lisbon", 5, 200]]


def test_what_a_person_said_never_names_a_relation_type(memory: Memory, driver: neo4j.Driver) -> None:
    apply(memory, 1, slot_change([fact("v1", predicate="secretly adores")]))
    assert found(driver, "MATCH (:Entity)-[r:RELATED]->() RETURN r.predicate") == [["secretly adores"]]
    types = {row[0] for row in found(driver, "CALL db.relationshipTypes()")}
    assert not any("adores" in str(name).lower() for name in types)


def test_current_belief_leads_to_the_utterances_and_how_they_were_read(memory: Memory, driver: neo4j.Driver) -> None:
    append(memory, [1])
    with memory.transaction():
        memory.ledger.add_assertions([assertion("a1"), assertion("a2")])
    apply(memory, 1, slot_change([fact("v1")]))
    lineage = """MATCH (u:Utterance)-[:ASSERTED]->(a:Assertion)-[:SUPPORTS]->(f:Fact)
                 RETURN u.id, u.seq, a.id, a.extractor, f.version_id ORDER BY a.id"""
    assert found(driver, lineage) == [["u1", 1, "a1", "rules", "v1"], ["u1", 1, "a2", "rules", "v1"]]
    apply(memory, 2, slot_change([fact("v2", opened_by=2)], ["v1"]))
    assert [row[-1] for row in found(driver, lineage)] == ["v2", "v2"]
    assert found(driver, "MATCH (f:Fact {version_id: 'v1'}) RETURN f.utterances") == [[["u1"]]]


def test_entities_and_values_are_found_by_words(memory: Memory, driver: neo4j.Driver) -> None:
    note = fact("v1", object_id=None, object_key="text:green tea", value=number("green tea"))  # type: ignore[arg-type]
    apply(memory, 1, EntityChange(put=(entity("ana", "anita"),), dropped=()), slot_change([note]))
    driver.execute_query("CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()")
    words = "CALL db.index.fulltext.queryNodes('{}', '{}') YIELD node RETURN coalesce(node.name, node.text)"
    assert found(driver, words.format("palimpsest_names", "anita")) == [["Ana"]]
    assert found(driver, words.format("palimpsest_values", "tea")) == [["green tea"]]


# isolation


def test_a_statement_that_names_no_memory_is_refused(memory: Memory, driver: neo4j.Driver) -> None:
    with pytest.raises(PalimpsestError, match="names no memory"):
        Bound(driver, memory.info.id).read("MATCH (f:Fact) RETURN f")


def test_the_memory_of_a_statement_cannot_be_passed_in(memory: Memory, driver: neo4j.Driver) -> None:
    apply(memory, 1, slot_change([fact("v1")]))
    bound, count = Bound(driver, "another"), "MATCH (f:Fact {memory: $memory}) RETURN count(f)"
    assert Bound(driver, memory.info.id).read(count) == [[1]]
    assert bound.read(count, memory=memory.info.id) == [[0]]


def test_two_memories_keep_facts_of_the_same_ids(stores: Stores, memory: Memory) -> None:
    apply(memory, 1, slot_change([fact("v1")]))
    with closing(stores.open(stores.create("tests", "ben", now=0).id)) as other:
        apply(other, 1, slot_change([fact("v1", confidence=1)]))
        assert [each.belief.confidence for each in other.graph.slot("slot-1")] == [1]
    assert [each.belief.confidence for each in memory.graph.slot("slot-1")] == [940]


# two stores


def test_an_error_at_the_ledgers_commit_leaves_nothing_in_the_graph(memory: Memory, driver: neo4j.Driver) -> None:
    def fail() -> None:
        with memory.transaction():
            memory.graph.apply(slot_change([fact("v1")]), recorded_at=1, journal_seq=1)
            assert memory.graph.slot("slot-1")
            raise ValueError("stop")

    with pytest.raises(ValueError, match="stop"):
        fail()
    assert found(driver, "MATCH (n) WHERE NOT n:PalimpsestSchema RETURN n") == []
    assert memory.graph.slot("slot-1") == []


def test_a_graph_that_is_away_says_so_and_keeps_the_stores_equal(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    dsn = application_dsn(empty_database())
    with ExitStack() as opened:
        graphs = Neo4jGraphs(server.uri, server.user, server.password)
        stores = opened.enter_context(closing(PostgresStores(dsn, b"secret", clock=lambda: 0, graphs=graphs)))
        memory = opened.enter_context(closing(stores.open(stores.create("tests", "ana", now=0).id)))
        apply(memory, 1, slot_change([fact("v1")]))
        server.kill()
        try:
            with pytest.raises(NotReady, match="Neo4j does not answer"):
                memory.graph.slot("slot-1")
            with pytest.raises(NotReady, match="Neo4j"):
                apply(memory, 2, slot_change([fact("v2", opened_by=2)], ["v1"]))
            append(memory, [1])  # what does not touch the graph goes on
        finally:
            server.start()
            with server.driver() as driver:
                wait_for(driver)
        assert [each.version_id for each in memory.graph.slot("slot-1")] == ["v1"]
    assert server.password not in caplog.text
    assert "slot-1" not in caplog.text


def wait_for(driver: neo4j.Driver) -> None:
    """The port is open before the database is."""
    driver.execute_query("RETURN 1")


def test_a_wrong_password_is_told_without_it(server: Server) -> None:
    with pytest.raises(NotReady, match="keys/neo4j-password") as ex:
        Neo4jGraphs(server.uri, server.user, "wrong-hush")
    assert "hush" not in str(ex.value)


def test_an_address_that_is_none_is_told() -> None:
    with pytest.raises(NotReady, match="bolt://localhost:7687"):
        Neo4jGraphs("nonsense", "neo4j", "x")


# schema


def test_migrating_again_changes_nothing(driver: neo4j.Driver) -> None:
    names = "SHOW INDEXES YIELD name WHERE name STARTS WITH 'palimpsest_' RETURN name ORDER BY name"
    before = found(driver, names)
    migrate(driver)
    check_schema(driver)
    assert found(driver, names) == before
    assert len(before) == len(statements())


def test_a_database_that_was_not_set_up_says_what_to_run(server: Server, driver: neo4j.Driver) -> None:
    driver.execute_query("MATCH (n:PalimpsestSchema) SET n.version = 99")
    try:
        with pytest.raises(NotReady, match="schema 99, this version needs 2; run `palimpsest init`"):
            Neo4jGraphs(server.uri, server.user, server.password)
    finally:
        migrate(driver)


# what docs/stores.md says


def test_the_cypher_of_the_docs_returns_what_the_store_returns(memory: Memory, driver: neo4j.Driver) -> None:
    """With a generation beside the one that serves, and times at which it served."""
    live_through(memory, random_log(7, 60))
    rebuild(memory, circumstances(), most_lost=1.0)
    flip(memory, 1, circumstances())
    assert memory.graph.generation == 1
    text = (Path(__file__).parents[2] / "docs" / "stores.md").read_text(encoding="utf-8")
    current, as_of, lineage, hops, words = re.findall(r"```cypher\n(.*?)```", text, re.DOTALL)
    (ana,) = memory.graph.entities_by_key(["ana"]).values()
    of_ana = memory.graph.facts(valid_at=None, known_at=None, subjects=[ana.id])
    given = {"memory": memory.info.id, "name": ana.name, "fact": of_ana[0].id}
    ran = {statement: driver.execute_query(statement, given).records for statement in (current, lineage, words)}
    assert sorted(row[0] for row in ran[current]) == sorted(each.belief.predicate for each in of_ana)
    stated = [each.belief.utterances for each in of_ana if each.id == of_ana[0].id]  # in each interval that it holds
    assert {row["u.id"] for row in ran[lineage]} == {utterance for each in stated for utterance in each}
    assert ana.name in [row[0] for row in ran[words]]
    two_hops = 0
    for each in memory.graph.all_entities():
        reached = driver.execute_query(hops, {**given, "name": each.name}).records
        first = memory.graph.facts(valid_at=None, known_at=None, subjects=[each.id])
        second = [
            other.belief.predicate
            for one in first
            if one.belief.object_id
            for other in memory.graph.facts(valid_at=None, known_at=None, subjects=[one.belief.object_id])
            if other != one  # a path of Cypher takes no relation twice
        ]
        assert sorted(row[1] for row in reached) == sorted(second)
        two_hops += len(second)
    assert two_hops
    answers = 0
    for known_at in {entry.recorded_at for entry in memory.ledger.journal_after(0, 1000)}:
        found_there = driver.execute_query(as_of, {**given, "valid_at": 20 * DAY, "known_at": known_at}).records
        expected = memory.graph.facts(valid_at=20 * DAY, known_at=known_at, limit=1000)
        assert [row[0] for row in found_there] == [each.version_id for each in expected]
        answers += len(expected)
    assert answers > 20


def test_a_graph_that_fails_after_the_ledgers_commit_keeps_the_write(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def timed_out(writing: Writing) -> None:
        writing.rollback()
        raise ClientError("the transaction was ended by its timeout")

    log = random_log(5, 20)
    with monkeypatch.context() as patched:
        patched.setattr(Writing, "commit", timed_out)
        live_through(memory, log[:3])
    assert "stays behind entry" in caplog.text
    rows = memory.graph.changed_facts(after_journal_seq=0, limit=100)
    assert rows
    live_through(memory, log[3:])
    assert len(memory.graph.changed_facts(after_journal_seq=0, limit=100)) > len(rows)
