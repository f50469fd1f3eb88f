"""Slots: which ones new evidence touches, the evidence of one, and writing what came out differently."""

from collections.abc import Sequence

import msgspec

from kg_assets import journal
from kg_assets.graph.difference import Making, slot_change
from kg_assets.graph.entities import mention_keys
from kg_assets.graph.joined import Joined, is_joined
from kg_assets.graph.policies import LATEST_VALID, Dispute, Policy
from kg_assets.graph.renamed import as_of_today, told_under, turned
from kg_assets.graph.sources import Sources
from kg_assets.graph.standing import Evidence, Statement
from kg_assets.graph.timeline import Stretch, derive_slot
from kg_assets.model import Assertion, Belief, Change, Entity, Literal, Mention, Micros, Origin, SlotChange
from kg_assets.text.ontology import Ontology
from kg_assets.triples.reading import literal_key

EVERY_ROW = 1_000_000


def slot_id(subject_id: str, slot_name: str) -> str:
    return f"{subject_id}|{slot_name}"


def touched_slots(
    memory: Sources,
    ontology: Ontology,
    assertions: Sequence[Assertion],
    moved: set[str],
    left: set[str],
) -> dict[str, tuple[str, str]]:
    """Slot id → (subject's entity id, slot name) of every slot whose evidence or entities changed.

    `moved` are normal forms that lead to another entity than before, `left` the entities that they led to.
    """
    concerned = list(assertions)
    if moved:
        concerned += memory.ledger.assertions_about(sorted(moved))
    entities = memory.graph.entities_by_key(sorted(mention_keys(concerned)))
    slots: dict[str, tuple[str, str]] = {}
    joined: dict[str, tuple[str, str]] = {}  # slots that are one with some of these
    for each in concerned:
        for subject, predicate, _ in readings(ontology, each):
            if subject.key in entities:
                name = ontology.slot_name(predicate)
                slots[slot_id(entities[subject.key].id, name)] = (entities[subject.key].id, name)
    if left:
        facts = memory.graph.facts(valid_at=None, known_at=None, subjects=sorted(left), limit=EVERY_ROW)
        facts += memory.graph.facts(valid_at=None, known_at=None, objects=sorted(left), limit=EVERY_ROW)
        for fact in facts:
            slots[fact.belief.slot] = (fact.belief.subject_id, fact.belief.slot.split("|", 1)[1])
    for slot, (subject_id, name) in sorted(slots.items()):
        if is_joined(ontology, name) and slot not in joined:
            people = Joined(memory, ontology, subject_id, name).people
            joined |= {slot_id(each, name): (each, name) for each in people}
    return slots | joined


def readings(ontology: Ontology, assertion: Assertion) -> list[tuple[Mention, str, Mention | Literal]]:
    """An assertion as the statements it makes: one, or two where the predicate is symmetric; none for `SAME_AS`."""
    said = as_of_today(ontology, assertion)
    if said is None:
        return []
    subject, name, target = said
    predicate = ontology.predicate(name)
    if predicate is not None and predicate.symmetric and isinstance(target, Mention):
        return [said, (target, name, subject)]
    return [said]


def policy_of(ontology: Ontology, slot_name: str, policy: Policy) -> Policy:
    """The policy that the ontology names for a slot's predicates, else the deployment's."""
    members = ontology.group_members(slot_name) or (slot_name,)
    declared = ontology.predicate(members[0])
    return Policy(declared.policy) if declared is not None and declared.policy else policy


