"""Fit kg_assets/novelty/weights.json again: LongMemEval's conversations (MIT) and made-up talk, seeded.

Prints held-out figures, reliability as [expected, found, examples] by tenths, and how far the result is from the
weights that ship, at most. `--write` puts it in their place, with the figures beside it; another result needs another
`VERSION` in kg_assets/novelty/scoring.py.

    python benchmarks/novelty_training.py [../shared/data/longmemeval_mixed_30.json] [--write]
"""

import argparse
import json
import sys
from pathlib import Path

import msgspec

from kg_assets.maintenance.novelty_training import examples_of, talk_of, train
from kg_assets.novelty.weights import FIGURES, FILE, Weights, default_weights
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
    outcome = train(examples_of(arguments.longmemeval), talk_of(arguments.longmemeval), build_embedder("minilm-int8"))
    shipped = default_weights()
    if arguments.write:
        for file, each in ((FILE, outcome.weights), (FIGURES, outcome.held_out)):
            file.write_bytes(msgspec.json.format(msgspec.json.encode(each), indent=2) + b"\n")
    print(
        json.dumps({**msgspec.to_builtins(outcome.held_out), "largest_difference": distance(shipped, outcome.weights)})
    )
    return 0


def distance(one: Weights, other: Weights) -> float:
    """The largest difference between two weights of one name."""
    return max(
        abs(value - getattr(other, part)[name])
        for part in ("telling", "worth", "same", "opposite", "calibration")
        for name, value in getattr(one, part).items()
    )


if __name__ == "__main__":
    sys.exit(main())
