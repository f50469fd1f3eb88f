"""`nearness.aligned` for many pairs at once, in JAX: for fitting and measuring. Serving goes by the numpy one.

Both give the same numbers: products of int8 vectors are whole numbers below 2^24, which float32 holds exactly.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from kg_assets.novelty.nearness import ALIGNMENT, EXPLAINED, NOTHING, SCALE, Heard, Spoken, counted, meant

BATCH = 256  # pairs at once: turns of 300 tokens each way take 100 MB


def aligned_pairs(turns: Sequence[Spoken], known: Sequence[Heard]) -> np.ndarray:
    """float64 (pairs, 19) in the order of `ALIGNMENT`: each turn with the known one in its place, no other known.

    As `NOTHING` where the turn tells nothing, or nothing is known.
    """
    found = np.tile([getattr(NOTHING, name) for name in ALIGNMENT], (len(turns), 1))
    rows = [row for row, turn in enumerate(turns) if len(turn.groups) and len(known[row].tokens)]
    rows.sort(key=lambda row: (len(turns[row].heard.tokens) + len(known[row].tokens), row))  # alike lengths together
    for start in range(0, len(rows), BATCH):
        batch = rows[start : start + BATCH]
        found[batch] = _batch([turns[row] for row in batch], [known[row] for row in batch])
    return found


def _batch(turns: Sequence[Spoken], known: Sequence[Heard]) -> np.ndarray:
    import jax

    tokens, own = _padded([turn.heard.tokens for turn in turns])
    others, there = _padded([each.tokens for each in known])
    groups, told = _padded([turn.groups for turn in turns])
    meanings = [meant(turn, each) for turn, each in zip(turns, known, strict=True)]
    rows = [np.array([[meaning not in EXPLAINED] for meaning in each]) for each in meanings]
    new, _ = _padded(rows)
    with jax.enable_x64(True):
        measured = jax.jit(_measured)(tokens, own, others, there, groups.astype(np.int32), told, new[:, :, 0])
    columns = {name: np.asarray(column) for name, column in measured.items()}
    plain = [counted(turn, each, words) for turn, each, words in zip(turns, known, meanings, strict=True)]
    return np.column_stack([columns[name] if name in columns else [each[name] for each in plain] for name in ALIGNMENT])


def _measured(tokens: Any, own: Any, others: Any, there: Any, groups: Any, told: Any, new: Any) -> dict[str, Any]:
    """The parts of `Alignment` that come from vectors, each float64 (pairs,)."""
    import jax.numpy as jnp

    products = jnp.einsum("pnd,pmd->pnm", tokens.astype(jnp.float32), others.astype(jnp.float32))
    cosines = products / jnp.float32(SCALE * SCALE)
    best = jnp.where(there[:, None, :], cosines, -jnp.inf).max(axis=2).astype(jnp.float64)
    back = jnp.where(own[:, :, None], cosines, -jnp.inf).max(axis=1).astype(jnp.float64)
    sums = jnp.pad(jnp.cumsum(jnp.where(own, best, 0.0), axis=1), ((0, 0), (1, 0)))
    first, last = groups[:, :, 0], groups[:, :, 1]
    means = (jnp.take_along_axis(sums, last, 1) - jnp.take_along_axis(sums, first, 1)) / jnp.maximum(last - first, 1)
    far = jnp.where(told, jnp.clip(1.0 - means, 0.0, 1.0), 0.0)
    worst = jnp.pad(-jnp.sort(-far, axis=1), ((0, 0), (0, 1)))
    left = jnp.where(new, far, 0.0)
    one, other = (each.astype(jnp.float64).sum(axis=1) for each in (tokens, others))
    lengths = jnp.sqrt((one**2).sum(axis=1) * (other**2).sum(axis=1))
    return {
        "unmatched": worst[:, 0],
        "second_unmatched": worst[:, 1],
        "mean_unmatched": far.sum(axis=1) / told.sum(axis=1),
        "unexplained": left.max(axis=1),
        "mean_unexplained": left.sum(axis=1) / told.sum(axis=1),
        "rest_unmatched": _mean(1.0 - best, own),
        "left_out": _mean(1.0 - back, there),
        "others_unmatched": jnp.ones(len(tokens)),
        "apart": 1.0 - jnp.where(lengths > 0, (one * other).sum(axis=1) / jnp.where(lengths > 0, lengths, 1.0), 0.0),
    }


def _mean(values: Any, where: Any) -> Any:
    import jax.numpy as jnp

    return jnp.where(where, jnp.clip(values, 0.0, 1.0), 0.0).sum(axis=1) / where.sum(axis=1)


def _padded(rows: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """(rows, longest, width), and which of it is not padding: bool (rows, longest)."""
    longest = max(map(len, rows))
    padded = np.zeros((len(rows), longest, rows[0].shape[1]), dtype=rows[0].dtype)
    for place, row in enumerate(rows):
        padded[place, : len(row)] = row
    return padded, np.arange(longest) < np.array([len(row) for row in rows])[:, None]
