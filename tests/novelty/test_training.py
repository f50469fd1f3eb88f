import numpy as np
import pytest

from kg_assets.maintenance.novelty_training import pair_features
from kg_assets.novelty.scoring import EVIDENCE, VERSION
from kg_assets.novelty.telling import TELLING
from kg_assets.novelty.training import PRIOR, Turns, auc, fit_calibration, fit_repeated, fit_worth
from kg_assets.novelty.weights import default_weights, shipped_figures
from resources.embedder import build_embedder


def test_the_weights_that_ship_fit_the_code_and_never_punish_what_is_told() -> None:
    weights = default_weights()
    assert weights.version == VERSION == shipped_figures().version
    assert set(weights.telling) == {*TELLING, "bias"}
    assert set(weights.worth) == {*EVIDENCE, "bias"}
    assert min(weights.worth[name] for name in EVIDENCE) >= 0
    assert weights.repeated["unmatched"] < 0 > weights.repeated["negated"]
    assert weights.calibration["slope"] > 0


def test_without_examples_worth_is_what_judgement_said() -> None:
    nothing = Turns(np.zeros((2, len(EVIDENCE))), np.array([0.0, 1.0]), np.ones(2))
    fitted = fit_worth(nothing)
    assert {name: fitted[name] for name in EVIDENCE} == pytest.approx(dict(PRIOR), abs=1e-3)


def test_the_fits_find_what_made_the_data() -> None:
    chance = np.random.default_rng(1)
    far, negated = chance.random(4000), (chance.random(4000) < 0.3).astype(float)
    same = (chance.random(4000) < 1 / (1 + np.exp(-(3 - 8 * far - 4 * negated)))).astype(float)
    fitted = fit_repeated(far, negated, same)
    assert fitted["unmatched"] == pytest.approx(-8, rel=0.2)
    assert fitted["negated"] == pytest.approx(-4, rel=0.2)
    amounts = chance.normal(size=4000) * 3
    grades = 1 / (1 + np.exp(-(0.5 * amounts - 1)))
    assert fit_calibration(amounts, grades) == pytest.approx({"slope": 0.5, "offset": -1.0}, abs=1e-3)


def test_ties_count_half() -> None:
    assert auc(np.array([1.0, 1.0]), np.array([True, False])) == 0.5
    assert auc(np.array([2.0, 1.0, 0.0]), np.array([True, True, False])) == 1.0


def test_what_ships_of_repetition_is_what_its_recipe_gives() -> None:
    """The rest of the weights needs LongMemEval: `python benchmarks/novelty_training.py`. The tolerance is for other
    processors, on which the int8 encoder rounds differently."""
    far, negated, kinds = pair_features(build_embedder("minilm-int8"))
    fitted = fit_repeated(far, negated, (kinds == "entailed").astype(float))
    assert fitted == pytest.approx(dict(default_weights().repeated), rel=0.03)
