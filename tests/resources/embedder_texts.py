"""Texts that try an encoder, and the vectors that the original gives for some.

minilm_reference.npz was made once with sentence-transformers 6.2.0 and torch 2.15.0 on a CPU, from the same
safetensors (SHA-256 53aa5117…), `max_seq_length` set to 512:

    model = SentenceTransformer(FOLDER, device="cpu"); model.max_seq_length = 512
    pooled = model.encode(texts, normalize_embeddings=True)
    hidden_of_first = model.encode(texts, output_value="token_embeddings")[0][1:-1]
"""

from pathlib import Path

import msgspec
import numpy as np

VARIED = (
    "I moved to Lisbon in May.",
    "",
    "ok",
    " \n\t ",
    "😀🎉 sooo happyyy!!! @friend https://example.org/a?b=c",
    "¿Dónde está la biblioteca? 図書館はどこですか。",
    "lone \ud800 surrogate and \x00 control",
    "My sister's dog Max ate 2.5 kg of cheese on 14 March 2024, and nobody had told her! " * 3,
    "the coast road " * 120,
)


class Reference(msgspec.Struct, frozen=True):
    """texts, float32 (12, 384) unit vectors, and the hidden states (7, 384) of the first text."""

    texts: list[str]
    pooled: np.ndarray
    hidden_of_first: np.ndarray


def reference() -> Reference:
    with np.load(Path(__file__).parent / "minilm_reference.npz", allow_pickle=False) as file:
        return Reference(file["texts"].tolist(), file["pooled"], file["hidden_of_first"])


def cosines(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Row by row, in double precision."""
    one, other = one.astype(np.float64), other.astype(np.float64)
    lengths = np.linalg.norm(one, axis=-1) * np.linalg.norm(other, axis=-1)
    found: np.ndarray = (one * other).sum(axis=-1) / lengths
    return found
