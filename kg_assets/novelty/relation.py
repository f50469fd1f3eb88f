"""What a turn is to the nearest known one: the same again, its opposite, or something new.

A softmax over these three, whose logarithms are polynomials of second degree in the `Alignment`; that of something
new is 0.
Fitted on made-up pairs and on chance neighbours in natural talk (`maintenance/novelty_training.py`).
"""

import math
from collections.abc import Mapping

import msgspec
import numpy as np

from kg_assets.novelty.nearness import ALIGNMENT, Alignment

FIRST, SECOND = np.triu_indices(len(ALIGNMENT))
PRODUCTS = tuple(f"{ALIGNMENT[one]} {ALIGNMENT[other]}" for one, other in zip(FIRST, SECOND, strict=True))
TERMS = (*ALIGNMENT, *PRODUCTS, "bias")


class Relation(msgspec.Struct, frozen=True):
    """Chances, 0 to 1; the rest is the chance of something new."""

    same: float
    opposite: float


UNRELATED = Relation(0.0, 0.0)


def relation(alignment: Alignment, same: Mapping[str, float], opposite: Mapping[str, float]) -> Relation:
    """`same` and `opposite` hold a weight by term, in the order of `TERMS`."""
    row = terms(np.array([msgspec.structs.astuple(alignment)]))[0]
    amounts = [*(np.array([(*same.values(),), (*opposite.values(),)]) @ row).tolist(), 0.0]
    powers = [math.exp(each - max(amounts)) for each in amounts]
    # Rounded: what differs beyond the sixth place differs by machine.
    return Relation(round(powers[0] / sum(powers), 6), round(powers[1] / sum(powers), 6))


def terms(alignments: np.ndarray) -> np.ndarray:
    """float64 (n, 19) to (n, 210): as it is, squares and products, 1."""
    products = alignments[:, FIRST] * alignments[:, SECOND]
    return np.column_stack((alignments, products, np.ones(len(alignments))))
