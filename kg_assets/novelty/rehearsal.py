"""Made-up talk with labels, from templates: what the novelty model is trained on besides public data.

Two kinds. *Turns* of conversations: a turn is worth remembering if one of its sentences tells something of the
speaker's life; reactions, courtesies, encouragement, questions and commonplaces tell nothing. *Pairs* of statements:
the second says what the first said in other words (redundant), something else (new), or the opposite (new).

No template was taken from an evaluation set. Everything is drawn from one seed, so that it can be made again.
"""

import random
import re
from collections.abc import Sequence

import msgspec

from kg_assets.novelty.phrasebook import FILLERS, OPPOSITES, REACTIONS, SAME, SCENES, SLOTS, TELLING

SLOT = re.compile(r"\{(\w+)\}")
SHARED = 0.5  # of the turns tell something


class Turn(msgspec.Struct, frozen=True):
    text: str
    worth: bool


class Pair(msgspec.Struct, frozen=True):
    """`kind` is entailed, neutral or contradiction: of `second`, where `first` is known."""

    first: str
    second: str
    kind: str


def conversations(count: int, turns: int, seed: int) -> list[list[Turn]]:
    """`count` conversations of `turns` turns each."""
    chance = random.Random(f"talk {seed}")
    return [[_turn(chance) for _ in range(turns)] for _ in range(count)]


def _turn(chance: random.Random) -> Turn:
    """A reaction or none, then what is told or a filler, then a question or none."""
    worth = chance.random() < SHARED
    said = []
    if chance.random() < (0.6 if worth else 0.8):
        said += [_filled(chance, REACTIONS) for _ in range(1 if worth else chance.choice((1, 1, 2)))]
    if worth:
        said += [_filled(chance, TELLING) for _ in range(chance.choice((1, 1, 2, 2, 3)))]
    elif chance.random() < 0.5:
        said += [_filled(chance, FILLERS["commonplace"]) for _ in range(chance.choice((1, 1, 2)))]
    if chance.random() < 0.45 or not said:
        said.append(_filled(chance, FILLERS["question"]))
    return Turn(" ".join(said), worth)


def pairs(count: int, seed: int) -> list[Pair]:
    """A third of each kind."""
    chance = random.Random(f"pairs {seed}")
    makers = (("entailed", _entailed), ("neutral", _neutral), ("contradiction", _contradiction))
    return [Pair(*make(chance), kind) for number in range(count) for kind, make in [makers[number % 3]]]


def _scene(chance: random.Random) -> dict[str, str]:
    """Who does what, where: the parts of a statement."""
    return {name: chance.choice(options) for name, options in SCENES.items()}


def _told(scene: dict[str, str], order: int = 0) -> str:
    who, does, what = scene["who"], scene["does"], scene["what"]
    look = f"{scene['look']} " if scene["look"] else ""
    tail = f" {scene['where']}" if scene["where"] else ""
    forms = (
        f"{who} is {does} {_article(look + what)}{tail}",
        f"{_article(look + what)} is being {_participle(does)} by {who}{tail}",
        f"there is {who} {does} {_article(look + what)}{tail}",
    )
    text = forms[order]
    return text[0].upper() + text[1:] + "."


def _entailed(chance: random.Random) -> tuple[str, str]:
    """The same with less said, with other words for the same, or turned round; most often two of these."""
    scene = _scene(chance)
    less = dict(scene)
    for change in chance.sample(("shorter", "plainer", "words", "order"), k=chance.choice((1, 2, 2))):
        if change == "shorter":
            less["where"] = ""
        elif change == "plainer":
            less["look"] = ""
        elif change == "words":
            less = {name: _synonym(value, chance) for name, value in less.items()}
        else:
            return _told(scene), _told(less, chance.choice((1, 2)))
    return _told(scene), _told(less)


def _neutral(chance: random.Random) -> tuple[str, str]:
    """One or two parts are others, or more is said than was known."""
    scene = _scene(chance)
    other = dict(scene)
    if chance.random() < 0.3:
        part = chance.choice(("where", "look"))
        more = scene | {part: scene[part] or chance.choice([each for each in SCENES[part] if each])}
        return _told(scene | {part: ""}), _told(more)
    for part in chance.sample(("who", "does", "what", "where", "look"), k=chance.choice((1, 1, 2))):
        options = [each for each in SCENES[part] if each and each != scene[part] and not _same(each, scene[part])]
        other[part] = chance.choice(options)
    return _told(scene), _told(other)


def _contradiction(chance: random.Random) -> tuple[str, str]:
    """Denied, or with the opposite word."""
    scene = _scene(chance)
    text = _told(scene)
    opposite = {each: chance.choice(OPPOSITES[each]) for each in scene.values() if each in OPPOSITES}
    if opposite and chance.random() < 0.4:
        return text, _told({name: opposite.get(value, value) for name, value in scene.items()})
    if chance.random() < 0.5:
        return text, text.replace(" is ", " is not ", 1)
    noun = re.sub(r"^(a|an|the|one|my) ", "", scene["who"])
    return text, f"There is no {noun} {scene['does']} {_article(scene['what'])}."


def _same(one: str, other: str) -> bool:
    return any(one in group and other in group for group in SAME)


def _synonym(value: str, chance: random.Random) -> str:
    for group in SAME:
        if value in group:
            return chance.choice([each for each in group if each != value])
    return value


def _article(noun: str) -> str:
    return noun if noun.startswith(("some ", "the ")) else f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def _participle(progressive: str) -> str:
    stem = progressive.removesuffix("ing")
    irregular = {
        "rid": "ridden",
        "driv": "driven",
        "hold": "held",
        "eat": "eaten",
        "cutt": "cut",
        "draw": "drawn",
        "throw": "thrown",
        "writ": "written",
        "build": "built",
        "buy": "bought",
        "tak": "taken",
    }
    return irregular.get(stem, f"{stem}ed")


def _filled(chance: random.Random, templates: Sequence[str]) -> str:
    """A template with every slot drawn; a slot may hold slots."""
    text = chance.choice(templates)
    while "{" in text:
        text = SLOT.sub(lambda slot: chance.choice(SLOTS[slot.group(1)]), text)
    return text[0].upper() + text[1:]
