"""Made-up scenes: who does what, to what, where; and the sentences that tell one."""

import random
from collections.abc import Sequence
from functools import cache
from typing import Literal

import msgspec

from kg_assets.novelty.phrasebook import DEEDS, IRREGULAR, LOOKS, PLACES, THINGS, Deed, Thing

Part = Literal["fitted", "held out"]  # of the words: what is measured was never fitted to

PARTS = 3  # every third word is held out
ON = ("beach", "street", "mountain", "grass", "bridge", "roof", "sidewalk", "stage", "platform", "playground")
BY = ("lake", "river", "train station", "harbour", "swimming pool")
NUMBERS = ("", "", "two", "three", "four", "five")  # by how many there are
ALIKE = frozenset("aeiou")


class Named(msgspec.Struct, frozen=True):
    """Something in a scene under one of its names. `look` is "" or an adjective, `count` how many of it there are."""

    thing: str
    name: str
    look: str = ""
    count: int = 1
    known: bool = False  # "the" in place of "a"


class Scene(msgspec.Struct, frozen=True):
    """`verb` is one name of a meaning; `done_to` and `place` may be missing."""

    deed: int
    verb: str
    doer: Named
    done_to: Named | None
    place: str


FORMS = ("plain", "passive", "there", "place first", "present", "place with doer")


def drawn(chance: random.Random, part: Part) -> Scene:
    number = chance.randrange(len(DEEDS))
    deed = DEEDS[number]
    return Scene(
        number,
        chance.choice(chance.choice(verbs(number, part))),
        something(chance, deed.doer, part, counted=True),
        something(chance, deed.done_to, part) if deed.done_to else None,
        "" if chance.random() < 0.45 else chance.choice(chance.choice(places(part))),
    )


def something(chance: random.Random, kind: str, part: Part, *, counted: bool = False) -> Named:
    thing = THINGS[chance.choice(members(kind, part))]
    look = chance.choice(chance.choice(chance.choice(looks(thing, part)))) if chance.random() < 0.45 else ""
    count = chance.choice((2, 2, 3, 4)) if counted and chance.random() < 0.2 else 1
    return Named(thing.names[0], chance.choice(thing.names), look, count, chance.random() < 0.4)


@cache
def members(kind: str, part: Part) -> tuple[str, ...]:
    """All that are of this kind, or of one of its kinds."""
    found = [thing.names[0] for thing in THINGS.values() if kind in ancestors(thing)]
    return tuple(_of(part, found))


@cache
def ancestors(thing: Thing) -> frozenset[str]:
    return frozenset(thing.kinds) | {each for kind in thing.kinds for each in ancestors(THINGS[kind])}


@cache
def verbs(deed: int, part: Part) -> tuple[tuple[str, ...], ...]:
    return tuple(_of(part, DEEDS[deed].verbs))


@cache
def looks(thing: Thing, part: Part) -> tuple[tuple[tuple[str, ...], ...], ...]:
    """What may be said of it, by sorts."""
    kinds = ancestors(thing) | {thing.names[0]}
    sort = "person" if "person" in kinds else "animal" if kinds & {"animal", "bird"} else "thing"
    return tuple(tuple(_of(part, each.names)) for each in LOOKS if sort in each.of)


@cache
def places(part: Part) -> tuple[tuple[str, ...], ...]:
    return tuple(_of(part, PLACES))


def _of(part: Part, words: Sequence) -> list:  # type: ignore[type-arg]
    return [word for place, word in enumerate(words) if (place % PARTS == PARTS - 1) == (part == "held out")]


