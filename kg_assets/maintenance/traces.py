"""Where belief shows traces of evidence that is gone: versions of facts, decisions, and what entities were taken for.

What was believed before the evidence was read owes nothing to it. What was believed after stays where the evidence that
is left, as far as it had been read then, leads to the very same.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from kg_assets.graph.entities import entity_of, joining_links, mention_keys
from kg_assets.graph.joined import Joined, is_joined
from kg_assets.graph.mentions import counted
from kg_assets.graph.policies import Policy
from kg_assets.graph.resolution import resolve
from kg_assets.graph.slots import beliefs_of, evidence_of, policy_of, readings, rivalry, slot_id
from kg_assets.graph.sources import Sources
from kg_assets.graph.timeline import Stretch, derive_slot
from kg_assets.graph.versions import versions
from kg_assets.model import SAME_AS, Assertion, Belief, Decision, Entity, Fact, Literal, Mention
from kg_assets.text.ontology import Ontology
from kg_assets.triples.reading import literal_key

Slots = Mapping[str, tuple[str, str]]  # slot id → (entity, slot name)


class Gone(msgspec.Struct, frozen=True, kw_only=True):
    """What was taken out of the evidence: ids of assertions, the normal forms that they mentioned, and the journal
    entry that first told of one. `read_by` gives that entry for every assertion, gone or left.

    `rivals`: what statements compete for that it took part in. `left`: entities that some name has left.
    """

    assertions: frozenset[str]
    keys: frozenset[str]
    since: int
    read_by: Mapping[str, int]
    rivals: frozenset[str] = frozenset()
    left: frozenset[str] = frozenset()


class Traces(msgspec.Struct, frozen=True, kw_only=True):
    """`versions` and `decisions` have to go; `staying` are the other rows of slots where something has to."""

    versions: tuple[Fact, ...]
    decisions: tuple[Decision, ...]
    staying: tuple[Fact, ...]

    @property
    def slots(self) -> set[str]:
        return {each.belief.slot for each in self.versions} | {each.slot for each in self.decisions}


def rivals_of(memory: Sources, ontology: Ontology, assertions: Sequence[Assertion]) -> set[str]:
    """What statements compete for that take part in these, by every name of what they speak of."""
    entities = memory.graph.entities_by_key(sorted(mention_keys(assertions)))
    found = set()
    for assertion in assertions:
        for _, predicate, target in readings(ontology, assertion):
            keys = {literal_key(target)} if isinstance(target, Literal) else {target.key}
            if isinstance(target, Mention) and target.key in entities:
                keys |= {entities[target.key].key, *entities[target.key].aliases}
            found |= {rivalry(ontology, predicate, key) for key in keys}
    return found


def versions_of(memory: Sources) -> Iterator[Fact]:
    """Those of one generation."""
    return (fact for fact in versions(memory.graph) if fact.generation == memory.graph.generation)


def slots_owing(memory: Sources, gone: Gone, left: set[str]) -> dict[str, tuple[str, str]]:
    """Slots of versions that rest on what is gone, or whose ends are entities that somebody's name has left."""
    found = {}
    for fact in versions_of(memory):
        ends = {fact.belief.subject_id, fact.belief.object_id}
        if not gone.assertions.isdisjoint(fact.belief.assertions) or not left.isdisjoint(ends):
            found[fact.belief.slot] = (fact.belief.subject_id, fact.belief.slot.split("|", 1)[1])
    return found


def traces_in(memory: Sources, ontology: Ontology, policy: Policy, slots: Slots, gone: Gone) -> Traces:
    """In one generation, after its entities were resolved anew. What other rules made of the evidence that is left goes
    too, where today's would not."""
    rows: dict[str, list[Fact]] = defaultdict(list)
    for fact in versions_of(memory):
        if fact.belief.slot in slots:
            rows[fact.belief.slot].append(fact)
    versions: list[Fact] = []
    staying: list[Fact] = []
    for slot, facts in sorted(rows.items()):
        then = Then(memory, ontology, policy, slot, slots[slot], gone)
        for fact in facts:
            (staying if then.holds(fact) else versions).append(fact)
    decisions = [
        decision
        for slot in sorted(slots)
        for decision in memory.ledger.decisions(slot)
        if not gone.assertions.isdisjoint((decision.winner, *decision.losers))
        or (decision.journal_seq >= gone.since and not memory.graph.entities([slots[slot][0]]))
    ]
    return Traces(versions=tuple(versions), decisions=tuple(decisions), staying=tuple(staying))


