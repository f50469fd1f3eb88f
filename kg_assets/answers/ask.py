"""Answering: a fact question walks the graph; anything else is answered from what was said; else it is not known."""

import re
from collections.abc import Sequence

from kg_assets.answers.answer import NOT_KNOWN, WHOSE, Answer, Asking, Reached
from kg_assets.answers.following import answer_following, resting
from kg_assets.answers.kinds import KINDS, contradicted, entities_of, far_end, of_kind
from kg_assets.answers.owning import confirmed, owned, yes
from kg_assets.answers.questions import Question, read_question
from kg_assets.answers.quoting import quote
from kg_assets.answers.walking import (
    DEEPEST,
    MANY,
    believed,
    mentioned,
    resolve_subject,
    shown_as_cypher,
)
from kg_assets.graph.generations import require_kept
from kg_assets.graph.naming import OWN_WORDS, entity_named
from kg_assets.graph.wording import day, object_name
from kg_assets.model import Entity, Fact, Micros
from kg_assets.ports import Embedder, Memory
from kg_assets.recall.read_model import ReadModel
from kg_assets.text.names import normal_form
from kg_assets.text.ontology import Ontology

__all__ = ["NOT_KNOWN", "Answer", "ask"]

# "I" and "my" as words of the one who asks: not in "tell me", nor in names ("World War I", "My Fair Lady").
ASIDE = re.compile(r"\b(?i:tell|remind|show|give|let|help) me\b|(?<=\S )[A-Z]\w+ I\b")
OWN = re.compile(r"(?<!['’])\b(?:[Ii]|me|my|myself)\b|^My\b")


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
    """From the graph where it knows (`graph`), then from recall, else honestly not known.

    Raises `NotFound` where what was believed at `known_at` was dropped.
    """
    require_kept(memory, known_at)
    if memory.info.multi_speaker and of_oneself(question):
        return WHOSE
    if graph:
        asking = Asking(memory=memory, ontology=ontology, now=now, valid_at=valid_at, known_at=known_at)
        with memory.snapshot():
            read = read_question(question, ontology, now)
            for find in (answer_fact, answer_by_rule):  # what was told in any reading comes before what follows in one
                for reading in read:
                    answer = find(asking, reading)
                    if answer is not None:
                        return answer
    return quote(model, question, embedder, now=now, valid_at=valid_at, known_at=known_at)


def of_oneself(question: str) -> bool:
    """True where the asker speaks of themselves, who is nobody in a memory of several speakers."""
    return OWN.search(ASIDE.sub(" ", question.strip())) is not None


def answer_fact(asking: Asking, question: Question) -> Answer | None:
    """None where the graph does not hold it."""
    if question.kind == "when":
        return answer_when(asking, question)
    subject = resolve_subject(asking, question.subject, DEEPEST)
    if subject is None:
        return None
    told = answer_told(asking, subject, question)
    return resting(told, subject.rests_on) if told else None


def answer_by_rule(asking: Asking, question: Question) -> Answer | None:
    """None where nothing that the graph holds leads there either."""
    if question.kind not in ("value", "whether"):
        return None
    subject = resolve_subject(asking, question.subject, DEEPEST)
    return answer_following(asking, subject, question) if subject else None


def answer_told(asking: Asking, subject: Reached, question: Question) -> Answer | None:
    """From the facts about the one that was reached."""
    if question.kind == "name":
        return answer_name(asking, subject.entity, subject.path, question.subject)
    if question.kind in ("whether", "having"):
        find = confirmed if question.kind == "whether" else owned
        facts, entities = find(asking, subject.entity, question)
        names = [far_end(fact, entities, fact.belief.subject_id != subject.entity.id) for fact in facts]
        whether = question.whether or question.kind == "whether"
        return yes(facts, names, path=subject.path, whether=whether) if facts else None
    facts, hop = believed(asking, subject.entity, question)
    entities = entities_of(asking, facts)
    if question.noun:
        noun = normal_form(question.noun)
        facts = [fact for fact in facts if of_kind(asking, fact, entities, question.inverted, noun)]
    if question.relation:
        ends = [
            entities.get((fact.belief.subject_id if question.inverted else fact.belief.object_id) or "")
            for fact in facts
        ]
        facts = [
            fact
            for fact, end in zip(facts, ends, strict=True)
            if end is None or not contradicted(asking, question.relation, question.predicate, end)
        ]
    if not facts:
        return None
    values = [far_end(fact, entities, question.inverted) for fact in facts]
    return Answer(
        known=True,
        answer=", ".join(values),
        values=tuple(values),
        authority=facts[0].belief.authority,
        facts=tuple(fact.id for fact in facts),
        path=(*subject.path, question.predicate, *values),
        cypher=shown_as_cypher(asking, [*subject.hops, hop]),
    )


