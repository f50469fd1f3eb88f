"""How what is told lies to the nearest turn that is known: soft word alignment over the encoder's token vectors.

For each word that tells something the best cosine with any token of the known turn (the mean over its word pieces):
late interaction (Khattab & Zaharia 2020), both ways, with the least matched words kept apart, because what one word
says anew makes a statement new. Beside it what monolingual alignment looks at too: lengths, numbers, names, negation,
and what words mean to each other (`senses.py`): "he plays an instrument" is no news after "he plays the guitar".
And how near the next nearest is: among hundreds of turns one is near by chance, and then others are about as near
(the ratio test of Lowe 2004).
What follows of an `Alignment` is for `relation.py`.
"""

import math
from collections.abc import Iterable, Sequence
from itertools import zip_longest

import msgspec
import numpy as np

from kg_assets.model import Encoded
from kg_assets.novelty.reading import Reading
from kg_assets.novelty.senses import Meaning, default_senses
from kg_assets.novelty.vocabulary import CALENDAR, EMPTY, NEGATIONS, NO_DENIALS, NUMBERS
from kg_assets.text.tokens import words

EXPLAINED = ("same", "wider")  # what is told so tells nothing new
SCALE = 127.0  # of a stored token vector, as in `Item.tokens`
LOGARITHM = 3.0  # brings logarithms of counts to about 1
MOST_NAMES = 3
MOST_WORDS = 3  # of one meaning


class Heard(msgspec.Struct, frozen=True):
    """A known turn: int8 (n, 64), unit vectors times 127, its words in lower case, and whether one of them denies."""

    tokens: np.ndarray
    words: frozenset[str]
    denies: bool


class Spoken(msgspec.Struct, frozen=True):
    """A turn as the alignment needs it.

    groups  int (words, 2)   the word pieces, from and to, of each word that tells something, outside questions
    told    these words, in lower case
    names   single words of the names in it
    """

    heard: Heard
    groups: np.ndarray
    told: tuple[str, ...]
    names: frozenset[str]


class Alignment(msgspec.Struct, frozen=True, kw_only=True):
    """Of a turn with a known one. What is unmatched is 1 - cosine, 0 to 1."""

    unmatched: float  # of the word that is matched least
    second_unmatched: float
    mean_unmatched: float
    rest_unmatched: float  # the mean over all tokens, grammar too
    left_out: float  # the same of the known turn's tokens
    apart: float  # 1 - cosine of the mean vectors
    length: float  # log(1 + words that tell something) / 3
    known_longer: float  # log of tokens over tokens / 3
    other_number: float  # flag: a number, a month or a day of the week that the known turn does not hold
    other_names: float  # names that it does not hold, a third each
    negated: float  # flag: one denies and the other does not
    both_deny: float  # flag
    unexplained: float  # as `unmatched`, of the words that are neither said in it nor another or a wider name of one
    mean_unexplained: float  # their sum over the number of all words
    reworded: float  # words that are another or a wider name, a third each, as the three that follow
    narrower: float  # than one of the known turn
    siblings: float  # of the same kind as one
    opposites: float
    others_unmatched: float  # the least matched word's distance to the next nearest of the known turns; 1 without one


ALIGNMENT = tuple(field.name for field in msgspec.structs.fields(Alignment))


class Nearness(msgspec.Struct, frozen=True):
    """Of the nearest known turn, by `seq`, 0 where there is none, and its `words`."""

    alignment: Alignment
    seq: int
    words: frozenset[str]

    def explains(self, words: Sequence[str]) -> bool:
        """Whether it holds each of these words, or another or a narrower name of it."""
        named = self.words | {word.removesuffix("'s") for word in self.words}
        meanings = default_senses().meanings(words, named - EMPTY)
        return all(each in EXPLAINED for each in meanings)


NOTHING = Alignment(
    unmatched=1.0,
    second_unmatched=1.0,
    mean_unmatched=1.0,
    rest_unmatched=1.0,
    left_out=1.0,
    apart=1.0,
    length=0.0,
    known_longer=0.0,
    other_number=0.0,
    other_names=0.0,
    negated=0.0,
    both_deny=0.0,
    unexplained=1.0,
    mean_unexplained=1.0,
    reworded=0.0,
    narrower=0.0,
    siblings=0.0,
    opposites=0.0,
    others_unmatched=1.0,
)
FAR = Nearness(NOTHING, 0, frozenset())


def spoken(reading: Reading, encoded: Encoded, projection: np.ndarray) -> Spoken:
    """`projection` is the embedder's, float32 (dim, 64)."""
    spans = np.array([span for sentence in reading.told for span in sentence.spans], dtype=np.int64).reshape(-1, 2)
    groups = np.column_stack(
        (
            np.searchsorted(encoded.offsets[:, 0], spans[:, 0]),
            np.searchsorted(encoded.offsets[:, 1], spans[:, 1], side="right"),
        )
    )
    whole = groups[:, 0] < groups[:, 1]
    return Spoken(
        heard(kept(encoded.tokens, projection), reading.draft.text),
        groups[whole],
        tuple(reading.draft.text[start:end].casefold() for start, end in spans[whole].tolist()),
        frozenset(word for sentence in reading.told for name in sentence.names for word in name.split()),
    )


def heard(tokens: np.ndarray, text: str) -> Heard:
    said = words(text)
    return Heard(tokens, frozenset(said), denies(said))


