"""What stands around an entity and the way between two, over a real store, as of two times."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kg_assets.graph.walking import AsOf, neighbourhood, shortest_way
from kg_assets.ports import Memory
from resources.sqlite import SqliteStores
from tests.graph.evidence import DAY, assertion
from tests.graph.test_belief import NOW, derive, new_memory, read, say

AT = AsOf(valid_at=NOW, known_at=NOW + DAY)


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    found = new_memory(SqliteStores(tmp_path, b"secret", clock=lambda: NOW))
    tell(
        found,
        assertion("ana", "works_at", "nordwind", said=1, since=1),
        assertion("nordwind", "located_in", "porto", said=2, since=2),
        assertion("bea", "lives_in", "porto", said=3, since=3),
        assertion("bea", "likes", "tea", said=4, since=4),
    )
    return found


def tell(memory: Memory, *evidence: Any) -> None:
    say(memory, evidence)
    read(memory, evidence)
    derive(memory)


def entity(memory: Memory, key: str) -> str:
    return memory.graph.entities_by_key([key])[key].id


def around(memory: Memory, start: str, hops: int, as_of: AsOf = AT, limit: int = 100) -> list[tuple[int, str, str]]:
    found = neighbourhood(memory.graph, entity(memory, start), hops=hops, limit=limit, as_of=as_of)
    return [(met, fact.belief.subject_key, fact.belief.object_key) for met, fact in found.facts]


def way(memory: Memory, source: str, target: str, *, hops: int = 4, as_of: AsOf = AT, limit: int = 100) -> Any:
    ends = entity(memory, source), entity(memory, target)
    steps = shortest_way(memory.graph, *ends, max_hops=hops, limit=limit, as_of=as_of).steps
    return steps and [(each.fact.belief.predicate, each.forward) for each in steps]


def test_facts_are_met_in_both_directions_the_nearest_first(memory: Memory) -> None:
    assert around(memory, "ana", 1) == [(1, "ana", "nordwind")]
    assert around(memory, "ana", 3) == [(1, "ana", "nordwind"), (2, "nordwind", "porto"), (3, "bea", "porto")]
    assert around(memory, "ana", 4)[-1] == (4, "bea", "tea")


def test_both_times_are_half_open(memory: Memory) -> None:
    assert around(memory, "bea", 1, AsOf(valid_at=3 * DAY - 1, known_at=AT.known_at)) == []
    assert around(memory, "bea", 1, AsOf(valid_at=3 * DAY, known_at=AT.known_at)) == [(1, "bea", "porto")]
    believed = memory.graph.facts(valid_at=None, known_at=None)[0].recorded_from
    assert around(memory, "bea", 1, AsOf(valid_at=NOW, known_at=believed - 1)) == []
    assert len(around(memory, "bea", 1, AsOf(valid_at=NOW, known_at=believed))) == 2


def test_a_walk_that_is_cut_says_so(memory: Memory) -> None:
    start = entity(memory, "ana")
    whole = neighbourhood(memory.graph, start, hops=4, limit=4, as_of=AT)
    part = neighbourhood(memory.graph, start, hops=4, limit=2, as_of=AT)
    assert (len(whole.facts), whole.cut) == (4, False)
    assert (len(part.facts), part.cut) == (2, True)
    assert part.facts == whole.facts[:2]


def test_the_shortest_way_goes_through_facts_in_either_direction(memory: Memory) -> None:
    assert way(memory, "ana", "bea") == [("works_at", True), ("located_in", True), ("lives_in", False)]
    assert way(memory, "bea", "ana") == [("lives_in", True), ("located_in", False), ("works_at", False)]
    assert way(memory, "ana", "bea", hops=2) is None
    assert way(memory, "ana", "ana") == ()


NODES = [f"n{number}" for number in range(7)]
EDGES = st.lists(
    st.tuples(st.sampled_from(NODES), st.sampled_from(["likes", "owns", "friend"]), st.sampled_from(NODES)).filter(
        lambda edge: edge[0] != edge[2]
    ),
    min_size=1,
    max_size=14,
)


def distance(edges: list[tuple[str, str, str]], source: str, target: str) -> int | None:
    """By the definition."""
    reached, steps = {source}, 0
    while target not in reached:
        wider = reached | {end for one, _, other in edges if {one, other} & reached for end in (one, other)}
        if wider == reached:
            return None
        reached, steps = wider, steps + 1
    return steps


@settings(deadline=None, max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(EDGES, st.randoms(use_true_random=False))
def test_a_way_is_as_short_as_can_be_and_does_not_depend_on_the_order_of_evidence(
    tmp_path_factory: pytest.TempPathFactory, edges: list[tuple[str, str, str]], shuffler: Any
) -> None:
    stores = SqliteStores(tmp_path_factory.mktemp("stores"), b"secret", clock=lambda: NOW)
    evidence = [assertion(*edge, said=1) for edge in dict.fromkeys(edges)]
    memories = [new_memory(stores, name) for name in ("one", "other")]
    for memory in memories:
        say(memory, evidence)
        for each in evidence:
            read(memory, [each])
            derive(memory)
        shuffler.shuffle(evidence)
    names = sorted({end for one, _, other in edges for end in (one, other)})
    for source in names:
        for target in names:
            ways = [told(memory, source, target) for memory in memories]
            assert ways[0] == ways[1]
            steps = distance(edges, source, target)
            assert ways[0] is None if steps is None or steps > 4 else len(ways[0]) == steps
    stores.close()


def told(memory: Memory, source: str, target: str) -> Any:
    ends = entity(memory, source), entity(memory, target)
    steps = shortest_way(memory.graph, *ends, max_hops=4, limit=1000, as_of=AT).steps
    return steps and [
        (each.fact.belief.subject_key, each.fact.belief.predicate, each.fact.belief.object_key) for each in steps
    ]
