"""How fast utterances are remembered: durable, scored and retrievable. Prints a JSON line for each embedder.

Batches of 200 into one memory, then the final index over them, then single appends into the same. Takes LoCoMo's turns
where the file is there, else the sample chats; repeated under new ids until there are enough.

    python benchmarks/ingestion_rate.py [--embedder hashing minilm-int8] [--utterances 2000] [--singles 100]
"""

import argparse
import itertools
import json
import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from kg_assets.index.building import index_pending
from kg_assets.index.remember import remember
from kg_assets.model import Draft, Origin
from kg_assets.novelty.scoring import Thresholds
from kg_assets.ports import Embedder, Memory
from kg_assets.text.ontology import load_ontology
from kg_assets.utterances.formats import read
from resources.clock import system_clock
from resources.embedder import build_embedder
from resources.sqlite import SqliteStores

ROOT = Path(__file__).parents[1]
LOCOMO = ROOT.parent / "shared" / "data" / "locomo_dev.json"
BATCH = 200
ORIGIN = Origin(actor="benchmark", cause="ingestion_rate")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--embedder", nargs="+", default=["hashing", "minilm-int8"])
    parser.add_argument("--utterances", type=int, default=2000)
    parser.add_argument("--singles", type=int, default=100)
    arguments = parser.parse_args()
    drafts = list(itertools.islice(endless(), arguments.utterances + arguments.singles))
    for name in arguments.embedder:
        with tempfile.TemporaryDirectory() as folder:
            print(json.dumps(measure(Path(folder), name, drafts, arguments.singles)), flush=True)


def endless() -> Iterator[Draft]:
    """The turns at hand, again and again, each time under other ids and in other sessions."""
    files = [(LOCOMO, "locomo")] if LOCOMO.exists() else [(path, "chat") for path in (ROOT / "examples").glob("*.chat")]
    turns = [(name, item) for path, kind in files for name, item in read(path, kind) if isinstance(item, Draft)]
    for lap in itertools.count():
        for name, turn in turns:
            yield msgspec.structs.replace(turn, id=f"{lap}/{name}/{turn.id}", session=f"{lap}/{name}/{turn.session}")


def measure(folder: Path, name: str, drafts: Sequence[Draft], singles: int) -> dict[str, Any]:
    embedder = build_embedder(name)
    embedder.encode(["The first call loads the model."])
    stores = SqliteStores(folder, b"benchmark", system_clock)
    memory = stores.open(stores.create("benchmark", "rate", multi_speaker=True, now=system_clock()).id)
    bulk = len(drafts) - singles
    started = time.perf_counter()
    for start in range(0, bulk, BATCH):
        append(memory, drafts[start : min(start + BATCH, bulk)], embedder)
    seconds = time.perf_counter() - started
    started = time.perf_counter()
    built = index_pending(memory, embedder, load_ontology(), origin=ORIGIN, clock=system_clock)
    building = time.perf_counter() - started
    single = [timed(memory, draft, embedder) for draft in drafts[bulk:]]
    memory.close()
    stores.close()
    return {
        "embedder": name,
        "utterances": bulk,
        "mean_words": round(float(np.mean([len(draft.text.split()) for draft in drafts])), 1),
        "per_second": round(bulk / seconds, 1),
        "indexed_per_second": round(built.utterances / building, 1),
        "single_ms": {f"p{share}": round(float(np.percentile(single, share)), 2) for share in (50, 95)},
        "cores": os.cpu_count(),
    }


def timed(memory: Memory, draft: Draft, embedder: Embedder) -> float:
    """Milliseconds of one append."""
    started = time.perf_counter()
    append(memory, [draft], embedder)
    return (time.perf_counter() - started) * 1000


def append(memory: Memory, drafts: Sequence[Draft], embedder: Embedder) -> None:
    remember(
        memory,
        drafts,
        embedder=embedder,
        ontology=load_ontology(),
        thresholds=Thresholds(),
        origin=ORIGIN,
        clock=system_clock,
        cap_at_batch=len(drafts) > 1,
    )


if __name__ == "__main__":
    main()
