"""The contract of `ports.Stores`: memories, leases, the inbox, materialisations."""

from itertools import count

import pytest

from kg_assets.errors import LeaseLost, NotFound
from kg_assets.model import Erased, Materialisation, MemoryInfo, Route, Stage, StageNote
from kg_assets.partitions import shard_of
from kg_assets.ports import Memory, Stores
from tests.conformance.conftest import NOW, Connect
from tests.conformance.samples import append, record

ALL: tuple[Route, ...] = ("immediate", "batch", "log")
STAGES: tuple[Stage, ...] = ("seal", "extract", "index")  # what an append waits for
SECOND = 1_000_000


def finish(memory: Memory, *seqs: int) -> None:
    with memory.transaction():
        for stage in STAGES:
            memory.ledger.done(stage, seqs)


# memories


def test_a_memory_is_named_by_a_keyed_hash_of_issuer_and_subject(connect: Connect, stores: Stores) -> None:
    name = stores.memory_id("issuer", "ana")
    assert name == connect().memory_id("issuer", "ana")
    assert len({name, stores.memory_id("issuer", "ben"), stores.memory_id("other", "ana")}) == 3
    assert "ana" not in name


def test_creating_twice_gives_the_same_memory(connect: Connect, stores: Stores) -> None:
    first = stores.create("tests", "ana", multi_speaker=True, now=NOW)
    assert first == MemoryInfo(
        id=stores.memory_id("tests", "ana"), name="ana", shard=shard_of(first.id), multi_speaker=True, created_at=NOW
    )
    assert connect().create("tests", "ana", now=NOW + 1) == first
    assert stores.find(first.id) == first


def test_memories_are_listed_by_shard(stores: Stores) -> None:
    infos = [stores.create("tests", name, now=NOW) for name in ("ana", "ben", "cleo")]
    assert stores.memories() == sorted(infos, key=lambda info: info.id)
    for info in infos:
        assert info in stores.memories(info.shard)
        assert all(other.shard == info.shard for other in stores.memories(info.shard))


def test_a_memory_that_does_not_exist_is_not_found(stores: Stores) -> None:
    assert stores.find("nobody") is None
    with pytest.raises(NotFound, match="nobody"):
        stores.open("nobody")
    with pytest.raises(NotFound, match="nobody"):
        stores.lease("nobody", holder="a", now=NOW, seconds=1)


# the witness of the journals


def test_how_far_a_journal_had_grown_is_known_outside_of_it(connect: Connect, stores: Stores) -> None:
    memory = stores.open(stores.create("tests", "ana", now=NOW).id)
    other = stores.create("tests", "ben", now=NOW)
    assert stores.witnessed_head(memory.info.id) is None
    record(memory, "one")
    last = record(memory, "two", "three")[-1]
    memory.close()
    assert stores.witnessed_head(memory.info.id) == connect().witnessed_head(memory.info.id) == (3, last.hash)
    assert stores.witnessed_head(other.id) is None


# erasure


def test_an_erased_memory_is_gone_with_its_key_and_others_stay(connect: Connect, stores: Stores) -> None:
    ana, ben = (stores.create("tests", name, now=NOW) for name in ("ana", "ben"))
    keys = {}
    for info in (ana, ben):
        memory = stores.open(info.id)
        append(memory, [1, 2])
        keys[info.id] = memory.key
        memory.close()
    kept = Erased(id="random", erased_at=NOW, certificate=b"{}", chain=b"[]")
    stores.erase(ana.id, kept)
    for each in (stores, connect()):
        assert each.find(ana.id) is None
        assert [info.id for info in each.memories()] == [ben.id]
        assert [work.memories for work in each.work(ALL)] == [(ben.id,)]
        assert each.erased() == [kept]
        with pytest.raises(NotFound):
            each.open(ana.id)
    with pytest.raises(NotFound):
        stores.erase(ana.id, kept)
    assert stores.open(ben.id).ledger.head().seq == 2


