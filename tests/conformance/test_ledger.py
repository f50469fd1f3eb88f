"""The contract of `ports.Ledger`."""

import msgspec
import pytest

from kg_assets import journal
from kg_assets.errors import Conflict
from kg_assets.model import Head, MentionCount, Route, Stage, Watermark
from kg_assets.ports import Memory
from tests.conformance.samples import (
    append,
    assertion,
    decision,
    item,
    mention,
    number,
    record,
    score,
    utterance,
)

ALL: tuple[Route, ...] = ("immediate", "batch", "log")


def test_an_empty_memory_stands_at_the_beginning(memory: Memory) -> None:
    assert memory.ledger.head() == Head(
        seq=0, journal_seq=0, journal_hash=journal.GENESIS, recorded_at=0, revision=0, generation=1
    )
    assert memory.ledger.watermark() == Watermark(log=0, graph=0)
    assert memory.ledger.term_totals() == (0, 0)
    assert memory.ledger.pending_counts() == {}


# utterances


def test_what_was_appended_is_read_back_unchanged(memory: Memory) -> None:
    append(memory, [1, 2])
    assert memory.ledger.utterance("u2") == utterance(2)
    assert memory.ledger.utterance("u3") is None
    assert memory.ledger.novelty([2, 1, 9]) == [score(1), score(2)]
    assert memory.ledger.head().seq == 2


@pytest.mark.parametrize(
    "text", ["a\x00b", "\u202ereversed", "e\u0301 is not \xe9", "'); DROP TABLE utterances; --", "x" * 10**6]
)
def test_text_of_any_kind_is_kept_to_the_letter(memory: Memory, text: str) -> None:
    first_year, last_year = -62_135_596_800_000_000, 253_402_300_799_999_999
    append(memory, [1], text=text, id=text[:100], said_at=first_year, metadata={text[:9]: [text[:9], last_year]})
    assert memory.ledger.utterance(text[:100]) == utterance(
        1, text=text, id=text[:100], said_at=first_year, metadata={text[:9]: [text[:9], last_year]}
    )


def test_utterances_come_in_the_order_that_was_asked(memory: Memory) -> None:
    append(memory, [1, 2, 3])
    assert [u.seq for u in memory.ledger.utterances([3, 9, 1])] == [3, 1]
    assert [u.seq for u in memory.ledger.utterances_after(1, 5)] == [2, 3]
    assert [u.seq for u in memory.ledger.utterances_after(0, 2)] == [1, 2]


def test_an_id_that_is_taken_is_a_conflict_and_nothing_is_written(memory: Memory) -> None:
    append(memory, [1])
    with pytest.raises(Conflict), memory.transaction():
        memory.ledger.append([(utterance(2), score(2), {"x": 1}), (utterance(3, id="u1"), score(3), {})])
    assert memory.ledger.head().seq == 1
    assert memory.ledger.term_totals() == (0, 0)
    assert memory.ledger.pending("seal", ALL) == [1]


def test_a_sequence_number_out_of_turn_is_a_conflict(memory: Memory) -> None:
    with pytest.raises(Conflict, match="goes on with 1"), memory.transaction():
        memory.ledger.append([(utterance(2), score(2), {})])


def test_a_session_is_read_by_its_turns(memory: Memory) -> None:
    append(memory, [1, 2], session="a")
    append(memory, [3], session="b")
    append(memory, [4, 5, 6], session="a")
    assert [u.seq for u in memory.ledger.session_before("a", 5, 2)] == [2, 4]
    assert [u.seq for u in memory.ledger.session_before("a", 1, 2)] == []
    assert [u.seq for u in memory.ledger.session_turns("a")] == [1, 2, 4, 5, 6]


def test_the_turns_just_before_one_are_counted_in_its_session_and_since_a_time(memory: Memory) -> None:
    for seq, session in enumerate("aabaa", start=1):
        append(memory, [seq], session=session, said_at=seq * 10)
    said_lately = memory.ledger.said_lately
    assert [said_lately("a", 5, since, 9) for since in (0, 20, 40, 41)] == [3, 2, 1, 0]
    assert said_lately("a", 5, 0, 2) == 2
    assert said_lately("b", 3, 0, 9) == said_lately("c", 9, 0, 9) == 0


# scores


