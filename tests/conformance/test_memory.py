"""The contract of `ports.Memory`: transactions over ledger and graph, snapshots, named values."""

from collections.abc import Callable

import pytest

from kg_assets.errors import PalimpsestError
from kg_assets.model import EntityChange
from kg_assets.ports import Memory, Stores
from tests.conformance.conftest import NOW, Connect
from tests.conformance.samples import append, assertion, decision, entity, fact, item, score, slot_change, utterance

WRITES: dict[str, Callable[[Memory], None]] = {
    "append": lambda m: m.ledger.append([(utterance(1), score(1), {})]),
    "add_novelty": lambda m: m.ledger.add_novelty([score(1)]),
    "enqueue": lambda m: m.ledger.enqueue("derive", [1]),
    "done": lambda m: m.ledger.done("seal", [1]),
    "add_assertions": lambda m: m.ledger.add_assertions([assertion("a")]),
    "add_journal": lambda m: m.ledger.add_journal([]),
    "add_decisions": lambda m: m.ledger.add_decisions([decision("d")]),
    "put_items": lambda m: m.ledger.put_items([item("i")]),
    "delete_items": lambda m: m.ledger.delete_items(["i"]),
    "apply": lambda m: m.graph.apply(EntityChange(put=(), dropped=()), recorded_at=1, journal_seq=1),
    "set_value": lambda m: m.set_value("a", "b"),
}


@pytest.mark.parametrize("name", sorted(WRITES))
def test_writing_outside_a_transaction_says_what_to_do(memory: Memory, name: str) -> None:
    with pytest.raises(PalimpsestError, match=rf"{name}\(\) writes; call it inside"):
        WRITES[name](memory)


def test_transactions_cannot_be_nested(memory: Memory) -> None:
    with pytest.raises(PalimpsestError, match="nested"), memory.transaction(), memory.transaction():
        pass
    append(memory, [1])


def write_a_little_of_everything(memory: Memory) -> None:
    memory.ledger.append([(utterance(1), score(1), {"tea": 1})])
    memory.ledger.add_assertions([assertion("a")])
    memory.ledger.add_decisions([decision("d")])
    memory.ledger.put_items([item("i")])
    memory.graph.apply(slot_change([fact("v1")]), recorded_at=1, journal_seq=1)
    memory.set_value("cursor", "1")


def write_and_fail(memory: Memory) -> None:
    with memory.transaction():
        write_a_little_of_everything(memory)
        raise ValueError("stop")


def test_an_error_undoes_all_of_a_transaction(memory: Memory) -> None:
    before = memory.ledger.head()
    with pytest.raises(ValueError, match="stop"):
        write_and_fail(memory)
    assert memory.ledger.head() == before
    assert memory.ledger.utterance("u1") is None
    assert memory.ledger.items_after(0) == []
    assert memory.graph.facts(valid_at=None, known_at=None) == []
    assert memory.value("cursor") is None


def test_a_transaction_sees_its_own_writes(memory: Memory) -> None:
    with memory.transaction():
        memory.ledger.append([(utterance(1), score(1), {})])
        memory.ledger.put_items([item("i")])
        assert memory.ledger.head().seq == 1
        assert memory.ledger.head().revision == 1
        assert [found.revision for found in memory.ledger.items_after(0)] == [1]


def test_a_commit_makes_a_revision_only_where_readers_can_see_it(memory: Memory) -> None:
    append(memory, [1])
    assert memory.ledger.head().revision == 0
    with memory.transaction():
        memory.graph.apply(slot_change([fact("v1")]), recorded_at=1, journal_seq=1)
        memory.ledger.put_items([item("i")])
    assert memory.ledger.head().revision == 1
    with memory.transaction():
        memory.ledger.done("index", [1])
        memory.set_value("a", "b")
    assert memory.ledger.head().revision == 1


def test_named_values_are_kept_and_replaced(memory: Memory) -> None:
    assert memory.value("cursor") is None
    for text in ("1", "2"):
        with memory.transaction():
            memory.set_value("cursor", text)
    assert memory.value("cursor") == "2"


def test_what_was_committed_is_seen_by_others_and_after_reopening(connect: Connect, memory: Memory) -> None:
    other = connect().open(memory.info.id)
    append(memory, [1])
    assert other.ledger.utterance("u1") == utterance(1)
    assert other.key == memory.key
    other.close()


