"""What spreading work costs and brings: extraction over processes and Dask, patterns over subinterpreters.

    python benchmarks/compute_speed.py [--turns 1000] [--workers 2] [--price 0.05] [--patterns-only]

Reads the turns of `../shared/data/locomo_dev.json`, seen from the project's root. One JSON line a measurement: texts a
second by the wall clock, processor seconds of all processes a thousand texts, their resident memory in MB, and what a
million texts cost where a processor costs `--price` an hour: that price is an assumption and not a measurement.
Workers have loaded what they need before the clock starts. On a busy machine compare processor seconds.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.extraction_speed import DATA, turns
from kg_assets.text.apart import statements_of
from kg_assets.text.declared import declared
from resources.compute import ClosingCompute, LocalCompute, PoolCompute, interpreters_or_threads, open_compute
from resources.compute.local import interpreter_pool, processes, threads
from resources.settings import ComputeSettings

CHUNK = 64


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--turns", type=int, default=1000)
    options.add_argument("--workers", type=int, default=2)
    options.add_argument("--price", type=float, default=0.05, help="assumed price of one processor for an hour")
    options.add_argument("--patterns-only", action="store_true", help="what needs no parser")
    chosen = options.parse_args()
    if not DATA.exists():
        sys.exit(f"{DATA} is not there: this benchmark reads LoCoMo's conversations from ../shared/data")
    given = list(turns(chosen.turns))
    texts, workers = [turn.utterance.text for turn in given], chosen.workers
    pools: dict[str, Callable[[], ClosingCompute]] = {
        "in this process": LocalCompute,
        f"{workers} threads": lambda: PoolCompute(threads(workers), workers),
        f"{workers} processes": lambda: PoolCompute(processes(workers), workers),
    }
    if interpreter_pool():
        pools[f"{workers} subinterpreters"] = lambda: interpreters_or_threads(workers)
    predicates = declared()
    tasks = [(predicates, tuple(texts[start : start + CHUNK])) for start in range(0, len(texts), CHUNK)]
    for name, make in pools.items():
        with closing(make()) as compute:
            measure("patterns", name, compute, statements_of, tasks, len(texts), chosen)
    if chosen.patterns_only:
        return
    from kg_assets.triples.backlog import Chunk, read_chunk
    from kg_assets.triples.extraction import METHODS, build_extractor
    from kg_assets.triples.reading import PARSER

    version = build_extractor().version
    chunks = [
        Chunk(METHODS, "", PARSER, version, tuple(given[start : start + CHUNK]), b"key", [])
        for start in range(0, len(given), CHUNK)
    ]
    for kind in ("local", "processes", "dask"):
        with closing(open_compute(ComputeSettings(kind=kind, workers=workers))) as compute:
            name = "in this process" if kind == "local" else f"{workers} workers, {kind}"
            measure("extraction", name, compute, read_chunk, chunks, len(given), chosen)


def measure(
    work: str,
    where: str,
    compute: ClosingCompute,
    function: Callable[[Any], Any],
    chunks: Sequence[Any],
    count: int,
    chosen: argparse.Namespace,
) -> None:
    compute.map(function, list(chunks[: compute.width]))
    used, started = processor_seconds(), time.perf_counter()
    compute.map(function, list(chunks))
    wall, used = time.perf_counter() - started, processor_seconds() - used
    row = {
        "texts": count,
        "per_second": round(count / wall),
        "processor_seconds_a_thousand": round(1000 * used / count, 2),
        "memory_mb": round(sum(each.memory_info().rss for each in family()) / 1e6),
        "a_million_cost": round(1e6 * used / count / 3600 * chosen.price, 3),
        "assumed_price_an_hour": chosen.price,
    }
    print(json.dumps({"measure": work, "where": where, **row}), flush=True)


def family() -> list[Any]:
    """This process and all that it started."""
    import psutil

    own = psutil.Process()
    return [own, *own.children(recursive=True)]


def processor_seconds() -> float:
    return sum(times.user + times.system for times in (each.cpu_times() for each in family()))


if __name__ == "__main__":
    main()
