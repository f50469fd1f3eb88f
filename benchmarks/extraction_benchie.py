"""Open extraction against the gold clusters of BenchIE's first hundred sentences. Prints one JSON line a measurement.

    python benchmarks/extraction_benchie.py [--show 10] [--write FILE]

Scored by `../shared/data/benchie/score.py`, exact match token by token; ClausIE, the best of the systems published with
it, has F1 0.341 on all 300 sentences. `--show N` prints N sentences with what was right, wrong and missed.
"""

import argparse
import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

import msgspec

from palimpsest.extraction import Triple, open_triples_of_file

DATA = Path(__file__).resolve().parents[1].parent / "shared" / "data" / "benchie"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--show", type=int, default=0)
    options.add_argument("--write", type=Path)
    chosen = options.parse_args()
    if not DATA.exists():
        sys.exit(f"{DATA} is not there: this benchmark reads BenchIE from ../shared/data")
    scorer = load_scorer()
    rows = extracted(DATA / "sentences_1_100.txt")
    if chosen.write:
        chosen.write.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    gold = scorer.read_gold(str(DATA / "gold_1_100.txt"))
    print(json.dumps({"measure": "benchie", **scorer.score(gold, rows)}))
    if chosen.show:
        show(scorer, gold, rows, chosen.show)


def load_scorer() -> ModuleType:
    found = importlib.util.spec_from_file_location("benchie_score", DATA / "score.py")
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def extracted(sentences: Path) -> list[dict[str, object]]:
    """What `palimpsest extract --open --json` prints."""
    return [msgspec.to_builtins(each) for each in open_triples_of_file(sentences) if isinstance(each, Triple)]


def show(
    scorer: ModuleType, gold: list[list[list[tuple[object, ...]]]], rows: list[dict[str, object]], count: int
) -> None:
    """Evenly spread sentences: "+" right, "-" wrong, "?" the first wording of a cluster that was missed."""
    sentences = (DATA / "sentences_1_100.txt").read_text(encoding="utf-8").splitlines()
    for number in range(1, len(gold) + 1, max(1, len(gold) // count)):
        print(f"\n{number} {sentences[number - 1]}")
        found = [
            tuple(str(row[part]).lower().split() for part in ("subject", "predicate", "object"))
            for row in rows
            if row["line"] == number
        ]
        for triple in found:
            right = any(fits(scorer, variant, triple) for cluster in gold[number - 1] for variant in cluster)
            print("  +" if right else "  -", " | ".join(" ".join(part) for part in triple))
        for cluster in gold[number - 1]:
            if not any(fits(scorer, variant, triple) for variant in cluster for triple in found):
                print("  ?", " | ".join(" ".join(worded(part)) for part in cluster[0]))


def fits(scorer: ModuleType, variant: tuple[object, ...], triple: tuple[list[str], ...]) -> bool:
    return all(scorer.fits(pattern, tokens) for pattern, tokens in zip(variant, triple, strict=True))


def worded(slot: object) -> list[str]:
    assert isinstance(slot, list)
    return [f"[{' '.join(words)}]" if optional else " ".join(words) for optional, words in slot]


if __name__ == "__main__":
    main()
