"""The contract of `ports.GraphStore`."""

import msgspec
import pytest

from kg_assets.model import EntityChange, Fact, Flip
from kg_assets.ports import Memory
from tests.conformance.samples import entity, fact, number, slot_change


def apply(memory: Memory, *changes: tuple[int, object]) -> None:
    """Apply (journal seq, change) pairs; each is recorded at its journal seq times 100."""
    with memory.transaction():
        for seq, change in changes:
            memory.graph.apply(change, recorded_at=seq * 100, journal_seq=seq)  # type: ignore[arg-type]


def ids(facts: list[Fact]) -> list[str]:
    return [found.version_id for found in facts]


def test_a_fact_is_read_back_unchanged(memory: Memory) -> None:
    plain = fact("v1", valid_from=5, valid_to=9, start_known=True)
    age = fact("v2", object_id=None, object_key="number:34", value=number(34), run_id=None)
    apply(memory, (1, slot_change([plain, age])))
    assert memory.graph.facts(valid_at=None, known_at=None) == [plain, age]
    assert memory.graph.slot("slot-1") == [plain, age]
    assert memory.graph.fact_versions(["v2", "v9", "v1"]) == [plain, age]


@pytest.mark.parametrize(("at", "there"), [(4, False), (5, True), (8, True), (9, False)])
def test_valid_time_is_half_open(memory: Memory, at: int, there: bool) -> None:
    apply(memory, (1, slot_change([fact("v1", valid_from=5, valid_to=9)])))
    assert bool(memory.graph.facts(valid_at=at, known_at=None)) is there


@pytest.mark.parametrize(("at", "version"), [(99, []), (100, ["v1"]), (199, ["v1"]), (200, ["v2"]), (10_000, ["v2"])])
def test_recorded_time_is_half_open(memory: Memory, at: int, version: list[str]) -> None:
    apply(memory, (1, slot_change([fact("v1", recorded_from=100)])))
    apply(memory, (2, slot_change([fact("v2", recorded_from=200, opened_by=2)], closed=["v1"])))
    assert ids(memory.graph.facts(valid_at=None, known_at=at)) == version


def test_an_unbounded_interval_holds_at_any_time(memory: Memory) -> None:
    apply(memory, (1, slot_change([fact("v1", valid_from=None, valid_to=None)])))
    for at in (-(10**15), 0, 10**17):
        assert ids(memory.graph.facts(valid_at=at, known_at=None)) == ["v1"]


def test_facts_are_chosen_by_subject_predicate_and_object(memory: Memory) -> None:
    apply(
        memory,
        (
            1,
            slot_change(
                [
                    fact("v1"),
                    fact("v2", predicate="likes"),
                    fact("v3", subject_id="e-ben", object_id=None, object_key="number:34", value=number(34)),
                    fact("v4", subject_id="e-ben", object_id="e-ana"),
                ]
            ),
        ),
    )
    read = memory.graph.facts
    assert ids(read(valid_at=None, known_at=None, subjects=["e-ana"])) == ["v1", "v2"]
    assert ids(read(valid_at=None, known_at=None, subjects=["e-ana", "e-ben"], predicates=["lives_in"])) == [
        *("v1", "v3", "v4"),
    ]
    assert ids(read(valid_at=None, known_at=None, predicates=["likes", "nothing"])) == ["v2"]
    assert ids(read(valid_at=None, known_at=None, objects=["number:34"])) == ["v3"]
    assert ids(read(valid_at=None, known_at=None, objects=["e-ana", "number:34"])) == ["v3", "v4"]
    assert ids(read(valid_at=None, known_at=None, objects=["lisbon"])) == []  # an entity is asked for by its id
    assert ids(read(valid_at=None, known_at=None, subjects=[])) == []


def test_facts_are_read_page_by_page(memory: Memory) -> None:
    apply(memory, (1, slot_change([fact(f"v{number}") for number in range(5)])))
    first = memory.graph.facts(valid_at=None, known_at=None, subjects=["e-ana"], limit=2)
    second = memory.graph.facts(valid_at=None, known_at=None, subjects=["e-ana"], limit=2, after=first[-1].version_id)
    last = memory.graph.facts(valid_at=None, known_at=None, limit=2, after=second[-1].version_id)
    assert [ids(page) for page in (first, second, last)] == [["v0", "v1"], ["v2", "v3"], ["v4"]]


