"""The same log into two store sets gives the same beliefs, at every time, on both axes."""

from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from kg_assets.graph.importance import weights
from kg_assets.graph.state import state_hash
from kg_assets.graph.suggesting import suggestions
from kg_assets.graph.walking import AsOf, neighbourhood, shortest_way
from kg_assets.ports import Memory
from kg_assets.text.ontology import load_ontology
from quality.told_belief import ToldBelief
from tests.conformance.conftest import BACKENDS, MARKS, NOW
from tests.conformance.logs import content, live_through, naming, random_log
from tests.graph.evidence import DAY, assertion

OTHERS = [pytest.param(name, marks=MARKS[name]) for name in BACKENDS if name != "sqlite"]


@pytest.fixture(params=OTHERS)
def pair(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Memory, Memory]]:
    """A memory in SQLite and one of the same id in another set, which lived through the same log."""
    with ExitStack() as opened:
        memories = []
        for name in ("sqlite", request.param):
            stores = opened.enter_context(closing(BACKENDS[name](tmp_path / "data")()))
            memory = stores.open(stores.create("tests", "ana", now=NOW).id)
            memories.append(opened.enter_context(closing(memory)))
            live_through(memory, random_log(7, 80))
        yield memories[0], memories[1]


def test_the_same_log_gives_the_same_state_and_the_same_as_of_answers(pair: tuple[Memory, Memory]) -> None:
    one, other = pair
    assert one.info.id == other.info.id
    assert state_hash(one) == state_hash(other)
    assert len(one.graph.slot_hashes()) > 5
    recorded = sorted({entry.recorded_at for entry in one.ledger.journal_after(0, 10_000)})
    assert len(recorded) > 10
    answers = 0
    for known_at in [None, recorded[0] - 1, *recorded[::3]]:
        for valid_at in [None, *(day * DAY for day in range(0, 90, 15))]:
            first, second = (
                sorted(map(content, each.graph.facts(valid_at=valid_at, known_at=known_at, limit=1000)), key=repr)
                for each in pair
            )
            assert first == second
            answers += len(first)
    assert answers > 500


def test_the_same_log_gives_the_same_neighbourhoods_and_ways(pair: tuple[Memory, Memory]) -> None:
    walked = [walks(memory) for memory in pair]
    assert walked[0] == walked[1]
    assert sum(way is not None for _, way in walked[0]) > 50


def walks(memory: Memory) -> list[tuple[object, object]]:
    """Around each entity, and from each to each, at three recorded times; by content."""
    recorded = sorted({entry.recorded_at for entry in memory.ledger.journal_after(0, 10_000)})
    entities = sorted(memory.graph.all_entities(), key=lambda each: each.key)
    found: list[tuple[object, object]] = []
    for known_at in (recorded[len(recorded) // 3], recorded[len(recorded) // 2], recorded[-1]):
        as_of = AsOf(valid_at=45 * DAY, known_at=known_at)
        for one in entities:
            met = neighbourhood(memory.graph, one.id, hops=3, limit=1000, as_of=as_of)
            around = [(distance, content(fact)) for distance, fact in met.facts]
            for other in entities:
                steps = shortest_way(memory.graph, one.id, other.id, max_hops=4, limit=1000, as_of=as_of).steps
                found.append((around, steps and [(content(each.fact), each.forward) for each in steps]))
    return found


def test_the_same_log_gives_the_same_entities_histories_and_changes(pair: tuple[Memory, Memory]) -> None:
    one, other = pair
    assert sorted(map(naming, one.graph.all_entities())) == sorted(map(naming, other.graph.all_entities()))
    rows = [each.graph.changed_facts(after_journal_seq=0, limit=10_000) for each in pair]
    first, second = (sorted(map(content, each), key=repr) for each in rows)
    assert first == second
    for memory, found in zip(pair, rows, strict=True):
        histories = {fact.id: memory.graph.history(fact.id) for fact in found}
        assert sorted(fact.version_id for each in histories.values() for fact in each) == sorted(
            fact.version_id for fact in found
        )
    ids = [f"u{number}" for number in range(1, 81)]
    counts = [{name: len(facts) for name, facts in each.graph.facts_of_utterances(ids).items()} for each in pair]
    assert counts[0] == counts[1]
    assert counts[0]


def test_the_same_log_gives_the_same_suggestions_and_weights(pair: tuple[Memory, Memory]) -> None:
    told = []
    for memory in pair:
        live_through(memory, [assertion("anna", "likes", "tea", said=81), assertion("kleo", "likes", "oslo", said=82)])
        with memory.snapshot():
            entities = memory.graph.all_entities()
            weighed = weights(memory, entities)
            found = suggestions(memory, load_ontology())
        told.append(
            (
                sorted((each.key, weighed[each.id].importance(NOW), weighed[each.id].facts) for each in entities),
                sorted((each.keep.key, each.merge.key, each.score, each.reasons) for each in found),
            )
        )
    assert told[0] == told[1]
    assert told[0][1]


def test_what_the_journal_tells_of_belief_is_what_every_set_holds(pair: tuple[Memory, Memory]) -> None:
    for memory in pair:
        entries = memory.ledger.journal_after(0, 10_000)
        with memory.snapshot():
            told = ToldBelief(memory)
            told.fetch(entries)
            assert {told.differs(each) for each in entries} == {None}
            assert told.left_over() is None