def kept(tokens: np.ndarray, projection: np.ndarray) -> np.ndarray:
    """int8 (n, 64): what the index keeps of token vectors."""
    rows = tokens @ projection
    lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
    return np.asarray(np.rint(rows / np.where(lengths > 0, lengths, 1) * SCALE), dtype=np.int8)


def denies(said: Sequence[str]) -> bool:
    return any(word in NEGATIONS and (word, after) not in NO_DENIALS for word, after in zip_longest(said, said[1:]))


def nearest(turn: Spoken, known: Iterable[tuple[int, Heard]]) -> Nearness:
    """The known turn that leaves least unmatched, of those about as near the latest: it may take an older one back."""
    turns = [(seq, each) for seq, each in known if len(each.tokens)]
    if not turns or not len(turn.groups):
        return FAR
    ends = np.cumsum([len(each.tokens) for _, each in turns])
    cosines = _cosines(turn.heard.tokens, np.concatenate([each.tokens for _, each in turns]))
    best = np.maximum.reduceat(cosines, [0, *ends[:-1]], axis=1).astype(np.float64)
    far = np.clip(1.0 - _word_means(best, turn.groups), 0.0, 1.0)
    least = far.max(axis=0)
    place = min(range(len(turns)), key=lambda each: (round(float(least[each]), 1), -turns[each][0]))
    seq, chosen = turns[place]
    own = cosines[:, ends[place] - len(chosen.tokens) : ends[place]]
    others = float(np.min(np.delete(least, place))) if len(turns) > 1 else 1.0
    return Nearness(_aligned(turn, chosen, own, far[:, place], others), seq, chosen.words)


def aligned(turn: Spoken, known: Heard) -> Alignment:
    return nearest(turn, [(1, known)]).alignment


def _aligned(turn: Spoken, known: Heard, cosines: np.ndarray, far: np.ndarray, others: float) -> Alignment:
    """`cosines` float32 (tokens, tokens of the known turn), `far` float64 (words,)."""
    meanings = meant(turn, known)
    worst = np.sort(far)[::-1]
    best, back = cosines.max(axis=1), cosines.max(axis=0)
    return Alignment(
        unmatched=float(worst[0]),
        second_unmatched=float(worst[1]) if len(worst) > 1 else 0.0,
        mean_unmatched=float(far.mean()),
        rest_unmatched=float(np.clip(1.0 - best.astype(np.float64), 0.0, 1.0).mean()),
        left_out=float(np.clip(1.0 - back.astype(np.float64), 0.0, 1.0).mean()),
        apart=_apart(turn.heard.tokens, known.tokens),
        others_unmatched=others,
        **_explained(far, [each in EXPLAINED for each in meanings]),
        **counted(turn, known, meanings),
    )


def meant(turn: Spoken, known: Heard) -> list[Meaning]:
    """What each word that tells something is to those of the known turn."""
    return default_senses().meanings(turn.told, known.words - EMPTY)


def _explained(far: np.ndarray, explained: Sequence[bool]) -> dict[str, float]:
    left = np.where(explained, 0.0, far)
    return {"unexplained": float(left.max()), "mean_unexplained": float(left.mean())}


def counted(turn: Spoken, known: Heard, meanings: Sequence[Meaning]) -> dict[str, float]:
    """What an alignment tells without vectors."""
    ours, theirs = turn.heard.denies, known.denies
    return {
        "length": math.log1p(len(turn.groups)) / LOGARITHM,
        "known_longer": math.log((len(known.tokens) + 2) / (len(turn.heard.tokens) + 2)) / LOGARITHM,
        "other_number": float(not numbers(turn.heard) <= numbers(known)),
        "other_names": min(len(turn.names - known.words), MOST_NAMES) / MOST_NAMES,
        "negated": float(ours != theirs),
        "both_deny": float(ours and theirs),
        "reworded": _some(
            each in EXPLAINED and word not in known.words for each, word in zip(meanings, turn.told, strict=True)
        ),
        "narrower": _some(each == "narrower" for each in meanings),
        "siblings": _some(each == "sibling" for each in meanings),
        "opposites": _some(each == "opposite" for each in meanings),
    }


def _some(found: Iterable[bool]) -> float:
    return min(sum(found), MOST_WORDS) / MOST_WORDS


def numbers(turn: Heard) -> set[str]:
    return {word for word in turn.words if word in NUMBERS | CALENDAR or any(sign.isdigit() for sign in word)}


def _cosines(tokens: np.ndarray, others: np.ndarray) -> np.ndarray:
    """float32 (n, m). Products of int8 vectors are whole numbers below 2^24, which float32 holds exactly."""
    return np.asarray(tokens.astype(np.float32) @ others.astype(np.float32).T) / np.float32(SCALE * SCALE)


def _word_means(best: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """float64 (words, ...): the mean over each word's pieces."""
    sums = np.concatenate((np.zeros((1, *best.shape[1:])), np.cumsum(best, axis=0)))
    first, last = groups[:, 0], groups[:, 1]
    return np.asarray((sums[last] - sums[first]) / (last - first)[:, None])


def _apart(tokens: np.ndarray, others: np.ndarray) -> float:
    one, other = tokens.sum(axis=0, dtype=np.float64), others.sum(axis=0, dtype=np.float64)
    lengths = math.sqrt(float(one @ one) * float(other @ other))
    return 1.0 - float(one @ other) / lengths if lengths else 1.0