def together(found: Sequence[Traces]) -> Traces:
    """Of several generations, whose decisions are shared."""
    decisions = {each.id: each for traces in found for each in traces.decisions}
    return Traces(
        versions=tuple(each for traces in found for each in traces.versions),
        decisions=tuple(decisions[each] for each in sorted(decisions)),
        staying=tuple(each for traces in found for each in traces.staying),
    )


class Then:
    """What the evidence that is left led to in one slot, at any journal entry."""

    def __init__(
        self, memory: Sources, ontology: Ontology, policy: Policy, slot: str, place: tuple[str, str], gone: Gone
    ) -> None:
        self.memory, self.slot, self.subject_id, self.gone = memory, slot, place[0], gone
        self.ontology = ontology
        self.joined = Joined(memory, ontology, *place) if is_joined(ontology, place[1]) else None
        self.evidence = [] if self.joined else evidence_of(memory, ontology, *place)
        self.policy = policy_of(ontology, place[1], policy)
        self._beliefs: dict[int | None, set[Belief]] = {}

    def holds(self, fact: Fact) -> bool:
        if fact.opened_by < self.gone.since or not self.may_owe(fact):
            return True
        if fact.recorded_to is None and fact.belief in self.beliefs(None):
            return True
        return fact.belief in self.beliefs(fact.opened_by)

    def may_owe(self, fact: Fact) -> bool:
        """Whether what is gone could have had a say in it: in a large slot, most statements never met it."""
        belief, gone = fact.belief, self.gone
        return (
            self.joined is not None
            or rivalry(self.ontology, belief.predicate, belief.object_key) in gone.rivals
            or not gone.assertions.isdisjoint(belief.assertions)
            or not gone.left.isdisjoint((belief.subject_id, belief.object_id))
        )

    def beliefs(self, seq: int | None) -> set[Belief]:
        if seq not in self._beliefs:
            stretches = self._derived(lambda each: seq is None or self.gone.read_by.get(each.id, 0) < seq)
            self._beliefs[seq] = set(beliefs_of(self.memory, self.ontology, self.slot, self.subject_id, stretches))
        return self._beliefs[seq]

    def _derived(self, counts: Callable[[Assertion], bool]) -> list[Stretch]:
        if self.joined:
            return self.joined.derived(self.policy, counts).get(self.subject_id, ([], []))[0]
        return derive_slot([each for each in self.evidence if counts(each.assertion)], self.policy)[0]


def joined_too(memory: Sources, ontology: Ontology, slots: Slots) -> dict[str, tuple[str, str]]:
    """The slots that are derived together with some of these."""
    found: dict[str, tuple[str, str]] = {}
    for slot, (subject_id, name) in slots.items():
        if is_joined(ontology, name) and slot not in found:
            people = Joined(memory, ontology, subject_id, name).people
            found |= {slot_id(each, name): (each, name) for each in people}
    return found


def resolved_without(memory: Sources, entity: Entity, seq: int, gone: Gone) -> bool:
    """Whether the evidence that is left made this of an entity, as far as it had been read before entry `seq`."""
    keys = {entity.key, *entity.aliases}
    if seq < gone.since or gone.keys.isdisjoint(keys):
        return True
    found = [each for each in memory.ledger.assertions_about(sorted(keys)) if gone.read_by.get(each.id, 0) < seq]
    counts = counted([each for each in found if not keys.isdisjoint(mention_keys([each]))], keys)
    links = joining_links([each for each in found if each.predicate == SAME_AS], counts)
    return entity in [entity_of(memory.key, cluster) for cluster in resolve(counts, links)]
