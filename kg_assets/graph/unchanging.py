"""Which of the names that new evidence mentions lead to entities that these mentions cannot change.

Resolving a name counts all that was ever said under it, and most of what is said of somebody only says it once more:
of their type, under their name. So what one more assertion costs need not grow with what is known of its subject.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from kg_assets.graph.entities import mention_keys
from kg_assets.graph.resolution import OWN_WORDS, VAGUE_TYPES
from kg_assets.graph.sources import Sources
from kg_assets.model import SAME_AS, SELF_KEY, Assertion, Entity, Mention
from kg_assets.text.names import normal_form


def keys_to_resolve(memory: Sources, assertions: Sequence[Assertion]) -> set[str]:
    """The normal forms in these assertions, but for those whose entity stays what it is whatever else was said."""
    said: dict[str, list[tuple[Mention, int]]] = defaultdict(list)
    for mention, seq in _mentions(each for each in assertions if each.predicate != SAME_AS):
        said[mention.key].append((mention, seq))
    linked = mention_keys(each for each in assertions if each.predicate == SAME_AS)
    entities = memory.graph.entities_by_key(sorted(said))
    named = _names_given(memory, entities.values())
    settled = {
        key
        for key, mentions in said.items()
        if (entity := entities.get(key)) and entity.key == key  # the form that gave it its id is no other's
        if linked.isdisjoint(entity.aliases)
        if all(adds_nothing(mention, seq, entity, is_given=key in named) for mention, seq in mentions)
    }
    return mention_keys(assertions) - settled


def _mentions(assertions: Iterable[Assertion]) -> Iterator[tuple[Mention, int]]:
    for each in assertions:
        yield each.subject, each.seq
        if isinstance(each.object, Mention):
            yield each.object, each.seq


def _names_given(memory: Sources, entities: Iterable[Entity]) -> set[str]:
    """Normal forms that somebody gave as the name of one of these."""
    aliases = sorted({alias for each in entities for alias in each.aliases})
    links = memory.ledger.links(aliases) if aliases else []
    return {each.object.key for each in links if isinstance(each.object, Mention)}


def adds_nothing(mention: Mention, seq: int, entity: Entity, *, is_given: bool) -> bool:
    """Whether `resolution.cluster` makes the same of an entity with one more mention under its own key.

    Its first mention stays the first, its type keeps the most votes, and it is called what it is called.
    """
    if seq < entity.first_seq:
        return False
    vague = mention.type in VAGUE_TYPES and entity.type not in VAGUE_TYPES
    if mention.type != entity.type and not vague:
        return False
    own = mention.surface.casefold() in OWN_WORDS
    if mention.surface != entity.name and not (own and not is_given and entity.name.casefold() not in OWN_WORDS):
        return False
    label = normal_form(mention.surface)
    return own or mention.key != SELF_KEY or label in entity.aliases
