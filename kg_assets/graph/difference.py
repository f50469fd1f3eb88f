"""What changed in a slot: the rows believed now against the beliefs just derived."""

from collections.abc import Mapping, Sequence

import msgspec

from kg_assets.graph.policies import Dispute
from kg_assets.graph.state import slot_hash
from kg_assets.identity import fact_id, keyed_id, version_id
from kg_assets.model import Belief, Decision, Fact, Micros, SlotChange


class Making(msgspec.Struct, frozen=True, kw_only=True):
    """The circumstances that every row of one change carries."""

    key: bytes
    generation: int
    recorded_at: Micros
    journal_seq: int
    run_id: str | None
    policy: str


def slot_change(
    slot: str,
    current: Sequence[Fact],
    beliefs: Sequence[Belief],
    disputes: Sequence[Dispute],
    decided: Sequence[Decision],
    making: Making,
) -> SlotChange | None:
    """The journaled difference, or None where nothing changed and nothing new was decided.

    Decisions that were taken before are not repeated; one that leaves belief as it was is recorded all the same.
    """
    unchanged = {fact.belief for fact in current} & set(beliefs)
    closed = [fact for fact in current if fact.belief not in unchanged]
    opened = [new_fact(belief, making) for belief in beliefs if belief not in unchanged]
    known = {each.id for each in decided}
    decisions = [each for each in (decision(slot, dispute, making) for dispute in disputes) if each.id not in known]
    if not closed and not opened and not decisions:
        return None
    return SlotChange(
        slot=slot,
        op=operation(closed, opened),
        slot_hash=slot_hash(beliefs),
        closed=tuple(sorted(fact.version_id for fact in closed)),
        opened=tuple(opened),
        decisions=tuple(decisions),
        generation=making.generation,
    )


def operation(closed: Sequence[Fact], opened: Sequence[Fact]) -> str:
    """In one word, the most telling first: supersede, retract, assert, reinforce.

    `supersede`: a statement holds for less time than was believed, and another one is there. `retract`: for less, and
    nothing took its place. `assert`: something is held that was not. `reinforce`: the same, on more evidence. `decide`:
    a conflict was settled, or goes to review, and belief stays as it was.
    """
    if not closed and not opened:
        return "decide"
    before = spans(closed)
    after = spans(opened)
    new = set(after) - set(before)
    lost = any(after.get(statement) != span for statement, span in before.items())
    if lost and new:
        return "supersede"
    if lost:
        return "retract" if shrunk(before, after) else "revise"
    return "assert" if new else "reinforce"


def spans(facts: Sequence[Fact]) -> dict[str, list[tuple[Micros | None, Micros | None]]]:
    found: dict[str, list[tuple[Micros | None, Micros | None]]] = {}
    for fact in facts:
        found.setdefault(fact.id, []).append((fact.belief.valid_from, fact.belief.valid_to))
    return found


def shrunk(before: Mapping[str, object], after: Mapping[str, object]) -> bool:
    """Whether a statement is gone altogether."""
    return any(statement not in after for statement in before)


def new_fact(belief: Belief, making: Making) -> Fact:
    statement = fact_id(making.key, belief.subject_id, belief.predicate, belief.object_key)
    return Fact(
        id=statement,
        version_id=version_id(
            making.key, statement, belief.valid_from, belief.valid_to, making.generation, making.journal_seq
        ),
        belief=belief,
        generation=making.generation,
        recorded_from=making.recorded_at,
        recorded_to=None,
        opened_by=making.journal_seq,
        closed_by=None,
        run_id=making.run_id,
    )


def decision(slot: str, dispute: Dispute, making: Making) -> Decision:
    return Decision(
        id=keyed_id(making.key, "decision", slot, making.policy, dispute.rule, dispute.winner, dispute.loser),
        slot=slot,
        rule=dispute.rule,
        policy=making.policy,
        winner=dispute.winner,
        losers=(dispute.loser,),
        recorded_at=making.recorded_at,
        journal_seq=making.journal_seq,
    )
