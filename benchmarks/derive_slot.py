"""Cost of deriving one slot, by the number of its assertions, and of an incremental derivation in a grown memory.

    python benchmarks/derive_slot.py

The first measure is the pure function; the second adds one assertion to a slot of 10 in a memory that holds 100, 1,000
and 10,000 other assertions, half of them about the same person and half about the same places: its cost must grow with
the slot, not with the memory. `friend_of` is symmetric, so that its slot has evidence on both sides. The state hash is
taken once a run, whatever the run changed; it does grow with the memory.
"""

import json
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from kg_assets.graph.belief import derive_pending
from kg_assets.graph.standing import Evidence, Statement
from kg_assets.graph.state import state_hash
from kg_assets.graph.timeline import derive_slot
from kg_assets.model import Assertion, Mention, Origin
from kg_assets.text.ontology import load_ontology
from kg_assets.triples.asserting import assert_statements, check_statement
from resources.clock import system_clock
from resources.sqlite.stores import SqliteStores

DAY = 86_400_000_000
ORIGIN = Origin(actor="benchmark", cause="derive_slot")


def main() -> None:
    for size in (10, 1_000, 100_000):
        evidence = [residence(number, random.Random(number)) for number in range(size)]
        started = time.perf_counter()
        stretches, disputes = derive_slot(evidence)
        seconds = time.perf_counter() - started
        figures = {"assertions": size, "stretches": len(stretches), "disputes": len(disputes)}
        print(json.dumps({"measure": "derive one slot", **figures, "ms": round(1000 * seconds, 2)}), flush=True)
    for predicate in ("lives_in", "friend_of"):
        for size in (100, 1_000, 10_000):
            figures = incremental(predicate, size)
            line = {"measure": "one more assertion", "predicate": predicate, "others": size, **figures}
            print(json.dumps(line), flush=True)


def residence(number: int, choice: random.Random) -> Evidence:
    """Somebody lives somewhere from some day on, as one of fifty places; one in ten is a denial."""
    place = f"place {choice.randrange(50)}"
    said = choice.randrange(20_000)
    assertion = Assertion(
        id=f"a{number}", utterance_id=f"u{number}", seq=number, said_at=said * DAY,
        subject=Mention(surface="Ana", key="ana", type="person"), predicate="lives_in",
        object=Mention(surface=place, key=place, type="place"),
        polarity="denied" if choice.random() < 0.1 else "affirmed", valid_from=said * DAY, valid_to=None,
        start_known=True, precision="day", confidence=800, authority="user", extractor="benchmark",
        extractor_version="1", span=None,
    )  # fmt: skip
    return Evidence(assertion, Statement("lives_in", place), "")


def incremental(predicate: str, others: int) -> dict[str, float]:
    """Median milliseconds of asserting one statement of a slot, and of deriving it, over 20; and of one state hash.

    `processor_ms` is what a busy machine does not change, without the wait for the disk.
    """
    ontology = load_ontology()
    with tempfile.TemporaryDirectory() as folder:
        stores = SqliteStores(Path(folder), b"benchmark" * 8, system_clock)
        memory = stores.open(stores.create("benchmark", "ana", now=system_clock()).id)

        def tell(rows: list[tuple[str, str, str, int]]) -> tuple[float, float]:
            raw = [
                {"subject": who, "predicate": said, "object": of, "valid_from": f"{year:04}"}
                for who, said, of, year in rows
            ]
            statements = [check_statement(each, ontology, where="benchmark") for each in raw]
            started, used = time.perf_counter(), time.process_time()
            assert_statements(memory, statements, ontology, clock=system_clock, origin=ORIGIN)
            derive_pending(memory, ontology, routes=("batch",), origin=ORIGIN, clock=system_clock)
            return 1000 * (time.perf_counter() - started), 1000 * (time.process_time() - used)

        tell([("Ana", "likes", f"thing {number}", 2000) for number in range(others // 2)])
        tell([(f"person {number}", "likes", f"place {number % 50}", 2000) for number in range(others // 2)])
        tell([("Ana", predicate, f"place {number}", 2000 + number) for number in range(10)])
        times = [tell([("Ana", predicate, f"place {number}", 2010 + number)]) for number in range(10, 30)]
        started = time.perf_counter()
        state_hash(memory)
        hashed = 1000 * (time.perf_counter() - started)
        memory.close()
        stores.close()
    wall, processor = (round(statistics.median(each), 2) for each in zip(*times, strict=True))
    return {"ms": wall, "processor_ms": processor, "state_hash_ms": round(hashed, 2)}


if __name__ == "__main__":
    main()
