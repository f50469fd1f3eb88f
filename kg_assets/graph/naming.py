"""Which entity people mean by a name: one of its normal forms, "me", "my sister", or someone's relation.

Spelt in any way: a plain form is among the aliases of whom it means.
"""

from kg_assets.graph.resolution import VAGUE_TYPES
from kg_assets.model import SELF_KEY, Entity, MentionCount, Micros
from kg_assets.ports import Memory
from kg_assets.text.names import is_relational, normal_form, plain_form, relation_key

DEEPEST = 4  # relations in one name
MOST_NAMESAKES = 1000
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
    candidates += [plain_form(each) for each in candidates]
    found = memory.graph.entities_by_key(sorted({each for each in candidates if each}), known_at)
    return next((found[each] for each in candidates if each in found), None)


def relational(memory: Memory, owner: str, relation: str, known_at: Micros | None, depth: int) -> list[str]:
    """The forms of "owner's relation" under every name of the owner."""
    entity = entity_named(memory, owner, known_at, depth)
    return [relation_key(key, relation) for key in (entity.key, *entity.aliases)] if entity else []


def called_in_full(memory: Memory, words: str, known_at: Micros | None = None) -> Entity | None:
    """The only person whose full name begins with this one word: for reading alone, since another may come."""
    name = plain_form(normal_form(words))
    if not name or " " in name or is_relational(name):
        return None
    counts = memory.ledger.mention_counts_beginning(f"{name} ", MOST_NAMESAKES)
    if len(counts) == MOST_NAMESAKES:
        return None
    found = memory.graph.entities_by_key(sorted({each.key for each in counts if is_full_name(each)}), known_at)
    people = {each.id: each for each in found.values() if each.type == "person" or each.type in VAGUE_TYPES}
    return next(iter(people.values())) if len(people) == 1 else None


def is_full_name(count: MentionCount) -> bool:
    """Of a person; of somebody of whom no type is known, where it is written as a name is."""
    return count.type == "person" or (count.type in VAGUE_TYPES and count.surface.istitle())
