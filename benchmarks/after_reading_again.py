"""What one new sentence costs after all was read again, by how much was said before, and what reading again costs.

    python benchmarks/after_reading_again.py [--said N ...]

One person who says one thing after the other, of many slots; rules alone read, and the hashing encoder stands in for
the real one. After a reading again the ledger's own counts of mentions are not those that count: the cost of deriving
one new sentence must not grow with what was said all the same.
"""

import argparse
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from kg_assets.graph.belief import derive_pending
from kg_assets.graph.state import state_hash
from kg_assets.index.remember import remember
from kg_assets.maintenance.generations import Circumstances, rebuild
from kg_assets.model import Draft, Origin, Route
from kg_assets.novelty.scoring import Thresholds
from kg_assets.ports import Memory
from kg_assets.text.ontology import load_ontology
from kg_assets.triples.backlog import extract_pending
from kg_assets.triples.extraction import build_extractor
from kg_assets.triples.reading_again import AgainReader
from resources.clock import system_clock
from resources.embedder import build_embedder
from resources.sqlite.stores import SqliteStores

ORIGIN = Origin(actor="benchmark", cause="after_reading_again")
ROUTES: tuple[Route, ...] = ("immediate", "batch", "log")
FORMS = ("I like {0}.", "My brother Tom likes {0}.", "I bought a {0}.", "My sister Eva lives in {1}.", "I visited {1}.")
BEGUN, MINUTE = 1_767_225_600_000_000, 60_000_000
NEW = 20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--said", type=int, nargs="+", default=[500, 2_000, 8_000])
    for said in parser.parse_args().said:
        print(json.dumps(measured(said)), flush=True)


def measured(said: int) -> dict[str, object]:
    ontology, extractor = load_ontology(), build_extractor(("rules",))
    at = Circumstances(ontology=ontology, embedder=build_embedder("hashing"), origin=ORIGIN, clock=system_clock)
    with tempfile.TemporaryDirectory() as folder:
        stores = SqliteStores(Path(folder), b"benchmark" * 8, system_clock)
        memory = stores.open(stores.create("benchmark", "ana", now=system_clock()).id)
        say(memory, range(said))
        derived(memory)
        first = [one_more(memory, said + number) for number in range(NEW)]
        before = state_hash(memory)
        started = time.perf_counter()
        made = rebuild(memory, at, reader=AgainReader(extractor))
        rebuilt = time.perf_counter() - started
        after = [one_more(memory, said + NEW + number) for number in range(NEW)]
        memory.close()
        stores.close()
    return {
        "benchmark": "after_reading_again",
        "said": said,
        "facts": made.facts,
        "same_state_hash": made.state_hash == before,
        "rebuild_s": round(rebuilt, 2),
        "one_more_before_ms": round(statistics.median(first), 2),
        "one_more_after_ms": round(statistics.median(after), 2),
    }


def say(memory: Memory, numbers: range) -> None:
    drafts = [
        Draft(
            id=f"u{number}",
            session=f"s{number // 20}",
            speaker="Ana",
            role="user",
            text=FORMS[number % len(FORMS)].format(f"thing {number}", f"Town{number}"),
            said_at=BEGUN + number * MINUTE,
        )
        for number in numbers
    ]
    for start in range(0, len(drafts), 500):
        remember(
            memory,
            drafts[start : start + 500],
            embedder=build_embedder("hashing"),
            ontology=load_ontology(),
            thresholds=Thresholds(),
            origin=ORIGIN,
            clock=system_clock,
            cap_at_batch=True,
        )
    extract_pending(memory, build_extractor(("rules",)), routes=ROUTES, origin=ORIGIN, clock=system_clock)


def derived(memory: Memory) -> None:
    derive_pending(memory, load_ontology(), routes=ROUTES, origin=ORIGIN, clock=system_clock)


def one_more(memory: Memory, number: int) -> float:
    """Milliseconds of deriving one sentence of a slot of its own, without reading it; of the processor alone."""
    said = Draft(
        id=f"u{number}",
        session="new",
        speaker="Ana",
        role="user",
        text=f"My friend Zoe{number} is a nurse.",
        said_at=BEGUN + number * MINUTE,
    )
    remember(
        memory,
        [said],
        embedder=build_embedder("hashing"),
        ontology=load_ontology(),
        thresholds=Thresholds(),
        origin=ORIGIN,
        clock=system_clock,
        cap_at_batch=True,
    )
    extract_pending(memory, build_extractor(("rules",)), routes=ROUTES, origin=ORIGIN, clock=system_clock)
    started = time.process_time()
    derived(memory)
    return 1000 * (time.process_time() - started)


if __name__ == "__main__":
    main()
