"""An encoder without a model, for tests: same text, same vectors, at once, on every machine.

A word's vector is the sum of the signs in the hashes of the word and its letter triples, so that forms of a word are
near each other and other words are not. It knows no meaning, order or context.
"""

import hashlib
import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from kg_assets.identity import content_hash
from kg_assets.model import Encoded

DIM = 64
VOCABULARY = 30_522  # as many ids as the real tokenizer has
MAX_TOKENS, MAX_CHARACTERS = 510, 8192  # the same cuts as the real encoders make
WINDOWING = "turns 2+3"
_WORD = re.compile(r"\w+|[^\w\s]")


class Hashing:
    """Port `Embedder`. Only the first 510 words of the first 8,192 characters of a text are read."""

    dim = DIM

    def __init__(self) -> None:
        self.projection = np.eye(DIM, dtype=np.float32)
        self.version = f"hashing-{content_hash('signs of words and triples, 64', WINDOWING)[:12]}"

    def encode(self, texts: Sequence[str]) -> list[Encoded]:
        return [_encode(text[:MAX_CHARACTERS]) for text in texts]


def _encode(text: str) -> Encoded:
    found = list(_WORD.finditer(text))[:MAX_TOKENS]
    words = [match.group().casefold() for match in found]
    tokens = np.array([_vector(word) for word in words], dtype=np.float32).reshape(-1, DIM)
    mean = tokens.mean(axis=0) if len(tokens) else np.ones(DIM, dtype=np.float32)
    length = float(np.linalg.norm(mean))
    return Encoded(
        pooled=(mean / length if length else np.full(DIM, DIM**-0.5)).astype(np.float32),
        tokens=tokens,
        token_ids=np.array([_number(word) for word in words], dtype=np.int32),
        offsets=np.array([match.span() for match in found], dtype=np.int32).reshape(-1, 2),
    )


@lru_cache(maxsize=65_536)
def _vector(word: str) -> np.ndarray:
    """Whole numbers, so that no sum depends on the machine; the word itself weighs about as much as its triples."""
    around = f"<{word}>"
    triples = [around[start : start + 3] for start in range(len(around) - 2)]
    vector = np.sum([_signs(triple) for triple in triples], axis=0) + 2 * _signs(word)
    return np.asarray(vector, dtype=np.float32)


def _signs(text: str) -> np.ndarray:
    """int64 (64,) of +1 and -1."""
    digest = hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=DIM // 8).digest()
    return np.unpackbits(np.frombuffer(digest, dtype=np.uint8)).astype(np.int64) * 2 - 1


def _number(word: str) -> int:
    digest = hashlib.blake2b(word.encode("utf-8", "replace"), digest_size=8, person=b"id").digest()
    return int.from_bytes(digest, "big") % VOCABULARY
