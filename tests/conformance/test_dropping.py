"""Old generations are dropped: what stays answers as before, what went is refused, and the journal still holds."""

from itertools import count

import msgspec
import pytest

from kg_assets.errors import InvalidInput, NotFound
from kg_assets.graph.generations import dropped_generations, generations, put_generation, require_kept
from kg_assets.graph.state import state_hash
from kg_assets.maintenance.comparing import difference
from kg_assets.maintenance.dropping import beyond, drop
from kg_assets.maintenance.generations import Circumstances, flip, rebuild
from kg_assets.maintenance.replaying import replay
from kg_assets.model import Drop, Origin, SlotChange
from kg_assets.payloads import History, graph_change
from kg_assets.ports import Memory, Stores
from kg_assets.recall.read_model import ReadModels
from kg_assets.text.ontology import load_ontology
from kg_assets.triples.extraction import build_extractor
from kg_assets.triples.reading_again import AgainReader
from quality.trail import walk
from resources.embedder import build_embedder
from serving.fact_queries import FactQuery, find_facts
from tests.maintenance.telling import NOW, ORIGIN, erase, process, say

SAID = ["I live in Porto.", "My sister Eva works at Nordwind.", "I live in Lisbon.", "I like jazz."]
TICKS = count(NOW + 1_000_000)


@pytest.fixture(autouse=True)
def _told(request: pytest.FixtureRequest) -> None:
    if "memory" in request.fixturenames:
        memory = request.getfixturevalue("memory")
        for day, text in enumerate(SAID):
            say(memory, text, day)
            process(memory)


def tick() -> int:
    return next(TICKS)


def circumstances() -> Circumstances:
    return Circumstances(ontology=load_ontology(), embedder=build_embedder("hashing"), origin=ORIGIN, clock=tick)


def dropped(memory: Memory, *numbers: int) -> None:
    drop(memory, list(numbers), origin=Origin(actor="test", cause="test"), clock=tick)


def held(memory: Memory) -> set[tuple[str, str]]:
    return {
        (each.belief.predicate, each.belief.object_key) for each in memory.graph.facts(valid_at=None, known_at=None)
    }


def rebuilt(memory: Memory, times: int) -> None:
    for _ in range(times):
        rebuild(memory, circumstances())


def test_what_serves_is_as_it_was_and_what_went_is_gone(memory: Memory) -> None:
    rebuilt(memory, 2)
    before, items, belief = state_hash(memory), memory.ledger.item_count(), held(memory)
    facts = len(memory.graph.of(1).facts(valid_at=None, known_at=None))
    done = drop(memory, [1], origin=ORIGIN, clock=tick)
    assert (done.numbers, done.dropped) == ((1,), 1)
    assert done.fact_versions >= facts > 0
    assert memory.ledger.item_count() == items - done.index_items
    assert (state_hash(memory), held(memory)) == (before, belief)
    gone = memory.graph.of(1)
    assert gone.facts(valid_at=None, known_at=None) == gone.all_entities() == gone.entity_states() == []
    assert gone.slot_hashes() == []
    assert gone.facts_of_utterances(["u0", "u1", "u2", "u3"]) == {}
    with memory.transaction():
        last = memory.ledger.head()
        memory.graph.apply(Drop(drops=1), recorded_at=last.recorded_at, journal_seq=last.journal_seq)
    assert (state_hash(memory), held(memory)) == (before, belief)
    assert walk(memory).broken is None


def test_the_way_back_inside_what_is_kept_stays_open(memory: Memory) -> None:
    rebuilt(memory, 2)
    before = state_hash(memory)
    dropped(memory, *beyond(memory, 2))
    assert dropped_generations(memory) == {1}
    say(memory, "My brother lives in Coimbra.", 9)
    process(memory)
    flip(memory, 2, circumstances())
    assert ("lives_in", "coimbra") in held(memory)
    assert state_hash(memory) != before
    assert walk(memory).broken is None
    for call in (lambda: flip(memory, 1, circumstances()), lambda: difference(memory, 1, 2, load_ontology())):
        with pytest.raises(InvalidInput, match="there is no"):
            call()


