"""What speaks for and against two entities being one, apart from their names: what is said of them, and where.

Pure, of what was read of both. Weights are thousandths that are added to the likeness of the names.
"""

from collections.abc import Iterable, Mapping

import msgspec

from kg_assets.graph.intervals import interval
from kg_assets.graph.resolution import VAGUE_TYPES
from kg_assets.model import SAME_AS, Assertion, Entity, Fact, Mention
from kg_assets.text.names import normal_form
from kg_assets.text.ontology import Ontology
from kg_assets.text.sentences import split

SAME_TYPE, OTHER_TYPE = 50, -300
SHARED, MOST_SHARED = 100, 3  # each fact that both have
SAME_SESSION = 100
CONTRADICTS = -300  # each value of which one can hold at a time
RELATED = -500  # something is said of the one towards the other
SAME_SENTENCE = -250


class Reason(msgspec.Struct, frozen=True):
    """`weight` above 0 speaks for, below 0 against."""

    words: str
    weight: int


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """All that is known of one entity: current facts from either end, and the assertions that mention it."""

    entity: Entity
    facts: tuple[Fact, ...]
    assertions: tuple[Assertion, ...]


class Scene(msgspec.Struct, frozen=True, kw_only=True):
    """An utterance in which somebody was mentioned; `session` is empty where it was no conversation."""

    session: str
    text: str


def bearings(one: Told, other: Told, scenes: Mapping[int, Scene], ontology: Ontology) -> list[Reason]:
    """The weightiest first. `scenes`: the utterances of the assertions, by seq."""
    found = [
        types(one.entity, other.entity, ontology),
        shared(one, other),
        contradicted(one, other, ontology),
        related(one, other),
        told_together(one, other, scenes),
    ]
    return sorted((each for each in found if each), key=lambda each: (-abs(each.weight), each.words))


def types(one: Entity, other: Entity, ontology: Ontology) -> Reason | None:
    kinds = (one.type, other.type)
    if not VAGUE_TYPES.isdisjoint(kinds):
        return None
    if ontology.is_a(*kinds) or ontology.is_a(*reversed(kinds)):
        return Reason(f"both are of the type {one.type}", SAME_TYPE) if one.type == other.type else None
    return Reason(f"one is of the type {one.type}, the other {other.type}", OTHER_TYPE)


def shared(one: Told, other: Told) -> Reason | None:
    same = statements(one) & statements(other)
    if not same:
        return None
    said = "1 fact" if len(same) == 1 else f"{len(same)} facts"
    return Reason(f"both have {said} in common", SHARED * min(len(same), MOST_SHARED))


def statements(told: Told) -> set[tuple[str, str, str]]:
    """(direction, predicate, other end) of every fact."""
    found = set()
    for fact in told.facts:
        belief = fact.belief
        if belief.subject_id == told.entity.id:
            found.add((">", belief.predicate, belief.object_id or belief.object_key))
        else:
            found.add(("<", belief.predicate, belief.subject_id))
    return found


def contradicted(one: Told, other: Told, ontology: Ontology) -> Reason | None:
    """Two values at one time of what has one. What both have is no contradiction."""
    slots: set[str] = set()
    for mine in own_facts(one):
        declared = ontology.predicate(mine.belief.predicate)
        if declared is None or not declared.functional:
            continue
        for theirs in own_facts(other):
            if ontology.slot_name(theirs.belief.predicate) != ontology.slot_name(declared):
                continue
            values = {each.belief.object_id or each.belief.object_key for each in (mine, theirs)}
            if len(values) == 2 and at_one_time(mine, theirs):
                slots.add(ontology.slot_name(declared))
    if not slots:
        return None
    return Reason(f"would have two values of {', '.join(sorted(slots))}", CONTRADICTS * len(slots))


def own_facts(told: Told) -> list[Fact]:
    return [each for each in told.facts if each.belief.subject_id == told.entity.id]


def at_one_time(one: Fact, other: Fact) -> bool:
    spans = [interval(each.belief.valid_from, each.belief.valid_to) for each in (one, other)]
    if spans[0] is None or spans[1] is None:
        return False
    return max(spans[0][0], spans[1][0]) < min(spans[0][1], spans[1][1])


def related(one: Told, other: Told) -> Reason | None:
    ids = {one.entity.id, other.entity.id}
    between = {
        fact.belief.predicate for fact in one.facts if {fact.belief.subject_id, fact.belief.object_id or ""} == ids
    }
    between |= {each.predicate for each in one.assertions if ends(each) == names_of(one, other, each)} - {SAME_AS}
    return Reason(f"one is said to be {', '.join(sorted(between))} of the other", RELATED) if between else None


def ends(assertion: Assertion) -> set[str]:
    return {each.key for each in (assertion.subject, assertion.object) if isinstance(each, Mention)}


def names_of(one: Told, other: Told, assertion: Assertion) -> set[str] | None:
    """The ends of an assertion, if the one stands at one and the other at the other."""
    found = ends(assertion)
    mine, theirs = found & {*one.entity.aliases, one.entity.key}, found & {*other.entity.aliases, other.entity.key}
    return found if len(mine) == len(theirs) == 1 else None


def told_together(one: Told, other: Told, scenes: Mapping[int, Scene]) -> Reason | None:
    seqs = [{each.seq for each in told.assertions} for told in (one, other)]
    for seq in sorted(seqs[0] & seqs[1]):
        if seq in scenes and in_one_sentence(scenes[seq].text, named(one, seq), named(other, seq)):
            return Reason("both are named in one sentence", SAME_SENTENCE)
    sessions = [{scenes[seq].session for seq in found if seq in scenes} - {""} for found in seqs]
    return Reason("both were spoken of in one conversation", SAME_SESSION) if sessions[0] & sessions[1] else None


def named(told: Told, seq: int) -> list[tuple[int, int, str]]:
    """Where an utterance mentions somebody: (start, end, normal form)."""
    mentions = [
        each
        for assertion in told.assertions
        if assertion.seq == seq
        for each in (assertion.subject, assertion.object)
        if isinstance(each, Mention) and each.key in told.entity.aliases and each.span is not None
    ]
    return sorted({(*each.span, each.key) for each in mentions if each.span is not None})


def in_one_sentence(text: str, one: Iterable[tuple[int, int, str]], other: Iterable[tuple[int, int, str]]) -> bool:
    """By name: a pronoun may stand beside the name it stands for."""
    places = [[start for start, end, key in spans if normal_form(text[start:end]) == key] for spans in (one, other)]
    if not all(places):
        return False
    edges = [sentence.tokens[-1].end for sentence in split(text) if sentence.tokens]
    sentences = [{sum(edge <= start for edge in edges) for start in starts} for starts in places]
    return not sentences[0].isdisjoint(sentences[1])