def test_a_closed_version_stays_in_the_history_with_who_closed_it(memory: Memory) -> None:
    apply(memory, (1, slot_change([fact("v1", id="f", valid_from=7)])))
    apply(memory, (2, slot_change([fact("v2", id="f", valid_from=None, recorded_from=200, opened_by=2)], ["v1"])))
    closed, opened = memory.graph.history("f")
    assert (closed.version_id, closed.recorded_to, closed.closed_by) == ("v1", 200, 2)
    assert (opened.version_id, opened.recorded_to, opened.closed_by) == ("v2", None, None)
    assert ids(memory.graph.slot("slot-1")) == ["v2"]


def test_history_is_ordered_by_recorded_and_then_valid_time(memory: Memory) -> None:
    rows = [
        fact("a", id="f", recorded_from=200),
        fact("b", id="f", valid_from=3),
        fact("c", id="f", valid_from=None),
        fact("d", id="f", valid_from=-3),
    ]
    apply(memory, (1, slot_change(rows)))
    assert ids(memory.graph.history("f")) == ["c", "d", "b", "a"]


def test_statements_are_found_by_the_beginning_of_their_id(memory: Memory) -> None:
    opened = [fact(version, id=name) for version, name in [("v1", "ab1"), ("v2", "ab2"), ("v3", "ac"), ("v4", "b")]]
    apply(memory, (1, slot_change(opened)))
    apply(memory, (2, slot_change([fact("v5", id="ab2", recorded_from=200, opened_by=2)], ["v1", "v2"])))
    assert memory.graph.fact_ids("ab", 10) == ["ab1", "ab2"]
    assert memory.graph.fact_ids("a", 2) == ["ab1", "ab2"]
    assert memory.graph.fact_ids("abc", 10) == []


def test_slot_hashes_are_those_of_slots_that_hold_something(memory: Memory) -> None:
    apply(memory, (1, slot_change([fact("v1")], slot="x", slot_hash="hx")))
    apply(memory, (2, slot_change([fact("v2", slot="y")], slot="y", slot_hash="hy")))
    assert memory.graph.slot_hashes() == ["hx", "hy"]
    apply(memory, (3, slot_change([], ["v1"], slot="x", slot_hash="")))
    assert memory.graph.slot_hashes() == ["hy"]


def test_only_current_belief_names_the_utterances_that_support_it(memory: Memory) -> None:
    apply(memory, (1, slot_change([fact("v1", id="f", utterances=("u1", "u2")), fact("v2", id="g")])))
    assert memory.graph.facts_of_utterances(["u2", "u1", "u9"]) == {"u1": ["f", "g"], "u2": ["f"]}
    apply(memory, (2, slot_change([fact("v3", id="h", opened_by=2, utterances=("u2",))], ["v1"])))
    assert memory.graph.facts_of_utterances(["u1", "u2"]) == {"u1": ["g"], "u2": ["h"]}


def test_changes_are_followed_by_the_journal_entry_that_touched_a_row_last(memory: Memory) -> None:
    apply(memory, (1, slot_change([fact("v1"), fact("v2")])))
    apply(memory, (2, slot_change([fact("v3", opened_by=2)], ["v1"])))
    assert ids(memory.graph.changed_facts(after_journal_seq=0, limit=10)) == ["v2", "v1", "v3"]
    assert ids(memory.graph.changed_facts(after_journal_seq=1, limit=10)) == ["v1", "v3"]
    assert memory.graph.changed_facts(after_journal_seq=2, limit=10) == []


def test_a_limit_of_changes_never_parts_the_rows_of_one_entry(memory: Memory) -> None:
    apply(memory, (1, slot_change([fact("v1"), fact("v2"), fact("v3")])))
    apply(memory, (2, slot_change([fact("v4", opened_by=2)])))
    assert ids(memory.graph.changed_facts(after_journal_seq=0, limit=1)) == ["v1", "v2", "v3"]
    assert ids(memory.graph.changed_facts(after_journal_seq=0, limit=3)) == ["v1", "v2", "v3"]
    assert ids(memory.graph.changed_facts(after_journal_seq=0, limit=4)) == ["v1", "v2", "v3", "v4"]


