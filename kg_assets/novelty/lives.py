"""What made-up people say of themselves: pairs of statements, as (first, second), and whole lives of them.

See `paraphrases.py` for what a pair is.
"""

import random

import msgspec

from kg_assets.novelty.phrasebook import FAMILIES, FILLERS, REACTIONS, SLOTS, TELLING, Family
from kg_assets.novelty.rehearsal import SLOT, filled
from kg_assets.novelty.scenes import PARTS, Part

WITH_CHAT = 0.15  # of the seconds of pairs
DENIED = 0.06  # of the pairs that agree both deny; of the turns of a life so many deny what was told, and what was not
AGAIN = 0.25  # of the turns of a life tell what was told


class Told(msgspec.Struct, frozen=True):
    """One turn of a made-up life: a template of a family with its slots. `more`: and something else is told."""

    text: str
    family: int
    template: str
    slots: dict[str, str]
    more: bool


def lives(count: int, turns: int, seed: int, part: Part = "fitted") -> list[list[Told]]:
    """Long memories in which much is nearly the same: `count` people tell of themselves, and tell some of it again."""
    chance = random.Random(f"lives {seed} {part}")
    found: list[list[Told]] = []
    for _ in range(count):
        told_so_far: list[Told] = []
        for _ in range(turns):
            told_so_far.append(_turn(chance, part, told_so_far))
        found.append(told_so_far)
    return found


def kind_of(known: Told, new: Told) -> str:
    """What a turn is, where this one is known: entailed, neutral or contradiction."""
    family = FAMILIES[new.family]
    if known.family != new.family or any(known.slots.get(slot) != value for slot, value in new.slots.items()):
        return "neutral"
    if known.template != new.template:
        if known.template in family.less:
            return "neutral"
        if (known.template in family.against) != (new.template in family.against):
            return "contradiction"
    return "neutral" if new.more else "entailed"


def _turn(chance: random.Random, part: Part, before: list[Told]) -> Told:
    way, numbers = chance.random(), [place for place in range(len(FAMILIES)) if _is_of(place, part)]
    old = chance.choice(before) if before and way < AGAIN + DENIED else None
    number = old.family if old else chance.choice(numbers)
    family = FAMILIES[number]
    slots = slots_of(family, chance) | (old.slots if old else {})
    templates = family.against if way < DENIED or way > 1 - DENIED else (*family.same, *family.same, *family.less)
    template = chance.choice(templates)
    more = chance.random() < 0.2
    text = " ".join([put(template, slots), *([filled(chance, TELLING)] if more else [])])
    own = {slot: slots[slot] for slot in SLOT.findall(template)}
    return Told(chatty(chance, text, 0.5), number, template, own, more)


def _life(chance: random.Random, part: Part) -> Family:
    return FAMILIES[chance.choice([place for place in range(len(FAMILIES)) if _is_of(place, part)])]


def _is_of(place: int, part: Part) -> bool:
    return (place % PARTS == 0) == (part == "held out")


def life_entailed(chance: random.Random, part: Part) -> tuple[str, str]:
    family = _life(chance, part)
    slots = slots_of(family, chance)
    one = chance.choice(family.same)
    others = [each for each in family.same if each != one]
    again = chance.choice(
        family.less if family.less and chance.random() < 0.4 else others if chance.random() < 0.8 else (one,)
    )
    if chance.random() < DENIED:
        one = again = chance.choice(family.against)
    return put(one, slots), put(again, slots)


def life_neutral(chance: random.Random, part: Part) -> tuple[str, str]:
    family = _life(chance, part)
    slots = slots_of(family, chance)
    way = chance.random()
    if family.less and way < 0.2:
        return put(chance.choice(family.less), slots), put(chance.choice(family.same), slots)
    if way < 0.35:  # another statement with something of this one in it
        second = _life(chance, part)
        if second is not family:
            return put(chance.choice(family.same), slots), put(
                chance.choice(second.same), slots_of(second, chance) | slots
            )
    again = chance.choice([each for each in (*family.same, *family.same, *family.less) if SLOT.search(each)])
    changed = dict(slots)
    slot = chance.choice(sorted(set(SLOT.findall(again))))
    while changed[slot] == slots[slot]:
        changed[slot] = slots_of(family, chance)[slot]
    if chance.random() < 0.12:
        denials = [each for each in family.against if set(SLOT.findall(again)) <= set(SLOT.findall(each))]
        again = chance.choice(denials or [again])
    return put(chance.choice(family.same), slots), put(again, changed)


def life_contradiction(chance: random.Random, part: Part) -> tuple[str, str]:
    family = _life(chance, part)
    slots = slots_of(family, chance)
    first, second = put(chance.choice(family.same), slots), put(chance.choice(family.against), slots)
    return (second, first) if chance.random() < 0.15 else (first, second)


def slots_of(family: Family, chance: random.Random) -> dict[str, str]:
    """Each slot of the family filled once, so that all its templates tell of the same."""
    open_slots = {slot for each in (*family.same, *family.less, *family.against) for slot in SLOT.findall(each)}
    return {slot: filled(chance, (chance.choice(SLOTS[slot]),), capital=False) for slot in sorted(open_slots)}


def put(template: str, slots: dict[str, str]) -> str:
    text = SLOT.sub(lambda slot: slots[slot.group(1)], template)
    return text[0].upper() + text[1:]


def chatty(chance: random.Random, text: str, share: float = WITH_CHAT) -> str:
    if chance.random() >= share:
        return text
    before = filled(chance, REACTIONS) if chance.random() < 0.6 else ""
    after = filled(chance, FILLERS["question"]) if not before or chance.random() < 0.5 else ""
    return " ".join(each for each in (before, text, after) if each)
