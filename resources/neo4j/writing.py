"""Applying journaled changes to one memory's graph, in batches. Applying one again changes nothing."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

import msgspec

from kg_assets.model import Assertion, Entity, EntityChange, Fact, Micros, SlotChange
from resources.neo4j.connection import Run
from resources.neo4j.rows import RELATED, indexed, object_ref, properties_of, relation_of, state_of

BATCH = 1_000

# The lock is taken by writing, and what is read after it is what the last holder left.
_LOCK = """
    MERGE (m:Memory {id: $memory}) SET m.locked_at = timestamp()
    RETURN coalesce(m.applied, 0), coalesce(m.entities, 0)
"""
_APPLIED = """
    MATCH (m:Memory {id: $memory})
    SET m.applied = CASE WHEN coalesce(m.applied, 0) < $applied THEN $applied ELSE m.applied END, m.entities = $entities
"""
_OPEN = """
    UNWIND $rows AS row
    MERGE (f:Fact {memory: $memory, version_id: row.fact.version_id})
    ON CREATE SET f += row.fact, f.fresh = true
    WITH f, row WHERE f.fresh
    REMOVE f.fresh
    MERGE (s:Entity {memory: $memory, id: row.fact.subject_id})
"""
_TO_ENTITY = "MERGE (o:Entity {memory: $memory, id: row.fact.object_id})"
_TO_VALUE = "MERGE (o:Value {memory: $memory, key: row.fact.object_ref}) ON CREATE SET o += row.value"
_JOIN = """
    CREATE (f)-[:SUBJECT]->(s), (f)-[:OBJECT]->(o), (s)-[r:$(row.type)]->(o)
    SET r = row.relation, r.memory = $memory
"""
_UTTERANCES = """
    UNWIND $rows AS row
    MATCH (f:Fact {memory: $memory, version_id: row.version_id}) WHERE f.closed_by IS NULL
    UNWIND row.utterances AS id
    MERGE (u:Utterance {memory: $memory, id: id})
    MERGE (u)-[:SUPPORTS]->(f)
"""
_ASSERTIONS = """
    UNWIND $rows AS row
    MATCH (f:Fact {memory: $memory, version_id: row.version_id}) WHERE f.closed_by IS NULL
    UNWIND row.assertions AS id
    MERGE (a:Assertion {memory: $memory, id: id})
    MERGE (a)-[:SUPPORTS]->(f)
"""
_ASSERTED = """
    UNWIND $rows AS row
    MATCH (a:Assertion {memory: $memory, id: row.id}) WHERE a.seq IS NULL
    SET a += row.about
    MERGE (u:Utterance {memory: $memory, id: row.utterance}) SET u.seq = row.about.seq, u.said_at = row.said_at
    MERGE (u)-[:ASSERTED]->(a)
"""
_CLOSE = """
    UNWIND $rows AS row
    MATCH (f:Fact {memory: $memory, version_id: row.version_id}) WHERE f.closed_by IS NULL
    SET f.recorded_to = row.recorded_at, f.closed_by = row.seq, f.changed_by = row.seq
    WITH f
    MATCH (f)-[:SUBJECT]->(s), (f)-[:OBJECT]->(o)
    MATCH (s)-[r]->(o) WHERE r.version_id = f.version_id
    SET r.recorded_to = f.recorded_to
    WITH f
    MATCH (f)<-[support:SUPPORTS]-()
    DELETE support
"""
_SLOTS = """
    UNWIND $rows AS row
    OPTIONAL MATCH (old:Slot {memory: $memory, slot: row.slot}) WHERE old.closed_by IS NULL AND old.opened_by <> row.seq
    WITH row, old WHERE old IS NULL OR old.opened_by < row.seq
    SET old.closed_by = row.seq
    MERGE (new:Slot {memory: $memory, slot: row.slot, opened_by: row.seq}) SET new.hash = row.hash
"""
_END_STATES = """
    UNWIND $rows AS row
    MATCH (s:EntityState {memory: $memory, entity_id: row.id}) WHERE s.closed_by IS NULL
    SET s.closed_by = row.seq
"""
_DROP = "UNWIND $rows AS row MATCH (e:Entity {memory: $memory, id: row.id}) SET e.dropped_by = row.seq"
_PUT = """
    UNWIND $rows AS row
    MERGE (e:Entity {memory: $memory, id: row.id})
    SET e.key = row.state.key, e.name = row.state.name, e.type = row.state.type, e.first_seq = row.state.first_seq,
        e.aliases = row.state.aliases, e.dropped_by = null
    CREATE (s:EntityState {memory: $memory, opened_by: row.seq})-[:STATE_OF]->(e)
    SET s += row.state
    WITH s, row
    UNWIND row.keys AS key
    MERGE (n:Name {memory: $memory, key: key})
    CREATE (n)-[:LEADS_TO]->(s)