def write_slots(
    memory: Sources,
    ontology: Ontology,
    slots: dict[str, tuple[str, str]],
    *,
    origin: Origin,
    at: Micros,
    policy: Policy = LATEST_VALID,
) -> list[SlotChange]:
    """Derive each slot, journal and apply the differences. Slots in sorted order, so that a replay repeats it."""
    seq, generation = memory.ledger.head().journal_seq, memory.graph.generation
    changes: list[SlotChange] = []
    together: dict[str, tuple[list[Stretch], list[Dispute]]] = {}  # of slots that were derived with another
    for slot, (subject_id, name) in sorted(slots.items()):
        chosen = policy_of(ontology, name, policy)
        if is_joined(ontology, name) and slot not in together:
            joined = Joined(memory, ontology, subject_id, name)
            together |= {slot_id(each, name): found for each, found in joined.derived(chosen).items()}
        stretches, disputes = together.get(slot) or derive_slot(evidence_of(memory, ontology, subject_id, name), chosen)
        beliefs = beliefs_of(memory, ontology, slot, subject_id, stretches)
        making = Making(
            key=memory.key,
            generation=generation,
            recorded_at=at,
            journal_seq=seq + 1,
            run_id=origin.run_id,
            policy=chosen.version,
        )
        decided = memory.ledger.decisions(slot) if disputes else []
        change = slot_change(slot, memory.graph.slot(slot), beliefs, disputes, decided, making)
        if change:
            seq += 1
            changes.append(change)
    payloads = [Change(op=change.op, payload=msgspec.to_builtins(change)) for change in changes]
    for change, entry in zip(changes, journal.record(memory.ledger, payloads, origin=origin, at=at), strict=True):
        memory.graph.apply(change, recorded_at=at, journal_seq=entry.seq)
        memory.ledger.add_decisions(change.decisions)
    return changes


def evidence_of(memory: Sources, ontology: Ontology, subject_id: str, slot_name: str) -> list[Evidence]:
    """All evidence of one slot. Assertions whose mentions are not resolved yet wait for their own turn."""
    found = memory.graph.entities([subject_id])
    if not found:
        return []
    if is_joined(ontology, slot_name):
        return Joined(memory, ontology, subject_id, slot_name).evidence(subject_id)
    keys, members = list(found[0].aliases), list(ontology.group_members(slot_name) or (slot_name,))
    names = told_under(ontology, members)
    assertions = memory.ledger.assertions_of_slot(keys, names)
    if mirrored := turned(ontology, names):
        assertions += memory.ledger.assertions_about(keys, mirrored)
    assertions = list({each.id: each for each in assertions}.values())
    entities = memory.graph.entities_by_key(sorted(mention_keys(assertions)))
    evidence = []
    for each in assertions:
        for subject, predicate, target in readings(ontology, each):
            if subject.key not in entities or entities[subject.key].id != subject_id:
                continue
            if predicate != each.predicate and ontology.slot_name(predicate) != slot_name:
                continue  # declared since, and so believed in another slot
            object_key = literal_key(target) if isinstance(target, Literal) else canonical_key(entities, target)
            if object_key:
                evidence.append(
                    Evidence(each, Statement(predicate, object_key), rivalry(ontology, predicate, object_key))
                )
    return evidence


def rivalry(ontology: Ontology, predicate: str, object_key: str) -> str:
    """Which statements of a slot exclude each other: all, those on the same object, or none but itself."""
    known = ontology.predicate(predicate)
    if known is not None and known.functional:
        return ""
    if known is not None and known.group:
        return object_key
    return f"{predicate} {object_key}"


def canonical_key(entities: dict[str, Entity], mention: Mention) -> str:
    return entities[mention.key].key if mention.key in entities else ""


def beliefs_of(
    memory: Sources, ontology: Ontology, slot: str, subject_id: str, stretches: Sequence[Stretch]
) -> list[Belief]:
    """Stretches with their entities and literals."""
    if not stretches:
        return []
    subject = memory.graph.entities([subject_id])[0]
    objects = memory.graph.entities_by_key(sorted({each.statement.object_key for each in stretches}))
    literals = literals_of(memory, ontology, [each for each in stretches if each.statement.object_key not in objects])
    beliefs = []
    for each in stretches:
        entity = objects.get(each.statement.object_key)
        beliefs.append(
            Belief(
                subject_id=subject_id,
                subject_key=subject.key,
                predicate=each.statement.predicate,
                slot=slot,
                object_id=entity.id if entity else None,
                object_key=each.statement.object_key,
                value=None if entity else literals[each.statement.object_key],
                valid_from=each.valid_from,
                valid_to=each.valid_to,
                start_known=each.start_known,
                precision=each.precision,
                confidence=each.confidence,
                authority=each.authority,
                assertions=each.assertions,
                utterances=each.utterances,
            )
        )
    return beliefs


def literals_of(memory: Sources, ontology: Ontology, stretches: Sequence[Stretch]) -> dict[str, Literal]:
    ids = sorted({each.assertions[0] for each in stretches})
    objects = [said[2] for each in memory.ledger.assertions(ids) if (said := as_of_today(ontology, each))]
    return {literal_key(each): each for each in objects if isinstance(each, Literal)}
