"""Make kg_assets/novelty/senses.json.gz again from the files of WordNet 3.0 (Debian's package `wordnet-base`).

Prints how much it holds, and whether it is what ships. `--write` puts it in its place.

    python benchmarks/novelty_senses.py [/usr/share/wordnet] [--write]
"""

import argparse
import gzip
import json
import sys
from pathlib import Path

import msgspec

from kg_assets.maintenance.novelty_senses import senses_of
from kg_assets.novelty.senses import FILE
from resources.embedder.model_files import TOKENIZER, checked_bytes

WORDNET = Path("/usr/share/wordnet")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wordnet", nargs="?", type=Path, default=WORDNET)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    if not (arguments.wordnet / "data.noun").exists():
        print(f"{arguments.wordnet} holds no data.noun; give the folder of WordNet's files", file=sys.stderr)
        return 1
    senses = senses_of(arguments.wordnet, json.loads(checked_bytes(*TOKENIZER))["model"]["vocab"])
    made = msgspec.json.encode(senses)
    if arguments.write:
        FILE.write_bytes(gzip.compress(made, mtime=0))
    as_shipped = FILE.exists() and gzip.decompress(FILE.read_bytes()) == made
    print(json.dumps({"words": len(senses.words), "senses": len(senses.wider), "as_shipped": as_shipped}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
