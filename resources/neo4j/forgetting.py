"""Taking rows out of one memory's graph for good."""

from typing import Any

from kg_assets.model import Drop, GraphRows
from resources.neo4j.connection import Run
from resources.neo4j.rows import indexed

_RELATIONS = """
    UNWIND $rows AS id
    MATCH (f:Fact {memory: $memory, version_id: id})-[:SUBJECT]->(s), (f)-[:OBJECT]->(o)
    MATCH (s)-[r]->(o) WHERE r.version_id = f.version_id
    DELETE r
"""
_VERSIONS = "UNWIND $rows AS id MATCH (f:Fact {memory: $memory, version_id: id}) DETACH DELETE f"
_SLOTS = "UNWIND $rows AS slot MATCH (s:Slot {memory: $memory, slot: slot}) DELETE s"
_STATES = """
    UNWIND $rows AS id
    MATCH (s:EntityState {memory: $memory, entity_id: id})
    DETACH DELETE s
"""
_PLAIN = """
    UNWIND $rows AS id
    MATCH (e:Entity {memory: $memory, id: id})
    SET e.key = null, e.name = null, e.type = null, e.first_seq = null, e.aliases = null
"""
_PROVENANCE = (
    "UNWIND $rows AS id MATCH (a:Assertion {memory: $memory, id: id}) DETACH DELETE a",
    "UNWIND $rows AS id MATCH (u:Utterance {memory: $memory, id: id}) DETACH DELETE u",
)
# What nothing leads to any more: names, values, and entities without a state and without a fact.
_LOOSE = (
    "MATCH (n:Name {memory: $memory}) WHERE NOT (n)-[:LEADS_TO]->() DELETE n",
    "MATCH (v:Value {memory: $memory}) WHERE NOT (v)--() DELETE v",
    "MATCH (e:Entity {memory: $memory}) WHERE NOT (e)--() DELETE e",
)
_GENERATION = (
    """
    MATCH (f:Fact {memory: $memory, generation: $drops})-[:SUBJECT]->(s), (f)-[:OBJECT]->(o)
    MATCH (s)-[r]->(o) WHERE r.version_id = f.version_id
    DELETE r
    """,
    "MATCH (f:Fact {memory: $memory, generation: $drops}) DETACH DELETE f",
    "MATCH (s:Slot {memory: $memory}) WHERE s.generation = $drops DELETE s",
    "MATCH (s:EntityState {memory: $memory}) WHERE s.generation = $drops DETACH DELETE s",
)


def drop(run: Run, change: Drop) -> None:
    """All nodes of a generation, with the relations that show what it served; under the lock."""
    for statement in _GENERATION:
        run(statement, drops=change.drops)
    for statement in _LOOSE:
        run(statement)


def forget(run: Run, rows: GraphRows) -> None:
    """Under the lock of this memory's graph."""

    def each(statement: str, found: Any) -> None:
        if found:
            run(statement, rows=found)

    each(_RELATIONS, list(rows.versions))
    each(_VERSIONS, list(rows.versions))
    each(_SLOTS, list(rows.slots))
    each(_STATES, list(rows.entities))
    each(_PLAIN, list(rows.entities))
    each(_PROVENANCE[0], list(rows.assertions))
    each(_PROVENANCE[1], [indexed(name) for name in rows.utterances])
    for statement in _LOOSE:
        run(statement)
