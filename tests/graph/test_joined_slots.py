"""A symmetric functional predicate joins the slots of both: who marries again has left on both sides."""

import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kg_assets.graph.belief import derive_pending
from kg_assets.graph.joined import Joined
from kg_assets.graph.policies import Policy
from kg_assets.graph.reviews import open_reviews
from kg_assets.graph.state import state_hash
from kg_assets.graph.timeline import derive_slot
from kg_assets.model import SAME_AS, NoveltyScore, PolicyName, Utterance
from kg_assets.ports import Memory
from kg_assets.text.ontology import load_ontology
from resources.sqlite import SqliteStores
from tests.graph.evidence import DAY, assertion
from tests.graph.test_belief import NOW, ORIGIN, ROUTES, new_memory, read, say


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return new_memory(SqliteStores(tmp_path, b"secret", clock=lambda: NOW))


def derive(memory: Memory, policy: PolicyName = "latest_valid") -> None:
    derive_pending(
        memory,
        load_ontology(),
        routes=ROUTES,
        origin=ORIGIN,
        clock=lambda: NOW,
        policy=Policy(policy),
    )


def tell(memory: Memory, *evidence: Any, policy: PolicyName = "latest_valid") -> None:
    """One after the other, each derived before the next is read."""
    say(memory, evidence)
    for each in evidence:
        read(memory, [each])
        derive(memory, policy)


def couples(memory: Memory) -> list[tuple[str, str, int | None, int | None]]:
    """(one, other, from day, to day), from both sides."""
    facts = [fact.belief for fact in memory.graph.facts(valid_at=None, known_at=None, limit=1000)]
    return sorted(
        (each.subject_key, each.object_key, days(each.valid_from), days(each.valid_to))
        for each in facts
        if each.predicate in ("spouse", "engaged_to", "partner")
    )


def days(micros: int | None) -> int | None:
    return None if micros is None else micros // DAY


BOB_AND_ANA = assertion("bob", "spouse", "ana", said=1, since=1)
ANA_AND_CARL = assertion("ana", "spouse", "carl", said=5, since=5)


def test_a_new_spouse_closes_the_marriage_on_both_sides(memory: Memory) -> None:
    tell(memory, BOB_AND_ANA, ANA_AND_CARL)
    assert couples(memory) == [
        ("ana", "bob", 1, 5),
        ("ana", "carl", 5, None),
        ("bob", "ana", 1, 5),
        ("carl", "ana", 5, None),
    ]


def test_the_decision_is_recorded_in_the_slot_of_whom_it_left(memory: Memory) -> None:
    tell(memory, BOB_AND_ANA, ANA_AND_CARL)
    bob = memory.graph.entities_by_key(["bob"])["bob"].id
    (decision,) = memory.ledger.decisions(f"{bob}|couple")
    assert (decision.rule, decision.winner, decision.losers) == (
        "later_valid_from",
        ANA_AND_CARL.id,
        (BOB_AND_ANA.id,),
    )


def test_it_goes_along_a_chain_and_closes_each_once(memory: Memory) -> None:
    tell(memory, BOB_AND_ANA, ANA_AND_CARL, assertion("carl", "engaged_to", "dora", said=9, since=8))
    assert couples(memory) == [
        ("ana", "bob", 1, 5),
        ("ana", "carl", 5, 8),
        ("bob", "ana", 1, 5),
        ("carl", "ana", 5, 8),
        ("carl", "dora", 8, None),
        ("dora", "carl", 8, None),
    ]


def test_taking_the_new_one_back_restores_the_old_on_both_sides(memory: Memory) -> None:
    tell(memory, BOB_AND_ANA, ANA_AND_CARL, assertion("carl", "spouse", "ana", said=6, polarity="retracted"))
    assert couples(memory) == [("ana", "bob", 1, None), ("bob", "ana", 1, None)]


def test_hearsay_closes_nothing(memory: Memory) -> None:
    tell(memory, BOB_AND_ANA, assertion("ana", "spouse", "carl", said=5, since=5, authority="document"))
    assert couples(memory) == [("ana", "bob", 1, None), ("bob", "ana", 1, None)]


def test_who_turns_out_to_be_somebody_else_left_nobody(memory: Memory) -> None:
    """The second marriage was that of another Ana, called Anna."""
    joined = assertion("anna", SAME_AS, "ana", said=2)
    parted = assertion("anna", SAME_AS, "ana", said=7, polarity="denied")
    anna = assertion("anna", "spouse", "carl", said=5, since=5)
    tell(memory, BOB_AND_ANA, joined, anna)
    assert ("bob", "ana", 1, 5) in couples(memory)
    say_more = [assertion("ana", "likes", "tea", said=7)]
    tell_later(memory, parted, *say_more)
    assert ("bob", "ana", 1, None) in couples(memory)
    assert ("ana", "bob", 1, None) in couples(memory)


