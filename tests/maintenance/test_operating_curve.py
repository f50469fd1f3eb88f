from pathlib import Path

import pytest

from kg_assets.maintenance.operating_curve import BINS, Tally, curve, tally, tally_all
from kg_assets.model import MemoryInfo
from kg_assets.ports import Memory
from resources.sqlite import SqliteStores
from tests.maintenance.telling import NOW, clock, process, say


@pytest.fixture
def stores(tmp_path: Path) -> SqliteStores:
    return SqliteStores(tmp_path, b"secret", clock)


def told(stores: SqliteStores, name: str, *texts: str) -> MemoryInfo:
    info = stores.create("test", name, now=NOW)
    memory = stores.open(info.id)
    for day, text in enumerate(texts, start=1):
        say(memory, text, day)
    process(memory)
    memory.close()
    return info


def score_of(memory: Memory, seq: int) -> int:
    return int(memory.ledger.novelty([seq])[0].score)


def test_a_fact_said_twice_is_missed_only_where_both_are_dropped(stores: SqliteStores) -> None:
    info = told(stores, "ana", "I live in Lisbon.", "Wow, great!", "I live in Lisbon.")
    memory = stores.open(info.id)
    counts = tally(memory)
    first, chatter, again = (score_of(memory, seq) for seq in (1, 2, 3))
    assert chatter < first
    assert again < first
    points = curve(counts)
    assert [point.threshold for point in points] == list(range(101))
    assert (points[0].utterances, points[0].telling, points[0].facts) == (0, 0, 0)
    assert (sum(counts.utterances), sum(counts.telling), counts.waiting) == (3, 2, 0)
    assert counts.facts[first] == sum(counts.facts) > 0
    assert points[first].telling == pytest.approx(0.5)
    assert points[first].facts == 0
    assert points[first + 1].facts == 1
    memory.close()


def test_what_waits_to_be_read_is_no_evidence_of_anything(stores: SqliteStores) -> None:
    info = told(stores, "ana", "I live in Lisbon.")
    memory = stores.open(info.id)
    before = tally(memory)
    say(memory, "My sister Eva plays the cello.", 5)
    after = tally(memory)
    assert after.utterances == before.utterances
    assert (before.waiting, after.waiting) == (0, 1)
    memory.close()


def test_all_memories_are_summed_and_one_that_is_broken_hides_none(stores: SqliteStores, tmp_path: Path) -> None:
    told(stores, "ana", "I live in Lisbon.")
    told(stores, "ben", "I live in Porto.", "Thanks!")
    assert sum(tally_all(stores).utterances) == 3
    broken = told(stores, "eve", "I live in Rome.")
    for file in tmp_path.rglob(f"*{broken.id}*"):
        if file.is_file():
            file.write_bytes(b"no database")
    counts = tally_all(stores)
    assert (counts.memories, counts.unread, sum(counts.utterances)) == (3, 1, 3)


def test_nothing_said_gives_a_curve_of_nothing() -> None:
    points = curve(Tally(utterances=(0,) * BINS, telling=(0,) * BINS, facts=(0,) * BINS, waiting=0))
    assert {(point.utterances, point.telling, point.facts) for point in points} == {(0, 0, 0)}
