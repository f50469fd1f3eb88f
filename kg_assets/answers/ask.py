"""Answering: a fact question walks the graph; anything else is answered from what was said; else it is not known."""

import re
from collections.abc import Sequence

import msgspec

from kg_assets.answers.cypher import Hop, cypher
from kg_assets.answers.questions import Question, read_question, relation
from kg_assets.graph.naming import OWN_WORDS, entity_named
from kg_assets.graph.wording import day, object_name
from kg_assets.model import Entity, Fact, Micros
from kg_assets.ports import Embedder, Memory
from kg_assets.recall.read_model import ReadModel
from kg_assets.recall.retrieve import RecallRequest, recall
from kg_assets.text.names import normal_form
from kg_assets.text.ontology import Ontology

CHAIN = re.compile(r"^(?:the )?(?P<relation>[\w ]+?) of (?P<subject>.+)$|^(?P<owner>.+?)(?:'s|s') (?P<owned>[\w ]+)$")
MANY = 1000
DEEPEST = 4  # relations in one question


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What the HTTP contract of `/v1/ask` says, field for field."""

    known: bool
    answer: str
    values: tuple[str, ...] = ()
    route: str = "fact"
    authority: str | None = None
    facts: tuple[str, ...] = ()
    memories: tuple[str, ...] = ()
    path: tuple[str, ...] = ()
    cypher: str | None = None
    trace: str | None = None


NOT_KNOWN = Answer(known=False, answer="not known", route="context")


class Reached(msgspec.Struct, frozen=True, kw_only=True):
    """An entity and the way to it: in words, and as the steps that led there (None: a step of no single moment)."""

    entity: Entity
    path: tuple[str, ...]
    hops: tuple[Hop | None, ...] = ()


class Asking(msgspec.Struct, frozen=True, kw_only=True):
    """The circumstances of one question."""

    memory: Memory
    ontology: Ontology
    now: Micros
    valid_at: Micros | None
    known_at: Micros | None


def ask(
    memory: Memory,
    model: ReadModel,
    question: str,
    *,
    ontology: Ontology,
    embedder: Embedder,
    now: Micros,
    valid_at: Micros | None = None,
    known_at: Micros | None = None,
    graph: bool = True,
) -> Answer:
    """From the graph where it knows (`graph`), then from recall, else honestly not known."""
    if graph:
        asking = Asking(memory=memory, ontology=ontology, now=now, valid_at=valid_at, known_at=known_at)
        with memory.snapshot():
            for reading in read_question(question, ontology, now):
                answer = answer_fact(asking, reading)
                if answer is not None:
                    return answer
    return answer_from_recall(model, question, embedder, now=now, valid_at=valid_at, known_at=known_at)


# ------------------------------------------------------------------------------------------------- from the graph


def answer_fact(asking: Asking, question: Question) -> Answer | None:
    """None where the graph does not hold it."""
    if question.kind == "when":
        return answer_when(asking, question)
    subject = resolve_subject(asking, question.subject, DEEPEST)
    if subject is None:
        return None
    if question.kind == "name":
        return answer_name(asking, subject.entity, subject.path)
    facts, hop = believed(asking, subject.entity, question)
    if not facts:
        return None
    entities = entities_of(asking.memory, facts)
    if question.inverted:
        values = [subject_name(fact, entities) for fact in facts]
    else:
        values = [object_name(fact, entities) for fact in facts]
    return Answer(
        known=True,
        answer=", ".join(values),
        values=tuple(values),
        authority=facts[0].belief.authority,
        facts=tuple(fact.id for fact in facts),
        path=(*subject.path, question.predicate, *values),
        cypher=shown_as_cypher(asking, [*subject.hops, hop]),
    )


def shown_as_cypher(asking: Asking, hops: Sequence[Hop | None]) -> str | None:
    """None where a step was no single moment: the latest that ever held."""
    walked = [each for each in hops if each is not None]
    return cypher(asking.memory.info.id, walked, asking.known_at) if len(walked) == len(hops) else None


def subject_name(fact: Fact, entities: dict[str, Entity]) -> str:
    """One that was since merged into another keeps its normal form as its name."""
    entity = entities.get(fact.belief.subject_id)
    return entity.name if entity else fact.belief.subject_key


def answer_name(asking: Asking, subject: Entity, path: Sequence[str]) -> Answer | None:
    """With the facts that name the subject. An entity that is only known by relation has no name yet."""
    if (
        normal_form(subject.name) not in subject.aliases
        or subject.name.casefold() in OWN_WORDS
        or "'s " in subject.name
    ):
        return None
    named = asking.memory.graph.facts(
        valid_at=None, known_at=asking.known_at, subjects=[subject.id], predicates=["name"], limit=MANY
    )
    facts = [fact for fact in named if literal_name(fact) == normal_form(subject.name)]
    return Answer(
        known=True,
        answer=subject.name,
        values=(subject.name,),
        authority=facts[0].belief.authority if facts else None,
        facts=tuple(fact.id for fact in facts),
        path=(*path, "name", subject.name),
    )


def literal_name(fact: Fact) -> str:
    return normal_form(str(fact.belief.value.value)) if fact.belief.value else ""


def answer_when(asking: Asking, question: Question) -> Answer | None:
    """ "When did Ana move to Lisbon?": the subject's fact whose object the question mentions; its first day."""
    words = question.mentions.split()
    for length in range(min(4, len(words) - 1), 0, -1):
        reached = resolve_subject(asking, " ".join(words[:length]), DEEPEST)
        if reached is None:
            continue
        subject = reached.entity
        rest = f" {normal_form(' '.join(words[length:]))} "
        facts = asking.memory.graph.facts(valid_at=None, known_at=asking.known_at, subjects=[subject.id], limit=MANY)
        entities = entities_of(asking.memory, facts)
        dated = [
            (fact, day(fact.belief.valid_from, fact.belief.precision))
            for fact in facts
            if fact.belief.start_known and f" {normal_form(object_name(fact, entities))} " in rest
        ]
        if dated:
            fact, words_of_day = max(dated, key=lambda each: each[0].belief.valid_from or 0)
            return Answer(
                known=True,
                answer=words_of_day,
                values=(words_of_day,),
                authority=fact.belief.authority,
                facts=(fact.id,),
                path=(subject.name, fact.belief.predicate, object_name(fact, entities), "valid from", words_of_day),
            )
    return None


