"""How much an entity matters: counted from the evidence, less with every day, and less once something was erased."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg_assets.graph.importance import DAY, Weight, weights
from kg_assets.model import SAME_AS
from kg_assets.ports import Memory
from resources.sqlite import SqliteStores
from tests.graph.evidence import assertion
from tests.graph.test_belief import NOW, derive, new_memory, read
from tests.graph.test_belief import say as say_all
from tests.maintenance.telling import erase, process, say


@pytest.fixture
def stores(tmp_path: Path) -> SqliteStores:
    return SqliteStores(tmp_path, b"secret", clock=lambda: NOW)


def weight_of(memory: Memory, key: str) -> Weight:
    with memory.snapshot():
        entity = memory.graph.entities_by_key([key])[key]
        return weights(memory, [entity])[entity.id]


def test_utterances_conversations_and_facts_are_counted_once_each(stores: SqliteStores) -> None:
    memory = stores.open(stores.create("test", "ana", now=NOW).id)
    say(memory, "My friend Carlos lives in Madrid. Carlos works at Acme.", 1)
    say(memory, "Carlos likes jazz.", 2, session="other")
    say(memory, "Carlos lives in Madrid.", 3, session="other")
    process(memory)
    weight = weight_of(memory, "carlos")
    assert (weight.mentions, weight.sessions, weight.facts) == (3, 2, 4)
    assert weight_of(memory, "madrid").mentions == 2
    erase(stores, memory, "u3")
    left = weight_of(memory, "carlos")
    assert (left.mentions, left.sessions, left.facts) == (2, 2, 4)
    assert left.importance(NOW) < weight.importance(NOW)


def test_every_name_of_an_entity_counts_and_joining_them_does_not(stores: SqliteStores) -> None:
    evidence = [
        assertion("mel", "likes", "tea", said=1),
        assertion("melanie", "likes", "tea", said=2),
        assertion("mel", SAME_AS, "melanie", said=3, authority="curated", extractor="asserted"),
    ]
    memory = new_memory(stores)
    say_all(memory, evidence)
    read(memory, evidence)
    derive(memory)
    weight = weight_of(memory, "mel")
    assert (weight.mentions, weight.facts, weight.last_said_at) == (2, 1, 2 * DAY)


def test_the_formula_is_what_it_says() -> None:
    weight = Weight(mentions=10, sessions=3, facts=10, last_said_at=0)
    assert weight.importance(0) == round(1000 * (0.3 * 0.5 + 0.7))
    assert weight.importance(500 * DAY) == round(1000 * (0.3 * 0.5 + 0.7 * 0.36788))
    assert Weight().importance(0) == 0


COUNTS = st.integers(0, 10_000)


@given(COUNTS, COUNTS, COUNTS, st.integers(0, 10**6), st.integers(0, 10**6))
def test_it_lies_between_nothing_and_one_and_falls_with_time(
    mentions: int, sessions: int, facts: int, day: int, later: int
) -> None:
    weight = Weight(mentions=mentions, sessions=sessions, facts=facts, last_said_at=0)
    now = weight.importance(day * DAY)
    assert 0 <= weight.importance((day + later) * DAY) <= now <= 1000
    more = Weight(mentions=mentions + 1, sessions=sessions, facts=facts, last_said_at=0)
    assert more.importance(day * DAY) >= now