def tell_later(memory: Memory, *evidence: Any) -> None:
    """Of days whose utterances are there or not yet."""
    missing = [each for each in evidence if each.seq > memory.ledger.head().seq]
    if missing:
        append(memory, max(each.seq for each in missing))
    for each in evidence:
        read(memory, [each])
        derive(memory)


def append(memory: Memory, last: int) -> None:
    for day in range(memory.ledger.head().seq + 1, last + 1):
        utterance = Utterance(
            id=f"u{day}", session="s", speaker="Ana", role="other", text="…", said_at=day * DAY, seq=day,
            recorded_at=NOW, content_hash="",
        )  # fmt: skip
        score = NoveltyScore(seq=day, score=50.0, route="batch", parts={}, features={}, conflicts=(), version="test")
        with memory.transaction():
            memory.ledger.append([(utterance, score, {})])
            memory.ledger.done("extract", [day])


def test_a_review_between_joined_slots_waits_once(memory: Memory) -> None:
    tell(memory, BOB_AND_ANA, ANA_AND_CARL, policy="manual_review")
    assert couples(memory) == [("ana", "bob", 1, None), ("bob", "ana", 1, None)]
    (review,) = open_reviews(memory, load_ontology(), Policy("manual_review"))
    assert [each.id for each in review.challenging] == [ANA_AND_CARL.id]
    assert review.subject_id == memory.graph.entities_by_key(["ana"])["ana"].id


def test_what_was_dated_holds_of_whom_it_was_said_where_nothing_else_does(memory: Memory) -> None:
    """Sources disagree on whom Ana was married to; Bob was married to nobody else then."""
    dated = assertion("bob", "spouse", "ana", said=1, since=1, until=9)
    tell(memory, dated, assertion("carl", "spouse", "ana", said=2, since=3, until=9))
    assert couples(memory) == [
        ("ana", "bob", 1, 3),
        ("ana", "carl", 3, 9),
        ("bob", "ana", 1, 9),
        ("carl", "ana", 3, 9),
    ]


PEOPLE = st.sampled_from(["ana", "bob", "carl", "dora", "carla"])
ROWS = st.lists(
    st.tuples(
        PEOPLE,
        st.sampled_from(["spouse", "spouse", "engaged_to", SAME_AS]),
        PEOPLE,
        st.fixed_dictionaries(
            {},
            optional={
                "since": st.integers(1, 9),
                "until": st.integers(10, 12),
                "polarity": st.sampled_from(["affirmed", "affirmed", "denied", "retracted"]),
                "authority": st.sampled_from(["user", "curated", "document"]),
            },
        ),
    ).filter(lambda row: row[0] != row[2]),
    min_size=1,
    max_size=8,
)


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    ROWS,
    st.randoms(use_true_random=False),
    st.sampled_from(["latest_valid", "highest_authority", "manual_review"]),
    st.booleans(),
)
def test_both_sides_believe_the_same_one_at_a_time_in_whatever_order_it_was_read(
    tmp_path_factory: pytest.TempPathFactory, rows: Any, shuffler: random.Random, policy: PolicyName, one_by_one: bool
) -> None:
    stores = SqliteStores(tmp_path_factory.mktemp("stores"), b"secret", clock=lambda: NOW)
    evidence = [assertion(*row[:3], said=day, **row[3]) for day, row in enumerate(rows, start=1)]
    at_once, shuffled = new_memory(stores, "one"), new_memory(stores, "other")
    for memory in (at_once, shuffled):
        say(memory, evidence)
    read(at_once, evidence)
    derive(at_once, policy)
    shuffler.shuffle(evidence)
    for each in evidence:
        read(shuffled, [each])
        if one_by_one:
            derive(shuffled, policy)
    derive(shuffled, policy)

    assert state_hash(shuffled) == state_hash(at_once)
    found = couples(at_once)
    if policy == "manual_review" or all(each.valid_to is None for each in evidence):  # what is dated may hold for one
        for person in at_once.graph.all_entities():
            joined = Joined(at_once, load_ontology(), person.id, "couple")
            for other, derived in joined.derived(Policy(policy)).items():
                assert derive_slot(joined.evidence(other), Policy(policy)) == derived
        assert sorted((other, one, *span) for one, other, *span in found) == found
    for day in range(14):
        for person in {one for one, *_ in found}:
            holding = [
                row for row in found if row[0] == person and (row[2] or 0) <= day and (row[3] is None or day < row[3])
            ]
            assert len({row[1] for row in holding}) <= 1
    stores.close()
