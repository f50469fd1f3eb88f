"""Facts and entities as properties of Neo4j."""

import hashlib
from typing import Any

import msgspec
import msgspec.structs

from kg_assets.model import Belief, Entity, Fact
from resources import rows
from resources.neo4j.connection import Row

LONGEST_KEY = 1_000  # an indexed property may not pass 8 kB; longer names are found by their digest
RELATED = "RELATED"  # the relation of predicates that no ontology knows yet
FACT = (
    *("version_id", "fact_id", "generation", "slot", "subject_id", "subject_key", "predicate", "object_id"),
    *("object_key", "literal", "valid_from", "valid_to", "start_known", "precision", "confidence", "authority"),
    *("assertions", "utterances", "recorded_from", "recorded_to", "opened_by", "closed_by", "run_id"),
)
ENTITY = ("entity_id", "key", "name", "type", "first_seq", "aliases")


def columns(variable: str, names: tuple[str, ...]) -> str:
    """`f.version_id, f.fact_id, …`"""
    return ", ".join(f"{variable}.{name}" for name in names)


def indexed(text: str) -> str:
    """The text, or where it is too long for an index, its digest."""
    if len(text) <= LONGEST_KEY:
        return text
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def object_ref(belief: Belief) -> str:
    return belief.object_id if belief.object_id is not None else indexed(belief.object_key)


def properties_of(fact: Fact) -> dict[str, Any]:
    """Of a `(:Fact)` node. `literal` is JSON, because 34 and 34.0 are two values."""
    b = fact.belief
    return {
        **{"version_id": fact.version_id, "fact_id": fact.id, "generation": fact.generation, "slot": b.slot},
        **{"subject_id": b.subject_id, "subject_key": b.subject_key, "predicate": b.predicate},
        **{"object_id": b.object_id, "object_key": b.object_key, "object_ref": object_ref(b)},
        "literal": None if b.value is None else msgspec.json.encode(b.value).decode(),
        **{"valid_from": b.valid_from, "valid_to": b.valid_to, "start_known": b.start_known},
        **{"precision": b.precision, "confidence": b.confidence, "authority": b.authority},
        **{"assertions": list(b.assertions), "utterances": list(b.utterances), "support": len(b.utterances)},
        **{"recorded_from": fact.recorded_from, "recorded_to": fact.recorded_to},
        **{"opened_by": fact.opened_by, "closed_by": fact.closed_by, "run_id": fact.run_id},
        "changed_by": fact.opened_by if fact.closed_by is None else fact.closed_by,
    }


def relation_of(fact: Fact) -> dict[str, Any]:
    """Of the relation that stands beside the node, for people's Cypher."""
    b = fact.belief
    return {
        **{"version_id": fact.version_id, "fact_id": fact.id, "predicate": b.predicate},
        **{"valid_from": b.valid_from, "valid_to": b.valid_to, "confidence": b.confidence, "authority": b.authority},
        **{"recorded_from": fact.recorded_from, "recorded_to": fact.recorded_to},
    }


@rows.stored("fact version")
def fact_of(row: Row, seq: int) -> Fact:
    """From the columns of `FACT`, as it stood after journal entry `seq`: what closed it later is not seen."""
    fact = rows.fact_of((*row[:9], None if row[9] is None else msgspec.json.decode(row[9]), *row[10:]))
    if fact.closed_by is not None and fact.closed_by > seq:
        return msgspec.structs.replace(fact, recorded_to=None, closed_by=None)
    return fact


def state_of(entity: Entity) -> dict[str, Any]:
    return {
        **{"entity_id": entity.id, "key": entity.key, "name": entity.name, "type": entity.type},
        **{"first_seq": entity.first_seq, "aliases": list(entity.aliases)},
    }


def entity_of(row: Row) -> Entity:
    """From the columns of `ENTITY`."""
    return rows.entity_of(tuple(row))
