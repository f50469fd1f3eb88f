from itertools import pairwise

import numpy as np
import pytest

from kg_assets.novelty.nearness import Spoken, unmatched
from kg_assets.novelty.nearness_jax import unmatched_pairs


def spoken(chance: np.random.Generator, tokens: int) -> Spoken:
    rows = chance.normal(size=(tokens, 64))
    kept = np.rint(rows / np.linalg.norm(rows, axis=1, keepdims=True) * 127).astype(np.int8)
    cuts = sorted({0, tokens, *chance.integers(0, tokens + 1, size=4).tolist()})
    groups = [tuple(range(start, end)) for start, end in pairwise(cuts)]
    return Spoken(kept, tuple(groups[:: chance.integers(1, 3)]), False)


def test_many_pairs_at_once_are_what_serving_finds_one_by_one() -> None:
    chance = np.random.default_rng(1)
    turns = [spoken(chance, int(size)) for size in chance.integers(1, 40, size=120)]
    near = [turn.tokens[::-1] if place % 3 else spoken(chance, 1 + place).tokens for place, turn in enumerate(turns)]
    one_by_one = [unmatched(turn, tokens) for turn, tokens in zip(turns, near, strict=True)]
    assert unmatched_pairs(turns, near) == pytest.approx(one_by_one, abs=1e-6)
    assert np.std(one_by_one) > 0


def test_where_nothing_is_told_or_known_all_is_unmatched() -> None:
    turn = spoken(np.random.default_rng(2), 5)
    silent, empty = Spoken(turn.tokens, (), False), np.zeros((0, 64), dtype=np.int8)
    assert unmatched_pairs([silent, turn, turn], [turn.tokens, empty, turn.tokens]).tolist()[:2] == [1.0, 1.0]
    assert unmatched_pairs([], []).tolist() == []
