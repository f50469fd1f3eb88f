"""Applying journaled changes to one memory's graph, in batches. Applying one again changes nothing."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

import msgspec

from kg_assets.model import Assertion, Drop, Entity, EntityChange, Fact, Flip, GraphChange, Micros, SlotChange
from resources.neo4j.connection import Run
from resources.neo4j.flipping import flip
from resources.neo4j.forgetting import drop
from resources.neo4j.rows import RELATED, indexed, object_ref, properties_of, relation_of, state_of

BATCH = 1_000

# The lock is taken by writing, and what is read after it is what the last holder left.
_LOCK = """
    MERGE (m:Memory {id: $memory}) SET m.locked_at = timestamp()
    RETURN coalesce(m.applied, 0), coalesce(m.generation, 1)
"""
_APPLIED = """
    MATCH (m:Memory {id: $memory})
    SET m.applied = CASE WHEN coalesce(m.applied, 0) < $applied THEN $applied ELSE m.applied END,
        m.generation = $generation
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
_JOIN = " CREATE (f)-[:SUBJECT]->(s), (f)-[:OBJECT]->(o)"
# Beside the node only what was served: people's Cypher need not know of generations.
_RELATE = """
    CREATE (s)-[r:$(row.type)]->(o)
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
    OPTIONAL MATCH (s)-[r]->(o) WHERE r.version_id = f.version_id AND r.recorded_to IS NULL
    SET r.recorded_to = f.recorded_to
    WITH DISTINCT f
    MATCH (f)<-[support:SUPPORTS]-()
    DELETE support
"""
_SLOTS = """
    UNWIND $rows AS row
    OPTIONAL MATCH (old:Slot {memory: $memory, slot: row.slot})
    WHERE old.generation = row.generation AND old.closed_by IS NULL AND old.opened_by <> row.seq
    WITH row, old WHERE old IS NULL OR old.opened_by < row.seq
    SET old.closed_by = row.seq
    MERGE (new:Slot {memory: $memory, slot: row.slot, opened_by: row.seq})
    SET new.hash = row.hash, new.generation = row.generation
"""
_END_STATES = """
    UNWIND $rows AS row
    MATCH (s:EntityState {memory: $memory, entity_id: row.id})
    WHERE s.generation = row.generation AND s.closed_by IS NULL AND s.opened_by < row.seq
    SET s.closed_by = row.seq, s.recorded_to = row.recorded_at
"""
_PUT = """
    UNWIND $rows AS row
    MERGE (e:Entity {memory: $memory, id: row.state.entity_id})
    MERGE (s:EntityState {memory: $memory, entity_id: row.state.entity_id, opened_by: row.state.opened_by})
    ON CREATE SET s += row.state
    MERGE (s)-[:STATE_OF]->(e)
    WITH s, row
    UNWIND row.keys AS key
    MERGE (n:Name {memory: $memory, key: key})
    MERGE (n)-[:LEADS_TO]->(s)
"""
_SHOW = """
    UNWIND $rows AS row
    MATCH (s:EntityState {memory: $memory, entity_id: row.id})-[:STATE_OF]->(e:Entity)
    WHERE s.generation = row.generation AND s.closed_by IS NULL
    SET e.key = s.key, e.name = s.name, e.type = s.type, e.first_seq = s.first_seq, e.aliases = s.aliases,
        e.dropped_by = null
"""
_DROP = """
    UNWIND $rows AS row
    MATCH (e:Entity {memory: $memory, id: row.id})
    WHERE NOT EXISTS { (s:EntityState)-[:STATE_OF]->(e) WHERE s.generation = row.generation AND s.closed_by IS NULL }
    SET e.dropped_by = row.seq
"""


class Applied(msgspec.Struct, frozen=True):
    """One change with the journal entry that carries it."""

    change: GraphChange
    recorded_at: Micros
    seq: int


class Reached(msgspec.Struct, frozen=True):
    """How far the graph has come: the last journal entry it holds, and the generation that serves."""

    applied: int
    generation: int


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
    generation, between = reached.generation, list[Applied]()
    told = list(evidence)
    for each in changes:
        if isinstance(each.change, Flip):
            _write_some(run, generation, between, told, known)
            flip(run, each.change, each.recorded_at, each.seq, known)
            generation, between = each.change.serves, []
        elif isinstance(each.change, Drop):
            _write_some(run, generation, between, told, known)
            drop(run, each.change)
            between = []
        else:
            between.append(each)
    _write_some(run, generation, between, told, known)
    applied = max([reached.applied, *(each.seq for each in changes)])
    return applied_upto(run, Reached(applied, generation))


