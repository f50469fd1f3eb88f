"""Quality of recall on LoCoMo: are the turns that hold the answer among the first k? A JSON line an arm and category.

    python benchmarks/recall_locomo.py [--data FILE] [--embedder NAME] [--captions]
    python benchmarks/recall_locomo.py --home DIR      over the memories of a home that has ingested and materialised it

Each conversation is one memory, each question of categories 1 to 4 one query. recall@k is the share of a question's
evidence turns among the first k, all@10 whether all are, NDCG@10 and MRR as usual with gain 1 a turn; every figure is
the mean over questions. Evidence ids that the conversation does not hold are dropped. Arms: each signal alone, then
together; "alone" encodes each turn without context (what a new utterance has), "windows" as the index keeps it.
"""

import argparse
import json
import math
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from kg_assets.index.quantise import packed
from kg_assets.index.remember import utterance_item
from kg_assets.index.windows import encode_alone, encode_turns
from kg_assets.model import Draft, Encoded, Utterance
from kg_assets.ports import Embedder
from kg_assets.recall.asking import RecallRequest, ask_model
from kg_assets.recall.read_model import ReadModel
from kg_assets.recall.retrieve import in_order
from kg_assets.recall.strategies import STRATEGIES, Ranked
from kg_assets.utterances.formats import read
from resources.embedder import build_embedder

DATA = Path(__file__).parents[2] / "shared" / "data" / "locomo_dev.json"
EVIDENCE = re.compile(r"D\s*:?\s*(\d+)\s*:\s*(\d+)")
CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop"}
DEPTHS = (1, 5, 10, 20, 50)

# What an arm reads: which vectors, which strategy, and which part of its score (None: the whole).
ARMS: dict[str, tuple[str, str, str | None]] = {
    "dense, alone": ("alone", "dense", None),
    "dense": ("windows", "dense", None),
    "bm25": ("windows", "bm25", None),
    "late interaction, alone": ("alone", "late_interaction", "late_interaction"),
    "late interaction": ("windows", "late_interaction", "late_interaction"),
    "late interaction + bm25 + speaker, alone": ("alone", "late_interaction", None),
    "late interaction + bm25 + speaker": ("windows", "late_interaction", None),
}


class Question(msgspec.Struct, frozen=True):
    text: str
    category: int
    evidence: frozenset[str]


def main() -> int:
    options = arguments()
    if not options.data.exists():
        print(f"{options.data} is not here; give the path of a LoCoMo file with --data", file=sys.stderr)
        return 1
    embedder = build_embedder(options.embedder)
    found: dict[str, list[tuple[int, dict[str, float]]]] = {}
    conversations = json.loads(options.data.read_text(encoding="utf-8"))
    models = home_models(options.home, embedder) if options.home else file_models(options, embedder)
    for name, kinds in models:
        questions = questions_of(
            next(each for each in conversations if each["sample_id"] == name), next(iter(kinds.values()))
        )
        for asked in questions:
            encoded = embedder.encode([asked.text])[0]
            for arm, (vectors, strategy, part) in ARMS.items():
                if vectors in kinds:
                    ids = ranking(kinds[vectors], asked.text, encoded, embedder, strategy, part)
                    found.setdefault(arm, []).append((asked.category, measures(ids, asked.evidence)))
    for arm, rows in found.items():
        for category in (*CATEGORIES, "all"):
            report(arm, category, [measured for of, measured in rows if category in ("all", of)], embedder.version)
    return 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--embedder", default="minilm-int8")
    parser.add_argument("--home", type=Path, help="a home whose memories are named by sample_id")
    parser.add_argument("--captions", action="store_true", help="append what a shared photo shows to the turn's text")
    return parser.parse_args()


# ------------------------------------------------------------------------------------------------------- memories


def file_models(options: argparse.Namespace, embedder: Embedder) -> Iterator[tuple[str, dict[str, ReadModel]]]:
    """Each conversation's name with a model of turns encoded alone and one of turns in their windows."""
    conversations: dict[str, list[Draft]] = {}
    for name, item in read(options.data, "locomo"):
        if isinstance(item, Draft):
            conversations.setdefault(name, []).append(captioned(item) if options.captions else item)
    for name, drafts in conversations.items():
        sessions: dict[str, list[Draft]] = {}
        for draft in drafts:
            sessions.setdefault(draft.session, []).append(draft)
        alone = dict(zip((draft.id for draft in drafts), encode_alone(drafts, embedder), strict=True))
        windows = {
            turns[position].id: encoded
            for turns in sessions.values()
            for position, encoded in encode_turns(turns, range(len(turns)), embedder).items()
        }
        yield name, {"alone": model_of(drafts, alone, embedder), "windows": model_of(drafts, windows, embedder)}


