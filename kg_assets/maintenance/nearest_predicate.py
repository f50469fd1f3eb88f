"""Which declared predicate a provisional one may be another word for: by the words they share, and by meaning."""

from collections.abc import Sequence

import msgspec
import numpy as np

from kg_assets.ports import Embedder
from kg_assets.text.ontology import Ontology
from kg_assets.text.tokens import stem

NEAR = 0.6  # below this likeness none is suggested
_SHARED = 0.25  # added where the first words have one stem ("moved in with", "move to")


class Nearest(msgspec.Struct, frozen=True):
    predicate: str
    likeness: float


NONE = Nearest("", 0.0)


def nearest(names: Sequence[str], ontology: Ontology, embedder: Embedder) -> dict[str, Nearest]:
    """For each name the declared predicate with the most like name or alias; `NONE` where none is near."""
    known = [(name, canonical) for name, (canonical, _) in ontology.names.items() if not name.endswith("_")]
    if not names or not known:
        return dict.fromkeys(names, NONE)
    theirs = np.array([each.pooled for each in embedder.encode([words(name) for name, _ in known])])
    ours = np.array([each.pooled for each in embedder.encode([words(name) for name in names])])
    likeness = ours @ theirs.T
    found = {}
    for name, row in zip(names, likeness, strict=True):
        shared = np.array([first(name) == first(other) for other, _ in known])
        scores = row + _SHARED * shared
        best = int(np.argmax(scores))
        score = round(min(1.0, float(scores[best])), 2)
        found[name] = Nearest(known[best][1], score) if score >= NEAR else NONE
    return found


def words(name: str) -> str:
    return name.replace("_", " ")


def first(name: str) -> str:
    return stem(name.split("_")[0])
