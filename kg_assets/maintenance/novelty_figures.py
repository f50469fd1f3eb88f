"""What the weights that ship are worth today: measured on made-up talk of another seed than they were fitted to."""

import msgspec

from kg_assets.maintenance.novelty_pairs import Ear, made_up_pairs
from kg_assets.maintenance.novelty_training import (
    HELD_OUT_PAIRS,
    HELD_OUT_SEED,
    evidence_of,
    extracted,
    made_up,
    pair_figures,
    turn_figures,
)
from kg_assets.novelty import training
from kg_assets.novelty.weights import HeldOut, Weights
from kg_assets.ports import Embedder

CONVERSATIONS, SEED = 40, 2


def measured(weights: Weights, embedder: Embedder) -> HeldOut:
    """Fits nothing and writes nothing. Takes half a minute: what each turn tells is extracted."""
    examples = made_up(CONVERSATIONS, SEED)
    _, grades = extracted(examples)
    amounts = training.amounts(evidence_of(examples, weights), weights.worth)
    made = made_up_pairs(Ear(embedder), HELD_OUT_PAIRS, HELD_OUT_SEED, "held out")
    found = turn_figures(examples, amounts, grades, weights)
    figures = {"examples": len(examples), "pairs": len(made.kinds), **found.figures}
    return msgspec.structs.replace(found, figures=figures | pair_figures(made, weights))
