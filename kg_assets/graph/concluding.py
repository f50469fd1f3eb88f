"""What follows of one entity, as of two times: which facts its conclusions can rest on, and what `infer` makes of them.

Rules are chains, so whatever is concluded of an entity rests on a way that begins there. Facts are walked from it along
those predicates, in those directions, that some rule can go on with: not around it on all sides. To be called inside a
snapshot.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

import msgspec

from kg_assets.graph.entities import mention_keys
from kg_assets.graph.inference import Conclusion, Denial, Inference, infer
from kg_assets.graph.intervals import ALWAYS, interval
from kg_assets.graph.renamed import told_under
from kg_assets.graph.slots import readings
from kg_assets.graph.sources import in_service
from kg_assets.model import Fact, Mention, Micros
from kg_assets.ports import GraphStore, Memory
from kg_assets.text.ontology import Ontology
from kg_assets.text.rules import Rule, Step

MOST_FACTS = 2_000
FARTHEST = 8  # facts of one way


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What follows of `start`: as the subject of these predicates, or as the object of those that are inverted."""

    start: str
    steps: tuple[Step, ...]
    valid_at: Micros
    known_at: Micros | None


def conclude(memory: Memory, ontology: Ontology, asked: Asked) -> Inference:
    """Of each statement about the start that holds then, the strongest way to it, the surest first."""
    graph, rules = memory.graph, ontology.rules
    facts, cut = premises(graph, rules, asked)
    found = infer(facts, rules)
    denials = denied(memory, ontology, found.conclusions, asked.known_at)
    if denials:
        found = infer(facts, rules, denials)
    wanted = set(asked.steps)
    strongest: dict[tuple[str, str, str], Conclusion] = {}
    for each in found.conclusions:
        forward = each.subject_id == asked.start and Step(each.predicate) in wanted
        backward = each.object_id == asked.start and Step(each.predicate, inverted=True) in wanted
        if (forward or backward) and holds(each, asked.valid_at):
            before = strongest.setdefault(each.statement, each)
            if order(each) < order(before):
                strongest[each.statement] = each
    return Inference(tuple(sorted(strongest.values(), key=order)), cut or found.cut)


def concluded_by(rules: Iterable[Rule], predicates: Sequence[str] | None, *, inverted: bool) -> tuple[Step, ...]:
    """What may be asked for: these predicates, or all that a rule concludes."""
    names = {rule.concludes for rule in rules}
    return tuple(Step(name, inverted) for name in sorted(names if predicates is None else names & set(predicates)))


def order(each: Conclusion) -> tuple[int, str, str, str, tuple[str, ...]]:
    return (-each.confidence, *each.statement, tuple(fact.version_id for fact in each.premises))


def holds(each: Conclusion, valid_at: Micros) -> bool:
    span = interval(each.valid_from, each.valid_to)
    return span is not None and span.start <= valid_at < span.end


# --------------------------------------------------------------------------------------------------- the premises


def premises(graph: GraphStore, rules: Sequence[Rule], asked: Asked) -> tuple[list[Fact], bool]:
    """The facts on every way from the start that rules can conclude from, and whether there were more."""
    first, following = ways(rules, asked.steps)
    found: dict[str, Fact] = {}
    edge: dict[Step, set[str]] = {step: {asked.start} for step in first}
    met = {(step, asked.start) for step in first}
    for _ in range(FARTHEST):
        reached: dict[Step, set[str]] = defaultdict(set)
        for step, entities in sorted(edge.items()):
            room = MOST_FACTS - len(found) + 1
            facts = along(graph, step, sorted(entities), asked, room)
            found |= {fact.version_id: fact for fact in facts}
            if len(found) > MOST_FACTS:
                return [found[version] for version in sorted(found)[:MOST_FACTS]], True
            ends = {end for fact in facts if (end := far_end(fact, step)) is not None}
            for after in following.get(step, ()):
                new = {end for end in ends if (after, end) not in met}
                met |= {(after, end) for end in new}
                reached[after] |= new
        edge = {step: entities for step, entities in reached.items() if entities}
        if not edge:
            return list(found.values()), False
    return list(found.values()), True


def along(graph: GraphStore, step: Step, entities: Sequence[str], asked: Asked, limit: int) -> list[Fact]:
    return graph.facts(
        valid_at=asked.valid_at,
        known_at=asked.known_at,
        subjects=None if step.inverted else entities,
        predicates=[step.predicate],
        objects=entities if step.inverted else None,
        limit=limit,
    )


def far_end(fact: Fact, step: Step) -> str | None:
    return fact.belief.subject_id if step.inverted else fact.belief.object_id


def ways(rules: Sequence[Rule], wanted: Sequence[Step]) -> tuple[set[Step], Mapping[Step, set[Step]]]:
    """With which facts a way to one of the wanted can begin, and which may come after which.

    The first and follow sets of a grammar: a rule is a production of what it concludes, a fact a terminal.
    """
    bodies: dict[Step, set[tuple[Step, ...]]] = defaultdict(set)
    for rule in rules:
        bodies[Step(rule.concludes)].add(rule.steps)
        bodies[Step(rule.concludes, inverted=True)].add(tuple(step.back for step in reversed(rule.steps)))
    needed = closure(wanted, {step: {each for body in of for each in body} for step, of in bodies.items()})
    begins = {step: {body[0] for body in bodies[step]} for step in needed if step in bodies}
    ends = {step: {body[-1] for body in bodies[step]} for step in needed if step in bodies}
    following: dict[Step, set[Step]] = defaultdict(set)
    for step in begins:
        for body in bodies[step]:
            for one, other in pairwise(body):
                for last in closure([one], ends):
                    following[last] |= closure([other], begins)
    return closure(wanted, begins), following


def closure(steps: Iterable[Step], leads: Mapping[Step, Iterable[Step]]) -> set[Step]:
    found, waiting = set(steps), list(steps)
    while waiting:
        for step in leads.get(waiting.pop(), ()):
            if step not in found:
                found.add(step)
                waiting.append(step)
    return found


# --------------------------------------------------------------------------------------------------------- denials


def denied(
    memory: Memory, ontology: Ontology, conclusions: Iterable[Conclusion], known_at: Micros | None
) -> list[Denial]:
    """Where somebody said, up to `known_at`, that one of these is not so. What was taken back is never so."""
    wanted = {each.statement for each in conclusions}
    subjects = memory.graph.entities(sorted({each for one in wanted for each in (one[0], one[2])}), known_at)
    names = sorted({alias for entity in subjects for alias in (entity.key, *entity.aliases)})
    predicates = told_under(ontology, {predicate for _, predicate, _ in wanted})
    told = in_service(memory).ledger.assertions_of_slot(names, predicates) if wanted else []
    told = [each for each in told if each.polarity != "affirmed" and isinstance(each.object, Mention)]
    said = memory.ledger.utterances(sorted({each.seq for each in told}))
    heard = {each.seq for each in said if known_at is None or each.recorded_at <= known_at}
    entities = memory.graph.entities_by_key(sorted(mention_keys(told)), known_at)
    found = []
    for each in told:
        span = interval(each.valid_from, each.valid_to) if each.polarity == "denied" else ALWAYS
        for subject, predicate, target in readings(ontology, each) if each.seq in heard else ():
            one, other = entities.get(subject.key), entities.get(target.key) if isinstance(target, Mention) else None
            if one is not None and other is not None and span is not None:
                found.append(Denial((one.id, predicate, other.id), span))
    return [each for each in found if each.statement in wanted]