def believed(asking: Asking, subject: Entity, question: Question) -> tuple[list[Fact], Hop | None]:
    """The subject's facts of this predicate at the time that was asked for, else now, and the step to them.

    A question in the past tense that names no time is answered from the latest that ever held; that is no step.
    """
    instant = asking.valid_at if asking.valid_at is not None else question.instant
    at = instant if instant is not None else asking.now
    facts = facts_at(asking, subject, question, at)
    if facts or instant is not None or not question.past:
        return facts, Hop(start=subject.id, predicate=question.predicate, inverted=question.inverted, valid_at=at)
    ever = facts_at(asking, subject, question, None)
    latest = max((fact.belief.valid_from or 0 for fact in ever), default=0)
    return [fact for fact in ever if (fact.belief.valid_from or 0) == latest], None


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
    named = entity_named(asking.memory, words)
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
    entities = asking.memory.graph.entities([each for each in ids if each])
    if not entities:
        return None
    path = (*start.path, predicate, entities[0].name)
    return Reached(entity=entities[0], path=path, hops=(*start.hops, hop))


def entities_of(memory: Memory, facts: Sequence[Fact]) -> dict[str, Entity]:
    ids = {fact.belief.subject_id for fact in facts} | {fact.belief.object_id or "" for fact in facts}
    return {entity.id: entity for entity in memory.graph.entities(sorted(ids - {""}))}


# -------------------------------------------------------------------------------------------------- from recall


def answer_from_recall(
    model: ReadModel,
    question: str,
    embedder: Embedder,
    *,
    now: Micros,
    valid_at: Micros | None,
    known_at: Micros | None,
) -> Answer:
    """The best memories as they were said; the caller's reader, or a language model, takes it from there."""
    request = RecallRequest(query=question, k=3, kinds=("utterance",), valid_at=valid_at, known_at=known_at)
    results = recall(model, request, embedder, now).results
    if not results:
        return NOT_KNOWN
    best = results[0]
    said = day(best.said_at, "day")
    return Answer(
        known=False,
        answer=f'not known for certain; {best.speaker} said on {said}: "{best.text}"',
        route="context",
        memories=tuple(each.id for each in results),
    )
