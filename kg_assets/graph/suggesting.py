"""Merge suggestions: entities whose names are alike, and those known by a relation alone who share facts with somebody
named, with what speaks for and against their being one.

Computed at read from what is known now, stored nowhere. Accepted, one becomes a merge; declined, a denied `SAME_AS`
that keeps it from coming back. Nothing is joined by likeness alone (ADR 14).
"""

from collections import Counter, defaultdict
from collections.abc import Sequence

import msgspec

from kg_assets.errors import NotFound
from kg_assets.graph.bearing import Reason, Scene, Told, bearings
from kg_assets.graph.blocking import Name, pairs
from kg_assets.graph.curating import Curator
from kg_assets.graph.likeness import Likeness, likeness
from kg_assets.graph.merging import entity_meant, merge, named_key, said
from kg_assets.graph.resolution import VAGUE_TYPES, denied
from kg_assets.graph.sources import in_service
from kg_assets.identity import keyed_id
from kg_assets.model import SELF_KEY, Assertion, Entity, Fact, Mention, Micros
from kg_assets.ports import Memory
from kg_assets.text.names import is_relational, plain_form
from kg_assets.text.ontology import Ontology
from kg_assets.triples.asserting import SESSION, AssertedStatement

LEAST = 500  # thousandths; what scores less is not worth a person's time
MOST = 200  # pairs, the most alike, whose facts and conversations are looked at
EVERY_FACT = 100_000
FACTS = 2  # that somebody known by a relation has to have in common with somebody named
KNOWN = 350  # what they have in common adds to it
MOST_SHARING = 10  # a fact that more share tells nobody apart
ONE_OF_SEVERAL, MOST_SEVERAL = -100, 3  # for each other entity that a partial name fits as well


class Suggestion(msgspec.Struct, frozen=True, kw_only=True):
    """`keep` is the one whose name would stay. `score` in thousandths: the likeness and the weights of all reasons."""

    id: str
    keep: Entity
    merge: Entity
    score: int
    reasons: tuple[Reason, ...]


class Alike(msgspec.Struct, frozen=True):
    """Two entities by their places in a list, and the strongest likeness of any of their names."""

    one: int
    other: int
    likeness: Likeness
    names: tuple[str, str]


def suggestions(memory: Memory, ontology: Ontology, *, name: str | None = None, limit: int = MOST) -> list[Suggestion]:
    """The likeliest first, of all entities or of the one that a name leads to. To be called inside a snapshot."""
    waiting = undecided(memory)
    entities = waiting.entities
    of = entity_meant(memory, name, where="?name").id if name is not None else None
    asked = [each for each in waiting.pairs if of is None or of in (entities[each.one].id, entities[each.other].id)]
    made = weighed(memory, ontology, waiting, asked[:MOST])
    return sorted(made, key=lambda each: (-each.score, each.keep.first_seq, each.id))[:limit]


class Undecided(msgspec.Struct, frozen=True):
    """All entities, and the pairs of them that are alike and that nobody has kept apart."""

    entities: Sequence[Entity]
    pairs: Sequence[Alike]


def undecided(memory: Memory) -> Undecided:
    entities = memory.graph.all_entities()
    found = [*alike(entities), *known_alike(memory, entities)]
    apart = denied(in_service(memory).ledger.links(sorted({key for each in found for key in keys_of(entities, each)})))
    return Undecided(entities, [each for each in found if not was_denied(entities, each, apart)])


def weighed(memory: Memory, ontology: Ontology, waiting: Undecided, asked: Sequence[Alike]) -> list[Suggestion]:
    """What of the pairs asked for is worth a person's time; how many a partial name fits is told by all of them."""
    entities = waiting.entities
    fits = Counter(place for each in waiting.pairs if each.likeness.partial for place in (each.one, each.other))
    told, scenes = read(memory, [entities[place] for place in sorted({p for e in asked for p in (e.one, e.other)})])
    made = []
    for each in asked:
        one, other = told[entities[each.one].id], told[entities[each.other].id]
        reasons = [
            # Sorted: which of the two stands first depends on the order in which they were told of.
            Reason(f"{' and '.join(map(repr, sorted(each.names)))}: {each.likeness.way}", each.likeness.strength),
            *several(max(fits[each.one], fits[each.other]) if each.likeness.partial else 1),
            *bearings(one, other, scenes, ontology),
        ]
        score = max(0, min(1000, sum(reason.weight for reason in reasons)))
        if score >= LEAST:
            made.append(suggested(memory.key, one, other, each, score, reasons))
    return made


def suggested(key: bytes, one: Told, other: Told, found: Alike, score: int, reasons: Sequence[Reason]) -> Suggestion:
    def standing(told: Told) -> tuple[bool, bool, int, int, int, str]:
        name = found.names[0] if told is one else found.names[1]
        fuller = -len(name.split()) if found.likeness.partial else 0
        entity = told.entity
        known = (entity.key != SELF_KEY, is_relational(entity.key))
        return (*known, fuller, -len(told.assertions), entity.first_seq, entity.key)

    keep, merged = sorted((one, other), key=standing)
    return Suggestion(
        id=suggestion_id_of(key, one.entity, other.entity),
        keep=keep.entity,
        merge=merged.entity,
        score=score,
        reasons=tuple(reasons),
    )


def suggestion_id_of(key: bytes, one: Entity, other: Entity) -> str:
    return keyed_id(key, "suggestion", *sorted((one.id, other.id)))


def several(fits: int) -> list[Reason]:
    if fits < 2:
        return []
    return [Reason(f"the shorter name fits {fits} entities", ONE_OF_SEVERAL * min(fits - 1, MOST_SEVERAL))]


# --------------------------------------------------------------------------------------------------------- names


