"""The named ways to rank. Each gives rows and scores, with the parts that made each score."""

from collections.abc import Callable, Mapping

import msgspec
import numpy as np

from kg_assets.recall import late_interaction as late
from kg_assets.recall.asking import Asked
from kg_assets.recall.read_model import ReadModel

DENSE_CANDIDATES, BM25_CANDIDATES = 150, 150
NEARBY_TURNS = 2
BM25_WEIGHT, SPEAKER_WEIGHT = 0.15, 0.05


class Ranked(msgspec.Struct, frozen=True):
    """rows int64 (n,), scores float32 (n,), parts by name, each float32 (n,); in no order."""

    rows: np.ndarray
    scores: np.ndarray
    parts: dict[str, np.ndarray]


def dense(model: ReadModel, asked: Asked) -> Ranked:
    """Cosine of the pooled vectors, an exact scan of all items."""
    similar = model.pooled @ asked.pooled
    rows = best(similar, asked.wanted, asked.k, model.seqs)
    return Ranked(rows, similar[rows], {"dense": similar[rows]})


def bm25(model: ReadModel, asked: Asked) -> Ranked:
    """The question's words; items that share none are not found."""
    worded = model.bm25.scores(asked.terms, model.rows)
    rows = best(worded, asked.wanted & (worded > 0), asked.k, model.seqs)
    return Ranked(rows, worded[rows], {"bm25": worded[rows]})


def late_interaction(model: ReadModel, asked: Asked) -> Ranked:
    """Token by token over the candidates that meaning and words bring, with BM25 and the right speaker added."""
    similar = model.pooled @ asked.pooled
    worded = model.bm25.scores(asked.terms, model.rows)
    rows = candidates(model, asked, similar, worded)
    highest = float(worded[asked.wanted].max(initial=0))
    parts = {
        "late_interaction": late.scores(asked.question, model.tokens, rows, nearby(model, asked, rows)),
        "bm25": worded[rows] / highest if highest else np.zeros(len(rows), dtype=np.float32),
        "speaker": right_speaker(model, asked, rows),
        "dense": similar[rows],
    }
    scores = parts["late_interaction"] + BM25_WEIGHT * parts["bm25"] + SPEAKER_WEIGHT * parts["speaker"]
    return Ranked(rows, scores, parts)


Strategy = Callable[[ReadModel, Asked], Ranked]
STRATEGIES: Mapping[str, Strategy] = {"late_interaction": late_interaction, "dense": dense, "bm25": bm25}
DEFAULT = "late_interaction"


def candidates(model: ReadModel, asked: Asked, similar: np.ndarray, worded: np.ndarray) -> np.ndarray:
    """int64, ascending: the best of each cheap arm, more of them where more results are wanted."""
    by_meaning = best(similar, asked.wanted, max(DENSE_CANDIDATES, asked.k), model.seqs)
    by_words = best(worded, asked.wanted & (worded > 0), max(BM25_CANDIDATES, asked.k), model.seqs)
    return np.union1d(by_meaning, by_words)


def nearby(model: ReadModel, asked: Asked, rows: np.ndarray) -> list[tuple[int, np.ndarray]]:
    """Neighbours that were known then."""
    found = model.sessions.nearby(rows, NEARBY_TURNS)
    return [(away, np.where((near >= 0) & asked.visible[near], near, -1)) for away, near in found]


def right_speaker(model: ReadModel, asked: Asked, rows: np.ndarray) -> np.ndarray:
    """1 where someone whom the question names is speaking; of "I", where the memory's own person is."""
    right = [
        model.items[row].speaker in asked.speakers or (asked.own_person and model.standings[row].role == "user")
        for row in rows.tolist()
    ]
    return np.array(right, dtype=np.float32)


def best(scores: np.ndarray, allowed: np.ndarray, limit: int, seqs: np.ndarray) -> np.ndarray:
    """int64: up to `limit` allowed rows of the highest scores, ascending; of equal ones the later said."""
    rows = np.flatnonzero(allowed)
    if len(rows) <= limit:
        return rows
    held = scores[rows]
    edge = np.partition(held, -limit)[-limit]
    above, ties = rows[held > edge], rows[held == edge]
    latest = ties[np.argsort(-seqs[ties], kind="stable")]
    return np.sort(np.concatenate([above, latest[: limit - len(above)]]))
