"""Made-up talk with labels, from templates: what the novelty model is trained on besides public data.

A turn is worth remembering if one of its sentences tells something of the speaker's life; reactions, courtesies,
encouragement, questions and commonplaces tell nothing. Pairs of statements are made by `paraphrases.py`.

No template was taken from an evaluation set. Everything is drawn from one seed, so that it can be made again.
"""

import random
import re
from collections.abc import Sequence

import msgspec

from kg_assets.novelty.phrasebook import FILLERS, REACTIONS, SLOTS, TELLING

SLOT = re.compile(r"\{(\w+)\}")
SHARED = 0.5  # of the turns tell something


class Turn(msgspec.Struct, frozen=True):
    text: str
    worth: bool


def conversations(count: int, turns: int, seed: int) -> list[list[Turn]]:
    """`count` conversations of `turns` turns each."""
    chance = random.Random(f"talk {seed}")
    return [[_turn(chance) for _ in range(turns)] for _ in range(count)]


def _turn(chance: random.Random) -> Turn:
    """A reaction or none, then what is told or a filler, then a question or none."""
    worth = chance.random() < SHARED
    said = []
    if chance.random() < (0.6 if worth else 0.8):
        said += [filled(chance, REACTIONS) for _ in range(1 if worth else chance.choice((1, 1, 2)))]
    if worth:
        said += [filled(chance, TELLING) for _ in range(chance.choice((1, 1, 2, 2, 3)))]
    elif chance.random() < 0.5:
        said += [filled(chance, FILLERS["commonplace"]) for _ in range(chance.choice((1, 1, 2)))]
    if chance.random() < 0.45 or not said:
        said.append(filled(chance, FILLERS["question"]))
    return Turn(" ".join(said), worth)


def filled(chance: random.Random, templates: Sequence[str], *, capital: bool = True) -> str:
    """A template with every slot drawn; a slot may hold slots."""
    text = chance.choice(templates)
    while "{" in text:
        text = SLOT.sub(lambda slot: chance.choice(SLOTS[slot.group(1)]), text)
    return text[0].upper() + text[1:] if capital else text
