"""How long recall takes over memories of 10,000 and 100,000 items, and what such a memory costs to load and hold.

    python benchmarks/recall_speed.py [--items 10000 100000] [--questions 200] [--embedder minilm-int8] [--k 10]

Items are made from a seed: sentences of common words, about 30 tokens each, in sessions of 30 turns of two speakers. A
thousand are encoded; the others take their vectors with a little noise, which changes no step's work. Questions are
encoded by the real encoder, each of its own words. One JSON line a size: p50 and p95 of each step in milliseconds.
"""

import argparse
import json
import random
import resource
import time
from collections.abc import Iterator

import numpy as np

from kg_assets.index.quantise import packed, unit
from kg_assets.model import Item
from kg_assets.ports import Embedder
from kg_assets.recall.read_model import ReadModel
from kg_assets.recall.retrieve import RecallRequest, recall
from resources.embedder import build_embedder

COMMON = (
    "the and to of a in that it is was for on you with he be at by have are this not but had his they i she or as we an"
)
OTHERS = (
    "paint harbour garden sister guitar soup bicycle winter letter doctor market forest camera lamp river kitchen "
    "train island teacher photo morning dinner puppy museum concert hospital bakery village ladder blanket violin "
    "compass"
)
DAY = 86_400_000_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--embedder", default="minilm-int8")
    parser.add_argument("--k", type=int, default=10)
    options = parser.parse_args()
    embedder = build_embedder(options.embedder)
    for count in options.items:
        print(json.dumps(measured(count, options, embedder)), flush=True)


def measured(count: int, options: argparse.Namespace, embedder: Embedder) -> dict[str, object]:
    choice = random.Random(11)
    made = list(items(count, choice, embedder))
    before, started = resident_mb(), time.perf_counter()
    model = ReadModel(embedder)
    model.load(made)
    loaded, after = time.perf_counter() - started, resident_mb()
    timings: dict[str, list[float]] = {}
    for number in range(options.questions + 10):
        request = RecallRequest(query=f"When did Ana {sentence(choice, 8)}?", k=options.k)
        found = recall(model, request, embedder, count * DAY)
        if number >= 10:  # the first warm the caches
            for step, milliseconds in found.timing_ms.items():
                timings.setdefault(step, []).append(milliseconds)
    return {
        "benchmark": "recall_speed",
        "items": count,
        "questions": options.questions,
        "k": options.k,
        **{
            f"{step}_ms_p{q}": round(float(np.percentile(took, q)), 2)
            for step, took in timings.items()
            for q in (50, 95)
        },
        "load_seconds": round(loaded, 2),
        "model_mb": round(after - before),
        "index_version": embedder.version,
    }


def items(count: int, choice: random.Random, embedder: Embedder) -> Iterator[Item]:
    texts = [sentence(choice, choice.randint(5, 45)) for _ in range(1000)]
    encoded = [packed(each, embedder.projection) for each in embedder.encode(texts)]
    noise = np.random.default_rng(11)
    for number in range(count):
        pooled, tokens, token_ids = encoded[number % len(encoded)]
        moved = np.frombuffer(pooled, dtype="<f2") + noise.normal(0, 0.01, embedder.dim)
        yield Item(
            id=f"u{number}",
            kind="utterance",
            ref=f"u{number}",
            seq=number + 1,
            text=texts[number % len(texts)] if number < len(texts) else sentence(choice, choice.randint(5, 45)),
            session=f"s{number // 30}",
            speaker=("Ana", "Ben")[number % 2],
            said_at=number * DAY // 30,
            pooled=unit(moved).astype("<f2").tobytes(),
            tokens=tokens,
            token_ids=token_ids,
            provisional=False,
            index_version=embedder.version,
        )


def sentence(choice: random.Random, length: int) -> str:
    """Half common words, half others, the early ones of each list far more often (as words are)."""
    lists = [choice.choice((COMMON, OTHERS)).split() for _ in range(length)]
    return " ".join(words[int(len(words) * choice.random() ** 2)] for words in lists)


def resident_mb() -> float:
    """The process's size now; the peak where the system does not tell (macOS)."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * resource.getpagesize() / 2**20
    except FileNotFoundError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


if __name__ == "__main__":
    main()
