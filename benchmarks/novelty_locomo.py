"""How well the novelty score tells the turns that are worth remembering: LoCoMo, area under the ROC curve.

A turn is positive if one of the data set's observations cites it. The turns go through `remember` in their order, so
each is scored against what was said before it. Prints a JSON line for each conversation and one for all, with the
turn's length as the plain alternative.

    python benchmarks/novelty_locomo.py [../shared/data/locomo_dev.json] [encoder]
"""

import json
import re
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from kg_assets.index.remember import remember
from kg_assets.model import Draft, NoveltyScore, Origin
from kg_assets.novelty.scoring import VERSION, Thresholds
from kg_assets.novelty.training import auc
from kg_assets.text.ontology import load_ontology
from kg_assets.utterances.formats import read
from resources.clock import system_clock
from resources.embedder import build_embedder
from resources.sqlite import SqliteStores

DATA = Path(__file__).parents[2] / "shared" / "data" / "locomo_dev.json"
BATCH = 200
TURN = re.compile(r"D[0-9]+:[0-9]+")


def main(path: Path, encoder: str) -> int:
    if not path.exists():
        print(f"{path} is not here; give the path of a LoCoMo file with observations", file=sys.stderr)
        return 1
    conversations: dict[str, list[Draft]] = {}
    for name, item in read(path, "locomo"):
        if isinstance(item, Draft):
            conversations.setdefault(name, []).append(item)
    cited = {each["sample_id"]: cited_turns(each["observation"]) for each in json.loads(path.read_text())}
    everything: list[tuple[Draft, NoveltyScore, bool]] = []
    for name, drafts in conversations.items():
        turns = [
            (draft, score, draft.id in cited[name])
            for draft, score in zip(drafts, scores(drafts, encoder), strict=True)
        ]
        print(json.dumps({"conversation": name, **measures(turns)}))
        everything += turns
    print(json.dumps({"conversation": "all", "version": VERSION, **measures(everything)}))
    return 0


def cited_turns(observations: Any) -> set[str]:
    """Every turn's id that stands anywhere in the observations."""
    return set(TURN.findall(json.dumps(observations)))


def scores(drafts: Sequence[Draft], encoder: str) -> list[NoveltyScore]:
    """The scores that a fresh memory gives to a conversation."""
    with tempfile.TemporaryDirectory() as folder:
        stores = SqliteStores(Path(folder), b"benchmark", system_clock)
        memory = stores.open(stores.create("benchmark", "locomo", multi_speaker=True, now=system_clock()).id)
        receipts = [
            receipt
            for start in range(0, len(drafts), BATCH)
            for receipt in remember(
                memory,
                drafts[start : start + BATCH],
                embedder=build_embedder(encoder),
                ontology=load_ontology(),
                thresholds=Thresholds(),
                origin=Origin(actor="benchmark", cause="novelty_locomo"),
                clock=system_clock,
                cap_at_batch=False,
            )
        ]
        memory.close()
        stores.close()
    return [receipt.novelty for receipt in receipts]


def measures(turns: Sequence[tuple[Draft, NoveltyScore, bool]]) -> dict[str, Any]:
    positive = np.array([cited for _, _, cited in turns])
    score = np.array([found.score for _, found, _ in turns])
    routes = [found.route for _, found, _ in turns]
    return {
        "turns": len(turns),
        "cited": int(positive.sum()),
        "auc": round(auc(score, positive), 4),
        "auc_length": round(auc(np.array([len(draft.text) for draft, _, _ in turns]), positive), 4),
        "routes": {route: routes.count(route) for route in ("immediate", "batch", "log")},
        "cited_share": {
            route: round(float(positive[[each == route for each in routes]].mean()), 3) for route in sorted(set(routes))
        },
    }


if __name__ == "__main__":
    given = dict(enumerate(sys.argv))
    sys.exit(main(Path(given.get(1, DATA)), given.get(2, "minilm-int8")))
