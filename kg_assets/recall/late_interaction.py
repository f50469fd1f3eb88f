"""Late interaction: every token of the question looks for its best token in an item (after ColBERT, Khattab & Zaharia
2020, with the token vectors of a small untrained encoder).

score = sum over question tokens of weight x best cosine, over the sum of weights; the weight is the token's inverse
document frequency, times 0.3 for names of speakers, which stand in every other turn. A question token may also be met
in a turn nearby in the same session, at 0.9 a turn away: an answer seldom repeats the question it answers.
"""

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

import msgspec
import numpy as np

from kg_assets.index.quantise import SCALE, project
from kg_assets.model import Encoded
from kg_assets.recall.bm25 import inverse_frequency
from kg_assets.recall.token_store import TokenStore

NAME_WEIGHT = 0.3
NEAR = 0.9  # for each turn away, up to two: the second turn adds 0.017 to recall@10 on LoCoMo
WORD = re.compile(r"\w+")


class Question(msgspec.Struct, frozen=True):
    """vectors float32 (q, 64) of unit length, weights float32 (q,), and each token as it stands in the text."""

    vectors: np.ndarray
    weights: np.ndarray
    tokens: tuple[str, ...]


def question(
    text: str, encoded: Encoded, projection: np.ndarray, store: TokenStore, items: int, names: AbstractSet[str]
) -> Question:
    """`names` holds the casefolded words of the speakers' names; `items` is how many rows the store holds."""
    inside = [span for word in WORD.finditer(text) if word.group().casefold() in names for span in [word.span()]]
    weights = [inverse_frequency(items, count) for count in store.containing(encoded.token_ids).tolist()]
    spans = encoded.offsets.tolist()
    for position, (start, end) in enumerate(spans):
        if any(first <= start and end <= last for first, last in inside):
            weights[position] *= NAME_WEIGHT
    return Question(
        vectors=project(encoded.tokens, projection),
        weights=np.array(weights, dtype=np.float32),
        tokens=tuple(text[start:end] for start, end in spans),
    )


def best_cosines(asked: Question, store: TokenStore, rows: np.ndarray) -> np.ndarray:
    """float32 (q, len(rows)): for each token of the question its best cosine in each row; 0 in a row without tokens."""
    found = np.zeros((len(asked.vectors), len(rows)), dtype=np.float32)
    filled = np.flatnonzero(store.counts(rows))
    if len(filled) and len(asked.vectors):
        vectors, starts = store.gather(rows[filled])
        cosines = (asked.vectors / SCALE) @ vectors.astype(np.float32).T
        found[:, filled] = np.maximum.reduceat(cosines, starts, axis=1)
    return found


def scores(
    asked: Question, store: TokenStore, rows: np.ndarray, nearby: Sequence[tuple[int, np.ndarray]]
) -> np.ndarray:
    """float32 (len(rows),): the score of each row, with what its neighbours add. See `matches` for `nearby`."""
    total = float(asked.weights.sum())
    if not total:
        return np.zeros(len(rows), dtype=np.float32)
    found: np.ndarray = asked.weights @ matches(asked, store, rows, nearby).max(axis=0) / total
    return found


def matches(
    asked: Question, store: TokenStore, rows: np.ndarray, nearby: Sequence[tuple[int, np.ndarray]]
) -> np.ndarray:
    """float32 (1 + len(nearby), q, len(rows)): best cosines in the row itself, then in each neighbour.

    `nearby` lists (turns away, int64 (len(rows),) neighbour's row or -1). Each row is read once however often it is
    a neighbour.
    """
    needed = np.unique(np.concatenate([rows, *(near for _, near in nearby)]))
    needed = needed[needed >= 0]
    own = best_cosines(asked, store, needed)
    found = np.zeros((1 + len(nearby), *own.shape[:1], len(rows)), dtype=np.float32)
    found[0] = own[:, np.searchsorted(needed, rows)]
    for number, (away, near) in enumerate(nearby, start=1):
        there = near >= 0
        found[number][:, there] = NEAR ** abs(away) * own[:, np.searchsorted(needed, near[there])]
    return found
