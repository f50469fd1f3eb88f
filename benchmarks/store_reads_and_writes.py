"""How long the store's everyday reads and writes take. One JSON line per measurement; times in milliseconds.

    python -m benchmarks.store_reads_and_writes [--facts 10000] [--entities 1000] [--times 500]
                                                [--directory DIR | --home HOME]

SQLite in a directory of its own, or the store set that the settings of a home name (it gets a memory of its own).
Facts join `--entities` entities: of 1,000, three hops from anywhere meet nearly all of 10,000 facts. Every fifth is
superseded, so that as-of reads have a history to skip. Writes are durable: a returned commit survives loss of power, so
they tell as much about the disk of `--directory` as about the store.
"""

import argparse
import json
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from kg_assets import journal
from kg_assets.graph.concluding import Asked, conclude, concluded_by
from kg_assets.graph.walking import AsOf, neighbourhood
from kg_assets.identity import keyed_id
from kg_assets.model import Belief, Change, Fact, NoveltyScore, Origin, SlotChange, Utterance
from kg_assets.ports import Memory
from kg_assets.text.ontology import load_ontology
from resources.clock import system_clock
from resources.settings import load_settings
from resources.sqlite import SqliteStores
from resources.stores import ClosingStores, open_stores

MOST_VISITED = 1_000_000  # no walk is cut
PREDICATES = ("lives_in", "works_at", "likes", "knows", "owns")
TOWNS, REGIONS = 500, 20
ORIGIN = Origin(actor="benchmark", cause="store_reads_and_writes")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--facts", type=int, default=10_000)
    parser.add_argument("--entities", type=int, default=1_000)
    parser.add_argument("--times", type=int, default=500)
    parser.add_argument("--directory", type=Path, help="where the files are made (default: the temporary directory)")
    parser.add_argument("--home", type=Path, help="a home whose store set is measured")
    arguments = parser.parse_args()
    if arguments.home:
        settings = load_settings(arguments.home)
        stores = open_stores(settings, system_clock, predicates=lambda: (*PREDICATES, "parent_of", "located_in"))
        measure_all(stores, Reporter(settings.stores.kind, arguments.times, arguments.facts, arguments.entities))
        return
    with tempfile.TemporaryDirectory(dir=arguments.directory) as folder:
        stores = SqliteStores(Path(folder), b"benchmark", system_clock)
        measure_all(stores, Reporter("sqlite", arguments.times, arguments.facts, arguments.entities))


def measure_all(stores: ClosingStores, reporter: "Reporter") -> None:
    info = stores.create("benchmark", f"ana {system_clock()}", now=system_clock())
    memory = stores.open(info.id)
    store = FactWriter(memory, reporter.entities)
    started = time.perf_counter()
    for start in range(0, reporter.facts, 500):
        store.write(min(500, reporter.facts - start))
    reporter.line("facts_per_second", value=round(reporter.facts / (time.perf_counter() - started)))
    measure(store, memory, reporter)
    measure_inference(stores, reporter)
    reporter.report("open_and_close", lambda: stores.open(info.id).close())
    memory.close()
    stores.close()


