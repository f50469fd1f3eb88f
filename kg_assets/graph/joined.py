"""Slots that are one: what a symmetric functional predicate says of two takes up the slots of both.

So a new spouse ends the marriage that was, also for whom it leaves. People are joined step by step by what was affirmed
of two of them; their slots are derived together, from the same evidence, whichever of them was touched.
"""

from collections.abc import Callable, Iterable, Sequence

import msgspec

from kg_assets.graph.entities import mention_keys
from kg_assets.graph.intervals import ALWAYS, Union, bounds, interval
from kg_assets.graph.policies import Dispute, Policy
from kg_assets.graph.renamed import as_of_today, told_under
from kg_assets.graph.sources import Sources
from kg_assets.graph.standing import Evidence, Statement
from kg_assets.graph.timeline import Stretch, bounds_key, derive_slot
from kg_assets.model import Assertion, Entity, Literal, Mention
from kg_assets.text.ontology import Ontology
from kg_assets.triples.reading import literal_key


def is_joined(ontology: Ontology, slot_name: str) -> bool:
    """Whether a slot of this name is one with those of others."""
    members = ontology.group_members(slot_name) or (slot_name,)
    declared = [known for name in members if (known := ontology.predicate(name)) is not None]
    return any(each.symmetric and each.functional for each in declared)


class Bond(msgspec.Struct, frozen=True):
    """An assertion with whom it binds (`places`, canonical keys), and what it states in the slot of each, by entity id.

    `statement` is the same from whichever side it was said; no key holds a bar.
    """

    assertion: Assertion
    places: tuple[str, ...]
    statement: Statement
    states: dict[str, Statement]


class Joined:
    """One subject's slot with all that are joined to it."""

    def __init__(self, memory: Sources, ontology: Ontology, subject_id: str, slot_name: str) -> None:
        members = told_under(ontology, ontology.group_members(slot_name) or (slot_name,))
        edge = memory.graph.entities([subject_id])
        people = {each.id: each for each in edge}
        told: dict[str, Assertion] = {}
        while edge:
            keys = sorted({key for each in edge for key in each.aliases})
            found = memory.ledger.assertions_about(keys, members)
            told |= {each.id: each for each in found}
            affirmed = mention_keys(each for each in found if each.polarity == "affirmed")
            met = memory.graph.entities_by_key(sorted(affirmed))
            edge = [each for each in {each.id: each for each in met.values()}.values() if each.id not in people]
            people |= {each.id: each for each in edge}
        self.people = sorted(people)
        entities = memory.graph.entities_by_key(sorted(mention_keys(told.values())))
        bonds = (bond(ontology, each, entities) for each in told.values())
        self._bonds = [each for each in bonds if each is not None]

    def evidence(self, subject_id: str) -> list[Evidence]:
        """Of the subject's slot; what is said of others alone stands elsewhere."""
        return [
            Evidence(
                each.assertion,
                each.states.get(subject_id, each.statement),
                "",
                each.places,
                elsewhere=subject_id not in each.states,
            )
            for each in self._bonds
        ]

    def derived(
        self, policy: Policy, counts: Callable[[Assertion], bool] = lambda _: True
    ) -> dict[str, tuple[list[Stretch], list[Dispute]]]:
        """By subject what `derive_slot` makes of their evidence, or of what of it counts, derived once."""
        told = [each for each in self._bonds if counts(each.assertion)]
        together = [Evidence(each.assertion, each.statement, "", each.places) for each in told]
        stretches, disputes = derive_slot(together, policy)
        bonds = {each.statement: each for each in self._bonds}
        bearers = {each.assertion.id: set(each.states) for each in self._bonds}
        found = {}
        for person in self.people:
            own = [
                msgspec.structs.replace(each, statement=bonds[each.statement].states[person])
                for each in stretches
                if person in bonds[each.statement].states
            ]
            if policy.name != "manual_review":
                own = self._with_what_was_dated(person, own, told, policy)
            own.sort(key=lambda each: (each.statement, bounds_key(each)))
            found[person] = (own, [each for each in disputes if person in bearers[each.winner] | bearers[each.loser]])
        return found

    def _with_what_was_dated(
        self, person: str, stretches: Sequence[Stretch], told: Sequence[Bond], policy: Policy
    ) -> list[Stretch]:
        """What was said of a person with its beginning and its end holds of them where nothing else does: another's
        marriage shows that an open one has ended, and not that a dated one never was."""
        own = [Evidence(each.assertion, each.states[person], "") for each in told if person in each.states]
        dated: dict[Statement, Union] = {}
        for each in own:
            span = interval(each.assertion.valid_from, each.assertion.valid_to)
            if each.assertion.polarity == "affirmed" and each.assertion.valid_to is not None and span is not None:
                dated.setdefault(each.statement, Union()).add(span)
        if not dated:
            return list(stretches)
        taken = Union()
        for stretch in stretches:
            taken.add(interval(stretch.valid_from, stretch.valid_to) or ALWAYS)
        found = list(stretches)
        for stretch in derive_slot(own, policy)[0]:
            span = interval(stretch.valid_from, stretch.valid_to) or ALWAYS
            undated = Union()
            for part in dated.get(stretch.statement, Union()).without(span):
                undated.add(part)
            for part in undated.without(span):
                for free in taken.without(part):
                    valid_from, valid_to = bounds(free)
                    found.append(msgspec.structs.replace(stretch, valid_from=valid_from, valid_to=valid_to))
        return melted(found)


def melted(stretches: Iterable[Stretch]) -> list[Stretch]:
    """Neighbouring ones of one statement on the same evidence as one."""
    found: list[Stretch] = []
    for each in sorted(stretches, key=lambda each: (each.statement, bounds_key(each))):
        last = found[-1] if found else None
        if last is not None and last.valid_to is not None and last.valid_to == each.valid_from:
            both = msgspec.structs.replace(last, valid_to=each.valid_to)
            if msgspec.structs.replace(each, valid_from=last.valid_from, start_known=last.start_known) == both:
                found[-1] = both
                continue
        found.append(each)
    return found


def bond(ontology: Ontology, assertion: Assertion, entities: dict[str, Entity]) -> Bond | None:
    """None where a mention is not resolved yet, and where both are one: nobody is their own other half."""
    said = as_of_today(ontology, assertion)
    declared = ontology.predicate(said[1]) if said is not None else None
    if said is None or declared is None:
        return None
    mentions = [end for end in (said[0], said[2]) if isinstance(end, Mention)]
    ends = [entities[end.key] for end in mentions if end.key in entities]
    if len({end.id for end in ends}) < len(mentions):
        return None
    subject, other = ends[0], ends[-1]
    target = literal_key(said[2]) if isinstance(said[2], Literal) else other.key
    states = {subject.id: Statement(declared.name, target)}
    if not declared.symmetric:
        return Bond(assertion, (subject.key,), Statement(declared.name, f"{subject.key}|{target}"), states)
    states[other.id] = Statement(declared.name, subject.key)
    places = tuple(sorted((subject.key, other.key)))
    return Bond(assertion, places, Statement(declared.name, "|".join(places)), states)