"""


class Applied(msgspec.Struct, frozen=True):
    """One change with the journal entry that carries it."""

    change: SlotChange | EntityChange
    recorded_at: Micros
    seq: int


class Reached(msgspec.Struct, frozen=True):
    """How far the graph has come: the last journal entry it holds, and the last that changed entities."""

    applied: int
    entities: int


def lock(run: Run) -> Reached:
    """Taken first by whoever writes; held to the end of the transaction."""
    return Reached(*run(_LOCK)[0])


def write(
    run: Run, reached: Reached, changes: Sequence[Applied], evidence: Iterable[Assertion], known: Collection[str]
) -> Reached:
    """Apply changes in the order of the journal, under the lock.

    `evidence` are the assertions that `evidence_of` names, as far as the ledger has them; `known` the predicates that
    have a relation type of their own.
    """
    slots = [each for each in changes if isinstance(each.change, SlotChange)]
    # An older change of entities that comes again must not bring them back: later ones built on it.
    named, entities = [], reached.entities
    for each in changes:
        if isinstance(each.change, EntityChange) and each.seq >= entities:
            named.append(each)
            entities = each.seq
    _write_entities(run, named)
    _write_slots(run, slots, list(evidence), known)
    applied = max([reached.applied, *(each.seq for each in changes)])
    return applied_upto(run, Reached(applied, entities))


def applied_upto(run: Run, reached: Reached) -> Reached:
    """Note how far the graph has come."""
    run(_APPLIED, applied=reached.applied, entities=reached.entities)
    return reached


def evidence_of(changes: Sequence[Applied]) -> list[str]:
    """The ids of all assertions that newly opened facts rest on."""
    return sorted({each for fact in _opened(changes) for each in fact.belief.assertions})


def _opened(changes: Sequence[Applied]) -> list[Fact]:
    return [fact for each in changes if isinstance(each.change, SlotChange) for fact in each.change.opened]


def _in_batches(run: Run, statement: str, rows: Sequence[dict[str, Any]]) -> None:
    for start in range(0, len(rows), BATCH):
        run(statement, rows=rows[start : start + BATCH])


def _write_slots(run: Run, changes: Sequence[Applied], evidence: Sequence[Assertion], known: Collection[str]) -> None:
    opened = [_row_of(fact, known) for fact in _opened(changes)]
    _in_batches(run, _OPEN + _TO_ENTITY + _JOIN, [row for row in opened if row["value"] is None])
    _in_batches(run, _OPEN + _TO_VALUE + _JOIN, [row for row in opened if row["value"] is not None])
    standing = [fact for fact in _opened(changes) if fact.recorded_to is None]
    _in_batches(run, _UTTERANCES, [_utterances_of(fact) for fact in standing])
    _in_batches(run, _ASSERTIONS, [_assertions_of(fact) for fact in standing])
    _in_batches(run, _ASSERTED, [_evidence_row(each) for each in evidence])
    closed: list[dict[str, Any]] = []
    hashes: dict[str, dict[str, Any]] = {}
    for each in changes:
        if isinstance(each.change, SlotChange):
            more = {"recorded_at": each.recorded_at, "seq": each.seq}
            closed += [{"version_id": version_id, **more} for version_id in each.change.closed]
            hashed = {"slot": each.change.slot, "hash": each.change.slot_hash, "seq": each.seq}
            if each.seq >= hashes.get(each.change.slot, hashed)["seq"]:
                hashes[each.change.slot] = hashed
    _in_batches(run, _CLOSE, closed)
    _in_batches(run, _SLOTS, list(hashes.values()))


def _row_of(fact: Fact, known: Collection[str]) -> dict[str, Any]:
    predicate, value = fact.belief.predicate, fact.belief.value
    # Names of relation types are never deleted by Neo4j, so nothing that a person said becomes one.
    return {
        "fact": properties_of(fact),
        "relation": relation_of(fact),
        "type": predicate.upper() if predicate in known else RELATED,
        "value": None
        if fact.belief.object_id is not None
        else {
            "type": value.type if value else None,
            "value": value.value if value else None,
            "text": str(value.value) if value else object_ref(fact.belief),
        },
    }


def _utterances_of(fact: Fact) -> dict[str, Any]:
    return {"version_id": fact.version_id, "utterances": [indexed(each) for each in fact.belief.utterances]}


def _assertions_of(fact: Fact) -> dict[str, Any]:
    return {"version_id": fact.version_id, "assertions": list(fact.belief.assertions)}


def _evidence_row(a: Assertion) -> dict[str, Any]:
    about = {
        **{"seq": a.seq, "polarity": a.polarity, "confidence": a.confidence, "authority": a.authority},
        **{"extractor": a.extractor, "extractor_version": a.extractor_version, "run_id": a.run_id},
    }
    return {"id": a.id, "about": about, "utterance": indexed(a.utterance_id), "said_at": a.said_at}


def _write_entities(run: Run, changes: Sequence[Applied]) -> None:
    """Only what the last of these changes made of each: those in between were seen by nobody."""
    ends: dict[str, tuple[int, Entity | None]] = {}
    for each in changes:
        if isinstance(each.change, EntityChange):
            ends |= dict.fromkeys(each.change.dropped, (each.seq, None))
            ends |= {entity.id: (each.seq, entity) for entity in each.change.put}
    _in_batches(run, _END_STATES, [{"id": entity_id, "seq": seq} for entity_id, (seq, _) in ends.items()])
    dropped = [{"id": entity_id, "seq": seq} for entity_id, (seq, entity) in ends.items() if entity is None]
    _in_batches(run, _DROP, dropped)
    put = [(seq, entity) for seq, entity in ends.values() if entity is not None]
    _in_batches(run, _PUT, [_state_row(entity, seq) for seq, entity in put])


def _state_row(entity: Entity, seq: int) -> dict[str, Any]:
    keys = list(dict.fromkeys(indexed(key) for key in (*entity.aliases, entity.key)))
    return {"id": entity.id, "seq": seq, "state": state_of(entity), "keys": keys}
