"""What follows from the facts about an entity, as the contract tells it."""

from collections.abc import Sequence

from kg_assets.errors import InvalidInput
from kg_assets.graph.concluding import Asked, conclude, concluded_by
from kg_assets.graph.inference import Conclusion
from kg_assets.model import Entity, Micros
from kg_assets.ports import Memory
from kg_assets.text.ontology import Ontology
from serving.contract import ConclusionView, InferredView, entity_view, share, when


def require_entity(subject: str | None, target: str | None) -> None:
    """Raises `InvalidInput` where neither is named: nobody asks for all that follows from a whole memory."""
    if subject is None and target is None:
        raise InvalidInput("what follows is told of one entity; name a subject or an object", where="inferred")


def conclusions(
    memory: Memory,
    ontology: Ontology,
    *,
    subjects: Sequence[str] | None,
    predicates: Sequence[str] | None,
    objects: Sequence[str] | None,
    valid_at: Micros,
    known_at: Micros,
) -> tuple[tuple[ConclusionView, ...], bool]:
    """What follows, the surest first, and whether more may follow; of the subjects, else of the objects."""
    starts = (objects or ()) if subjects is None else subjects
    steps = concluded_by(ontology.rules, predicates, inverted=subjects is None)
    found: list[Conclusion] = []
    cut = False
    for start in starts if steps else ():
        asked = Asked(start=start, steps=steps, valid_at=valid_at, known_at=known_at)
        inference = conclude(memory, ontology, asked)
        cut |= inference.cut
        found += [each for each in inference.conclusions if objects is None or each.object_id in objects]
    ids = {end for each in found for end in (each.subject_id, each.object_id)}
    entities = {entity.id: entity for entity in memory.graph.entities(sorted(ids), known_at)}
    return tuple(view(each, entities) for each in found), cut


def view(each: Conclusion, entities: dict[str, Entity]) -> ConclusionView:
    return ConclusionView(
        subject=entity_view(each.subject_id, key_of(each.subject_id, each), entities),
        predicate=each.predicate,
        object=entity_view(each.object_id, key_of(each.object_id, each), entities),
        valid_from=when(each.valid_from),
        valid_to=when(each.valid_to),
        confidence=share(each.confidence),
        authority=each.authority,
        inferred=InferredView(
            rule=each.rule,
            premises=tuple(dict.fromkeys(fact.id for fact in each.premises)),
            versions=tuple(dict.fromkeys(fact.version_id for fact in each.premises)),
        ),
    )


def key_of(entity_id: str, each: Conclusion) -> str:
    """Its normal form in the premises, for one that was since merged into another."""
    ends = ((one.belief.subject_id, one.belief.subject_key) for one in each.premises)
    others = ((one.belief.object_id, one.belief.object_key) for one in each.premises)
    return next(key for found, key in (*ends, *others) if found == entity_id)
