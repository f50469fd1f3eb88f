"""Vectors as the index keeps them: pooled in float16, tokens projected to 64 dimensions in int8.

On LoCoMo's turns projection and int8 together cost 0.003 of recall@10 (DESIGN section 6).
"""

import numpy as np

from kg_assets.model import Encoded

KEPT = 64  # dimensions of a stored token vector
SCALE = 127.0


def packed(encoded: Encoded, projection: np.ndarray) -> tuple[bytes, bytes, bytes]:
    """(pooled, tokens, token_ids) as an `Item` holds them, little-endian whatever the machine."""
    rows = np.rint(project(encoded.tokens, projection) * SCALE).astype(np.int8)
    return (
        encoded.pooled.astype("<f2").tobytes(),
        rows.tobytes(),
        encoded.token_ids.astype("<i4").tobytes(),
    )


def project(tokens: np.ndarray, projection: np.ndarray) -> np.ndarray:
    """float32 (n, dim) to float32 (n, 64), each row of unit length."""
    return unit(unit(tokens) @ projection)


def unit(rows: np.ndarray) -> np.ndarray:
    """Rows at length one; a row of zeros stays as it is."""
    lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
    scaled: np.ndarray = rows / np.where(lengths > 0, lengths, 1)
    return scaled


def pooled_of(stored: bytes) -> np.ndarray:
    """float32 (dim,)."""
    return np.frombuffer(stored, dtype="<f2").astype(np.float32)


def tokens_of(stored: bytes) -> np.ndarray:
    """int8 (n, 64): unit vectors times 127."""
    return np.frombuffer(stored, dtype=np.int8).reshape(-1, KEPT)


def token_ids_of(stored: bytes) -> np.ndarray:
    """int32 (n,)."""
    return np.frombuffer(stored, dtype="<i4").astype(np.int32)