def test_an_utterance_without_a_score_waits_as_batch_until_it_gets_one(memory: Memory) -> None:
    with memory.transaction():
        memory.ledger.append([(utterance(1), None, {}), (utterance(2), score(2), {})])
    assert [u.seq for u in memory.ledger.unscored(10)] == [1]
    assert memory.ledger.pending("extract", ["batch"]) == [1, 2]
    with memory.transaction():
        memory.ledger.add_novelty([score(1, "immediate")])
    assert memory.ledger.unscored(10) == []
    assert memory.ledger.pending("extract", ["immediate"]) == [1]
    assert memory.ledger.pending_counts()[("extract", "batch")] == 1


def test_a_score_is_written_once(memory: Memory) -> None:
    append(memory, [1], route="batch")
    with memory.transaction():
        memory.ledger.add_novelty([score(1, "immediate")])
    assert memory.ledger.novelty([1]) == [score(1, "batch")]
    assert memory.ledger.pending("extract", ["batch"]) == [1]


def test_terms_are_counted_over_all_appends(memory: Memory) -> None:
    with memory.transaction():
        memory.ledger.append([(utterance(1), score(1), {"tea": 2, "cup": 1}), (utterance(2), score(2), {"tea": 1})])
    with memory.transaction():
        memory.ledger.append([(utterance(3), score(3), {"cup": 1, "milk": 1})])
    assert memory.ledger.term_counts(["tea", "cup", "milk", "never"]) == {"tea": 3, "cup": 2, "milk": 1}
    assert memory.ledger.term_totals() == (6, 3)


def test_a_term_knows_the_last_utterances_that_said_it(memory: Memory) -> None:
    for first in (1, 3):
        with memory.transaction():
            counts = {"tea": 2, f"cup {first}": 1}
            memory.ledger.append([(utterance(seq), score(seq), counts) for seq in (first, first + 1)])
    assert memory.ledger.term_places(["tea", "cup 3", "never"]) == {"tea": (1, 2, 3, 4), "cup 3": (3, 4)}
    append(memory, [5])
    with memory.transaction():
        memory.ledger.append([(utterance(seq), score(seq), {"tea": 1}) for seq in range(6, 14)])
    assert memory.ledger.term_places(["tea"]) == {"tea": tuple(range(6, 14))}


# what waits


def test_append_queues_for_sealing_extraction_and_index(memory: Memory) -> None:
    append(memory, [1], route="immediate")
    append(memory, [2], route="log")
    counts: dict[tuple[Stage, Route], int] = {
        (stage, route): 1 for stage in ("seal", "extract", "index") for route in ("immediate", "log")
    }
    assert memory.ledger.pending_counts() == counts


def test_pending_is_by_stage_and_routes_and_ascends(memory: Memory) -> None:
    append(memory, [1, 2], route="batch")
    append(memory, [3], route="immediate")
    append(memory, [4], route="log")
    append(memory, [5], route="batch")
    assert memory.ledger.pending("extract", ["batch", "immediate"]) == [1, 2, 3, 5]
    assert memory.ledger.pending("extract", ["immediate", "batch"], 3) == [1, 2, 3]
    assert memory.ledger.pending("derive", ALL) == []


def test_what_is_done_waits_no_more_and_twice_is_once(memory: Memory) -> None:
    append(memory, [1, 2], route="immediate")
    with memory.transaction():
        memory.ledger.enqueue("derive", [1, 2])
        memory.ledger.enqueue("derive", [2, 99])
        memory.ledger.done("extract", [1, 99])
    with memory.transaction():
        memory.ledger.done("extract", [1])
    assert memory.ledger.pending("extract", ALL) == [2]
    assert memory.ledger.pending("derive", ["immediate"]) == [1, 2]
    assert memory.ledger.pending_counts()[("derive", "immediate")] == 2
    assert memory.ledger.pending_counts()[("extract", "immediate")] == 1


def test_the_graph_watermark_waits_for_extraction_and_derivation_but_not_for_the_log(memory: Memory) -> None:
    append(memory, [1], route="immediate")
    append(memory, [2], route="log")
    append(memory, [3, 4], route="batch")
    assert memory.ledger.watermark() == Watermark(log=4, graph=0)
    with memory.transaction():
        memory.ledger.done("extract", [1])
        memory.ledger.enqueue("derive", [1])
    assert memory.ledger.watermark().graph == 0
    with memory.transaction():
        memory.ledger.done("derive", [1])
    assert memory.ledger.watermark().graph == 2
    with memory.transaction():
        memory.ledger.done("extract", [4])
    assert memory.ledger.watermark().graph == 2
    with memory.transaction():
        memory.ledger.done("extract", [3])
    assert memory.ledger.watermark().graph == 4


