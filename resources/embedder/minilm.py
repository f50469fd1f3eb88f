"""What the two MiniLM encoders share: batches of equal length, pooling, and the version that names their index."""

from collections.abc import Iterator, Sequence

import numpy as np

from kg_assets.identity import content_hash
from kg_assets.model import Encoded
from resources.embedder.model_files import HERE, TOKENIZER, checked_bytes
from resources.embedder.wordpiece import Pieces

DIM, KEPT = 384, 64  # a hidden state, and what of a token vector is kept
PROJECTION = (HERE / "projection_minilm_64.npy", "13d2fc9d527865dfef09253a694e55a74b87a6dcf598fb1ad3b8b3ed0ebc2087")
WINDOWING = "turns 2+3"  # of kg_assets.index.windows; a test holds the two together


def projection() -> np.ndarray:
    """float32 (384, 64), orthonormal columns; made by `fit_projection.py`."""
    import io

    matrix: np.ndarray = np.load(io.BytesIO(checked_bytes(*PROJECTION)), allow_pickle=False)
    return matrix


def version(name: str, weights_sha256: str) -> str:
    """Names the index that these weights, tokenizer, projection and windowing write."""
    return f"{name}-{content_hash(weights_sha256, TOKENIZER[1], PROJECTION[1], WINDOWING)[:12]}"


def batches(pieces: Sequence[Pieces], *, step: int, tokens: int) -> Iterator[tuple[list[int], int]]:
    """(positions, padded length): texts of like length together, padded to a multiple of `step`.

    At most `tokens` padded tokens a batch. The padded length of a text depends on that text alone.
    """
    lengths = [-(-len(p.ids) // step) * step for p in pieces]
    order = sorted(range(len(pieces)), key=lengths.__getitem__)
    start = 0
    while start < len(order):
        length = lengths[order[start]]
        end = start + 1
        while end < len(order) and lengths[order[end]] == length and (end - start + 1) * length <= tokens:
            end += 1
        yield order[start:end], length
        start = end


def padded(pieces: Sequence[Pieces], length: int, *, rows: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    """(ids, mask), both int64 (rows or as many as there are, length)."""
    ids = np.zeros((rows or len(pieces), length), dtype=np.int64)
    mask = np.zeros_like(ids)
    for row, piece in enumerate(pieces):
        ids[row, : len(piece.ids)] = piece.ids
        mask[row, : len(piece.ids)] = 1
    return ids, mask


def encoded(piece: Pieces, hidden: np.ndarray) -> Encoded:
    """One text's result from its last hidden states (n + 2, 384): the mean over all tokens, at unit length.

    The mean takes in [CLS] and [SEP], as the published model's pooling does.
    """
    mean = hidden.mean(axis=0, dtype=np.float64)
    return Encoded(
        pooled=(mean / max(np.linalg.norm(mean), 1e-12)).astype(np.float32),
        tokens=np.ascontiguousarray(hidden[1:-1], dtype=np.float32),
        token_ids=piece.ids[1:-1].astype(np.int32),
        offsets=piece.offsets,
    )
