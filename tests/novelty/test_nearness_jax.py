from itertools import pairwise

import msgspec
import numpy as np
import pytest

from kg_assets.novelty.nearness import NOTHING, Heard, Spoken, aligned
from kg_assets.novelty.nearness_jax import aligned_pairs

WORDS = ("not", "two", "7", "ana", "ben", "boat", "ship", "canoe", "big", "small", "cat", "dog", "buy", "sell", "flat")


def spoken(chance: np.random.Generator, tokens: int) -> Spoken:
    rows = chance.normal(size=(tokens, 64))
    kept = np.rint(rows / np.linalg.norm(rows, axis=1, keepdims=True) * 127).astype(np.int8)
    cuts = sorted({0, tokens, *chance.integers(0, tokens + 1, size=4).tolist()})
    groups = np.array(list(pairwise(cuts))[:: chance.integers(1, 3)])
    words = frozenset(chance.choice(WORDS, size=5).tolist())
    told = tuple(chance.choice(WORDS, size=len(groups)).tolist())
    return Spoken(Heard(kept, words, "not" in words), groups, told, words & {"ana", "ben"})


def test_many_pairs_at_once_are_what_serving_finds_one_by_one() -> None:
    chance = np.random.default_rng(1)
    turns = [spoken(chance, int(size)) for size in chance.integers(1, 40, size=300)]
    known = [
        msgspec.structs.replace(turn.heard, tokens=turn.heard.tokens[::-1])
        if place % 3
        else spoken(chance, 1 + place % 50).heard
        for place, turn in enumerate(turns)
    ]
    one_by_one = np.array(
        [msgspec.structs.astuple(aligned(turn, near)) for turn, near in zip(turns, known, strict=True)]
    )
    assert aligned_pairs(turns, known) == pytest.approx(one_by_one, abs=1e-6)
    assert one_by_one.std(axis=0)[:-1].min() > 0


def test_where_nothing_is_told_or_known_nothing_is_aligned() -> None:
    turn = spoken(np.random.default_rng(2), 5)
    silent = msgspec.structs.replace(turn, groups=np.zeros((0, 2), dtype=np.int64), told=())
    empty = Heard(np.zeros((0, 64), dtype=np.int8), frozenset(), False)
    found = aligned_pairs([silent, turn, turn], [turn.heard, empty, turn.heard])
    assert found[:2].tolist() == [list(msgspec.structs.astuple(NOTHING))] * 2
    assert found[2].tolist() != found[1].tolist()
    assert aligned_pairs([], []).shape == (0, 19)
