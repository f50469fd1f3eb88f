"""`nearness.unmatched` for many pairs at once, in JAX: for fitting and measuring. Serving goes by the numpy one.

Both give the same number: products of int8 vectors are whole numbers below 2^24, which float32 holds exactly.
"""

from collections.abc import Sequence

import numpy as np

from kg_assets.novelty.nearness import SCALE, Spoken


def unmatched_pairs(turns: Sequence[Spoken], known: Sequence[np.ndarray]) -> np.ndarray:
    """float64 (pairs,): what each turn leaves unmatched of the known one in its place, int8 (m, 64).

    1 where the turn tells nothing, or nothing is known.
    """
    import jax
    import jax.numpy as jnp

    if not turns:
        return np.ones(0)
    tokens, own = _padded([turn.tokens for turn in turns])
    others, there = _padded(list(known))
    pieces, filled = _pieces(turns)

    def all_pairs(tokens: jax.Array, others: jax.Array) -> jax.Array:
        products = jnp.einsum("pnd,pmd->pnm", tokens.astype(jnp.float32), others.astype(jnp.float32))
        cosines = jnp.where(there[:, None, :], products / (SCALE * SCALE), -jnp.inf)
        best = jnp.where(own, cosines.max(axis=2), 0.0).astype(jnp.float64)
        words = jnp.take_along_axis(best[:, None, :], pieces, axis=2)
        count = filled.sum(axis=2)
        means = jnp.where(filled, words, 0.0).sum(axis=2) / jnp.maximum(count, 1)
        least = jnp.where(count > 0, means, jnp.inf).min(axis=1)
        return jnp.clip(1.0 - least, 0.0, 1.0)

    with jax.enable_x64(True):
        found = np.asarray(jax.jit(all_pairs)(tokens, others))
    comparable = filled.any(axis=(1, 2)) & there.any(axis=1)
    return np.where(comparable, found, 1.0)


def _padded(rows: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """int8 (rows, longest, 64), and which of it is not padding: bool (rows, longest)."""
    longest = max(1, *map(len, rows))
    padded = np.zeros((len(rows), longest, rows[0].shape[1]), dtype=np.int8)
    for place, row in enumerate(rows):
        padded[place, : len(row)] = row
    return padded, np.arange(longest) < np.array([len(row) for row in rows])[:, None]


def _pieces(turns: Sequence[Spoken]) -> tuple[np.ndarray, np.ndarray]:
    """Indices of each word's pieces, int32 (turns, most words, most pieces), and which of them are not padding."""
    words = max(1, *(len(turn.groups) for turn in turns))
    most = max((len(group) for turn in turns for group in turn.groups), default=1)
    pieces = np.zeros((len(turns), words, most), dtype=np.int32)
    filled = np.zeros(pieces.shape, dtype=bool)
    for row, turn in enumerate(turns):
        for column, group in enumerate(turn.groups):
            pieces[row, column, : len(group)] = group
            filled[row, column, : len(group)] = True
    return pieces, filled
