"""Belief derived again beside the one that serves: the flip, the way back, and reads of the past across both."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import apsw
import msgspec
import pytest

from kg_assets.errors import InvalidInput, NotReady
from kg_assets.graph.generations import as_served, generations, is_stale, put_generation
from kg_assets.graph.policies import LATEST_VALID
from kg_assets.graph.sources import generation_of
from kg_assets.graph.state import state_hash
from kg_assets.maintenance.comparing import difference, in_words
from kg_assets.maintenance.generations import Circumstances, flip, rebuild
from kg_assets.maintenance.replaying import replay
from kg_assets.ports import Memory
from kg_assets.recall.asking import RecallRequest
from kg_assets.recall.read_model import ReadModels
from kg_assets.recall.retrieve import recall
from kg_assets.text.ontology import Ontology, load_ontology
from kg_assets.triples.asserting import assert_statements, check_statement
from quality.trail import walk
from resources.embedder import build_embedder
from resources.sqlite import SqliteStores
from tests.quality.test_trail import NOW, ORIGIN, SAID, process, say

EMBEDDER = build_embedder("hashing")


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    stores = SqliteStores(tmp_path, b"secret", clock=lambda: NOW)
    memory = stores.open(stores.create("test", "ana", now=NOW).id)
    for text, said_at in SAID:
        say(memory, text, said_at)
        process(memory)
    yield memory
    memory.close()
    stores.close()


def circumstances(ontology: Ontology | None = None) -> Circumstances:
    ticks = count(NOW + 1_000_000)
    return Circumstances(
        ontology=ontology or load_ontology(), embedder=EMBEDDER, origin=ORIGIN, clock=lambda: next(ticks)
    )


def without_functional(name: str) -> Ontology:
    """Other rules: this predicate holds several values at a time."""
    known = load_ontology()
    predicates = dict(known.predicates)
    predicates[name] = msgspec.structs.replace(predicates[name], functional=False, group=None)
    return msgspec.structs.replace(known, predicates=predicates, version=f"{known.version}-test")


def current(memory: Memory, **asked: int) -> set[tuple[str, str]]:
    facts = memory.graph.facts(valid_at=asked.get("valid_at"), known_at=asked.get("known_at"))
    return {(fact.belief.predicate, fact.belief.object_key) for fact in facts}


def found(memory: Memory, query: str, known_at: int | None = None) -> list[str]:
    model = ReadModels(EMBEDDER).at(memory, known_at)
    request = RecallRequest(query=query, kinds=("fact",), known_at=known_at, k=50)
    return sorted(each.text for each in recall(model, request, EMBEDDER, NOW).results)


def test_belief_derived_again_is_the_same(memory: Memory) -> None:
    before = state_hash(memory)
    made = rebuild(memory, circumstances())
    assert (made.generation, made.served, made.lost, made.gained, made.flipped) == (2, 1, 0, 0, True)
    assert made.state_hash == before == state_hash(memory)
    assert memory.graph.generation == 2
    assert walk(memory).broken is None


def test_what_serves_after_a_flip_is_found_and_what_served_before_is_not(memory: Memory) -> None:
    before = found(memory, "Where does Anna live?")
    rebuild(memory, circumstances())
    assert found(memory, "Where does Anna live?") == before
    served = {fact.version_id for fact in memory.graph.facts(valid_at=None, known_at=None)}
    assert memory.ledger.item_ids("fact") == served


def test_a_rebuild_without_a_flip_changes_nothing_that_is_read(memory: Memory) -> None:
    before = (current(memory), found(memory, "Lisbon"), state_hash(memory))
    made = rebuild(memory, circumstances(without_functional("lives_in")), flip_to_it=False)
    assert not made.flipped
    assert (current(memory), found(memory, "Lisbon"), state_hash(memory)) == before
    assert walk(memory).broken is None


def test_a_past_read_sees_the_generation_that_served_then(memory: Memory) -> None:
    known_at = memory.ledger.head().recorded_at
    june = 1_750_000_000_000_000
    before = (current(memory, known_at=known_at), found(memory, "Where do I live?", known_at))
    rebuild(memory, circumstances(without_functional("lives_in")), most_lost=1.0)
    assert (current(memory, known_at=known_at), found(memory, "Where do I live?", known_at)) == before
    flip(memory, 1, circumstances())
    assert (current(memory, known_at=known_at), found(memory, "Where do I live?", known_at)) == before
    assert current(memory, valid_at=june, known_at=known_at) == current(memory, valid_at=june)


def test_flipping_back_brings_back_what_was_believed(memory: Memory) -> None:
    before = (current(memory), found(memory, "Lisbon"), state_hash(memory))
    rebuild(memory, circumstances(without_functional("lives_in")), most_lost=1.0)
    assert state_hash(memory) != before[2]
    flip(memory, 1, circumstances())
    assert (current(memory), found(memory, "Lisbon"), state_hash(memory)) == before
    assert [each.generation for each in memory.graph.served()] == [1, 2, 1]
    assert walk(memory).broken is None


def test_flipping_back_catches_up_with_what_was_said_meanwhile(memory: Memory) -> None:
    rebuild(memory, circumstances())
    say(memory, "My brother lives in Coimbra.", "2026-09-02T10:00:00Z")
    process(memory)
    after = state_hash(memory)
    flip(memory, 1, circumstances())
    process(memory)
    assert state_hash(memory) == after
    assert any("Coimbra" in text for text in found(memory, "Coimbra"))
    assert walk(memory).broken is None


def test_history_tells_what_was_served(memory: Memory) -> None:
    fact = memory.graph.facts(valid_at=None, known_at=None, predicates=["lives_in"])[0]
    rebuild(memory, circumstances())
    rows = as_served(memory.graph.history(fact.id), memory.graph.served())
    flipped_at = memory.graph.served()[-1].recorded_from
    ours = [row for row in rows if row.belief == fact.belief]
    assert [(row.generation, row.recorded_to) for row in ours] == [(1, flipped_at), (2, None)]
    assert ours[1].recorded_from == flipped_at


def test_entities_of_the_past_have_their_names_of_then(memory: Memory) -> None:
    entry = next(
        each
        for each in memory.ledger.journal_after(0, 1000)
        if each.op == "resolve" and b"Anna" in (each.payload or b"")
    )
    names = ["@self's sister", "anna"]
    assert {each.name for each in memory.graph.entities_by_key(names).values()} == {"Anna"}
    then = memory.graph.entities_by_key(names, entry.recorded_at - 1)
    assert list(then) == ["@self's sister"]
    assert then["@self's sister"].name != "Anna"
    assert memory.graph.entities([then["@self's sister"].id], entry.recorded_at - 1) == list(then.values())


def test_a_new_generation_that_gives_up_too_much_does_not_serve(memory: Memory) -> None:
    never = {"subject": "Anna", "predicate": "lives_in", "object": "Braga", "denied": True}
    stated = check_statement({**never, "valid_from": "1900-01-01T00:00:00Z"}, load_ontology(), where="")
    assert_statements(memory, [stated], load_ontology(), clock=lambda: NOW, origin=ORIGIN)
    with pytest.raises(NotReady, match="gives up 1 of"):
        rebuild(memory, circumstances(), most_lost=0.0)
    assert memory.graph.generation == 1
    flip(memory, 2, circumstances())
    assert memory.graph.generation == 2


def test_a_generation_that_is_not_there_cannot_serve(memory: Memory) -> None:
    with pytest.raises(InvalidInput, match="there is no whole generation 7; there is 1"):
        flip(memory, 7, circumstances())


def test_a_rebuild_that_was_cut_short_goes_on_in_the_same_generation(memory: Memory) -> None:
    before = state_hash(memory)
    rebuild(memory, circumstances(), flip_to_it=False)
    cut = msgspec.structs.replace(generations(memory)[-1], whole=False, derived=0)
    with memory.transaction():
        put_generation(memory, cut)
    with pytest.raises(InvalidInput):
        flip(memory, 2, circumstances())
    made = rebuild(memory, circumstances())
    assert (made.generation, made.state_hash) == (2, before)


def test_a_generation_that_is_taken_up_holds_nothing_of_whom_names_have_left(memory: Memory) -> None:
    say(memory, "My cousin lives in Porto.", "2026-08-02T10:00:00Z")
    process(memory)
    rebuild(memory, circumstances(), flip_to_it=False)
    say(memory, "My cousin's name is Berta.", "2026-08-03T10:00:00Z")
    process(memory)
    made = rebuild(memory, circumstances(), flip_to_it=False)
    assert (made.generation, made.lost, made.gained, made.state_hash) == (2, 0, 0, state_hash(memory))


def test_a_generation_of_other_rules_is_out_of_date(memory: Memory) -> None:
    other = without_functional("lives_in")
    assert not is_stale(memory, load_ontology(), LATEST_VALID)
    assert is_stale(memory, other, LATEST_VALID)
    rebuild(memory, circumstances(other), most_lost=1.0)
    assert not is_stale(memory, other, LATEST_VALID)


def test_the_graph_is_made_again_from_the_journal_with_the_same_recorded_times(memory: Memory) -> None:
    rebuild(memory, circumstances(without_functional("lives_in")), most_lost=1.0)
    flip(memory, 1, circumstances())

    def everything() -> list[object]:
        rows = memory.graph.changed_facts(after_journal_seq=0, limit=10_000)
        graphs = [memory.graph.of(1), memory.graph.of(2)]
        support = [graph.facts_of_utterances([f"at {said_at}" for _, said_at in SAID]) for graph in graphs]
        states = [(graph.entity_states(), graph.slot_hashes()) for graph in graphs]
        return [rows, memory.graph.served(), memory.graph.generation, states, support]

    before = everything()
    done = replay(memory, origin=ORIGIN, clock=circumstances().clock)
    assert done.before == done.after
    assert everything() == before
    assert walk(memory).broken is None


def test_a_damaged_graph_is_mended_by_a_replay(memory: Memory, tmp_path: Path) -> None:
    (file,) = (tmp_path / "memories").glob("*.db")
    connection = apsw.Connection(str(file))
    connection.execute("DELETE FROM slots; UPDATE facts SET object_key = 'tokyo', confidence = 1")
    connection.close()
    assert walk(memory).broken is not None
    done = replay(memory, origin=ORIGIN, clock=circumstances().clock)
    assert done.before != done.after
    assert walk(memory).broken is None


def test_the_difference_of_two_generations_is_told_in_words(memory: Memory) -> None:
    rebuild(memory, circumstances(), flip_to_it=False)
    same = difference(memory, 1, 2, load_ontology())
    assert (in_words(same), same.same) == ([], len(current(memory)))
    rebuild(memory, circumstances(without_functional("lives_in")), flip_to_it=False)
    found = difference(memory, 1, 3, load_ontology())
    assert {each.kind for each in found.differing} == {"changed"}
    assert found.state_hash["1"] != found.state_hash["3"] == state_hash(generation_of(memory, 3))
    assert any("Porto" in line and line.startswith("~ ") and "interval" in line for line in in_words(found))
