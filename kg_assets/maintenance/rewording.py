"""Index items of facts that speak of an entity by a name which is not its own any more."""

from collections.abc import Sequence

from kg_assets.graph.versions import touched_by, versions
from kg_assets.graph.wording import sentence
from kg_assets.index.building import CURSOR, entities_of
from kg_assets.model import Fact
from kg_assets.ports import Memory
from kg_assets.text.ontology import Ontology

PAGE = 200  # items with their vectors


def reworded(memory: Memory, ontology: Ontology, changed: set[str]) -> tuple[list[str], int | None]:
    """Ids of the items that have to go, and where the index has to begin again for them to be written anew (None:
    where it is). `changed` are the entities that may have other names."""
    stale: list[Fact] = []
    page: list[Fact] = []
    for fact in versions(memory.graph) if changed else ():
        if not changed.isdisjoint((fact.belief.subject_id, fact.belief.object_id)):
            page.append(fact)
        if len(page) == PAGE:
            stale += _stale(memory, ontology, page)
            page = []
    stale += _stale(memory, ontology, page)
    if not stale:
        return [], None
    begin = min(int(memory.value(CURSOR) or 0), *(touched_by(fact) - 1 for fact in stale))
    return [fact.version_id for fact in stale], max(0, begin)


def _stale(memory: Memory, ontology: Ontology, facts: Sequence[Fact]) -> list[Fact]:
    items = {item.id: item for item in memory.ledger.items([fact.version_id for fact in facts])}
    by_generation = entities_of(memory, facts)
    found = []
    for fact in facts:
        entities = by_generation[fact.generation]
        item = items.get(fact.version_id)
        subject = entities.get(fact.belief.subject_id)
        speaker = subject.name if subject else fact.belief.subject_key
        if item and (item.text, item.speaker) != (sentence(fact, entities, ontology), speaker):
            found.append(fact)
    return found
