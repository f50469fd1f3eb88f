"""Recorded time: what was read of the past stays as it was, whatever runs and clocks did meanwhile."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from kg_assets import journal
from kg_assets.graph.belief import derive_pending
from kg_assets.index.building import index_pending
from kg_assets.index.remember import remember
from kg_assets.model import Change, Micros, Origin
from kg_assets.novelty.scoring import Thresholds
from kg_assets.ports import Clock, Memory
from kg_assets.text.ontology import load_ontology
from kg_assets.triples.backlog import extract_pending
from kg_assets.triples.extraction import build_extractor
from kg_assets.utterances.intake import check
from resources.embedder import build_embedder
from resources.sqlite import SqliteStores

NOW = 1_800_000_000_000_000
SECOND = 1_000_000
ORIGIN = Origin(actor="test", cause="test", run_id="run-1")
ROUTES = ("immediate", "batch", "log")


class Hands:
    """A clock that is moved by hand."""

    def __init__(self, now: Micros = NOW) -> None:
        self.now = now

    def __call__(self) -> Micros:
        return self.now


@pytest.fixture
def stores(tmp_path: Path) -> Iterator[SqliteStores]:
    opened = SqliteStores(tmp_path, b"secret", clock=lambda: NOW)
    yield opened
    opened.close()


def opened(stores: SqliteStores) -> Memory:
    return stores.open(stores.create("test", "ana", now=NOW).id)


def say(memory: Memory, text: str, said_at: str, clock: Clock) -> None:
    raw = {"id": text, "text": text, "said_at": said_at, "session": "s"}
    remember(
        memory,
        [check(raw, where="")],
        embedder=build_embedder("hashing"),
        ontology=load_ontology(),
        thresholds=Thresholds(),
        origin=ORIGIN,
        clock=clock,
        cap_at_batch=False,
    )


def process(memory: Memory, clock: Clock, chunk: int = 200) -> None:
    extract_pending(memory, build_extractor(), routes=ROUTES, origin=ORIGIN, clock=clock)
    derive_pending(memory, load_ontology(), routes=ROUTES, origin=ORIGIN, clock=clock, chunk=chunk)
    index_pending(memory, build_embedder("hashing"), load_ontology(), origin=ORIGIN, clock=clock)


def homes(memory: Memory, known_at: Micros) -> list[str]:
    facts = memory.graph.facts(valid_at=NOW, known_at=known_at, predicates=["lives_in"])
    return [fact.belief.object_key for fact in facts]


def test_what_was_read_while_a_run_was_under_way_reads_the_same_afterwards(stores: SqliteStores) -> None:
    memory, beside, hands = opened(stores), opened(stores), Hands()
    for text, said_at in (
        ("I live in Porto.", "2026-05-20T10:00:00Z"),
        ("I live in Lisbon now.", "2026-06-20T10:00:00Z"),
        ("I live in Berlin now.", "2026-07-20T10:00:00Z"),
    ):
        say(memory, text, said_at, hands)
    seen: dict[Micros, list[str]] = {}

    def clock() -> Micros:
        """Between two transactions, and inside each, somebody reads as of now; then time goes on."""
        seen[hands.now] = homes(beside, hands.now)
        hands.now += SECOND
        return hands.now

    process(memory, clock, chunk=1)
    assert list(dict.fromkeys(map(tuple, seen.values()))) == [(), ("porto",), ("lisbon",), ("berlin",)]
    assert {known_at: homes(memory, known_at) for known_at in seen} == seen


def test_a_run_that_waited_for_another_writer_records_when_it_wrote(stores: SqliteStores) -> None:
    memory, beside, hands = opened(stores), opened(stores), Hands()
    holding, waiting = threading.Event(), threading.Event()

    def hold() -> None:
        with beside.transaction():
            holding.set()
            waiting.wait(10)
            hands.now += 60 * SECOND
            record(beside, hands)

    writer = threading.Thread(target=hold)
    writer.start()
    holding.wait(10)
    waiting.set()
    with memory.transaction():
        record(memory, hands)
    writer.join()
    assert recorded(memory) == [NOW + 60 * SECOND, NOW + 60 * SECOND + 1]


def test_a_clock_that_was_set_back_counts_on_from_the_last_entry(stores: SqliteStores) -> None:
    memory, hands = opened(stores), Hands()
    say(memory, "I live in Porto.", "2026-05-20T10:00:00Z", hands)
    process(memory, hands)
    known_at = memory.ledger.head().recorded_at
    before = homes(memory, known_at)
    hands.now -= 3600 * SECOND
    say(memory, "I live in Lisbon now.", "2026-06-20T10:00:00Z", hands)
    process(memory, hands)
    assert recorded(memory) == sorted(recorded(memory))
    assert homes(memory, known_at) == before == ["porto"]
    assert homes(memory, memory.ledger.head().recorded_at) == ["lisbon"]


def test_each_transaction_has_one_recorded_time_of_its_own(stores: SqliteStores) -> None:
    memory, ticks = opened(stores), Hands()

    def ticking() -> Micros:
        ticks.now += SECOND
        return ticks.now

    say(memory, "My sister Anna lives in Porto and works at Nordwind.", "2026-05-20T10:00:00Z", ticking)
    process(memory, ticking)
    by_time: dict[Micros, set[str]] = {}
    for entry in memory.ledger.journal_after(0, 1000):
        by_time.setdefault(entry.recorded_at, set()).add(entry.op)
    assert list(by_time.values()) == [{"remember"}, {"extract"}, {"resolve", "assert"}, {"index"}, {"index"}]
    assert {fact.recorded_from for fact in memory.graph.facts(valid_at=None, known_at=None)} == {list(by_time)[2]}


def test_writers_whose_clocks_differ_keep_one_order(stores: SqliteStores) -> None:
    """What stands at a head's recorded time is complete: nobody adds to it later, however slow their clock is."""
    times, seen = 40, dict[Micros, int]()

    def write(clock: Hands) -> None:
        memory = opened(stores)
        for _ in range(times):
            clock.now += SECOND
            with memory.transaction():
                record(memory, clock)
        memory.close()

    def read() -> None:
        memory = opened(stores)
        while len(recorded(memory)) < 2 * times:
            with memory.snapshot():
                seen[memory.ledger.head().recorded_at] = len(recorded(memory))
        memory.close()

    threads = [threading.Thread(target=write, args=(Hands(NOW - behind),)) for behind in (0, 5 * SECOND)]
    threads.append(threading.Thread(target=read))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = recorded(opened(stores))
    assert found == sorted(set(found))
    assert seen == {known_at: sum(at <= known_at for at in found) for known_at in seen}


def record(memory: Memory, clock: Clock) -> None:
    at = journal.instant(memory.ledger, clock)
    journal.record(memory.ledger, [Change(op="test", payload={})], origin=ORIGIN, at=at)


def recorded(memory: Memory) -> list[Micros]:
    return [entry.recorded_at for entry in memory.ledger.journal_after(0, 1000)]
