"""Walking the graph: from words to an entity, and from an entity to the facts that a question asks for."""

import re
from collections.abc import Sequence

from msgspec.structs import replace

from kg_assets.answers.answer import Asking, Reached
from kg_assets.answers.cypher import Hop, cypher
from kg_assets.answers.following import followed, way
from kg_assets.answers.kinds import contradicted, entities_of, far_end
from kg_assets.answers.questions import Question, relation
from kg_assets.graph.naming import called_in_full, entity_named
from kg_assets.model import Entity, Fact, Micros
from kg_assets.text.names import normal_form

CHAIN = re.compile(r"^(?:the )?(?P<relation>[\w ]+?) of (?P<subject>.+)$|^(?P<owner>.+?)(?:'s|s') (?P<owned>[\w ]+)$")
MANY = 1000
DEEPEST = 4  # relations in one question


def believed(asking: Asking, subject: Entity, question: Question) -> tuple[list[Fact], Hop | None]:
    """The subject's facts of this predicate at the time that was asked for, else now, and the step to them.

    A question in the past tense that names no time is answered from the latest that ever held; that is no step.
    """
    if question.before is not None:
        return earlier(asking, subject, question), None
    instant = asking.valid_at if asking.valid_at is not None else question.instant
    at = instant if instant is not None else asking.now
    facts = facts_at(asking, subject, question, at)
    if facts or instant is not None or not question.past:
        return facts, Hop(start=subject.id, predicate=question.predicate, inverted=question.inverted, valid_at=at)
    ever = facts_at(asking, subject, question, None)
    latest = max((fact.belief.valid_from or 0 for fact in ever), default=0)
    return [fact for fact in ever if (fact.belief.valid_from or 0) == latest], None


def earlier(asking: Asking, subject: Entity, question: Question) -> list[Fact]:
    """What held just before what the question names, or before what holds now."""
    ever = facts_at(asking, subject, question, None)
    if question.before:
        entities = entities_of(asking, ever)
        held = [fact for fact in ever if mentioned(far_end(fact, entities, question.inverted), question.before)]
    else:
        held = facts_at(asking, subject, question, asking.valid_at if asking.valid_at is not None else asking.now)
    starts = [fact.belief.valid_from for fact in held if fact.belief.valid_from is not None]
    return facts_at(asking, subject, question, min(starts) - 1) if starts else []


def mentioned(name: str, words: str) -> bool:
    """True where the words hold this name whole."""
    return f" {normal_form(name)} " in f" {normal_form(words)} "


def facts_at(asking: Asking, subject: Entity, question: Question, valid_at: Micros | None) -> list[Fact]:
    facts = asking.memory.graph.facts(
        valid_at=valid_at,
        known_at=asking.known_at,
        subjects=None if question.inverted else [subject.id],
        predicates=[question.predicate],
        objects=[subject.id] if question.inverted else None,
        limit=MANY,
    )
    return sorted(facts, key=lambda fact: (-fact.belief.confidence, fact.belief.valid_from or 0, fact.version_id))


def resolve_subject(asking: Asking, words: str, depth: int) -> Reached | None:
    """The entity that words name: by any of its names, or along a chain of relations."""
    named = entity_named(asking.memory, words, asking.known_at)
    named = named or called_in_full(asking.memory, words, asking.known_at)
    if named is not None:
        return Reached(entity=named, path=(named.name,))
    match = CHAIN.match(words)
    if match is None or depth == 0:
        return None
    predicate, inverted = relation(match["relation"] or match["owned"], asking.ontology)
    start = resolve_subject(asking, match["subject"] or match["owner"], depth - 1)
    if start is None or not predicate:
        return None
    question = Question(kind="value", subject="", predicate=predicate, inverted=inverted)
    facts, hop = believed(asking, start.entity, question)
    ids = [fact.belief.subject_id if inverted else fact.belief.object_id for fact in facts]
    found = asking.memory.graph.entities([each for each in ids if each], asking.known_at)
    noun = match["relation"] or match["owned"]
    entities = [each for each in found if not contradicted(asking, noun, predicate, each)]
    if not entities:
        return reached_by_rule(asking, start, replace(question, relation=noun))
    path = (*start.path, predicate, entities[0].name)
    return Reached(entity=entities[0], path=path, hops=(*start.hops, hop), rests_on=start.rests_on)


def reached_by_rule(asking: Asking, start: Reached, question: Question) -> Reached | None:
    """The one that the relation leads to by what follows from the facts; the surest, where there are several."""
    ends = followed(asking, start.entity, question)
    if not ends:
        return None
    concluded, entity = ends[0]
    path = (*start.path, *way(asking, concluded, start.entity))
    return Reached(entity=entity, path=path, hops=(*start.hops, None), rests_on=(*start.rests_on, concluded))


def shown_as_cypher(asking: Asking, hops: Sequence[Hop | None]) -> str | None:
    """None where a step was no single moment: the latest that ever held."""
    walked = [each for each in hops if each is not None]
    return cypher(asking.memory.info.id, walked, asking.known_at) if len(walked) == len(hops) else None
