"""Answers that nobody told: what follows from the facts by rules, where the graph holds no fact of it."""

from collections.abc import Sequence

import msgspec

from kg_assets.answers.answer import Answer, Asking, Inferred, Reached
from kg_assets.answers.kinds import contradicted, is_kind, kinds_of
from kg_assets.answers.questions import Question
from kg_assets.graph.concluding import Asked, conclude, concluded_by
from kg_assets.graph.inference import Conclusion
from kg_assets.graph.naming import entity_named
from kg_assets.graph.wording import object_name
from kg_assets.model import Entity, Fact
from kg_assets.text.names import normal_form
from kg_assets.text.rules import Step


def followed(asking: Asking, subject: Entity, question: Question) -> list[tuple[Conclusion, Entity]]:
    """What follows of the subject, with whom it joins it to; the surest first. Nothing of what came before."""
    if question.before is not None:
        return []
    predicates = [question.predicate]
    if question.noun or question.kind == "whether" or question.inverted:
        predicates += wider(asking, question)
    steps = concluded_by(asking.ontology.rules, predicates, inverted=question.inverted)
    if not steps:
        return []
    at = next((each for each in (asking.valid_at, question.instant) if each is not None), asking.now)
    asked = Asked(start=subject.id, steps=steps, valid_at=at, known_at=asking.known_at)
    found = conclude(asking.memory, asking.ontology, asked).conclusions
    ids = [far_id(each, question) for each in found]
    entities = {each.id: each for each in asking.memory.graph.entities(sorted(set(ids)), asking.known_at)}
    ends = [(each, entities[end]) for each, end in zip(found, ids, strict=True) if end in entities]
    if question.relation:
        ends = [each for each in ends if not contradicted(asking, question.relation, question.predicate, each[1])]
    return ends


def far_id(each: Conclusion, question: Question) -> str:
    return each.subject_id if question.inverted else each.object_id


def wider(asking: Asking, question: Question) -> list[str]:
    """What follows of a predicate along a transitive one: who lives in Lisbon lives within what Lisbon lies in."""
    ontology, first = asking.ontology, Step(question.predicate)
    return [
        rule.concludes
        for rule in ontology.rules
        if len(rule.steps) == 2 and rule.steps[0] == first and ontology.predicates[rule.steps[1].predicate].transitive
    ]


def answer_following(asking: Asking, subject: Reached, question: Question) -> Answer | None:
    """None where nothing follows either."""
    ends = followed(asking, subject.entity, question)
    if question.kind == "whether":
        named = entity_named(asking.memory, question.mentions, asking.known_at)
        ends = [each for each in ends if named is not None and each[1].id == named.id]
    elif question.noun:
        ends = of_the_kind(asking, ends, normal_form(question.noun))
    if not ends:
        return None
    values = tuple(end.name for _, end in ends)
    told = ", ".join(values)
    concluded = [each for each, _ in ends]
    answer = Answer(
        known=True,
        answer=f"Yes: {told}" if question.kind == "whether" else told,
        values=values,
        authority=concluded[0].authority,
        path=(*subject.path, *way(asking, concluded[0], subject.entity)),
    )
    return resting(answer, [*subject.rests_on, *concluded])


def of_the_kind(
    asking: Asking, ends: Sequence[tuple[Conclusion, Entity]], noun: str
) -> list[tuple[Conclusion, Entity]]:
    """Those that are said to be such ("country"); else the only one there is, of which nobody said what it is."""
    fitting = [each for each in ends if is_kind(asking, each[1], noun)]
    unsaid = len(ends) == 1 and not kinds_of(asking, ends[0][1])
    return fitting or list(ends if unsaid else ())


def way(asking: Asking, concluded: Conclusion, start: Entity) -> tuple[str, ...]:
    """The premises in words, from the start on: mother's name, predicate, grandmother's name, …"""
    facts, here, words = concluded.premises, start.id, []
    if here != concluded.subject_id:
        facts = facts[::-1]
    ids = {each for fact in facts for each in (fact.belief.subject_id, fact.belief.object_id) if each}
    entities = {each.id: each for each in asking.memory.graph.entities(sorted(ids), asking.known_at)}
    for fact in facts:
        forward = fact.belief.subject_id == here
        here = (fact.belief.object_id or "") if forward else fact.belief.subject_id
        words += [fact.belief.predicate, entities[here].name if here in entities else fallback(fact, forward)]
    return tuple(words)


def fallback(fact: Fact, forward: bool) -> str:
    return object_name(fact, {}) if forward else fact.belief.subject_key


def resting(answer: Answer, concluded: Sequence[Conclusion]) -> Answer:
    """The answer with the conclusions that it rests on, and their premises among its facts."""
    inferred = [
        Inferred(
            rule=each.rule,
            confidence=each.confidence / 1000,
            premises=tuple(dict.fromkeys(fact.id for fact in each.premises)),
        )
        for each in concluded
    ]
    facts = dict.fromkeys([*answer.facts, *(fact for each in inferred for fact in each.premises)])
    return msgspec.structs.replace(answer, facts=tuple(facts), inferred=(*answer.inferred, *inferred))