def told(scene: Scene, form: str, *, denied: str = "") -> str:
    """`denied` is "" or a word that denies: not, n't, never, no, nobody."""
    doer, done_to, place = phrase(scene.doer), phrase(scene.done_to), where(scene.place)
    many = scene.doer.count > 1
    be = "are" if many else "is"
    if denied in ("not", "n't", "never"):
        be += denied if denied == "n't" else f" {denied}"
    if denied in ("no", "nobody"):
        none = "nobody" if denied == "nobody" else f"no {plain(scene.doer, plural=many)}"
        opening = f"there is {none}" if form == "there" else f"{none} {'are' if many and denied == 'no' else 'is'}"
        return sentence(opening, ing(scene.verb), done_to, place)
    if form == "passive" and scene.done_to is not None and " of" not in scene.verb:
        return sentence(done_to, be.replace("are", "is"), "being", participle(scene.verb), "by", doer, place)
    if form == "there" and not denied:
        return sentence("there", be, doer, ing(scene.verb), done_to, place)
    if form == "place first" and place:
        return sentence(f"{place},", doer, be, ing(scene.verb), done_to)
    if form == "place with doer" and place:
        return sentence(doer, place, be, ing(scene.verb), done_to)
    if form == "present" and not denied:
        return sentence(doer, scene.verb if many else third(scene.verb), done_to, place)
    return sentence(doer, be, ing(scene.verb), done_to, place)


def sentence(*parts: str) -> str:
    text = " ".join(part for part in parts if part)
    return text[0].upper() + text[1:] + "."


def phrase(named: Named | None) -> str:
    if named is None:
        return ""
    if named.count > 1:
        article = f"the {NUMBERS[named.count]}" if named.known else NUMBERS[named.count]
        return f"{article} {plain(named, plural=True)}"
    noun = plain(named)
    if named.known:
        return f"the {noun}"
    if THINGS[named.thing].kinds[:1] == ("drink",) or named.name in ("food", "broccoli"):
        return f"some {noun}"
    return f"{'an' if noun[0] in ALIKE and not noun.startswith('uni') else 'a'} {noun}"


def plain(named: Named, *, plural: bool = False) -> str:
    noun = plural_of(named.name) if plural else named.name
    return f"{named.look} {noun}" if named.look else noun


def where(place: str) -> str:
    first = next((names[0] for names in PLACES if place in names), "")
    word = "on" if first in ON else "by" if first in BY else "in"
    return f"{word} the {place}" if place else ""


def plural_of(noun: str) -> str:
    own = {"person": "people", "child": "children", "sheep": "sheep", "deer": "deer", "goose": "geese"}
    if noun in own:
        return own[noun]
    if noun.endswith("man") and noun != "human":
        return f"{noun.removesuffix('man')}men"
    if noun.endswith(("s", "x", "ch", "sh")):
        return f"{noun}es"
    return f"{noun[:-1]}ies" if noun.endswith("y") and noun[-2] not in ALIKE else f"{noun}s"


def ing(verb: str) -> str:
    head, _, rest = verb.partition(" ")
    if head == "lie":
        stem = "ly"
    elif head.endswith("e") and not head.endswith("ee"):
        stem = head[:-1]
    else:
        stem = _doubled(head)
    return f"{stem}ing {rest}".strip()


def participle(verb: str) -> str:
    head, _, rest = verb.partition(" ")
    return f"{IRREGULAR[head][1] if head in IRREGULAR else _ed(head)} {rest}".strip()


def third(verb: str) -> str:
    head, _, rest = verb.partition(" ")
    if head == "have":
        own = "has"
    elif head.endswith(("s", "x", "ch", "sh", "o")):
        own = f"{head}es"
    else:
        own = f"{head[:-1]}ies" if head.endswith("y") and head[-2] not in ALIKE else f"{head}s"
    return f"{own} {rest}".strip()


def _ed(head: str) -> str:
    if head.endswith("e"):
        return f"{head}d"
    return f"{head[:-1]}ied" if head.endswith("y") and head[-2] not in ALIKE else f"{_doubled(head)}ed"


def _doubled(head: str) -> str:
    """ "chop" to "chopp": one short vowel before the last consonant, in a word of one syllable."""
    short = len(head) > 2 and head[-1] not in "aeiouwxyh" and head[-2] in ALIKE and head[-3] not in ALIKE
    return head + head[-1] if short and sum(letter in ALIKE for letter in head) == 1 else head


def deed_of(scene: Scene) -> Deed:
    return DEEDS[scene.deed]


def meaning(scene: Scene) -> tuple[str, ...]:
    """All names of what is done."""
    return next(names for names in deed_of(scene).verbs if scene.verb in names)