def answer_name(asking: Asking, subject: Entity, path: Sequence[str], words: str) -> Answer | None:
    """With the facts that name the subject. An entity that is only known by relation has no name yet."""
    if (so := of_this_kind(asking, subject)) is not None:
        return so
    if not bears_a_name(subject):
        return None
    named = asking.memory.graph.facts(
        valid_at=None, known_at=asking.known_at, subjects=[subject.id], predicates=["name"], limit=MANY
    )
    facts = [fact for fact in named if literal_name(fact) == normal_form(subject.name)]
    facts = facts or tying(asking, subject, words)
    return Answer(
        known=True,
        answer=subject.name,
        values=(subject.name,),
        authority=facts[0].belief.authority if facts else None,
        facts=tuple(fact.id for fact in facts),
        path=(*path, "name", subject.name),
    )


def bears_a_name(entity: Entity) -> bool:
    own = entity.name.casefold() in OWN_WORDS
    return normal_form(entity.name) in entity.aliases and not own and "'s " not in entity.name


def of_this_kind(asking: Asking, kind: Entity) -> Answer | None:
    """ "What is the cat called?": "the cat" leads to what Biscuit is, and not to Biscuit."""
    at = asking.now if asking.valid_at is None else asking.valid_at
    graph = asking.memory.graph
    facts = graph.facts(valid_at=at, known_at=asking.known_at, predicates=KINDS, objects=[kind.id], limit=MANY)
    entities = entities_of(asking, facts)
    facts = [each for each in facts if bears_a_name(entities[each.belief.subject_id])]
    if not facts:
        return None
    names = sorted({entities[each.belief.subject_id].name for each in facts})
    return Answer(
        known=True,
        answer=", ".join(names),
        values=tuple(names),
        authority=facts[0].belief.authority,
        facts=tuple(each.id for each in facts),
        path=(kind.name, facts[0].belief.predicate, *names),
    )


def literal_name(fact: Fact) -> str:
    return normal_form(str(fact.belief.value.value)) if fact.belief.value else ""


def tying(asking: Asking, named: Entity, words: str) -> list[Fact]:
    """The facts that say whose this is: those with the owner in the question, else with anyone, else what it is."""
    graph, owner = asking.memory.graph, owner_of(asking, words)
    at, known_at = asking.now if asking.valid_at is None else asking.valid_at, asking.known_at
    if owner is not None:
        of_owner = [
            *graph.facts(valid_at=at, known_at=known_at, subjects=[owner.id], objects=[named.id], limit=MANY),
            *graph.facts(valid_at=at, known_at=known_at, subjects=[named.id], objects=[owner.id], limit=MANY),
        ]
        if of_owner:
            return of_owner
    return graph.facts(valid_at=at, known_at=known_at, objects=[named.id], limit=MANY) or graph.facts(
        valid_at=at, known_at=known_at, subjects=[named.id], limit=MANY
    )


def owner_of(asking: Asking, words: str) -> Entity | None:
    """ "my cat" → the memory's own person, "ana's cat" and "the cat of ana" → Ana."""
    if words.startswith(("my ", "our ")):
        return entity_named(asking.memory, "me", asking.known_at)
    owner = words.rpartition("'s ")[0] or words.rpartition(" of ")[2]
    return entity_named(asking.memory, owner, asking.known_at)


def answer_when(asking: Asking, question: Question) -> Answer | None:
    """ "When did Ana move to Lisbon?": the subject's fact whose object the question mentions; its first day."""
    words = question.mentions.split()
    predicates = [question.predicate] if question.predicate else None
    for length in range(min(4, len(words) - 1), 0, -1):
        reached = resolve_subject(asking, " ".join(words[:length]), DEEPEST)
        if reached is None:
            continue
        subject, rest = reached.entity, " ".join(words[length:])
        facts = asking.memory.graph.facts(
            valid_at=None, known_at=asking.known_at, subjects=[subject.id], predicates=predicates, limit=MANY
        )
        entities = entities_of(asking, facts)
        dated = [
            (fact, day(fact.belief.valid_from, fact.belief.precision))
            for fact in facts
            if fact.belief.start_known and mentioned(object_name(fact, entities), rest)
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