def measure(store: "FactWriter", memory: Memory, reporter: "Reporter") -> None:
    times, report = reporter.times, reporter.report
    chance = random.Random(1)
    subjects = [f"e{chance.randrange(reporter.entities)}" for _ in range(times)]
    middle = memory.ledger.journal([memory.ledger.head().journal_seq // 2])[0].recorded_at
    turns = iter(subjects * 2)

    def one_hop(known_at: int | None) -> list[str]:
        found = memory.graph.facts(valid_at=500, known_at=known_at, subjects=[next(turns)], limit=1000)
        return [fact.belief.object_id for fact in found if fact.belief.object_id]

    def two_hops() -> list[Fact]:
        return memory.graph.facts(valid_at=500, known_at=None, subjects=one_hop(None), limit=1000)

    def two_hops_as_of() -> list[Fact]:
        return memory.graph.facts(valid_at=500, known_at=middle, subjects=one_hop(middle), limit=1000)

    report("one_hop_now", lambda: one_hop(None))
    report("one_hop_as_of", lambda: one_hop(middle))
    turns = iter(subjects * 2)
    walks = iter(subjects * 10)

    def walked(hops: int, known_at: int) -> None:
        as_of = AsOf(valid_at=500, known_at=known_at)
        with memory.snapshot():
            neighbourhood(memory.graph, next(walks), hops=hops, limit=MOST_VISITED, as_of=as_of)

    latest = memory.ledger.head().recorded_at
    for hops in (1, 2, 3):
        report(f"neighbourhood_{hops}_hops", lambda hops=hops: walked(hops, latest))  # type: ignore[misc]
    report("neighbourhood_3_hops_as_of", lambda: walked(3, middle))
    report("two_hops_now", two_hops)
    report("two_hops_as_of", two_hops_as_of)
    slots = iter(store.slots[-times:] * times)
    report("slot", lambda: memory.graph.slot(next(slots)))
    report("write_ten_facts", lambda: store.write(10))
    report("append_one_utterance", lambda: append_one(memory))


def measure_inference(stores: ClosingStores, reporter: "Reporter") -> None:
    """All that follows of one person among as many facts: families, the towns they live in, where these lie."""
    ontology = load_ontology()
    memory = stores.open(stores.create("benchmark", f"family {system_clock()}", now=system_clock()).id)
    store = FactWriter(memory, reporter.entities, says=family)
    for start in range(0, reporter.facts, 500):
        store.write(min(500, reporter.facts - start))
    chance = random.Random(2)
    people = iter([f"p{chance.randrange(1, reporter.facts // 3)}" for _ in range(reporter.times * 2)])
    steps = concluded_by(ontology.rules, None, inverted=False)

    def inferred() -> None:
        asked = Asked(start=next(people), steps=steps, valid_at=500, known_at=None)
        with memory.snapshot():
            conclude(memory, ontology, asked)

    reporter.report("inferred_of_one_person", inferred)
    memory.close()


def family(number: int) -> tuple[str, str, str]:
    """Person after person: the child of one before, in a town; now and then where a town or region lies."""
    person, kind = divmod(number, 3)
    if kind == 0:
        return f"p{person // 2}", "parent_of", f"p{person}"
    if kind == 1:
        return f"p{person}", "lives_in", f"town {person % TOWNS}"
    if person < TOWNS:
        return f"town {person}", "located_in", f"region {person % REGIONS}"
    if person < TOWNS + REGIONS:
        return f"region {person - TOWNS}", "located_in", "country"
    return f"p{person}", "likes", f"p{person // 3}"


class FactWriter:
    """Writes facts with their journal entries, as deriving does: one entry a slot."""

    def __init__(
        self, memory: Memory, entities: int, says: Callable[[int], tuple[str, str, str]] | None = None
    ) -> None:
        self._memory, self._entities, self._says = memory, entities, says
        self._chance = random.Random(0)
        self._written = 0
        self.slots: list[str] = []

    def write(self, count: int) -> None:
        memory = self._memory
        with memory.transaction():
            at = journal.instant(memory.ledger, system_clock)
            for _ in range(count):
                self._written += 1
                supersedes = self._written % 5 == 0 and self.slots and self._says is None
                slot = self._chance.choice(self.slots) if supersedes else f"slot {self._written}"
                closed = tuple(fact.version_id for fact in memory.graph.slot(slot)) if supersedes else ()
                seq = memory.ledger.head().journal_seq + 1
                change = SlotChange(
                    slot=slot,
                    op="supersede" if supersedes else "assert",
                    slot_hash=keyed_id(b"", "slot", slot, seq),
                    closed=closed,
                    opened=(self._fact(slot, at, seq),),
                    decisions=(),
                )
                payload = Change(op=change.op, payload=msgspec.to_builtins(change))
                journal.record(memory.ledger, [payload], origin=ORIGIN, at=at)
                memory.graph.apply(change, recorded_at=at, journal_seq=seq)
                self.slots.append(slot)

    def _fact(self, slot: str, at: int, seq: int) -> Fact:
        subject, target = (f"e{self._chance.randrange(self._entities)}" for _ in range(2))
        predicate = self._chance.choice(PREDICATES)
        if self._says is not None:
            subject, predicate, target = self._says(self._written)
        belief = Belief(
            subject_id=subject,
            subject_key=f"entity {subject}",
            predicate=predicate,
            slot=slot,
            object_id=target,
            object_key=f"entity {target}",
            value=None,
            valid_from=self._chance.randrange(400),
            valid_to=None,
            start_known=True,
            precision="day",
            confidence=900,
            authority="user",
            assertions=(keyed_id(b"", "assertion", seq),),
            utterances=(keyed_id(b"", "utterance", seq),),
        )
        return Fact(
            id=keyed_id(b"", "fact", slot),
            version_id=keyed_id(b"", "version", seq),
            belief=belief,
            generation=1,
            recorded_from=at,
            recorded_to=None,
            opened_by=seq,
            closed_by=None,
            run_id=None,
        )


def append_one(memory: Memory) -> None:
    """An utterance with its score, its terms and its journal entry, as serving does before it answers."""
    with memory.transaction():
        seq = memory.ledger.head().seq + 1
        at = journal.instant(memory.ledger, system_clock)
        utterance = Utterance(
            id=f"u{seq}",
            session="s-1",
            speaker="Ana",
            role="user",
            text="I moved to Lisbon in May and I like it.",
            said_at=at,
            seq=seq,
            recorded_at=at,
            content_hash=keyed_id(b"", "content", seq),
        )
        score = NoveltyScore(
            seq=seq, score=50.0, route="batch", parts={}, features={"entity": 0.5}, conflicts=(), version="benchmark"
        )
        memory.ledger.append([(utterance, score, {"move": 1, "lisbon": 1, "may": 1, "like": 1})])
        journal.record(memory.ledger, [Change(op="remember", payload={"seq": seq})], origin=ORIGIN, at=at)


class Reporter:
    """Prints one line a measurement."""

    def __init__(self, store: str, times: int, facts: int, entities: int) -> None:
        self.store, self.times, self.facts, self.entities = store, times, facts, entities

    def report(self, name: str, action: Callable[[], object]) -> None:
        durations = []
        for _ in range(self.times):
            started = time.perf_counter()
            action()
            durations.append((time.perf_counter() - started) * 1_000)
        durations.sort()
        self.line(
            name,
            times=self.times,
            median_ms=round(statistics.median(durations), 4),
            p95_ms=round(durations[int(self.times * 0.95)], 4),
            p99_ms=round(durations[int(self.times * 0.99)], 4),
        )

    def line(self, name: str, **values: object) -> None:
        named = {"benchmark": "store_reads_and_writes", "store": self.store, "measurement": name}
        named |= {"facts": self.facts, "entities": self.entities}
        print(json.dumps({**named, **values}), flush=True)


if __name__ == "__main__":
    main()
