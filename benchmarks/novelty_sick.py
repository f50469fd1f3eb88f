"""How well the novelty score tells what was said before: SICK's pairs of sentences (Marelli et al. 2014).

For each pair a fresh memory is told sentence A, then sentence B, whose score at append is taken. Prints one JSON line:

auc_neutral        the chance that a neutral B stands above an entailed one, which says nothing new
auc_contradiction  the same for a contradicting B, which must stay novel
kept               of each kind the share with a score that is not left in the log (30 and more by default)

    python benchmarks/novelty_sick.py [../shared/data/sick] [encoder]
"""

import csv
import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from kg_assets.index.remember import remember
from kg_assets.model import Draft, Origin
from kg_assets.novelty.scoring import VERSION, Thresholds
from kg_assets.novelty.training import auc
from kg_assets.ports import Embedder
from kg_assets.text.ontology import load_ontology
from resources.clock import system_clock
from resources.embedder import build_embedder
from resources.sqlite import SqliteStores

DATA = Path(__file__).parents[2] / "shared" / "data" / "sick"
FILES = ("SICK_train.txt", "SICK_trial.txt")
KINDS = ("ENTAILMENT", "NEUTRAL", "CONTRADICTION")
IN_MEMORY = Path("/dev/shm")  # 10,000 commits to a disk take minutes
SAID_AT = 1_700_000_000_000_000


def main(folder: Path, encoder: str) -> int:
    if not folder.exists():
        print(f"{folder} is not here; give the folder with {' and '.join(FILES)}", file=sys.stderr)
        return 1
    pairs = list(read(folder))
    kinds = np.array([kind for _, _, kind in pairs])
    scores = np.array(list(scored([(first, second) for first, second, _ in pairs], build_embedder(encoder))))
    entailed = kinds == "ENTAILMENT"
    found = {"pairs": len(pairs), "version": VERSION, "encoder": encoder}
    for kind in ("NEUTRAL", "CONTRADICTION"):
        rows = entailed | (kinds == kind)
        found[f"auc_{kind.lower()}"] = round(auc(scores[rows], kinds[rows] == kind), 4)
    batch = Thresholds().batch
    kept = {kind.lower(): round(float((scores[kinds == kind] >= batch).mean()), 3) for kind in KINDS}
    median = {kind.lower(): round(float(np.median(scores[kinds == kind])), 1) for kind in KINDS}
    print(json.dumps({**found, "kept": kept, "median": median}))
    return 0


def read(folder: Path) -> Iterator[tuple[str, str, str]]:
    for name in FILES:
        with (folder / name).open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                yield row["sentence_A"], row["sentence_B"], row["entailment_judgment"]


def scored(pairs: list[tuple[str, str]], embedder: Embedder) -> Iterator[float]:
    """The score of each second sentence where the first was just remembered."""
    with tempfile.TemporaryDirectory(dir=IN_MEMORY if IN_MEMORY.exists() else None) as folder:
        stores = SqliteStores(Path(folder), b"benchmark", system_clock)
        for number, texts in enumerate(pairs):
            memory = stores.open(stores.create("benchmark", str(number), now=system_clock()).id)
            drafts = [
                Draft(id=f"u{place}", session="s", speaker="Ana", role="user", text=text, said_at=SAID_AT + place)
                for place, text in enumerate(texts)
            ]
            receipts = remember(
                memory,
                drafts,
                embedder=embedder,
                ontology=load_ontology(),
                thresholds=Thresholds(),
                origin=Origin(actor="benchmark", cause="novelty_sick"),
                clock=system_clock,
                cap_at_batch=False,
            )
            memory.close()
            yield receipts[-1].novelty.score
        stores.close()


if __name__ == "__main__":
    given = dict(enumerate(sys.argv))
    sys.exit(main(Path(given.get(1, DATA)), given.get(2, "minilm-int8")))