def applied_upto(run: Run, reached: Reached) -> Reached:
    """Note how far the graph has come."""
    run(_APPLIED, applied=reached.applied, generation=reached.generation)
    return reached


def evidence_of(changes: Sequence[Applied]) -> list[str]:
    """The ids of all assertions that newly opened facts rest on."""
    return sorted({each for fact in _opened(changes) for each in fact.belief.assertions})


def _opened(changes: Sequence[Applied]) -> list[Fact]:
    return [fact for each in changes if isinstance(each.change, SlotChange) for fact in each.change.opened]


def in_batches(run: Run, statement: str, rows: Sequence[dict[str, Any]]) -> None:
    for start in range(0, len(rows), BATCH):
        run(statement, rows=rows[start : start + BATCH])


def _write_some(
    run: Run, served: int, changes: Sequence[Applied], evidence: Sequence[Assertion], known: Collection[str]
) -> None:
    """Changes between two flips."""
    _write_entities(run, served, changes)
    _write_slots(run, served, changes, evidence, known)


def _write_slots(
    run: Run, served: int, changes: Sequence[Applied], evidence: Sequence[Assertion], known: Collection[str]
) -> None:
    opened = [_row_of(fact, known) for fact in _opened(changes)]
    for shown, join in ((True, _JOIN + _RELATE), (False, _JOIN)):
        rows = [row for row in opened if (row["fact"]["generation"] == served) == shown]
        in_batches(run, _OPEN + _TO_ENTITY + join, [row for row in rows if row["value"] is None])
        in_batches(run, _OPEN + _TO_VALUE + join, [row for row in rows if row["value"] is not None])
    standing = [fact for fact in _opened(changes) if fact.recorded_to is None]
    in_batches(run, _UTTERANCES, [_utterances_of(fact) for fact in standing])
    in_batches(run, _ASSERTIONS, [_assertions_of(fact) for fact in standing])
    in_batches(run, _ASSERTED, [_evidence_row(each) for each in evidence] if standing else [])
    closed: list[dict[str, Any]] = []
    hashes: dict[tuple[int, str], dict[str, Any]] = {}
    for each in changes:
        if isinstance(each.change, SlotChange):
            more = {"recorded_at": each.recorded_at, "seq": each.seq}
            closed += [{"version_id": version_id, **more} for version_id in each.change.closed]
            slot = {"generation": each.change.generation, "slot": each.change.slot}
            hashed = {**slot, "hash": each.change.slot_hash, "seq": each.seq}
            key = (each.change.generation, each.change.slot)
            if each.seq >= hashes.get(key, hashed)["seq"]:
                hashes[key] = hashed
    in_batches(run, _CLOSE, closed)
    in_batches(run, _SLOTS, list(hashes.values()))


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


def _write_entities(run: Run, served: int, changes: Sequence[Applied]) -> None:
    """Every state that an entity went through, since a past read may ask for each; what stood before ends.

    An older change that comes again closes nothing that a later one opened, and finds its own states there.
    """
    ended: dict[tuple[int, str], dict[str, Any]] = {}
    states: list[dict[str, Any]] = []
    last: dict[tuple[int, str], dict[str, Any] | None] = {}
    named = {each.seq: each for each in changes if isinstance(each.change, EntityChange)}
    for _, each in sorted(named.items()):
        assert isinstance(each.change, EntityChange)
        generation = each.change.generation
        put = {entity.id: entity for entity in each.change.put}
        for entity_id in (*each.change.dropped, *put):
            key = (generation, entity_id)
            end = {"generation": generation, "id": entity_id, "seq": each.seq, "recorded_at": each.recorded_at}
            ended.setdefault(key, end)
            before = last.get(key)
            if before is not None:
                before["state"] |= {"closed_by": each.seq, "recorded_to": each.recorded_at}
            last[key] = _state_row(put[entity_id], each) if entity_id in put else None
            if (state := last[key]) is not None:
                states.append(state)
    in_batches(run, _END_STATES, list(ended.values()))
    in_batches(run, _PUT, states)
    shown = [{"generation": generation, "id": entity_id} for generation, entity_id in last if generation == served]
    in_batches(run, _SHOW, shown)
    gone = [end for key, end in ended.items() if key[0] == served and last[key] is None]
    in_batches(run, _DROP, gone)


def _state_row(entity: Entity, applied: Applied) -> dict[str, Any]:
    keys = list(dict.fromkeys(indexed(key) for key in (*entity.aliases, entity.key)))
    about = {"opened_by": applied.seq, "recorded_from": applied.recorded_at}
    return {"state": {**state_of(entity), **about, "generation": _generation_of(applied)}, "keys": keys}


def _generation_of(applied: Applied) -> int:
    return applied.change.generation if isinstance(applied.change, EntityChange) else 1
