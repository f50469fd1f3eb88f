"""How fast turns are read into triples, and what loading the parser costs. Prints one JSON line a measurement.

    python benchmarks/extraction_speed.py [--turns 1000] [--sample 20]

Reads the turns of `../shared/data/locomo_dev.json`, seen from the project's root. Rates are given by wall clock and by
the processor time of one core (BLAS is held to one thread), so that a busy machine shows. `--sample N` prints N turns
with what was read from them instead, for reading by hand.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from kg_assets.identity import content_hash
from kg_assets.model import Utterance
from kg_assets.triples.extraction import METHODS, Turn, build_extractor
from kg_assets.triples.preview import as_row

DATA = Path(__file__).resolve().parents[1].parent / "shared" / "data" / "locomo_dev.json"
CHUNK, BEFORE = 64, 20
_COLD = """
import time
start = time.perf_counter()
import spacy
imported = time.perf_counter()
from kg_assets.triples.spacy_pass import pipeline
pipeline()
print(imported - start, time.perf_counter() - imported)
"""


def turns(limit: int) -> Iterator[Turn]:
    """The conversations' turns in order, each with those before it in its session."""
    count = 0
    for conversation in json.loads(DATA.read_text(encoding="utf-8")):
        sessions = conversation["conversation"]
        for name in (name for name in sessions if name.startswith("session_") and isinstance(sessions[name], list)):
            said = datetime.strptime(sessions[f"{name}_date_time"], "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
            before: list[Utterance] = []
            for place, line in enumerate(sessions[name]):
                if count == limit:
                    return
                count += 1
                utterance = spoken(count, name, line, int(said.timestamp()) * 1_000_000 + place)
                yield Turn(utterance, tuple(before[-BEFORE:]), multi_speaker=True)
                before.append(utterance)


def spoken(seq: int, session: str, line: dict[str, Any], at: int) -> Utterance:
    return Utterance(
        id=str(seq),
        session=session,
        speaker=line["speaker"],
        role="user",
        text=line["text"],
        said_at=at,
        seq=seq,
        recorded_at=at,
        content_hash=content_hash(line["text"]),
    )


def measured(name: str, work: Callable[[], int], count: int, **more: Any) -> None:
    wall, processor = time.perf_counter(), time.process_time()
    found = work()
    wall, processor = time.perf_counter() - wall, time.process_time() - processor
    row = {
        "turns": count,
        "found": found,
        "per_second": round(count / wall),
        "per_core_second": round(count / processor),
    }
    print(json.dumps({"measure": name, **row, **more}))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--turns", type=int, default=1000)
    options.add_argument("--sample", type=int, default=0)
    chosen = options.parse_args()
    if not DATA.exists():
        sys.exit(f"{DATA} is not there: this benchmark reads LoCoMo's conversations from ../shared/data")
    given = list(turns(chosen.turns))
    if chosen.sample:
        sample(given, chosen.sample)
        return
    imported, loaded = map(float, subprocess.check_output([sys.executable, "-c", _COLD], text=True).split())
    print(json.dumps({"measure": "load", "import_s": round(imported, 2), "pipeline_s": round(loaded, 2)}))
    words = sum(len(turn.utterance.text.split()) for turn in given) / len(given)
    for methods in (("rules",), METHODS):
        extractor = build_extractor(methods)
        extractor.extract(given[:CHUNK], b"warm")

        def work(extractor: Any = extractor) -> int:
            chunks = (given[start : start + CHUNK] for start in range(0, len(given), CHUNK))
            return sum(len(found) for chunk in chunks for found in extractor.extract(chunk, b"key"))

        measured("+".join(methods), work, len(given), words_per_turn=round(words, 1))


def sample(given: list[Turn], count: int) -> None:
    """Evenly spread turns with their triples."""
    chosen = given[:: max(1, len(given) // count)][:count]
    for turn, found in zip(chosen, build_extractor().extract(chosen, b"key"), strict=True):
        print(f"{turn.utterance.speaker}: {turn.utterance.text}")
        for each in found:
            row = as_row(turn.utterance.seq, each)
            print("   ", json.dumps({name: row[name] for name in row if name not in ("line", "span")}))


if __name__ == "__main__":
    main()