def test_a_snapshot_stands_still_while_others_write(connect: Connect, memory: Memory) -> None:
    reader = connect().open(memory.info.id)
    append(memory, [1])
    with reader.snapshot():
        assert reader.ledger.head().seq == 1
        append(memory, [2])
        assert reader.ledger.head().seq == 1
        assert reader.ledger.utterance("u2") is None
        with reader.snapshot():
            assert reader.ledger.head().seq == 1
        with pytest.raises(PalimpsestError, match="inside snapshot"), reader.transaction():
            pass
    assert reader.ledger.head().seq == 2
    reader.close()


def graph_of(memory: Memory) -> list[object]:
    """Whatever a reader can ask of these few rows."""
    graph = memory.graph
    return [
        graph.facts(valid_at=None, known_at=None),
        graph.facts(valid_at=None, known_at=150, subjects=["e-ana"]),
        graph.facts(valid_at=None, known_at=10_000),
        graph.slot("slot-1"),
        graph.slot_hashes(),
        graph.fact_versions(["v1", "v2"]),
        graph.history("f"),
        graph.changed_facts(after_journal_seq=0, limit=1),
        graph.changed_facts(after_journal_seq=0, limit=9),
        graph.facts_of_utterances(["u1", "u2"]),
        graph.entities(["e-ana", "e-anita"]),
        graph.entities_by_key(["ana", "anita"]),
        graph.all_entities(),
    ]


def test_the_graph_of_a_snapshot_stands_still_while_others_write(connect: Connect, memory: Memory) -> None:
    with memory.transaction():
        apart = EntityChange(put=(entity("ana"), entity("anita")), dropped=())
        memory.graph.apply(apart, recorded_at=100, journal_seq=1)
        memory.graph.apply(slot_change([fact("v1", id="f")], slot_hash="h1"), recorded_at=100, journal_seq=1)
    reader = connect().open(memory.info.id)
    with reader.snapshot():
        before = graph_of(reader)
        with memory.transaction():
            joined = EntityChange(put=(entity("ana", "anita"),), dropped=("e-anita",))
            memory.graph.apply(joined, recorded_at=200, journal_seq=2)
            opened = fact("v2", id="f", recorded_from=200, opened_by=3, utterances=("u1", "u2"))
            memory.graph.apply(slot_change([opened], ["v1"], slot_hash="h2"), recorded_at=200, journal_seq=3)
        assert graph_of(reader) == before
    after = graph_of(reader)
    assert after == graph_of(memory)
    assert all(one != other for number, (one, other) in enumerate(zip(before, after, strict=True)) if number != 1)
    reader.close()


def test_a_reader_does_not_see_what_is_not_committed(connect: Connect, memory: Memory) -> None:
    reader = connect().open(memory.info.id)
    with memory.transaction():
        memory.ledger.append([(utterance(1), score(1), {})])
        assert reader.ledger.head().seq == 0
    assert reader.ledger.head().seq == 1
    reader.close()


def test_no_read_of_one_memory_shows_anything_of_another(stores: Stores, memory: Memory) -> None:
    with memory.transaction():
        write_a_little_of_everything(memory)
    other = stores.open(stores.create("tests", "ben", now=NOW).id)
    assert other.info.id != memory.info.id
    assert other.key != memory.key
    assert other.ledger.head().seq == 0
    assert other.ledger.utterance("u1") is None
    nothing: list[object] = [
        other.ledger.utterances([1]),
        other.ledger.utterances_after(0, 9),
        other.ledger.session_turns("s-1"),
        other.ledger.novelty([1]),
        other.ledger.term_counts(["tea"]),
        other.ledger.pending_counts(),
        other.ledger.assertions(["a"]),
        other.ledger.assertions_about(["ana"]),
        other.ledger.mention_counts(["ana"]),
        other.ledger.known_keys(["ana"]),
        other.ledger.decisions("slot-1"),
        other.ledger.items_after(0),
        other.ledger.item_ids("utterance"),
        other.graph.facts(valid_at=None, known_at=None),
        other.graph.slot("slot-1"),
        other.graph.slot_hashes(),
        other.graph.fact_versions(["v1"]),
        other.graph.history("fact of v1"),
        other.graph.changed_facts(after_journal_seq=0, limit=9),
        other.graph.facts_of_utterances(["u1"]),
        other.graph.all_entities(),
        other.value("cursor"),
    ]
    assert not any(nothing)
    other.close()