def alike(entities: Sequence[Entity]) -> list[Alike]:
    """Entities with names that are alike, the most alike first."""
    names = [
        Name(place, form, entity.type)
        for place, entity in enumerate(entities)
        for form in sorted({plain_form(key) for key in (entity.key, *entity.aliases) if is_name(key)})
    ]
    best: dict[tuple[int, int], Alike] = {}
    for one, other in pairs(names):
        how = likeness(one.form, other.form, kind_of(one, other))
        known = best.get((one.of, other.of))
        if how is not None and (known is None or known.likeness < how):
            best[one.of, other.of] = Alike(one.of, other.of, how, (one.form, other.form))
    return sorted(best.values(), key=lambda each: (-each.likeness.strength, each.one, each.other))


def known_alike(memory: Memory, entities: Sequence[Entity]) -> list[Alike]:
    """Those who are known by a relation alone ("ana's sister"), with whom the same is said of: two facts at least."""
    place = {each.id: at for at, each in enumerate(entities)}
    unnamed = [each.id for each in entities if each.key != SELF_KEY and not any(map(is_name, each.aliases))]
    if not unnamed:
        return []
    known = memory.graph.facts(valid_at=None, known_at=None, subjects=unnamed, limit=EVERY_FACT)
    about: dict[tuple[str, str], set[str]] = defaultdict(set)
    ends = sorted({object_of(each) for each in known})
    for fact in memory.graph.facts(valid_at=None, known_at=None, objects=ends, limit=EVERY_FACT):
        about[fact.belief.predicate, object_of(fact)].add(fact.belief.subject_id)
    common: Counter[tuple[str, str]] = Counter()
    for one, predicate, end in sorted(
        {(each.belief.subject_id, each.belief.predicate, object_of(each)) for each in known}
    ):
        others = about[predicate, end] - {one}
        if len(others) <= MOST_SHARING:
            common.update((one, other) for other in others)
    found = []
    for (one, other), facts in sorted(common.items()):
        if facts >= FACTS and not (other in unnamed and other < one):
            names = (entities[place[one]].key, entities[place[other]].key)
            found.append(Alike(place[one], place[other], Likeness(KNOWN, "nobody said what the one is called"), names))
    return found


def object_of(fact: Fact) -> str:
    return fact.belief.object_id or fact.belief.object_key


def is_name(key: str) -> bool:
    return key != SELF_KEY and not is_relational(key)


def kind_of(one: Name, other: Name) -> str:
    """A name of no telling type is compared as the other's; two of them as people's, who have most names."""
    kinds = {one.kind, other.kind} - VAGUE_TYPES
    return "person" if not kinds or "person" in kinds else min(kinds)


# ------------------------------------------------------------------------------------------------- what was said


def keys_of(entities: Sequence[Entity], pair: Alike) -> set[str]:
    return {key for place in (pair.one, pair.other) for key in (entities[place].key, *entities[place].aliases)}


def was_denied(entities: Sequence[Entity], pair: Alike, apart: set[tuple[str, str]]) -> bool:
    one, other = ({entities[place].key, *entities[place].aliases} for place in (pair.one, pair.other))
    return any((a in one and b in other) or (a in other and b in one) for a, b in apart)


def read(memory: Memory, entities: Sequence[Entity]) -> tuple[dict[str, Told], dict[int, Scene]]:
    """What is known of each, by id, and the utterances that mention them, by seq."""
    place = {key: each.id for each in entities for key in (each.key, *each.aliases)}
    assertions: dict[str, dict[str, Assertion]] = defaultdict(dict)
    for assertion in in_service(memory).ledger.assertions_about(sorted(place)):
        for end in (assertion.subject, assertion.object):
            if isinstance(end, Mention) and end.key in place:
                assertions[place[end.key]][assertion.id] = assertion
    ids = sorted(each.id for each in entities)
    facts: dict[str, dict[str, Fact]] = defaultdict(dict)
    rows = memory.graph.facts(valid_at=None, known_at=None, subjects=ids, limit=EVERY_FACT) if ids else []
    rows += memory.graph.facts(valid_at=None, known_at=None, objects=ids, limit=EVERY_FACT) if ids else []
    for fact in rows:
        for end_id in (fact.belief.subject_id, fact.belief.object_id or ""):
            facts[end_id][fact.version_id] = fact
    told = {
        each.id: Told(entity=each, facts=tuple(facts[each.id].values()), assertions=tuple(assertions[each.id].values()))
        for each in entities
    }
    seqs = sorted({assertion.seq for each in told.values() for assertion in each.assertions})
    scenes = {
        each.seq: Scene(session="" if each.session == SESSION else each.session, text=each.text)
        for each in memory.ledger.utterances(seqs)
    }
    return told, scenes


# ------------------------------------------------------------------------------------------------------ deciding


def suggestion_named(memory: Memory, ontology: Ontology, suggestion_id: str) -> Suggestion:
    """Raises `NotFound`: it never was one, or is decided."""
    waiting = undecided(memory)
    ends = waiting.entities
    meant = [
        each
        for each in waiting.pairs
        if suggestion_id_of(memory.key, ends[each.one], ends[each.other]) == suggestion_id
    ]
    if made := weighed(memory, ontology, waiting, meant):
        return made[0]
    raise NotFound("no suggestion of this id waits here; it may be decided already. List the suggestions")


def decided(
    memory: Memory, suggestion: Suggestion, who: Curator, now: Micros, *, accept: bool
) -> list[AssertedStatement]:
    """A merge, or a word that they are two."""
    if accept:
        return merge(memory, suggestion.keep.id, suggestion.merge.id, who, now)
    pair = (suggestion.merge.key, named_key(suggestion.keep))
    return said(memory, [pair], who, now, denied=True)