# assertions


def test_assertions_are_read_back_unchanged_in_the_order_of_evidence(memory: Memory) -> None:
    late = assertion("a", seq=7, said_at=1, object=number(34), span=None, valid_from=None, run_id="run-9")
    early = assertion("b", seq=2, said_at=1)
    later = assertion("c", seq=1, said_at=2, object=number(1.5))
    with memory.transaction():
        memory.ledger.add_assertions([later, late, early])
    assert memory.ledger.assertions(["a", "b", "c", "d"]) == [early, late, later]
    assert memory.ledger.assertions_of_utterances([1, 7]) == [late, later]


def test_the_same_evidence_read_twice_is_one(memory: Memory) -> None:
    for text in ("first", "second"):
        with memory.transaction():
            memory.ledger.add_assertions([assertion("a", extractor=text)])
    assert [found.extractor for found in memory.ledger.assertions(["a"])] == ["first"]
    assert [found.count for found in memory.ledger.mention_counts(["ana", "lisbon"])] == [1, 1]
    assert memory.ledger.assertion_count() == 1


def test_assertions_are_found_by_slot_and_by_mention(memory: Memory) -> None:
    lives = assertion("1", predicate="lives_in")
    likes = assertion("2", predicate="likes", object=number(3))
    other = assertion("3", subject=mention("ben"), object=mention("ana"))
    with memory.transaction():
        memory.ledger.add_assertions([lives, likes, other])
    assert memory.ledger.assertions_of_slot(["ana"], ["lives_in", "works_at"]) == [lives]
    assert memory.ledger.assertions_of_slot(["ana", "ben"], ["lives_in", "likes"]) == [lives, likes, other]
    assert memory.ledger.assertions_about(["ana"]) == [lives, likes, other]
    assert memory.ledger.assertions_about(["lisbon", "nobody"]) == [lives]
    assert memory.ledger.assertions_about(["ana"], ["likes", "owns"]) == [likes]
    assert memory.ledger.assertions_about(["ana"], ["lives_in"]) == [lives, other]
    assert memory.ledger.assertions_about(["lisbon"], ["lives_in"]) == [lives]
    assert memory.ledger.assertions_about(["ana", "lisbon"], []) == []


def test_mentions_are_counted_by_surface_and_type(memory: Memory) -> None:
    with memory.transaction():
        memory.ledger.add_assertions(
            [
                assertion("1", seq=5, object=mention("ana", surface="Ana")),
                assertion("2", seq=3, subject=mention("ana", surface="ANA"), object=number(1)),
                assertion("3", seq=4, object=number(1)),
            ]
        )
    assert memory.ledger.mention_counts(["ana", "nobody"]) == [
        MentionCount(key="ana", surface="ANA", type="person", first_seq=3, count=1),
        MentionCount(key="ana", surface="Ana", type="person", first_seq=4, count=3),
    ]
    assert memory.ledger.known_keys(["nobody", "ana"]) == {"ana"}


def test_mentions_are_found_by_how_they_begin(memory: Memory) -> None:
    keys = ("anna", "anna kowalska", "anna zoë", "anna%", "annabel", "ben")
    with memory.transaction():
        memory.ledger.add_assertions(
            [assertion(key, subject=mention(key), object=number(1)) for key in reversed(keys)],
        )
    assert [each.key for each in memory.ledger.mention_counts_beginning("anna ", 9)] == ["anna kowalska", "anna zoë"]
    assert [each.key for each in memory.ledger.mention_counts_beginning("anna", 2)] == ["anna", "anna kowalska"]
    assert memory.ledger.mention_counts_beginning("c", 9) == []


# journal


def test_the_journal_is_read_back_as_an_unbroken_chain(memory: Memory) -> None:
    entries = record(memory, "one", "two") + record(memory, "three", now=500)
    found = memory.ledger.journal_after(0, 10)
    assert found == entries
    assert journal.first_broken(found) is None
    assert memory.ledger.journal_after(1, 1) == entries[1:2]
    assert memory.ledger.journal([3, 1, 9]) == [entries[0], entries[2]]
    head = memory.ledger.head()
    assert (head.journal_seq, head.journal_hash, head.recorded_at) == (3, entries[2].hash, 500)