def captioned(draft: Draft) -> Draft:
    caption = draft.metadata.get("blip_caption")
    return msgspec.structs.replace(draft, text=f"{draft.text} [shares a photo: {caption}]") if caption else draft


def model_of(drafts: Sequence[Draft], encoded: Mapping[str, Encoded], embedder: Embedder) -> ReadModel:
    model = ReadModel(embedder)
    rows = (
        Utterance(**msgspec.structs.asdict(draft), seq=seq, recorded_at=draft.said_at, content_hash="")
        for seq, draft in enumerate(drafts, start=1)
    )
    model.load(
        utterance_item(row, packed(encoded[row.id], embedder.projection), embedder.version, provisional=False)
        for row in rows
    )
    return model


def home_models(home: Path, embedder: Embedder) -> Iterator[tuple[str, dict[str, ReadModel]]]:
    """The memories of a home as recall reads them, facts left out of the answers."""
    from resources.clock import system_clock
    from resources.settings import load_settings
    from resources.sqlite.stores import SqliteStores

    settings = load_settings(home)
    stores = SqliteStores(settings.data_dir, settings.secret, system_clock)
    try:
        for info in stores.memories():
            memory = stores.open(info.id)
            model = ReadModel(embedder)
            model.refresh(memory)
            memory.close()
            yield info.name, {"windows": model}
    finally:
        stores.close()


# ------------------------------------------------------------------------------------------------------ questions


def questions_of(conversation: Mapping[str, Any], model: ReadModel) -> list[Question]:
    """Those of categories 1 to 4 whose evidence the memory holds."""
    held = {item.ref for item in model.items}
    questions = [
        Question(each["question"], each["category"], frozenset(evidence_ids(each["evidence"]) & held))
        for each in conversation["qa"]
        if each["category"] in CATEGORIES
    ]
    return [each for each in questions if each.evidence]


def evidence_ids(evidence: Sequence[str]) -> set[str]:
    """Some entries hold several ids, or one with a slip ("D8:6; D9:17", "D:11:26")."""
    return {f"D{int(session)}:{int(turn)}" for each in evidence for session, turn in EVIDENCE.findall(each)}


def ranking(
    model: ReadModel, text: str, encoded: Encoded, embedder: Embedder, strategy: str, part: str | None
) -> list[str]:
    """Utterance ids, best first."""
    request = RecallRequest(query=text, k=max(DEPTHS), kinds=("utterance",))
    ranked = STRATEGIES[strategy](model, ask_model(model, request, encoded, embedder.projection))
    if part:
        ranked = Ranked(ranked.rows, ranked.parts[part], ranked.parts)
    return [model.items[int(ranked.rows[place])].ref for place in in_order(model, ranked)[: max(DEPTHS)]]


# ------------------------------------------------------------------------------------------------------- measures


def measures(ids: Sequence[str], evidence: frozenset[str]) -> dict[str, float]:
    places = [place for place, each in enumerate(ids) if each in evidence]
    gain = sum(1 / math.log2(place + 2) for place in places if place < 10)
    ideal = sum(1 / math.log2(place + 2) for place in range(min(10, len(evidence))))
    return {
        **{f"recall@{depth}": sum(place < depth for place in places) / len(evidence) for depth in DEPTHS},
        "all@10": float(sum(place < 10 for place in places) == len(evidence)),
        "ndcg@10": gain / ideal,
        "mrr": 1 / (places[0] + 1) if places else 0.0,
    }


def report(arm: str, category: int | str, rows: Sequence[Mapping[str, float]], version: str) -> None:
    if not rows:
        return
    figures = {name: round(float(np.mean([row[name] for row in rows])), 4) for name in rows[0]}
    named = CATEGORIES.get(category, "all") if isinstance(category, int) else "all"
    line = {"benchmark": "recall_locomo", "arm": arm, "category": category, "of": named, "n": len(rows), **figures}
    print(json.dumps({**line, "index_version": version}))


if __name__ == "__main__":
    sys.exit(main())
