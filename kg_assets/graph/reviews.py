"""The review queue: conflicts that the policy leaves to a person and nobody has settled yet.

No list is kept. The decisions with the rule `needs_review` name the slots; what of them still waits is told by deriving
those slots again from their evidence. So a review closes by itself when evidence settles it, or is erased.
"""

from collections import defaultdict
from collections.abc import Iterable

import msgspec

from kg_assets.graph.policies import NEEDS_REVIEW, Policy
from kg_assets.graph.slots import evidence_of, policy_of
from kg_assets.graph.sources import in_service
from kg_assets.graph.standing import Evidence
from kg_assets.graph.timeline import derive_slot
from kg_assets.identity import keyed_id
from kg_assets.model import Assertion, Decision, Micros
from kg_assets.ports import Memory
from kg_assets.text.ontology import Ontology


class Review(msgspec.Struct, frozen=True, kw_only=True):
    """One statement against another that stands, each with its assertions in the order of evidence.

    `opened_at` and `journal_seq` are those of the first decision. A denial challenges the statement that it denies.
    """

    id: str
    slot: str
    subject_id: str
    policy: str
    opened_at: Micros
    journal_seq: int
    standing: tuple[Assertion, ...]
    challenging: tuple[Assertion, ...]


def open_reviews(memory: Memory, ontology: Ontology, policy: Policy) -> list[Review]:
    """Those of one memory, oldest first; one between two joined slots once. To be called inside a snapshot."""
    slots: dict[str, list[Decision]] = defaultdict(list)
    for decision in memory.ledger.decisions_by_rule(NEEDS_REVIEW):
        slots[decision.slot].append(decision)
    found = [
        review for slot, decisions in slots.items() for review in reviews_of(memory, ontology, slot, decisions, policy)
    ]
    once = {(each.standing, each.challenging): each for each in sorted(found, key=lambda each: each.slot, reverse=True)}
    return sorted(once.values(), key=lambda each: (each.journal_seq, each.id))


def reviews_of(
    memory: Memory, ontology: Ontology, slot: str, decisions: list[Decision], policy: Policy
) -> list[Review]:
    """What of a slot's decisions still waits."""
    subject_id, _, name = slot.partition("|")
    chosen = policy_of(ontology, name, policy)
    decided = {(each.winner, each.losers[0]): each for each in decisions if each.policy == chosen.version}
    evidence = evidence_of(in_service(memory), ontology, subject_id, name) if decided else []
    told = {each.assertion.id: each for each in evidence}
    waiting: dict[tuple[str, ...], list[tuple[Evidence, Evidence, Decision]]] = defaultdict(list)
    for dispute in derive_slot(evidence, chosen)[1]:
        decision = decided.get((dispute.winner, dispute.loser))
        if dispute.rule != NEEDS_REVIEW or decision is None:
            continue
        winner, loser = told[dispute.winner], told[dispute.loser]
        if winner.elsewhere or loser.elsewhere:
            continue  # it waits in the slot of whom both sides speak of
        between = (*names(winner), *names(loser), loser.assertion.polarity)
        waiting[between].append((winner, loser, decision))
    return [
        Review(
            id=keyed_id(memory.key, "review", slot, *between),
            slot=slot,
            subject_id=subject_id,
            policy=chosen.version,
            opened_at=min(decision.recorded_at for *_, decision in pairs),
            journal_seq=min(decision.journal_seq for *_, decision in pairs),
            standing=in_order(winner for winner, *_ in pairs),
            challenging=in_order(loser for _, loser, _ in pairs),
        )
        for between, pairs in waiting.items()
    ]


def names(evidence: Evidence) -> tuple[str, str]:
    return (evidence.statement.predicate, evidence.statement.object_key)


def in_order(evidence: Iterable[Evidence]) -> tuple[Assertion, ...]:
    return tuple(
        each.assertion for each in sorted({each.order: each for each in evidence}.values(), key=lambda each: each.order)
    )