def test_who_was_erased_may_come_back_and_nothing_is_known(stores: Stores) -> None:
    before = stores.create("tests", "ana", now=NOW)
    memory = stores.open(before.id)
    append(memory, [1])
    key = memory.key
    memory.close()
    stores.erase(before.id, Erased(id="random", erased_at=NOW, certificate=b"{}", chain=b"[]"))
    assert stores.create("tests", "ana", now=NOW + 1).id == before.id
    again = stores.open(before.id)
    assert (again.ledger.head().seq, again.ledger.utterances_after(0, 9), again.graph.all_entities()) == (0, [], [])
    assert again.key != key
    again.close()


# leases


def test_a_lease_keeps_others_out_until_it_expires(connect: Connect, stores: Stores, memory: Memory) -> None:
    first = stores.lease(memory.info.id, holder="a", now=NOW, seconds=10)
    assert first is not None
    assert first.expires_at == NOW + 10 * SECOND
    assert connect().lease(memory.info.id, holder="b", now=NOW + 10 * SECOND - 1, seconds=10) is None
    second = connect().lease(memory.info.id, holder="b", now=NOW + 10 * SECOND, seconds=10)
    assert second is not None
    assert second.token > first.token


def test_a_holder_renews_its_lease_and_goes_on_with_the_same_memory(stores: Stores, memory: Memory) -> None:
    first = stores.lease(memory.info.id, holder="a", now=NOW, seconds=10)
    held = stores.open(memory.info.id, first)
    second = stores.lease(memory.info.id, holder="a", now=NOW + SECOND, seconds=10)
    assert second is not None
    assert second.expires_at == NOW + 11 * SECOND
    append(held, [1])
    held.close()


def test_an_older_holder_cannot_commit(stores: Stores, memory: Memory) -> None:
    first = stores.lease(memory.info.id, holder="a", now=NOW, seconds=10)
    held = stores.open(memory.info.id, first)
    append(held, [1])
    second = stores.lease(memory.info.id, holder="b", now=NOW + 11 * SECOND, seconds=10)
    with pytest.raises(LeaseLost, match="nothing was written"):
        append(held, [2])
    assert memory.ledger.head().seq == 1
    successor = stores.open(memory.info.id, second)
    append(successor, [2])
    held.close()
    successor.close()


def test_a_released_lease_is_free_at_once(stores: Stores, memory: Memory) -> None:
    first = stores.lease(memory.info.id, holder="a", now=NOW, seconds=10)
    assert first is not None
    stores.release(first)
    second = stores.lease(memory.info.id, holder="b", now=NOW, seconds=10)
    assert second is not None
    assert second.token > first.token
    stores.release(first)  # too late: it is not theirs any more
    assert stores.lease(memory.info.id, holder="c", now=NOW, seconds=10) is None


def test_who_holds_no_lease_may_still_append(stores: Stores, memory: Memory) -> None:
    assert stores.lease(memory.info.id, holder="a", now=NOW, seconds=10)
    append(memory, [1])
    assert memory.ledger.head().seq == 1


# the inbox


def test_an_append_is_found_as_work_of_its_shard(connect: Connect, stores: Stores, memory: Memory) -> None:
    assert stores.work(ALL) == []
    append(memory, [1, 2], route="immediate")
    append(memory, [3], route="log")
    (work,) = connect().work(["immediate", "batch"])
    assert (work.shard, work.memories, work.waiting) == (memory.info.shard, (memory.info.id,), {"immediate": 2})
    assert work.oldest == 1001
    assert stores.work(["batch"]) == []
    assert stores.work(ALL)[0].waiting == {"immediate": 2, "log": 1}


def test_only_the_first_append_after_a_rest_marks_the_memory(stores: Stores, memory: Memory) -> None:
    append(memory, [1, 2], route="immediate")
    (marked,) = stores.work(ALL)
    append(memory, [3], route="immediate")
    assert stores.work(ALL) == [marked]


def test_a_growing_queue_is_told_each_time_it_doubles(stores: Stores, memory: Memory) -> None:
    for seq in range(1, 101):
        append(memory, [seq])
        (work,) = stores.work(ALL)
        assert seq / 2 < work.waiting["batch"] <= seq


def test_settling_tells_what_still_waits_and_moves_the_head(stores: Stores, memory: Memory) -> None:
    append(memory, [1], route="immediate")
    append(memory, [2], route="immediate")
    append(memory, [3], route="immediate")
    (before,) = stores.work(ALL)
    finish(memory, 1)
    stores.settle(memory.info.id)
    (after,) = stores.work(ALL)
    assert (after.waiting, after.oldest) == ({"immediate": 2}, 1002)
    assert after.head > before.head


