"""Rules of inference over declared predicates: what follows from facts, read along a path of predicates.

A rule is a chain: facts that lead from one entity to another, and the predicate that then holds between its two ends.
Symmetric and transitive predicates are such rules too. Inverses need none: a fact of `child_of` is one of `parent_of`,
and a path may name either.
"""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import msgspec

from kg_assets.errors import InvalidInput

if TYPE_CHECKING:
    from kg_assets.text.ontology import Ontology, Predicate

LONGEST = 4  # predicates of one path


class Step(msgspec.Struct, frozen=True, order=True):
    """One fact of a path, from its subject to its object, or, `inverted`, the other way round."""

    predicate: str
    inverted: bool = False

    @property
    def back(self) -> "Step":
        return Step(self.predicate, not self.inverted)


class Rule(msgspec.Struct, frozen=True, order=True):
    """Where `steps` lead from one entity to another, `concludes` holds between them."""

    name: str
    steps: tuple[Step, ...]
    concludes: str


class _Declared(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    path: tuple[str, ...]
    concludes: str


def read_rules(declared: Mapping[str, Any], ontology: "Ontology", where: str) -> tuple[Rule, ...]:
    """The declared rules, and those that symmetric and transitive predicates are. Raises `InvalidInput`."""
    composed = [_rule(name, fields, ontology, f"{where}: rule {name!r}") for name, fields in declared.items()]
    return (*composed, *_of_predicates(ontology))


def _of_predicates(ontology: "Ontology") -> Iterator[Rule]:
    for each in ontology.predicates.values():
        if each.symmetric and not each.functional:  # a functional one is believed of both already (ADR 3)
            yield Rule(f"{each.name} is symmetric", (Step(each.name, inverted=True),), each.name)
        if each.transitive:
            yield Rule(f"{each.name} is transitive", (Step(each.name), Step(each.name)), each.name)


def _rule(name: str, fields: Any, ontology: "Ontology", place: str) -> Rule:
    try:
        given = msgspec.convert(fields, _Declared)
    except msgspec.ValidationError as ex:
        raise InvalidInput(f"{ex}; a rule is {{path: [predicates], concludes: predicate}}", where=place) from ex
    if not 1 <= len(given.path) <= LONGEST:
        raise InvalidInput(f"its path must name 1 to {LONGEST} predicates", where=place)
    steps = [_step(each, ontology, place) for each in given.path]
    concluded = _step(given.concludes, ontology, place)
    target = ontology.predicates[concluded.predicate]
    if concluded.inverted:
        steps = [step.back for step in reversed(steps)]
    if target.functional or target.group:
        raise InvalidInput(
            f"{target.name!r} is exclusive, and two conclusions could contradict each other there; "
            "conclude into a predicate that holds several values",
            where=place,
        )
    slots = {ontology.slot_name(step.predicate) for step in steps}
    if ontology.slot_name(target) in slots and not target.transitive:
        raise InvalidInput(
            f"it concludes {target.name!r} from itself; declare the predicate transitive, or take it from the path",
            where=place,
        )
    _check_types(steps, target, ontology, place)
    return Rule(name, tuple(steps), target.name)


def _step(name: str, ontology: "Ontology", place: str) -> Step:
    predicate, inverted = ontology.canonical(name)
    if predicate.name not in ontology.predicates:
        raise InvalidInput(f"there is no predicate {name!r}; declare it, or correct its spelling", where=place)
    if predicate.range not in ontology.types:
        raise InvalidInput(f"{name!r} leads to a literal, from where no path goes on; take another", where=place)
    return Step(predicate.name, inverted)


def _check_types(steps: list[Step], target: "Predicate", ontology: "Ontology", place: str) -> None:
    """Where one step ends the next can begin, and the ends are what the conclusion joins."""
    ends = [_ends(ontology.predicates[step.predicate], step.inverted) for step in steps]
    meeting = [(before[1], after[0]) for before, after in pairwise(ends)]
    for one, other in [*meeting, (ends[0][0], target.domain), (ends[-1][1], target.range)]:
        if not ontology.is_a(one, other) and not ontology.is_a(other, one):
            raise InvalidInput(f"a {one} is no {other}; correct the path or what it concludes", where=place)


def _ends(predicate: "Predicate", inverted: bool) -> tuple[str, str]:
    return (predicate.range, predicate.domain) if inverted else (predicate.domain, predicate.range)
