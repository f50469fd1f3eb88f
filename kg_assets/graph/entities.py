"""Which entities a chunk's mentions lead to, and what that changes in the graph."""

from collections.abc import Iterable

from kg_assets.graph.resolution import Cluster, Link, denied, own_labels, parted, resolve, spellings, standing_links
from kg_assets.graph.sources import Sources
from kg_assets.identity import entity_id
from kg_assets.model import Assertion, Entity, EntityChange, Mention, MentionCount


def mention_keys(assertions: Iterable[Assertion]) -> set[str]:
    """The normal forms on either side."""
    keys = set()
    for each in assertions:
        keys.add(each.subject.key)
        if isinstance(each.object, Mention):
            keys.add(each.object.key)
    return keys


def resolve_mentions(memory: Sources, keys: set[str]) -> tuple[EntityChange, set[str], set[str]]:
    """The change to the entities of these normal forms and of all linked to them.

    Also the forms that now lead elsewhere, and the ids of the entities that they led to before.
    """
    ledger, graph = memory.ledger, memory.graph
    if not keys:
        return EntityChange(put=(), dropped=(), generation=graph.generation), set(), set()
    closure, links, known = set(keys), [], graph.entities_by_key(sorted(keys))
    while True:
        links = ledger.links(sorted(closure))
        counts = ledger.mention_counts(sorted(closure))
        pairs = joining_links(links, counts)
        wider = closure | mention_keys(links) | {end for pair in pairs for end in (pair.first, pair.second)}
        known = graph.entities_by_key(sorted(wider))
        wider |= {alias for entity in known.values() for alias in entity.aliases}
        if wider == closure:
            break
        closure = wider
    clusters = [entity_of(memory.key, each) for each in resolve(counts, pairs)]
    leads_to = {alias: entity.id for entity in clusters for alias in entity.aliases}
    moved = {key for key, entity in known.items() if leads_to.get(key) != entity.id}
    before = {entity.id: entity for entity in known.values()}
    put = tuple(entity for entity in clusters if before.get(entity.id) != entity)
    dropped = tuple(sorted(set(before) - {entity.id for entity in clusters}))
    change = EntityChange(put=put, dropped=dropped, generation=graph.generation)
    return change, moved, {known[key].id for key in moved}


def joining_links(links: Iterable[Assertion], counts: Iterable[MentionCount]) -> list[Link]:
    """All that joins normal forms: what was said to be the same, the memory's own person with their labels, and
    spellings of one name. A spelling is parted by anybody's word, a label by a curator's."""
    said, mentioned = list(links), list(counts)
    apart = parted(said)
    joined = standing_links(said) + [each for each in own_labels(mentioned) if (each.first, each.second) not in apart]
    keys = {each.key for each in mentioned} | {end for each in joined for end in (each.first, each.second)}
    return joined + spellings(keys, denied(said))


def entity_of(key: bytes, found: Cluster) -> Entity:
    return Entity(
        id=entity_id(key, found.key),
        key=found.key,
        name=found.name,
        type=found.type,
        first_seq=found.first_seq,
        aliases=found.aliases,
    )
