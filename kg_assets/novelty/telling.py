"""How much a sentence tells of people's lives: the rate of statements that an extractor would read from it.

A Poisson regression over cheap features of one sentence (`TELLING` names them), fitted to what the open extraction
reads. The rate of a text is the sum over its sentences, so praise in one sentence takes nothing from another.
"""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from kg_assets.novelty.reading import Sentence

TELLING = (
    *("concrete", "vague", "own_concrete", "own_vague", "own", "addressed", "question", "exclaimed", "courtesies"),
    *("past", "own_past", "digits", "times", "names", "denied", "addressed_concrete", "own_addressed", "pointing"),
)
MOST = 6.0  # of the logarithm of a rate


def telling(sentence: Sentence) -> tuple[float, ...]:
    """The features of a sentence in the order of `TELLING`; counts as log(1 + n)."""
    own = float(sentence.own or sentence.elliptic)
    concrete, vague = math.log1p(len(sentence.concrete)), math.log1p(sentence.vague)
    addressed, past = float(sentence.addressed), float(sentence.past)
    return (
        *(concrete, vague, concrete * own, vague * own, own, addressed),
        *(float(sentence.question), float(sentence.exclaimed), math.log1p(sentence.courtesies)),
        *(past, past * own, float(sentence.numbers > 0), float(sentence.times > 0), math.log1p(len(sentence.names))),
        *(float(sentence.denied), concrete * addressed, own * addressed, float(sentence.pointing)),
    )


def rates(sentences: Sequence[Sentence], weights: Mapping[str, float]) -> np.ndarray:
    """float64 (sentences,): expected statements of each."""
    if not sentences:
        return np.zeros(0)
    features = np.array([telling(sentence) for sentence in sentences])
    logarithms = features @ np.array([weights[name] for name in TELLING]) + weights["bias"]
    return np.asarray(np.exp(np.minimum(logarithms, MOST)))
