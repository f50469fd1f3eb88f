"""Vectors to bytes and back."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from kg_assets.index.quantise import KEPT, SCALE, packed, pooled_of, project, token_ids_of, tokens_of, unit
from kg_assets.model import Encoded

DIM = 96
PROJECTION = np.linalg.qr(np.random.default_rng(3).standard_normal((DIM, KEPT)))[0].astype(np.float32)
numbers = st.floats(-5, 5, width=32)
token_vectors = st.integers(0, 12).flatmap(lambda count: arrays(np.float32, (count, DIM), elements=numbers))


def encoded(tokens: np.ndarray) -> Encoded:
    count = len(tokens)
    pooled = unit(np.arange(1, DIM + 1, dtype=np.float32))
    return Encoded(
        pooled=pooled,
        tokens=tokens,
        token_ids=np.arange(count, dtype=np.int32) * 2_000,
        offsets=np.zeros((count, 2), dtype=np.int32),
    )


@given(token_vectors)
def test_stored_token_vectors_are_the_projected_ones_to_half_a_step(tokens: np.ndarray) -> None:
    _, stored, _ = packed(encoded(tokens), PROJECTION)
    np.testing.assert_allclose(tokens_of(stored) / SCALE, project(tokens, PROJECTION), atol=0.51 / SCALE)
    assert len(stored) == len(tokens) * KEPT


def test_ids_and_pooled_come_back() -> None:
    one = encoded(np.ones((5, DIM), dtype=np.float32))
    pooled, _, ids = packed(one, PROJECTION)
    np.testing.assert_array_equal(token_ids_of(ids), one.token_ids)
    np.testing.assert_allclose(pooled_of(pooled), one.pooled, atol=1e-3)
    assert len(pooled) == 2 * DIM


def test_cosines_of_stored_vectors_are_near_those_of_the_projected() -> None:
    tokens = np.random.default_rng(1).standard_normal((50, DIM)).astype(np.float32)
    exact = project(tokens, PROJECTION)
    kept = tokens_of(packed(encoded(tokens), PROJECTION)[1]).astype(np.float32) / SCALE
    assert np.abs(exact @ exact.T - kept @ kept.T).max() < 0.02


def test_a_vector_of_zeros_stays_one() -> None:
    assert not project(np.zeros((2, DIM), dtype=np.float32), PROJECTION).any()
