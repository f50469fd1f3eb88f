"""The two ends of a fact, and of what kind they are: what a noun such as "dog" or "sister" may stand for."""

from collections.abc import Sequence

from kg_assets.answers.answer import Asking
from kg_assets.graph.wording import object_name
from kg_assets.model import Entity, Fact
from kg_assets.text.names import is_relational, normal_form
from kg_assets.text.ontology import Predicate
from kg_assets.text.tokens import terms

KINDS = ("species", "breed", "is_a", "works_as")  # what something is
_WOMEN = "mother mom mum daughter sister wife girlfriend fiancee fiancée aunt niece grandmother grandma granddaughter"
_MEN = "father dad son brother husband boyfriend fiance fiancé uncle nephew grandfather grandpa grandson"
FEMALE, MALE = frozenset(_WOMEN.split()), frozenset(_MEN.split())


def far_end(fact: Fact, entities: dict[str, Entity], inverted: bool) -> str:
    return subject_name(fact, entities) if inverted else object_name(fact, entities)


def subject_name(fact: Fact, entities: dict[str, Entity]) -> str:
    """One that was since merged into another keeps its normal form as its name."""
    entity = entities.get(fact.belief.subject_id)
    return entity.name if entity else fact.belief.subject_key


def entities_of(asking: Asking, facts: Sequence[Fact]) -> dict[str, Entity]:
    """The ends of these facts, under the names that they had at the recorded time that was asked for."""
    ids = {fact.belief.subject_id for fact in facts} | {fact.belief.object_id or "" for fact in facts}
    return {entity.id: entity for entity in asking.memory.graph.entities(sorted(ids - {""}), asking.known_at)}


def of_kind(
    asking: Asking, fact: Fact, entities: dict[str, Entity], inverted: bool, noun: str, *, related: bool = True
) -> bool:
    """True where the other end is one of these: by its type, by what is said of it, or since the predicate says so."""
    wanted = set(terms(noun)[-1:])
    predicate = asking.ontology.believed(fact.belief.predicate)
    if related and not inverted and wanted & generic(predicate):
        return True
    end = entities.get((fact.belief.subject_id if inverted else fact.belief.object_id) or "")
    return end is not None and is_kind(asking, end, noun)


def is_kind(asking: Asking, end: Entity, noun: str) -> bool:
    """True where its type or what it is said to be is this noun."""
    if set(terms(noun)[-1:]) & set(terms(end.type)):
        return True
    names = kinds_of(asking, end)
    return any(each in names for each in numbers(noun))


def generic(predicate: Predicate) -> set[str]:
    """Terms that every object of the predicate goes by. Of people and animals that is what it is asked for with
    ("pets"), not each of its names ("dog", "daughter"); of other things all of them ("job", "instrument")."""
    said = [predicate.name.replace("_", " "), *predicate.nouns, predicate.range, *predicate.asks, predicate.phrase]
    if not living(predicate):
        said += predicate.aliases
    return {term for each in said for term in terms(each.replace("{subject}", "").replace("{object}", ""))}


def living(predicate: Predicate) -> bool:
    return predicate.range in ("person", "agent", "animal") or predicate.symmetric or bool(predicate.inverse_aliases)


def numbers(noun: str) -> Sequence[str]:
    """As it stands, and in the singular."""
    return (noun, noun[:-1]) if noun.endswith("s") and len(noun) > 3 else (noun,)


def of_sex(noun: str, end: Entity) -> bool | None:
    """Whether a relation such as "mom" is of the sex that the names of this person tell ("ana's mother"), if any do."""
    told = {alias.split()[-1] for alias in end.aliases if is_relational(alias)}
    for own, other in ((FEMALE, MALE), (MALE, FEMALE)):
        if noun.split()[-1:] and noun.split()[-1] in own and told & (own | other):
            return bool(told & own)
    return None


def contradicted(asking: Asking, noun: str, predicate: str, end: Entity) -> bool:
    """True where what is known of somebody speaks against the noun: a dog is no cat, a sister no brother."""
    noun = normal_form(noun)
    if of_sex(noun, end) is False:
        return True
    declared = asking.ontology.canonical(predicate)[0]
    if declared.range != "animal" or set(terms(noun)[-1:]) & generic(declared):
        return False
    names = kinds_of(asking, end)
    return bool(names) and not any(each in names for each in numbers(noun))


def kinds_of(asking: Asking, end: Entity) -> set[str]:
    """Normal forms of what this is said to be."""
    facts = asking.memory.graph.facts(
        valid_at=asking.now, known_at=asking.known_at, subjects=[end.id], predicates=list(KINDS), limit=len(KINDS) * 10
    )
    entities = entities_of(asking, facts)
    return {normal_form(far_end(each, entities, False)) for each in facts}
