"""Which names are worth comparing: those that share a key. Pure; the cost grows with the names, not with their pairs.

Each way of being alike (`likeness`) has its keys: names that are alike in it share one. What more than `MOST` names
share tells nothing, and would cost the square of them.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations

import msgspec

from kg_assets.graph.likeness import content, sound, words_of
from kg_assets.graph.resolution import VAGUE_TYPES
from kg_assets.graph.short_forms import FILLERS, GENERIC, HONORIFICS, long_forms
from kg_assets.text.tokens import stem

MOST = 40  # names of one key
SHORTEST, LONGEST = 4, 40  # letters of names in which slips are looked for


class Name(msgspec.Struct, frozen=True, order=True):
    """One plain form of an entity; `of` is its place in a list of entities."""

    of: int
    form: str
    kind: str


def pairs(names: Sequence[Name]) -> list[tuple[Name, Name]]:
    """Of different entities, each pair once and in order."""
    ordered = sorted(names)
    blocks: dict[str, list[int]] = defaultdict(list)
    for place, each in enumerate(ordered):
        for key in keys_of(each.form, each.kind):
            blocks[key].append(place)
    found = {pair for block in blocks.values() if 1 < len(block) <= MOST for pair in combinations(block, 2)}
    both = ((ordered[one], ordered[other]) for one, other in sorted(found))
    return [pair for pair in both if pair[0].of != pair[1].of]


def keys_of(form: str, kind: str) -> set[str]:
    """Of the first letter the kind of key, behind it what names share."""
    words = words_of(form)
    told = [word for word in words if word not in FILLERS]
    bare = [word for word in told if word not in GENERIC]
    keys = {f"w {' '.join(content(words))}", f"s {' '.join(map(stem, words))}", f"g {' '.join(sorted(bare))}"}
    keys |= {f"d {each}" for each in slips("".join(words))}
    sounds = [sound(word) for word in words]
    if all(sounds):
        keys.add(f"m {' '.join(sounds)}")
    if len(words) > 1:
        keys |= {"a " + "".join(word[0] for word in some) for some in (words, told) if some}
    elif 2 <= len(form) <= 6:
        keys.add(f"a {form}")
    if kind == "person" or kind in VAGUE_TYPES:
        keys |= keys_of_person(words)
    return keys - {"g ", "w "}


def keys_of_person(words: Sequence[str]) -> set[str]:
    first, last = words[0], words[-1]
    if len(words) == 1:
        return {f"p {first}", f"x {first[:3]}", *(f"n {name}" for name in long_forms(first))}
    keys = {f"p {first}", f"p {last}", f"i {first[0]} {last}", *(f"n {name} {last}" for name in long_forms(first))}
    return keys - {f"p {first}"} if first in HONORIFICS else keys


def slips(name: str) -> Iterable[str]:
    """A name and what is left of it without one letter: names that are one slip apart share one of these."""
    if not SHORTEST <= len(name) <= LONGEST:
        return [name]
    return [name, *(name[:place] + name[place + 1 :] for place in range(len(name)))]