def test_an_entry_that_does_not_follow_the_head_is_a_conflict(memory: Memory) -> None:
    (first,) = record(memory, "one")
    for wrong in (first, msgspec.structs.replace(first, seq=2), msgspec.structs.replace(first, prev_hash=first.hash)):
        with pytest.raises(Conflict, match="does not follow"), memory.transaction():
            memory.ledger.add_journal([wrong])


def test_decisions_are_read_by_slot_in_the_order_of_the_journal(memory: Memory) -> None:
    later, earlier, other = decision("a", journal_seq=9), decision("b", journal_seq=2), decision("c", slot="slot-2")
    with memory.transaction():
        memory.ledger.add_decisions([later, earlier, other])
        memory.ledger.add_decisions([decision("a", rule="again")])
    assert memory.ledger.decisions("slot-1") == [earlier, later]
    assert memory.ledger.decisions("slot-9") == []


def test_decisions_of_all_slots_are_read_by_rule(memory: Memory) -> None:
    first, second = decision("a", rule="needs_review"), decision("b", rule="needs_review", slot="slot-2")
    with memory.transaction():
        memory.ledger.add_decisions([second, decision("c"), first])
    assert memory.ledger.decisions_by_rule("needs_review") == [first, second]
    assert memory.ledger.decisions_by_rule("never") == []


# items


def test_items_carry_the_revision_that_their_commit_made(memory: Memory) -> None:
    with memory.transaction():
        memory.ledger.put_items([item("b"), item("a")])
        memory.ledger.put_items([item("c", kind="fact")])
    with memory.transaction():
        memory.ledger.put_items([item("a", text="changed")])
    assert memory.ledger.head().revision == 2
    assert memory.ledger.items_after(0) == [
        item("b", revision=1),
        item("c", kind="fact", revision=1),
        item("a", text="changed", revision=2),
    ]
    assert [found.id for found in memory.ledger.items_after(1)] == ["a"]
    assert memory.ledger.item_ids("utterance") == {"a", "b"}


def test_a_deleted_item_is_told_to_those_who_may_hold_it(memory: Memory) -> None:
    with memory.transaction():
        memory.ledger.put_items([item("a"), item("b")])
    with memory.transaction():
        memory.ledger.delete_items(["a", "never there"])
    assert memory.ledger.head().revision == 2
    assert memory.ledger.deleted_after(1) == ["a"]
    assert memory.ledger.deleted_after(2) == []
    assert [found.id for found in memory.ledger.items_after(0)] == ["b"]
    with memory.transaction():
        memory.ledger.put_items([item("a")])
    assert memory.ledger.deleted_after(0) == []
    assert [found.id for found in memory.ledger.items_after(2)] == ["a"]


def test_items_are_retired_and_brought_back_as_they_are(memory: Memory) -> None:
    with memory.transaction():
        memory.ledger.put_items([item("a", kind="fact"), item("b", kind="fact")])
    with memory.transaction():
        memory.ledger.retire_items(["a", "never there"], retired=True)
    assert [found.id for found in memory.ledger.items_after(0)] == ["b"]
    assert memory.ledger.items_after(0, retired=True) == [item("a", kind="fact", retired=True, revision=2)]
    assert memory.ledger.deleted_after(1) == ["a"]
    with memory.transaction():
        memory.ledger.retire_items(["a"], retired=False)
    assert memory.ledger.items_after(2) == [item("a", kind="fact", revision=3)]
    assert (memory.ledger.deleted_after(0), memory.ledger.item_count()) == ([], 2)


def test_a_retired_item_leaves_the_others_and_is_kept(memory: Memory) -> None:
    with memory.transaction():
        memory.ledger.put_items([item("a", kind="fact"), item("b", kind="fact")])
    with memory.transaction():
        memory.ledger.put_items([item("a", kind="fact", retired=True)])
    assert [found.id for found in memory.ledger.items_after(0)] == ["b"]
    assert memory.ledger.items_after(0, retired=True) == [item("a", kind="fact", retired=True, revision=2)]
    assert memory.ledger.items_after(2, retired=True) == []
    assert memory.ledger.deleted_after(1) == ["a"]
    assert memory.ledger.deleted_after(2) == []
    assert memory.ledger.item_ids("fact") == {"b"}
    assert memory.ledger.item_count() == 2
    assert [found.id for found in memory.ledger.items(["b", "never there", "a"])] == ["a", "b"]
    with memory.transaction():
        memory.ledger.delete_items(["a"])
    assert memory.ledger.items_after(0, retired=True) == []
    assert memory.ledger.deleted_after(2) == ["a"]
