"""Another generation serves: what stands beside the nodes for people's Cypher follows it.

The relations typed by predicate, and the properties of `(:Entity)`, tell what was served and when. The nodes of both
generations stay.
"""

from collections.abc import Collection

from kg_assets.model import Flip, Micros
from resources.neo4j.connection import Run
from resources.neo4j.rows import RELATED

_END = """
    MATCH (f:Fact {memory: $memory, generation: $served}) WHERE f.closed_by IS NULL
    MATCH (f)-[:SUBJECT]->(s), (f)-[:OBJECT]->(o)
    MATCH (s)-[r]->(o) WHERE r.version_id = f.version_id AND r.recorded_to IS NULL
    SET r.recorded_to = $recorded_at
"""
_BEGIN = """
    MATCH (f:Fact {memory: $memory, generation: $serves}) WHERE f.closed_by IS NULL
    MATCH (f)-[:SUBJECT]->(s), (f)-[:OBJECT]->(o)
    WITH f, s, o, CASE WHEN f.predicate IN $known THEN toUpper(f.predicate) ELSE $related END AS type
    CREATE (s)-[r:$(type)]->(o)
    SET r.version_id = f.version_id, r.fact_id = f.fact_id, r.predicate = f.predicate, r.valid_from = f.valid_from,
        r.valid_to = f.valid_to, r.confidence = f.confidence, r.authority = f.authority, r.memory = $memory,
        r.recorded_from = $recorded_at
"""
_DROP = """
    MATCH (s:EntityState {memory: $memory})-[:STATE_OF]->(e:Entity)
    WHERE s.generation = $served AND s.closed_by IS NULL
    SET e.dropped_by = $seq
"""
_SHOW = """
    MATCH (s:EntityState {memory: $memory})-[:STATE_OF]->(e:Entity)
    WHERE s.generation = $serves AND s.closed_by IS NULL
    SET e.key = s.key, e.name = s.name, e.type = s.type, e.first_seq = s.first_seq, e.aliases = s.aliases,
        e.dropped_by = null
"""


def flip(run: Run, change: Flip, recorded_at: Micros, seq: int, known: Collection[str]) -> None:
    """Inside the caller's transaction, under the lock."""
    run(_END, served=change.served, recorded_at=recorded_at)
    run(_BEGIN, serves=change.serves, recorded_at=recorded_at, known=sorted(known), related=RELATED)
    run(_DROP, served=change.served, seq=seq)
    run(_SHOW, serves=change.serves)
