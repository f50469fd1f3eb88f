"""Facts and entities as rows of Postgres."""

import msgspec
from psycopg.types.json import Json

from kg_assets.model import Belief, Entity, Fact, Literal
from resources.postgres.session import Row

FACT = (
    "version_id, fact_id, generation, slot, subject_id, subject_key, predicate, object_id, object_key, value, "
    "valid_from, valid_to, start_known, precision, confidence, authority, assertions, utterances, "
    "recorded_from, recorded_to, opened_by, closed_by, run_id"
)
ENTITY = "id, key, name, type, first_seq, aliases"


def row_of_fact(fact: Fact) -> Row:
    """In the order of `FACT`."""
    b = fact.belief
    return (
        *(fact.version_id, fact.id, fact.generation, b.slot, b.subject_id, b.subject_key, b.predicate),
        *(b.object_id, b.object_key, None if b.value is None else Json(b.value)),
        *(b.valid_from, b.valid_to, b.start_known, b.precision, b.confidence, b.authority),
        *(list(b.assertions), list(b.utterances)),
        *(fact.recorded_from, fact.recorded_to, fact.opened_by, fact.closed_by, fact.run_id),
    )


def fact_of(row: Row) -> Fact:
    """From the columns of `FACT`."""
    belief = Belief(
        slot=row[3],
        subject_id=row[4],
        subject_key=row[5],
        predicate=row[6],
        object_id=row[7],
        object_key=row[8],
        value=None if row[9] is None else msgspec.convert(row[9], Literal),
        valid_from=row[10],
        valid_to=row[11],
        start_known=row[12],
        precision=row[13],
        confidence=row[14],
        authority=row[15],
        assertions=tuple(row[16]),
        utterances=tuple(row[17]),
    )
    return Fact(
        id=row[1],
        version_id=row[0],
        belief=belief,
        generation=row[2],
        recorded_from=row[18],
        recorded_to=row[19],
        opened_by=row[20],
        closed_by=row[21],
        run_id=row[22],
    )


def row_of_entity(entity: Entity) -> Row:
    """In the order of `ENTITY`."""
    return (entity.id, entity.key, entity.name, entity.type, entity.first_seq, list(entity.aliases))


def entity_of(row: Row) -> Entity:
    """From the columns of `ENTITY`."""
    return Entity(id=row[0], key=row[1], name=row[2], type=row[3], first_seq=row[4], aliases=tuple(row[5]))
