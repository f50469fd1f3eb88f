"""Text to word pieces and back to character spans: the tokenizer of all-MiniLM-L6-v2."""

from collections.abc import Sequence

import msgspec
import numpy as np

from resources.embedder.model_files import TOKENIZER, checked_bytes

MAX_TOKENS = 512  # rows of the position table, [CLS] and [SEP] included; the model has no meaning beyond
# What 512 tokens can need: English takes 4 to 5 characters a token. Without this cut, a megabyte of text is tokenized
# whole (0.4 s, 250 MB) for the 510 tokens that are read.
MAX_CHARACTERS = 16 * MAX_TOKENS


class Pieces(msgspec.Struct, frozen=True):
    """One text as the model reads it. ids int64 (n + 2,) with [CLS] and [SEP]; offsets int32 (n, 2) without."""

    ids: np.ndarray
    offsets: np.ndarray


class WordPieces:
    """Cuts texts into word pieces. Only the first 510 pieces of the first 8,192 characters of a text are read."""

    def __init__(self) -> None:
        from tokenizers import Tokenizer

        self._tokenizer = Tokenizer.from_buffer(checked_bytes(*TOKENIZER))
        # The file asks for 128 tokens, padded: made for training batches, and would cut and waste here.
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(MAX_TOKENS)

    def pieces(self, texts: Sequence[str]) -> list[Pieces]:
        encodings = self._tokenizer.encode_batch([_clean(text) for text in texts])
        return [
            Pieces(np.array(e.ids, dtype=np.int64), np.array(e.offsets[1:-1], dtype=np.int32).reshape(-1, 2))
            for e in encodings
        ]


def _clean(text: str) -> str:
    """The part that is read; lone surrogates, which UTF-8 cannot hold, become one replacement character each."""
    return text[:MAX_CHARACTERS].encode("utf-8", "replace").decode("utf-8")
