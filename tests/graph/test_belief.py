"""Deriving belief in a real store: incremental, exactly once, whatever the order and the size of the batches."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kg_assets import journal
from kg_assets.graph.belief import derive_pending
from kg_assets.graph.state import state_hash
from kg_assets.model import SAME_AS, Assertion, Fact, NoveltyScore, Origin, Route, Utterance
from kg_assets.ports import Memory
from kg_assets.text.ontology import load_ontology
from resources.sqlite import SqliteStores
from tests.graph.evidence import DAY, assertion

ORIGIN = Origin(actor="test", cause="test", run_id="run-1", code_version="1")
ROUTES: tuple[Route, ...] = ("immediate", "batch", "log")
NOW = 1000 * DAY


@pytest.fixture
def stores(tmp_path: Path) -> SqliteStores:
    return SqliteStores(tmp_path, b"secret", clock=lambda: NOW)


def new_memory(stores: SqliteStores, name: str = "ana") -> Memory:
    return stores.open(stores.create("test", name, multi_speaker=True, now=NOW).id)


def say(memory: Memory, assertions: Sequence[Assertion]) -> None:
    """Append an utterance for each day up to the last assertion, as if they had been extracted."""
    for day in range(1, max(each.seq for each in assertions) + 1):
        utterance = Utterance(
            id=f"u{day}", session="s", speaker="Ana", role="other", text="…", said_at=day * DAY, seq=day,
            recorded_at=NOW, content_hash="",
        )  # fmt: skip
        score = NoveltyScore(seq=day, score=50.0, route="batch", parts={}, features={}, conflicts=(), version="test")
        with memory.transaction():
            memory.ledger.append([(utterance, score, {})])
            memory.ledger.done("extract", [day])


def read(memory: Memory, assertions: Sequence[Assertion]) -> None:
    with memory.transaction():
        memory.ledger.add_assertions(assertions)
        memory.ledger.enqueue("derive", sorted({each.seq for each in assertions}))


def derive(memory: Memory, chunk: int = 200) -> None:
    derive_pending(memory, load_ontology(), routes=ROUTES, origin=ORIGIN, clock=lambda: NOW, chunk=chunk)


def believed(memory: Memory) -> list[Fact]:
    return memory.graph.facts(valid_at=None, known_at=None, limit=1000)


MOVE = [
    assertion("ana", "lives_in", "porto", said=1),
    assertion("ana", "likes", "tea", said=2),
    assertion("ana", "lives_in", "lisbon", said=9, since=8),
]


def test_a_new_home_closes_the_old_one_and_both_stay_readable(stores: SqliteStores) -> None:
    memory = new_memory(stores)
    say(memory, MOVE)
    read(memory, MOVE[:2])
    derive(memory)
    before = memory.ledger.head().recorded_at
    read(memory, MOVE[2:])
    derive(memory)

    (now,) = memory.graph.facts(valid_at=NOW, known_at=None, predicates=["lives_in"])
    (then,) = memory.graph.facts(valid_at=NOW, known_at=before, predicates=["lives_in"])
    (earlier,) = memory.graph.facts(valid_at=5 * DAY, known_at=None, predicates=["lives_in"])
    assert [now.belief.object_key, then.belief.object_key, earlier.belief.object_key] == ["lisbon", "porto", "porto"]
    assert [each.recorded_to is None for each in memory.graph.history(then.id)] == [False, True]


def test_deriving_again_changes_nothing(stores: SqliteStores) -> None:
    memory = new_memory(stores)
    say(memory, MOVE)
    read(memory, MOVE)
    derive(memory)
    head = memory.ledger.head()
    read(memory, MOVE)
    derive(memory)
    assert memory.ledger.head().journal_hash == head.journal_hash


def test_every_change_is_in_an_unbroken_journal_with_its_run(stores: SqliteStores) -> None:
    memory = new_memory(stores)
    say(memory, MOVE)
    read(memory, MOVE)
    derive(memory)
    entries = memory.ledger.journal_after(0, 1000)
    assert journal.first_broken(entries) is None
    assert {each.run_id for each in entries} == {"run-1"}
    assert {fact.opened_by for fact in believed(memory)} <= {each.seq for each in entries}


def test_a_name_for_the_sister_moves_her_facts_to_one_entity(stores: SqliteStores) -> None:
    evidence = [
        assertion("ana's sister", "works_as", "carpenter", said=1),
        assertion("joana", "lives_in", "lisbon", said=2),
        assertion("ana's sister", SAME_AS, "joana", said=3),
    ]
    memory = new_memory(stores)
    say(memory, evidence)
    for each in evidence:
        read(memory, [each])
        derive(memory)
    facts = believed(memory)
    assert {(fact.belief.subject_key, fact.belief.predicate) for fact in facts} == {
        ("joana", "works_as"),
        ("joana", "lives_in"),
    }
    assert memory.graph.entities_by_key(["ana's sister"])["ana's sister"].name == "Joana"


def test_taking_a_name_back_parts_the_entities_again(stores: SqliteStores) -> None:
    evidence = [
        assertion("ana's puppy", "is_a", "beagle", said=1),
        assertion("ana's puppy", SAME_AS, "lena", said=2),
        assertion("ana's puppy", SAME_AS, "lena", said=3, polarity="retracted"),
        assertion("ana's puppy", SAME_AS, "luna", said=3),
    ]
    memory = new_memory(stores)
    say(memory, evidence)
    for each in evidence:
        read(memory, [each])
        derive(memory)
    assert [fact.belief.subject_key for fact in believed(memory)] == ["luna"]
    assert memory.graph.entities_by_key(["lena"]) == {} or memory.graph.entities_by_key(["lena"])["lena"].key == "lena"


def test_marriage_is_known_from_both_sides(stores: SqliteStores) -> None:
    evidence = [assertion("chiara", "spouse", "paolo", said=1)]
    memory = new_memory(stores)
    say(memory, evidence)
    read(memory, evidence)
    derive(memory)
    assert {(fact.belief.subject_key, fact.belief.object_key) for fact in believed(memory)} == {
        ("chiara", "paolo"),
        ("paolo", "chiara"),
    }


NAMES = st.sampled_from(["ana", "joana", "ana's sister", "mel"])
ROWS = st.lists(
    st.one_of(
        st.tuples(NAMES, st.just("lives_in"), st.sampled_from(["porto", "lisbon"])),
        st.tuples(NAMES, st.just("likes"), st.sampled_from(["tea", "rain", "mel"])),
        st.tuples(NAMES, st.just("spouse"), NAMES).filter(lambda row: row[0] != row[2]),
        st.tuples(NAMES, st.just(SAME_AS), NAMES).filter(lambda row: row[0] != row[2]),
    ),
    min_size=1,
    max_size=9,
)


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ROWS, st.integers(1, 5), st.randoms(use_true_random=False), st.lists(st.booleans(), min_size=9, max_size=9))
def test_the_state_hash_depends_on_the_evidence_alone(
    tmp_path_factory: pytest.TempPathFactory, rows, chunk: int, shuffler, denied: list[bool]
) -> None:
    evidence = [
        assertion(*row, said=day + 1, polarity="denied" if no and day % 3 == 2 else "affirmed")
        for day, (row, no) in enumerate(zip(rows, denied, strict=False))
    ]
    stores = SqliteStores(tmp_path_factory.mktemp("stores"), b"secret", clock=lambda: NOW)
    at_once, one_by_one = new_memory(stores, "one"), new_memory(stores, "other")
    say(at_once, evidence)
    read(at_once, evidence)
    derive(at_once)

    say(one_by_one, evidence)
    shuffled = list(evidence)
    shuffler.shuffle(shuffled)
    for start in range(0, len(shuffled), chunk):
        read(one_by_one, shuffled[start : start + chunk])
        derive(one_by_one, chunk=1)
    read(one_by_one, evidence)
    derive(one_by_one)
    assert state_hash(one_by_one) == state_hash(at_once)
    at_once.close()
    one_by_one.close()
