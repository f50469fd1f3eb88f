import numpy as np
import pytest

from kg_assets.maintenance.novelty_pairs import Aligned, Ear, made_up_pairs
from kg_assets.maintenance.novelty_training import HELD_OUT_PAIRS, HELD_OUT_SEED, pair_figures, relations
from kg_assets.novelty.nearness import ALIGNMENT, Alignment
from kg_assets.novelty.relation import TERMS, relation, terms
from kg_assets.novelty.scoring import EVIDENCE, VERSION
from kg_assets.novelty.telling import TELLING
from kg_assets.novelty.training import PRIOR, Turns, auc, fit_calibration, fit_relation, fit_worth
from kg_assets.novelty.weights import default_weights, shipped_figures
from resources.embedder import build_embedder


def test_the_weights_that_ship_fit_the_code_and_never_punish_what_is_told() -> None:
    weights = default_weights()
    assert weights.version == VERSION == shipped_figures().version
    assert set(weights.telling) == {*TELLING, "bias"}
    assert set(weights.worth) == {*EVIDENCE, "bias"}
    assert min(weights.worth[name] for name in EVIDENCE) >= 0
    assert tuple(weights.same) == tuple(weights.opposite) == TERMS
    assert weights.calibration["slope"] > 0


def test_without_examples_worth_is_what_judgement_said() -> None:
    nothing = Turns(np.zeros((2, len(EVIDENCE))), np.array([0.0, 1.0]), np.ones(2))
    fitted = fit_worth(nothing)
    assert {name: fitted[name] for name in EVIDENCE} == pytest.approx(dict(PRIOR), abs=1e-3)


def test_the_fits_find_what_made_the_data() -> None:
    chance = np.random.default_rng(1)
    alignments = chance.random((12_000, len(ALIGNMENT)))
    made_by = {"unmatched": -6.0, "negated unmatched": 3.0, "bias": 1.0}
    same = terms(alignments) @ np.array([made_by.get(_turned(name), made_by.get(name, 0.0)) for name in TERMS])
    kinds = np.where(chance.random(12_000) < 1 / (1 + np.exp(-same)), "entailed", "neutral")
    fitted, _ = fit_relation(alignments, kinds, np.ones(12_000))
    again = terms(alignments) @ np.array([fitted[name] for name in TERMS])
    assert float(np.corrcoef(again, same)[0, 1]) > 0.97
    amounts = chance.normal(size=4000) * 3
    grades = 1 / (1 + np.exp(-(0.5 * amounts - 1)))
    assert fit_calibration(amounts, grades) == pytest.approx({"slope": 0.5, "offset": -1.0}, abs=1e-3)


def test_ties_count_half() -> None:
    assert auc(np.array([1.0, 1.0]), np.array([True, False])) == 0.5
    assert auc(np.array([2.0, 1.0, 0.0]), np.array([True, True, False])) == 1.0


def test_what_ships_of_repetition_is_as_good_as_it_says() -> None:
    """`python benchmarks/novelty_training.py` makes it again. The tolerance is for other processors, on which the int8
    encoder rounds differently."""
    shipped = shipped_figures().figures
    made = made_up_pairs(Ear(build_embedder("minilm-int8")), HELD_OUT_PAIRS, HELD_OUT_SEED, "held out")
    found = pair_figures(made, default_weights())
    assert found == pytest.approx({name: shipped[name] for name in found}, abs=0.005)


def test_a_chance_that_serving_finds_is_the_one_that_is_measured() -> None:
    weights, alignments = default_weights(), np.random.default_rng(3).random((50, len(ALIGNMENT)))
    same, opposite = relations(Aligned(alignments, np.full(50, "neutral")), weights)
    online = [
        relation(Alignment(**dict(zip(ALIGNMENT, row.tolist(), strict=True))), weights.same, weights.opposite)
        for row in alignments
    ]
    assert [each.same for each in online] == pytest.approx(same.tolist(), abs=1e-6)
    assert [each.opposite for each in online] == pytest.approx(opposite.tolist(), abs=1e-6)


def _turned(name: str) -> str:
    return " ".join(reversed(name.split()))
