"""Fit kg_assets/novelty/weights.json again: LongMemEval's conversations (MIT) and made-up talk, seeded.

Prints held-out figures, reliability as [expected, found, examples] by tenths, and whether the result is the file that
ships. `--write` puts it in its place; another result needs another `VERSION` in kg_assets/novelty/scoring.py.

    python benchmarks/novelty_training.py [../shared/data/longmemeval_mixed_30.json] [--write]
"""

import argparse
import json
import sys
from pathlib import Path

import msgspec

from kg_assets.maintenance.novelty_training import examples_of, train
from kg_assets.novelty.weights import FILE
from resources.embedder import build_embedder

DATA = Path(__file__).parents[2] / "shared" / "data" / "longmemeval_mixed_30.json"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("longmemeval", nargs="?", type=Path, default=DATA)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    if not arguments.longmemeval.exists():
        print(f"{arguments.longmemeval} is not here; give the path of LongMemEval's file", file=sys.stderr)
        return 1
    outcome = train(examples_of(arguments.longmemeval), build_embedder("minilm-int8"))
    encoded = msgspec.json.format(msgspec.json.encode(outcome.weights), indent=2) + b"\n"
    if arguments.write:
        FILE.write_bytes(encoded)
    same = encoded == FILE.read_bytes()
    print(json.dumps({**outcome.figures, "reliability": outcome.reliability, "same_as_shipped": same}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
