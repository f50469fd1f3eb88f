"""The review queue of a real memory, and what another policy does to belief."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from kg_assets.graph.belief import derive_pending
from kg_assets.graph.generations import is_stale
from kg_assets.graph.policies import LATEST_VALID, Policy
from kg_assets.graph.reviews import Review, open_reviews
from kg_assets.graph.state import state_hash
from kg_assets.maintenance.generations import Circumstances, rebuild
from kg_assets.model import Assertion, Mention
from kg_assets.ports import Memory
from kg_assets.text.ontology import load_ontology
from resources.embedder import build_embedder
from resources.sqlite import SqliteStores
from tests.graph.evidence import DAY, assertion
from tests.graph.test_belief import NOW, ORIGIN, ROUTES, believed, new_memory, read, say

MANUAL = Policy("manual_review")


def derive(memory: Memory, policy: Policy = LATEST_VALID) -> None:
    derive_pending(memory, load_ontology(), routes=ROUTES, origin=ORIGIN, clock=lambda: NOW, policy=policy)


def waiting(memory: Memory, policy: Policy = LATEST_VALID) -> list[Review]:
    return open_reviews(memory, load_ontology(), policy)


def objects(assertions: Sequence[Assertion]) -> list[str]:
    return [each.object.key for each in assertions if isinstance(each.object, Mention)]


@pytest.fixture
def stores(tmp_path: Path) -> SqliteStores:
    return SqliteStores(tmp_path, b"secret", clock=lambda: NOW)


@pytest.fixture
def memory(stores: SqliteStores) -> Memory:
    """A curated home, and then the person's own words against it, twice."""
    found = new_memory(stores)
    evidence = [
        assertion("ana", "lives_in", "porto", said=1, since=1, authority="curated"),
        assertion("ana", "lives_in", "lisbon", said=5, since=4),
        assertion("ana", "lives_in", "lisbon", said=6, since=4),
    ]
    say(found, [*evidence, assertion("ana", "likes", "tea", said=9)])
    for each in evidence:
        read(found, [each])
        derive(found)
    return found


def test_the_curated_fact_stands_and_one_review_holds_all_that_was_said_against_it(memory: Memory) -> None:
    assert [fact.belief.object_key for fact in believed(memory)] == ["porto"]
    (review,) = waiting(memory)
    assert (objects(review.standing), objects(review.challenging)) == (["porto"], ["lisbon", "lisbon"])
    entry = memory.ledger.journal([review.journal_seq])[0]
    assert (entry.op, review.policy) == ("decide", LATEST_VALID.version)


@pytest.mark.parametrize("home", ["porto", "lisbon"])
def test_a_curators_word_closes_it(memory: Memory, home: str) -> None:
    since = {"porto": 1, "lisbon": 4}[home]
    read(memory, [assertion("ana", "lives_in", home, said=9, since=since, authority="curated")])
    derive(memory)
    assert waiting(memory) == []
    assert [fact.belief.object_key for fact in believed(memory) if fact.belief.valid_to is None] == [home]


def test_another_policy_makes_another_generation_and_back(memory: Memory) -> None:
    read(memory, [assertion("ana", "likes", "tea", said=9)])
    derive(memory)
    before = state_hash(memory)
    assert not is_stale(memory, load_ontology(), LATEST_VALID)
    assert is_stale(memory, load_ontology(), MANUAL)

    rebuild(memory, circumstances(Policy("highest_authority")))
    assert waiting(memory, Policy("highest_authority")) == []
    rebuild(memory, circumstances(MANUAL))
    assert [each.policy for each in waiting(memory, MANUAL)] == [MANUAL.version]
    rebuild(memory, circumstances(LATEST_VALID))
    assert state_hash(memory) == before
    assert [each.generation for each in memory.graph.served()] == [1, 2, 3, 4]
    assert len(waiting(memory)) == 1


def circumstances(policy: Policy) -> Circumstances:
    embedder = build_embedder("hashing")
    return Circumstances(ontology=load_ontology(), embedder=embedder, origin=ORIGIN, clock=lambda: NOW, policy=policy)


def test_under_manual_review_a_move_waits_and_then_counts_from_when_it_was_said(stores: SqliteStores) -> None:
    memory = new_memory(stores)
    evidence = [
        assertion("ana", "lives_in", "porto", said=1),
        assertion("ana", "lives_in", "lisbon", said=5),
        assertion("ana", "lives_in", "lisbon", said=9, authority="curated", valid_from=5 * DAY),
    ]
    say(memory, evidence)
    read(memory, evidence[:2])
    derive(memory, MANUAL)
    assert [fact.belief.object_key for fact in believed(memory)] == ["porto"]
    assert len(waiting(memory, MANUAL)) == 1
    read(memory, evidence[2:])
    derive(memory, MANUAL)
    assert waiting(memory, MANUAL) == []
    (now,) = memory.graph.facts(valid_at=NOW, known_at=None)
    assert (now.belief.object_key, now.belief.valid_from) == ("lisbon", 5 * DAY)
