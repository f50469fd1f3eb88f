"""The JAX encoder against the original."""

import numpy as np
import pytest

from resources.embedder import build_embedder
from tests.resources.embedder_texts import cosines, reference

pytest.importorskip("jax")


def test_pooled_vectors_equal_the_original_to_one_hundred_thousandth() -> None:
    known = reference()
    found = np.stack([each.pooled for each in build_embedder("minilm-jax").encode(known.texts)])
    assert (1 - cosines(found, known.pooled)).max() < 1e-5


def test_hidden_states_equal_the_original() -> None:
    known = reference()
    found = build_embedder("minilm-jax").encode(known.texts[:1])[0]
    np.testing.assert_allclose(found.tokens, known.hidden_of_first, atol=1e-4)
