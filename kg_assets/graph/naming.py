"""Which entity people mean by a name: one of its normal forms, "me", "my sister", or someone's relation."""

from kg_assets.model import SELF_KEY, Entity, Micros
from kg_assets.ports import Memory
from kg_assets.text.names import normal_form, relation_key

DEEPEST = 4  # relations in one name
OWNERS = ("my ", "our ")
OWN_WORDS = frozenset({"i", "me", "my", "mine", "myself", "user"})  # "user" is what one without a name is shown as


def entity_named(memory: Memory, words: str, known_at: Micros | None = None, depth: int = DEEPEST) -> Entity | None:
    """The entity that a name led to at `known_at`, or leads to now; the memory's own person under all own words."""
    name = " ".join(words.casefold().replace("’", "'").split())
    candidates = [name, normal_form(words)]
    if name.startswith(OWNERS):
        candidates.insert(0, relation_key(SELF_KEY, name.partition(" ")[2]))
    if candidates[-1] in OWN_WORDS:
        candidates.append(SELF_KEY)
    owner, possessive, relation = name.rpartition("'s ")
    if possessive and depth:
        candidates += relational(memory, owner, relation, known_at, depth - 1)
    found = memory.graph.entities_by_key(sorted({each for each in candidates if each}), known_at)
    return next((found[each] for each in candidates if each in found), None)


def relational(memory: Memory, owner: str, relation: str, known_at: Micros | None, depth: int) -> list[str]:
    """The forms of "owner's relation" under every name of the owner."""
    entity = entity_named(memory, owner, known_at, depth)
    return [relation_key(key, relation) for key in (entity.key, *entity.aliases)] if entity else []
