"""The numbers that novelty weighs with, shipped as JSON; `python benchmarks/novelty_training.py` fits them."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import msgspec

FILE = Path(__file__).parent / "weights.json"
FIGURES = Path(__file__).parent / "weights_held_out.json"


class Weights(msgspec.Struct, frozen=True, kw_only=True):
    """`telling` and `worth` hold a weight by feature and `bias`, `same` and `opposite` by term of `relation.TERMS`;
    `calibration` holds `slope` and `offset`.

    Every weight of `worth` is at least 0: what tells more never scores less.
    """

    version: str
    telling: Mapping[str, float]
    worth: Mapping[str, float]
    same: Mapping[str, float]
    opposite: Mapping[str, float]
    calibration: Mapping[str, float]


class HeldOut(msgspec.Struct, frozen=True, kw_only=True):
    """What was measured of the weights when they were fitted, on examples that were held out.

    `reliability` has (expected, found, examples) for each tenth of the calibrated chance.
    """

    version: str
    figures: Mapping[str, float]
    reliability: tuple[tuple[float, float, int], ...]


@cache
def default_weights() -> Weights:
    return msgspec.json.decode(FILE.read_bytes(), type=Weights)


def shipped_figures() -> HeldOut:
    return msgspec.json.decode(FIGURES.read_bytes(), type=HeldOut)
