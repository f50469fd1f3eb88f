"""Fitting what novelty weighs with, in JAX and optax: four small convex problems, each to its one optimum.

    telling      Poisson regression: statements that extraction reads from a sentence
    worth        logistic regression, weights at least 0, drawn to `PRIOR`
    relation     softmax regression over pairs of statements
    calibration  Platt's logistic of the fitted worth (Platt 1999), against grades in 0 to 1

`PRIOR` holds the judgement that novelty was weighed with before there was data, and keeps what is learnt from
assistants' users near it where people talk to each other. JAX is imported here only, inside functions: nothing that
serves or appends comes this way.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
import numpy as np

from kg_assets.novelty.relation import TERMS, terms
from kg_assets.novelty.scoring import EVIDENCE
from kg_assets.novelty.telling import MOST, TELLING

PRIOR: Mapping[str, float] = {
    "told": 1.5,
    "statement": 1.8,
    "single_valued": 0.7,
    "dated": 0.5,
    "numbered": 0.4,
    "entity": 0.4,
    "surprise": 0.3,
    "opposed": 3.0,
    "told_bits": 1.0,
    "new_share": 0.3,
    "unsaid": 0.25,
    "opening": 1.5,
    "expected": 0.6,
}
PULL = 300.0  # of the prior, against examples of weight one
RIDGE = 1.0
RIDGE_OF_RELATION = 0.1  # its features lie between 0 and 1
STEPS = 400  # of L-BFGS; all four stop moving long before


class Turns(msgspec.Struct, frozen=True):
    """evidence float (n, 13) in the order of `EVIDENCE`, worth float (n,) in 0 to 1, weight float (n,)."""

    evidence: np.ndarray
    worth: np.ndarray
    weight: np.ndarray

    def of(self, rows: np.ndarray) -> "Turns":
        return Turns(self.evidence[rows], self.worth[rows], self.weight[rows])


def fit_telling(features: np.ndarray, counts: np.ndarray) -> dict[str, float]:
    """`features` float (sentences, 18) in the order of `TELLING`."""
    import jax.numpy as jnp

    def loss(values: Any) -> Any:
        rate = jnp.minimum(features @ values[:-1] + values[-1], MOST)
        return jnp.sum(jnp.exp(rate) - counts * rate) + RIDGE / 2 * jnp.sum(values[:-1] ** 2)

    return _named(minimum(loss, np.zeros(len(TELLING) + 1)), TELLING)


def fit_worth(turns: Turns) -> dict[str, float]:
    import jax
    import jax.numpy as jnp

    prior = np.array([PRIOR[name] for name in EVIDENCE])

    def loss(values: Any) -> Any:
        weights = jax.nn.softplus(values[:-1])
        misfit = _cross_entropy(turns.evidence @ weights + values[-1], turns.worth)
        return jnp.sum(turns.weight * misfit) + PULL / 2 * jnp.sum((weights - prior) ** 2)

    found = minimum(loss, np.append(np.log(np.expm1(prior)), -3.0))
    return _named(np.append(np.logaddexp(0, found[:-1]), found[-1]), EVIDENCE)


def fit_relation(
    alignments: np.ndarray, kinds: np.ndarray, weight: np.ndarray
) -> tuple[dict[str, float], dict[str, float]]:
    """(same, opposite) by term. `alignments` float (pairs, 19), `kinds` str (entailed, neutral, contradiction)."""
    import jax
    import jax.numpy as jnp

    given = terms(alignments)
    wanted = np.column_stack([kinds == kind for kind in ("entailed", "contradiction", "neutral")]).astype(float)

    def loss(values: Any) -> Any:
        weights = values.reshape(2, -1)
        amounts = jnp.column_stack((given @ weights.T, jnp.zeros(len(given))))
        misfit = jax.nn.logsumexp(amounts, axis=1) - (amounts * wanted).sum(axis=1)
        return jnp.sum(weight * misfit) + RIDGE_OF_RELATION / 2 * jnp.sum(weights[:, :-1] ** 2)

    same, opposite = minimum(loss, np.zeros(2 * given.shape[1])).reshape(2, -1)
    return _named(same, TERMS[:-1]), _named(opposite, TERMS[:-1])


def fit_calibration(amounts: np.ndarray, grades: np.ndarray) -> dict[str, float]:
    """`amounts` are the worth model's before its logistic function, of turns that it was not fitted to."""
    import jax.numpy as jnp

    def loss(values: Any) -> Any:
        return jnp.sum(_cross_entropy(values[0] * amounts + values[1], grades))

    slope, offset = minimum(loss, np.array([1.0, 0.0]))
    return {"slope": round(float(slope), 6), "offset": round(float(offset), 6)}


def minimum(loss: Callable[[Any], Any], start: np.ndarray) -> np.ndarray:
    """Where a smooth convex function is least, by L-BFGS in double precision (Liu & Nocedal 1989)."""
    import jax
    import optax

    with jax.enable_x64(True):
        solver = optax.lbfgs()
        value_and_grad = optax.value_and_grad_from_state(loss)

        def step(carried: Any, _: Any) -> Any:
            values, state = carried
            value, grad = value_and_grad(values, state=state)
            updates, state = solver.update(grad, state, values, value=value, grad=grad, value_fn=loss)
            return (optax.apply_updates(values, updates), state), None

        values = jax.numpy.asarray(start, dtype=jax.numpy.float64)
        (values, _), _ = jax.jit(lambda carried: jax.lax.scan(step, carried, length=STEPS))(
            (values, solver.init(values))
        )
        return np.asarray(values)


def amounts(evidence: np.ndarray, worth: Mapping[str, float]) -> np.ndarray:
    """float (n,): the worth model before its logistic function."""
    return np.asarray(evidence @ np.array([worth[name] for name in EVIDENCE]) + worth["bias"])


def auc(score: np.ndarray, positive: np.ndarray) -> float:
    """The chance that a positive stands above a negative, ties counted half (Mann-Whitney)."""
    _, place, counts = np.unique(score, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[place]
    hits = int(positive.sum())
    return float((ranks[positive].sum() - hits * (hits + 1) / 2) / (hits * (len(score) - hits)))


def _cross_entropy(amount: Any, label: np.ndarray) -> Any:
    import jax.numpy as jnp

    return jnp.logaddexp(0.0, amount) - label * amount


def _named(values: np.ndarray, names: Sequence[str]) -> dict[str, float]:
    """Rounded: what differs beyond the sixth place differs by machine."""
    return {name: round(float(value), 6) for name, value in zip((*names, "bias"), values, strict=True)}
