"""Made-up pairs of scenes, as (first, second): see `paraphrases.py`."""

import random
from collections.abc import Callable

import msgspec

from kg_assets.novelty.phrasebook import LOOKS, OPPOSITES, PLACES, THINGS
from kg_assets.novelty.scenes import (
    FORMS,
    Named,
    Part,
    Scene,
    ancestors,
    deed_of,
    drawn,
    looks,
    meaning,
    members,
    places,
    told,
    verbs,
)

DENIED = 0.06  # of the pairs that agree, both deny


def scene_entailed(chance: random.Random, part: Part) -> tuple[str, str]:
    scene = drawn(chance, part)
    if chance.random() < DENIED:
        words = chance.choice(("not", "n't")), chance.choice(("not", "n't", "never"))
        return told(scene, "plain", denied=words[0]), told(reworded(scene, chance), "plain", denied=words[1])
    return told(scene, form(chance)), told(lessened(reworded(scene, chance), chance), form(chance))


def scene_neutral(chance: random.Random, part: Part) -> tuple[str, str]:
    scene = drawn(chance, part)
    way = chance.random()
    if way < 0.25:  # more is said
        return told(lessened(scene, chance, least=1), form(chance)), told(reworded(scene, chance), form(chance))
    if way < 0.32 and scene.done_to and deed_of(scene).doer == deed_of(scene).done_to:  # who did it to whom
        turned = msgspec.structs.replace(scene, doer=scene.done_to, done_to=scene.doer)
        return told(scene, form(chance)), told(turned, form(chance))
    if way < 0.42:  # the same of something else, denied
        return told(scene, form(chance)), told(
            other(scene, chance, part), "plain", denied=chance.choice(("not", "n't"))
        )
    again = other(scene, chance, part)
    if chance.random() < 0.35:
        again = other(again, chance, part)
    if chance.random() < 0.3:
        again = lessened(again, chance)
    return told(scene, form(chance)), told(reworded(again, chance), form(chance))


def scene_contradiction(chance: random.Random, part: Part) -> tuple[str, str]:
    scene = drawn(chance, part)
    again = lessened(reworded(scene, chance), chance) if chance.random() < 0.6 else scene
    if chance.random() < 0.35 and (opposite := opposed(again, chance)):
        return told(scene, form(chance)), told(opposite, form(chance))
    word = chance.choice(("not", "not", "n't", "n't", "never", "no", "no", "nobody"))
    denial = told(again, chance.choice(("plain", "there", "passive")), denied=word)
    return (denial, told(scene, form(chance))) if chance.random() < 0.15 else (told(scene, form(chance)), denial)


def form(chance: random.Random) -> str:
    return chance.choice(("plain", "plain", "plain", *FORMS))


def reworded(scene: Scene, chance: random.Random) -> Scene:
    """Each word under another of its names, by chance."""

    def named(each: Named | None) -> Named | None:
        if each is None:
            return None
        name = chance.choice(THINGS[each.thing].names) if chance.random() < 0.3 else each.name
        look = chance.choice(_names_of_look(each.look)) if each.look and chance.random() < 0.4 else each.look
        return msgspec.structs.replace(each, name=name, look=look, known=chance.random() < 0.4)

    return Scene(
        scene.deed,
        chance.choice(meaning(scene)) if chance.random() < 0.3 else scene.verb,
        named(scene.doer),  # type: ignore[arg-type]
        named(scene.done_to),
        chance.choice(_names_of_place(scene.place)) if scene.place and chance.random() < 0.4 else scene.place,
    )


def lessened(scene: Scene, chance: random.Random, least: int = 0) -> Scene:
    """Without a look or the place, or with a wider word; `least` so many of these."""
    ways: list[Callable[[Scene], Scene]] = []
    if scene.place:
        ways.append(lambda each: msgspec.structs.replace(each, place=""))
    for role in ("doer", "done_to"):
        named = getattr(scene, role)
        if named and named.look:
            ways.append(lambda each, role=role: _with(each, role, look=""))  # type: ignore[misc]
        if named and THINGS[named.thing].kinds:
            kind = chance.choice(THINGS[named.thing].kinds)
            name = chance.choice(THINGS[kind].names)
            ways.append(lambda each, role=role, name=name: _with(each, role, name=name))  # type: ignore[misc]
    for way in chance.sample(ways, k=min(len(ways), max(least, chance.choice((0, 1, 1, 2))))):
        scene = way(scene)
    return scene


def other(scene: Scene, chance: random.Random, part: Part) -> Scene:
    """One part is another one, never a name or a kind of the same."""
    roles = ["doer", "verb", "verb", "place", "look", "count"] + (["done_to", "done_to"] if scene.done_to else [])
    role = chance.choice(roles)
    if role == "verb":
        others = [names for names in verbs(scene.deed, part) if scene.verb not in names]
        others = [names for names in others if not OPPOSITES.keys() & set(names) & set(OPPOSITES.get(scene.verb, ()))]
        if not others:
            return other(scene, chance, part)
        return msgspec.structs.replace(scene, verb=chance.choice(chance.choice(others)))
    if role == "place":
        others = [names for names in places(part) if scene.place not in names]
        return msgspec.structs.replace(scene, place=chance.choice(chance.choice(others)))
    if role == "look":
        role = chance.choice(["doer", "done_to"] if scene.done_to else ["doer"])
        had = getattr(scene, role).look
        sorts = looks(THINGS[getattr(scene, role).thing], part)
        same = next((sort for sort in sorts if any(had in names for names in sort)), None) if had else None
        others = [names for names in same or chance.choice(sorts) if had not in names]
        others = [names for names in others if not set(names) & set(OPPOSITES.get(had, ()))]
        if others:
            return _with(scene, role, look=chance.choice(chance.choice(others)))
        role = "doer"
    if role == "count":
        return _with(scene, "doer", count=chance.choice([each for each in (1, 2, 3, 4, 5) if each != scene.doer.count]))
    named = getattr(scene, role)
    kind = deed_of(scene).doer if role == "doer" else deed_of(scene).done_to
    related = {named.thing} | ancestors(THINGS[named.thing])
    options = [
        each for each in members(kind, part) if each not in related and named.thing not in ancestors(THINGS[each])
    ]
    if not options:  # of some kinds only one is held out
        return other(scene, chance, part)
    thing = THINGS[chance.choice(options)]
    return _with(scene, role, thing=thing.names[0], name=chance.choice(thing.names))


def opposed(scene: Scene, chance: random.Random) -> Scene | None:
    """With the opposite of what is done or of how something looks, if there is one."""
    ways = [msgspec.structs.replace(scene, verb=each) for each in OPPOSITES.get(scene.verb, ())]
    ways += [_with(scene, "doer", look=each) for each in OPPOSITES.get(scene.doer.look, ())]
    if scene.done_to:
        ways += [_with(scene, "done_to", look=each) for each in OPPOSITES.get(scene.done_to.look, ())]
    return chance.choice(ways) if ways else None


def _with(scene: Scene, role: str, **changes: object) -> Scene:
    return msgspec.structs.replace(scene, **{role: msgspec.structs.replace(getattr(scene, role), **changes)})


def _names_of_look(look: str) -> tuple[str, ...]:
    return next(names for sort in LOOKS for names in sort.names if look in names)


def _names_of_place(place: str) -> tuple[str, ...]:
    return next(names for names in PLACES if place in names)