def test_an_older_change_applied_again_does_not_come_back(memory: Memory) -> None:
    first = slot_change([fact("v1")], slot_hash="h1")
    apply(memory, (1, first))
    apply(memory, (2, slot_change([fact("v2", opened_by=2)], ["v1"], slot_hash="h2")))
    apply(memory, (1, first))
    assert ids(memory.graph.slot("slot-1")) == ["v2"]
    assert memory.graph.slot_hashes() == ["h2"]
    assert memory.graph.facts_of_utterances(["u1"]) == {"u1": ["fact of v2"]}


# entities


def test_entities_are_found_by_id_and_by_every_name(memory: Memory) -> None:
    ana, ben = entity("ana", "@self", "anita", first_seq=2), entity("ben", first_seq=1)
    apply(memory, (1, EntityChange(put=(ana, ben), dropped=())))
    assert memory.graph.entities(["e-ben", "e-ana", "e-nobody"]) == [ana, ben]
    assert memory.graph.entities_by_key(["anita", "@self", "ben", "nobody"]) == {"anita": ana, "@self": ana, "ben": ben}
    assert memory.graph.all_entities() == [ben, ana]


def test_a_merge_moves_the_names_and_a_split_gives_them_back(memory: Memory) -> None:
    apart = EntityChange(put=(entity("ana"), entity("anita")), dropped=())
    merged = EntityChange(put=(entity("ana", "anita"),), dropped=("e-anita",))
    apply(memory, (1, apart), (2, merged))
    assert memory.graph.entities_by_key(["anita"]) == {"anita": entity("ana", "anita")}
    assert memory.graph.entities(["e-anita"]) == []
    apply(memory, (3, apart))
    assert memory.graph.entities_by_key(["ana", "anita"]) == {"ana": entity("ana"), "anita": entity("anita")}


def test_an_older_change_of_entities_applied_again_does_not_come_back(memory: Memory) -> None:
    apart = EntityChange(put=(entity("ana"), entity("anita")), dropped=())
    apply(memory, (1, apart), (2, EntityChange(put=(entity("ana", "anita"),), dropped=("e-anita",))), (1, apart))
    assert memory.graph.all_entities() == [entity("ana", "anita")]


# ------------------------------------------------------------------------------------------------- generations


def two_generations(memory: Memory) -> None:
    """Of one slot: the second generation is of another opinion. It serves from journal entry 4 on."""
    apply(memory, (1, slot_change([fact("v1", id="f")], slot_hash="h1")))
    second = slot_change([fact("v2", id="g", generation=2, opened_by=2, recorded_from=200)], slot_hash="h2")
    apply(memory, (2, msgspec.structs.replace(second, generation=2)))
    apply(memory, (3, EntityChange(put=(entity("ana", name="Anna"),), dropped=(), generation=2)))


def test_what_another_generation_holds_is_not_read(memory: Memory) -> None:
    two_generations(memory)
    graph = memory.graph
    assert (graph.generation, graph.of(2).generation) == (1, 2)
    assert ids(graph.facts(valid_at=None, known_at=None)) == ["v1"]
    assert ids(graph.facts(valid_at=None, known_at=10_000)) == ["v1"]
    assert ids(graph.slot("slot-1")) == ["v1"]
    assert graph.slot_hashes() == ["h1"]
    assert graph.facts_of_utterances(["u1"]) == {"u1": ["f"]}
    assert graph.entities(["e-ana"]) == []
    assert ids(graph.of(2).facts(valid_at=None, known_at=None)) == ["v2"]
    assert ids(graph.of(2).slot("slot-1")) == ["v2"]
    assert graph.of(2).slot_hashes() == ["h2"]
    assert graph.of(2).facts_of_utterances(["u1"]) == {"u1": ["g"]}
    assert [each.name for each in graph.of(2).all_entities()] == ["Anna"]


