"""Whether something is so, and whether somebody has such a one: a yes with its name, or nothing. Never a no."""

from collections.abc import Sequence

from kg_assets.answers.answer import Answer, Asking
from kg_assets.answers.forms import ANYONE
from kg_assets.answers.kinds import contradicted, entities_of, far_end, numbers, of_kind, of_sex
from kg_assets.answers.questions import Question, relation
from kg_assets.answers.walking import MANY, believed
from kg_assets.graph.naming import entity_named
from kg_assets.model import Entity, Fact
from kg_assets.text.names import normal_form, relation_key
from kg_assets.text.ontology import Predicate

ANY = frozenset({ANYONE, "anybody", "someone", "somebody", "anything", "something"})
INDEFINITE = ("a ", "an ", "any ", "some ")


def confirmed(asking: Asking, subject: Entity, question: Question) -> tuple[list[Fact], dict[str, Entity]]:
    """The facts that say so: the object is the one that was named, or one of that kind ("a cat")."""
    if question.past and question.instant is None and asking.valid_at is None:
        facts = ever(asking, subject, question)
    else:
        facts, _ = believed(asking, subject, question)
    entities = entities_of(asking, facts)
    if question.mentions in ANY:
        return facts, entities
    named = entity_named(asking.memory, question.mentions, asking.known_at)
    kind = question.mentions if question.mentions.startswith(INDEFINITE) else ""

    def fits(fact: Fact) -> bool:
        end = fact.belief.subject_id if question.inverted else fact.belief.object_id
        if named is not None and end == named.id:
            return True
        if normal_form(far_end(fact, entities, question.inverted)) == normal_form(question.mentions):
            return True
        return bool(kind) and of_kind(asking, fact, entities, question.inverted, normal_form(kind))

    return [fact for fact in facts if fits(fact)], entities


def ever(asking: Asking, subject: Entity, question: Question) -> list[Fact]:
    return asking.memory.graph.facts(
        valid_at=None,
        known_at=asking.known_at,
        subjects=None if question.inverted else [subject.id],
        predicates=[question.predicate],
        objects=[subject.id] if question.inverted else None,
        limit=MANY,
    )


def owned(asking: Asking, subject: Entity, question: Question) -> tuple[list[Fact], dict[str, Entity]]:
    """What the subject has that `question.noun` names: by the relation ("a sister") or by its kind ("a dog")."""
    noun = normal_form(question.noun)
    related = (relation(each, asking.ontology) for each in numbers(noun))
    predicate, inverted = next((each for each in related if each[0]), ("", False))
    at = next((each for each in (asking.valid_at, question.instant) if each is not None), asking.now)
    facts = asking.memory.graph.facts(valid_at=at, known_at=asking.known_at, subjects=[subject.id], limit=MANY)
    had = [fact for fact in facts if has(asking.ontology.believed(fact.belief.predicate))]
    if predicate and inverted:
        had = asking.memory.graph.facts(
            valid_at=at, known_at=asking.known_at, predicates=[predicate], objects=[subject.id], limit=MANY
        )
    elif predicate:
        had += [fact for fact in facts if fact.belief.predicate == predicate and fact not in had]
    entities = entities_of(asking, had)
    found = [
        fact
        for fact in had
        if called(fact, entities, subject, noun, inverted)
        or of_kind(asking, fact, entities, inverted, noun, related=fact.belief.predicate == predicate)
        or (fact.belief.predicate == predicate and kin(asking, fact, entities, inverted, noun))
    ]
    return found, entities


def has(predicate: Predicate) -> bool:
    return predicate.phrase.startswith("{subject} has ") or predicate.name == "owns"


def called(fact: Fact, entities: dict[str, Entity], subject: Entity, noun: str, inverted: bool) -> bool:
    """True where the other end goes by this noun itself, or as the subject's ("ana's sister")."""
    names = {normal_form(far_end(fact, entities, inverted))}
    end = entities.get((fact.belief.subject_id if inverted else fact.belief.object_id) or "")
    names |= set(end.aliases) if end else set()
    owner = (subject.key, *subject.aliases)
    return any(each in names or relation_key(key, each) in names for each in numbers(noun) for key in owner)


def kin(asking: Asking, fact: Fact, entities: dict[str, Entity], inverted: bool, noun: str) -> bool:
    """True where a name says so in other words ("mom", "mother"), and of the one person there can be, who may be
    "husband" or "wife" while nobody said which."""
    end = entities.get((fact.belief.subject_id if inverted else fact.belief.object_id) or "")
    predicate = asking.ontology.believed(fact.belief.predicate)
    if end is None or contradicted(asking, noun, predicate.name, end):
        return False
    return predicate.functional or bool(of_sex(noun, end))


def yes(facts: Sequence[Fact], names: Sequence[str], *, path: Sequence[str], whether: bool) -> Answer:
    told = ", ".join(dict.fromkeys(names))
    return Answer(
        known=True,
        answer=f"Yes: {told}" if whether else told,
        values=tuple(dict.fromkeys(names)),
        authority=facts[0].belief.authority,
        facts=tuple(fact.id for fact in facts),
        path=(*path, *dict.fromkeys(fact.belief.predicate for fact in facts), *dict.fromkeys(names)),
    )
