"""How far what is told is from the nearest turn that is known: soft word alignment over the encoder's token vectors.

For each word that tells something the best cosine with any token of the known turn (the mean over its word pieces);
`unmatched` is 1 - the least of these: what one word says anew makes a statement new. Late interaction (Khattab &
Zaharia 2020) with the minimum in place of the mean: on made-up pairs the mean added nothing once the minimum was in.
A negation on one side only is a contradiction, however well the words match.
"""

from collections.abc import Iterable

import msgspec
import numpy as np

from kg_assets.model import Encoded
from kg_assets.novelty.reading import Reading
from kg_assets.novelty.vocabulary import NEGATIONS
from kg_assets.text.tokens import words

SCALE = 127.0  # of a stored token vector, as in `Item.tokens`


class Spoken(msgspec.Struct, frozen=True):
    """A turn as the alignment needs it.

    tokens  int8 (n, 64)   unit vectors times 127
    groups  the word pieces of each word that tells something, outside questions
    """

    tokens: np.ndarray
    groups: tuple[tuple[int, ...], ...]
    denied: bool


class Nearness(msgspec.Struct, frozen=True):
    """Of the nearest known turn, by `seq`; `unmatched` 1 where there is none. `negated`: one denies, one does not."""

    unmatched: float
    negated: bool
    seq: int


FAR = Nearness(1.0, False, 0)


def spoken(reading: Reading, encoded: Encoded, projection: np.ndarray) -> Spoken:
    """`projection` is the embedder's, float32 (dim, 64)."""
    starts, ends = encoded.offsets[:, 0], encoded.offsets[:, 1]
    groups = []
    for start, end in (span for sentence in reading.told for span in sentence.spans):
        first, last = int(np.searchsorted(starts, start)), int(np.searchsorted(ends, end, side="right"))
        if first < last:
            groups.append(tuple(range(first, last)))
    return Spoken(kept(encoded.tokens, projection), tuple(groups), denies(reading.draft.text))


def kept(tokens: np.ndarray, projection: np.ndarray) -> np.ndarray:
    """int8 (n, 64): what the index keeps of token vectors."""
    rows = tokens @ projection
    lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
    return np.asarray(np.rint(rows / np.where(lengths > 0, lengths, 1) * SCALE), dtype=np.int8)


def denies(text: str) -> bool:
    return not NEGATIONS.isdisjoint(words(text))


def nearest(turn: Spoken, known: Iterable[tuple[int, np.ndarray, bool]]) -> Nearness:
    """The known turn that leaves least unmatched, of those about as near the latest: it may take an older one back.

    `known` holds (seq, int8 (m, 64), whether it denies).
    """
    best = FAR
    for seq, tokens, denied in known:
        if len(tokens) and turn.groups:
            found = Nearness(unmatched(turn, tokens), denied != turn.denied, seq)
            best = min(best, found, key=lambda each: (round(each.unmatched, 1), -each.seq))
    return best


def unmatched(turn: Spoken, tokens: np.ndarray) -> float:
    """1 - the least well matched word's cosine, between 0 and 1."""
    cosines = turn.tokens.astype(np.float32) @ tokens.astype(np.float32).T / (SCALE * SCALE)
    best = cosines.max(axis=1).astype(np.float64)
    least = min(float(best[list(group)].mean()) for group in turn.groups)
    return min(1.0, max(0.0, 1.0 - least))
