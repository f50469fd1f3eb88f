"""Constraints and indexes. Community edition has uniqueness constraints only, which is all that is relied on.

(:Memory)                                     how far the graph of a memory has come
(:Entity)-[:LIVES_IN]->(:Entity | :Value)     one relation a fact version, for people's Cypher
(:Fact)-[:SUBJECT | OBJECT]->()               one node a fact version: what the store itself reads
(:Utterance)-[:ASSERTED]->(:Assertion)-[:SUPPORTS]->(:Fact), (:Utterance)-[:SUPPORTS]->(:Fact)   current belief
(:Name)-[:LEADS_TO]->(:EntityState)-[:STATE_OF]->(:Entity)   what an entity was, by journal entries
(:Slot)                                       the hash of a slot, by journal entries
"""

from neo4j import Driver

from kg_assets.errors import NotReady
from resources.neo4j.connection import DATABASE, Run, plain_errors

VERSION = 2
OF_MEMORIES = ("Fact", "Slot", "EntityState", "Name", "Entity", "Value", "Assertion", "Utterance")
UNIQUE = {
    "Entity": "id",
    "Value": "key",
    "Name": "key",
    "Fact": "version_id",
    "Utterance": "id",
    "Assertion": "id",
}
RANGE = {
    "Fact": ("subject_id", "object_ref", "predicate", "slot", "fact_id", "changed_by", "generation"),
    "Slot": ("slot", "opened_by"),
    "EntityState": ("entity_id", "opened_by"),
}
_OTHERS = (
    "CREATE CONSTRAINT palimpsest_memory IF NOT EXISTS FOR (n:Memory) REQUIRE n.id IS UNIQUE",
    "CREATE CONSTRAINT palimpsest_slot IF NOT EXISTS FOR (n:Slot) REQUIRE (n.memory, n.slot, n.opened_by) IS UNIQUE",
    "CREATE INDEX palimpsest_related IF NOT EXISTS FOR ()-[r:RELATED]-() ON (r.memory, r.predicate)",
    "CREATE FULLTEXT INDEX palimpsest_names IF NOT EXISTS FOR (n:Entity) ON EACH [n.name, n.aliases]",
    "CREATE FULLTEXT INDEX palimpsest_values IF NOT EXISTS FOR (n:Value) ON EACH [n.text]",
    """CREATE VECTOR INDEX palimpsest_embeddings IF NOT EXISTS FOR (n:Fact) ON (n.embedding) OPTIONS {indexConfig:
       {`vector.dimensions`: 384, `vector.similarity_function`: 'cosine'}}""",
)


def statements() -> list[str]:
    unique = [
        f"CREATE CONSTRAINT palimpsest_{label.lower()} IF NOT EXISTS FOR (n:{label}) "
        f"REQUIRE (n.memory, n.{name}) IS UNIQUE"
        for label, name in UNIQUE.items()
    ]
    ranges = [
        f"CREATE INDEX palimpsest_{label.lower()}_{name} IF NOT EXISTS FOR (n:{label}) ON (n.memory, n.{name})"
        for label, names in RANGE.items()
        for name in names
    ]
    return [*unique, *ranges, *_OTHERS]


def migrate(driver: Driver) -> None:
    """Make what is missing, and wait until the indexes are filled. May run any number of times.

    A graph of an older version is thrown away: each memory's is made again from its journal when it is next asked.
    """
    with plain_errors():
        if version_of(driver) not in (0, VERSION):
            empty(driver)
        for statement in statements():
            driver.execute_query(statement, database_=DATABASE)
        driver.execute_query("CALL db.awaitIndexes(300)", database_=DATABASE)
        driver.execute_query(
            "MERGE (n:PalimpsestSchema) SET n.version = $version", {"version": VERSION}, database_=DATABASE
        )


def check_schema(driver: Driver) -> None:
    """Raises `NotReady` where `migrate` did not run, or by another version."""
    with plain_errors():
        version = version_of(driver)
    if version != VERSION:
        raise NotReady(
            f"the Neo4j database has schema {version}, this version needs {VERSION}; run `palimpsest init` again"
        )


def version_of(driver: Driver) -> int:
    """0 where `migrate` never ran."""
    found = driver.execute_query("MATCH (n:PalimpsestSchema) RETURN n.version", database_=DATABASE).records
    return int(found[0][0]) if found else 0


def empty(driver: Driver) -> None:
    """Every memory's graph, in portions: a database of some size does not fit one transaction."""
    with driver.session(database=DATABASE) as session:
        for label in (*OF_MEMORIES, "Memory"):
            session.run(f"MATCH (n:{label}) CALL (n) {{ DETACH DELETE n }} IN TRANSACTIONS OF 10000 ROWS").consume()


def forget(run: Run) -> None:
    """All nodes of the memory that `run` is bound to."""
    for label in OF_MEMORIES:
        run(f"MATCH (n:{label} {{memory: $memory}}) DETACH DELETE n")
    run("MATCH (m:Memory {id: $memory}) DELETE m")