def test_settling_what_did_not_move_keeps_the_head(stores: Stores, memory: Memory) -> None:
    append(memory, [1], route="immediate")
    before = stores.work(ALL)
    stores.settle(memory.info.id)
    assert stores.work(ALL) == before


def test_a_run_that_was_overtaken_by_as_many_new_ones_moves_the_head(stores: Stores, memory: Memory) -> None:
    append(memory, [1], route="immediate")
    (before,) = stores.work(ALL)
    append(memory, [2], route="immediate")
    finish(memory, 1)
    stores.settle(memory.info.id)
    (after,) = stores.work(ALL)
    assert after.waiting == before.waiting
    assert after.head > before.head


def test_a_settled_memory_without_work_is_clean_and_can_be_marked_again(stores: Stores, memory: Memory) -> None:
    append(memory, [1])
    (before,) = stores.work(ALL)
    finish(memory, 1)
    stores.settle(memory.info.id)
    assert stores.work(ALL) == []
    append(memory, [2])
    assert stores.work(ALL)[0].head > before.head


def test_what_waits_for_derivation_only_is_work_too(stores: Stores, memory: Memory) -> None:
    append(memory, [1])
    with memory.transaction():
        memory.ledger.enqueue("derive", [1])
    finish(memory, 1)
    stores.settle(memory.info.id)
    assert stores.work(["batch"])[0].waiting == {"batch": 1}
    assert stores.sweep() == 0


def test_the_head_of_a_shard_never_falls_back_when_one_of_its_memories_is_done(stores: Stores) -> None:
    names = (f"user {number}" for number in count())
    first = stores.create("tests", next(names), now=NOW)
    second = next(
        stores.create("tests", name, now=NOW)
        for name in names
        if shard_of(stores.memory_id("tests", name)) == first.shard
    )
    memories = [stores.open(info.id) for info in (first, second)]
    append(memories[0], [1])
    append(memories[1], [1])
    (before,) = stores.work(ALL)
    assert set(before.memories) == {first.id, second.id}
    finish(memories[1], 1)
    stores.settle(second.id)
    (after,) = stores.work(ALL)
    assert after.memories == (first.id,)
    assert after.head > before.head
    for memory in memories:
        memory.close()


def test_counters_tell_sizes_and_how_long_the_oldest_waits(stores: Stores, memory: Memory) -> None:
    assert stores.counters() == {"memories": 1, "waiting": {}, "oldest_waiting_seconds": None}
    append(memory, [1], route="log", recorded_at=NOW - 90 * SECOND)
    assert stores.counters() == {"memories": 1, "waiting": {"log": 1}, "oldest_waiting_seconds": 90.0}


# materialisations


def test_materialisations_are_found_by_run(stores: Stores) -> None:
    def row(run: str, asset: str, finished: int) -> Materialisation:
        return Materialisation(
            run_id=run,
            asset=asset,
            partition="shard-07",
            code_version="1",
            data_version="d",
            started_at=1,
            finished_at=finished,
        )

    for each in (row("r1", "graph", 9), row("r1", "graph", 9), row("r1", "triples", 5), row("r2", "graph", 7)):
        stores.add_materialisation(each)
    assert stores.materialisations(["r1", "r9"]) == [row("r1", "triples", 5), row("r1", "graph", 9)]


# what each stage left


def test_a_stage_finds_its_notes_of_a_shard_and_the_last_one_counts(connect: Connect, stores: Stores) -> None:
    info = stores.create("tests", "ana", now=NOW)
    first = StageNote(memory_id=info.id, stage="graph", version="1", fingerprint="f")
    for each in (first, StageNote(memory_id=info.id, stage="index", version="1", fingerprint="g")):
        stores.note_stage(each)
    assert connect().stage_notes(info.shard, "graph") == [first]
    later = StageNote(memory_id=info.id, stage="graph", version="", fingerprint="f")
    stores.note_stage(later)
    assert connect().stage_notes(info.shard, "graph") == [later]
    assert stores.stage_notes("shard-of-none", "graph") == []