def test_a_time_at_which_it_served_is_refused_and_others_answer(memory: Memory) -> None:
    then = memory.ledger.head().recorded_at
    rebuilt(memory, 2)
    second = memory.graph.served()[1].recorded_from
    assert second is not None
    told = {each.version_id for each in memory.graph.facts(valid_at=None, known_at=second)}
    dropped(memory, 1)
    with pytest.raises(NotFound, match="dropped with generation 1"):
        require_kept(memory, then)
    with pytest.raises(NotFound, match="dropped with generation 1"):
        ReadModels(build_embedder("hashing")).at(memory, then)
    require_kept(memory, second)
    assert {each.version_id for each in memory.graph.facts(valid_at=None, known_at=second)} == told


def test_a_page_that_goes_on_at_a_time_that_was_dropped_is_refused(memory: Memory) -> None:
    query = FactQuery(limit=1)
    page = find_facts(memory, load_ontology(), query, NOW)
    again = msgspec.structs.replace(query, cursor=page.next)
    rebuilt(memory, 2)
    assert find_facts(memory, load_ontology(), again, NOW).facts
    dropped(memory, 1)
    with pytest.raises(NotFound, match="dropped with generation 1"):
        find_facts(memory, load_ontology(), again, NOW)
    assert find_facts(memory, load_ontology(), query, NOW).facts


def test_what_cannot_be_dropped_changes_nothing(memory: Memory) -> None:
    rebuilt(memory, 1)
    dropped_before = memory.ledger.head()
    for number in (2, 7, 0, -1):
        with pytest.raises(InvalidInput):
            drop(memory, [1, number], origin=ORIGIN, clock=tick)
    with pytest.raises(InvalidInput, match="1 or more"):
        beyond(memory, 0)
    assert memory.ledger.head() == dropped_before
    dropped(memory, 1)
    with pytest.raises(InvalidInput, match="no generation 1 to drop; there is 2"):
        dropped(memory, 1)


def test_the_last_to_serve_are_kept_whatever_their_numbers(memory: Memory) -> None:
    rebuilt(memory, 2)
    flip(memory, 1, circumstances())
    assert (beyond(memory, 1), beyond(memory, 2), beyond(memory, 3)) == ([2, 3], [2], [])
    rebuild(memory, circumstances(), flip_to_it=False)
    assert beyond(memory, 1) == [2, 3]  # 4 was never seen by anybody yet


def test_a_number_is_not_used_again(memory: Memory) -> None:
    rebuild(memory, circumstances(), flip_to_it=False)
    dropped(memory, 2)
    assert rebuild(memory, circumstances()).generation == 3


def test_readings_that_a_dropped_generation_made_count_on(memory: Memory) -> None:
    rebuild(memory, circumstances(), reader=AgainReader(build_extractor(("rules",))))
    rebuilt(memory, 1)
    before = state_hash(memory)
    dropped(memory, 1, 2)
    rebuilt(memory, 1)
    assert state_hash(memory) == before
    assert [each.generation for each in generations(memory)[-1].again] == [2]


def test_a_replay_comes_to_the_same(memory: Memory) -> None:
    rebuilt(memory, 2)
    dropped(memory, 1)
    states = memory.graph.of(2).entity_states()
    done = replay(memory, origin=ORIGIN, clock=tick)
    assert done.before == done.after
    assert memory.graph.of(1).all_entities() == []
    assert memory.graph.of(2).entity_states() == states
    assert walk(memory).broken is None


@pytest.mark.parametrize(("gone", "traces"), [("u0", ["porto"]), ("u1", ["nordwind", "eva"]), ("u2", ["lisbon"])])
def test_an_erasure_takes_what_the_journal_told_of_it(
    memory: Memory, stores: Stores, gone: str, traces: list[str]
) -> None:
    rebuilt(memory, 2)
    dropped(memory, 1)
    erase(stores, memory, gone)
    process(memory)
    assert walk(memory).broken is None
    assert len(held(memory)) >= len(SAID) - 1
    told = [(entry.payload or b"").decode() for entry in memory.ledger.journal_after(0, 10_000)]
    assert not [payload for payload in told if any(trace in payload.casefold() for trace in traces)]
    changes = [change for entry in History(memory.ledger).told() if (change := graph_change(entry)) is not None]
    assert not [each for each in changes if isinstance(each, SlotChange) and each.generation == 1 and each.opened]
    replay(memory, origin=ORIGIN, clock=tick)
    assert walk(memory).broken is None


def test_a_drop_that_the_journal_does_not_tell_is_found(memory: Memory) -> None:
    rebuilt(memory, 1)
    (first, _) = generations(memory)
    with memory.transaction():
        put_generation(memory, msgspec.structs.replace(first, dropped=3))
    assert walk(memory).broken is not None
