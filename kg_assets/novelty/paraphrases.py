"""Made-up pairs of statements: what the model of repetition is fitted to, besides natural talk.

Of `second`, where `first` is known: *entailed* says no more (other words, a wider word, less said, turned round),
*neutral* says something else or more, a *contradiction* denies it or says the opposite. Of all kinds, second ones are
turned round and put in other words alike, and some firsts stand among other talk, so that neither is a sign of a kind.

Everything is drawn from one seed. The words of the part "held out" never occur in the part "fitted".
"""

import random
from collections.abc import Callable

import msgspec

from kg_assets.novelty.lives import chatty, life_contradiction, life_entailed, life_neutral
from kg_assets.novelty.phrasebook import REACTIONS, TELLING
from kg_assets.novelty.rehearsal import filled
from kg_assets.novelty.scene_pairs import scene_contradiction, scene_entailed, scene_neutral
from kg_assets.novelty.scenes import Part

AMONG_OTHERS = 0.35  # of the firsts


class Pair(msgspec.Struct, frozen=True):
    """`kind` is entailed, neutral or contradiction: of `second`, where `first` is known."""

    first: str
    second: str
    kind: str


Maker = Callable[[random.Random, Part], tuple[str, str]]
KINDS = ("entailed", "neutral", "contradiction")
MAKERS: dict[str, tuple[Maker, ...]] = {
    "entailed": (scene_entailed, life_entailed),
    "neutral": (scene_neutral, life_neutral),
    "contradiction": (scene_contradiction, life_contradiction),
}


def pairs(count: int, seed: int, part: Part = "fitted") -> list[Pair]:
    """A third of each kind, half of them of scenes and half of what people say of themselves."""
    chance = random.Random(f"pairs {seed} {part}")
    found: list[Pair] = []
    while len(found) < count:
        kind = KINDS[len(found) % 3]
        first, second = chance.choice(MAKERS[kind])(chance, part)
        if first != second or kind == "entailed":
            found.append(Pair(_among(chance, first), chatty(chance, second), kind))
    return found


def _among(chance: random.Random, text: str) -> str:
    """By chance with other statements and courtesies before and after."""
    if chance.random() >= AMONG_OTHERS:
        return text
    said = [text, *(filled(chance, TELLING) for _ in range(chance.choice((1, 1, 2))))]
    chance.shuffle(said)
    return " ".join([filled(chance, REACTIONS), *said] if chance.random() < 0.5 else said)