def test_after_a_flip_the_other_generation_answers_and_for_the_past_the_one_that_served_then(memory: Memory) -> None:
    two_generations(memory)
    apply(memory, (4, Flip(serves=2, served=1)))
    graph = memory.graph
    assert graph.generation == 2
    assert ids(graph.facts(valid_at=None, known_at=None)) == ["v2"]
    assert ids(graph.facts(valid_at=None, known_at=399)) == ["v1"]
    assert ids(graph.facts(valid_at=None, known_at=400)) == ["v2"]
    assert graph.slot_hashes() == ["h2"]
    assert graph.facts_of_utterances(["u1"]) == {"u1": ["g"]}
    assert (len(graph.entities(["e-ana"])), graph.entities(["e-ana"], 399)) == (1, [])
    assert ids(graph.of(1).facts(valid_at=None, known_at=None)) == ["v1"]


def test_a_flip_back_and_the_same_flip_again_are_told_in_order(memory: Memory) -> None:
    two_generations(memory)
    apply(memory, (4, Flip(serves=2, served=1)))
    apply(memory, (6, Flip(serves=1, served=2)))
    apply(memory, (4, Flip(serves=2, served=1)))
    assert [(each.generation, each.recorded_from, each.recorded_to) for each in memory.graph.served()] == [
        (1, None, 400),
        (2, 400, 600),
        (1, 600, None),
    ]
    assert ids(memory.graph.facts(valid_at=None, known_at=500)) == ["v2"]
    assert ids(memory.graph.facts(valid_at=None, known_at=None)) == ["v1"]
    # What is closed in a generation that does not serve stays closed.
    apply(memory, (7, msgspec.structs.replace(slot_change([], ["v2"], slot_hash=""), generation=2)))
    assert ids(memory.graph.of(2).slot("slot-1")) == []
    assert memory.graph.of(2).slot_hashes() == []
    assert memory.graph.slot_hashes() == ["h1"]


def test_a_graph_that_is_cleared_takes_the_same_changes_again(memory: Memory) -> None:
    two_generations(memory)
    apply(memory, (4, Flip(serves=2, served=1)))
    with memory.transaction():
        memory.graph.clear()
        for seq, change in (
            (1, slot_change([fact("v1", id="f")], slot_hash="h1")),
            (3, EntityChange(put=(entity("ben"),), dropped=())),
        ):
            memory.graph.apply(change, recorded_at=seq * 100, journal_seq=seq)
    graph = memory.graph
    assert (graph.generation, len(graph.served())) == (1, 1)
    assert ids(graph.facts(valid_at=None, known_at=None)) == ["v1"]
    assert ids(graph.of(2).facts(valid_at=None, known_at=None)) == []
    assert (graph.slot_hashes(), graph.of(2).slot_hashes()) == (["h1"], [])
    assert [each.name for each in graph.all_entities()] == ["Ben"]
    assert graph.facts_of_utterances(["u1"]) == {"u1": ["f"]}


# ------------------------------------------------------------------------------------------- entities in the past


def test_an_entity_is_read_as_it_was_called_then(memory: Memory) -> None:
    apply(memory, (1, EntityChange(put=(entity("lena", "lena", id="e-1"),), dropped=())))
    renamed = entity("lena", "lena", "luna", id="e-1", name="Luna")
    apply(memory, (2, EntityChange(put=(renamed,), dropped=())))
    apply(memory, (3, EntityChange(put=(), dropped=("e-1",))))
    graph = memory.graph
    assert graph.entities(["e-1"]) == []
    assert graph.entities_by_key(["luna"]) == {}
    assert [each.name for at in (99, 100, 199, 200, 299, 300) for each in graph.entities(["e-1"], at)] == [
        *("Lena", "Lena", "Luna", "Luna"),
    ]
    assert graph.entities_by_key(["luna"], 199) == {}
    assert graph.entities_by_key(["luna", "lena"], 200) == {"lena": renamed, "luna": renamed}


def test_a_name_that_moved_leads_to_each_in_its_time(memory: Memory) -> None:
    first, second = entity("max", "max", "rex", id="e-1"), entity("rex", "rex", id="e-2")
    apply(memory, (1, EntityChange(put=(first,), dropped=())))
    without = msgspec.structs.replace(first, aliases=("max",))
    apply(memory, (2, EntityChange(put=(without, second), dropped=())))
    assert memory.graph.entities_by_key(["rex"], 150) == {"rex": first}
    assert memory.graph.entities_by_key(["rex"]) == {"rex": second}
