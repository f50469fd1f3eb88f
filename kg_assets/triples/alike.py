"""Which words of a sentence others are meant to replace: a number a number, a weekday a weekday, a name a name.

"I have two cats" and "three": "I have three cats". Nothing is replaced where none or more than one would do.
"""

import re
from collections.abc import Collection
from difflib import SequenceMatcher
from typing import NamedTuple

from kg_assets.text.lexicon import (
    BREEDS,
    DIETS,
    INSTRUMENTS,
    LANGUAGES,
    MARITAL,
    NATIONALITIES,
    NO_NAMES,
    OCCUPATIONS,
    PLURAL_SPECIES,
    RELATIONS,
    RELIGIONS,
    SPECIES,
    SPORTS,
    VERBS,
    bag,
)

NUMBERS = bag(
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred"
)
_DAYS = bag("monday tuesday wednesday thursday friday saturday sunday")
_MONTHS = bag("january february march april may june july august september october november december")
_DETERMINED = re.compile(r"\b(?P<led>the|a|an|my) (?P<noun>[a-z][\w-]*(?: [a-z][\w-]*)?)", re.IGNORECASE)
_NAME = re.compile(r"(?<![.!?] )(?<!^)\b[A-ZÀ-Þ][\w'’-]*(?: [A-ZÀ-Þ][\w'’-]*)*")
_NO_NAME = bag("i i'm i've i'll i'd") | _DAYS | _MONTHS
_WORD = re.compile(r"[\w'’-]+")
_ARTICLE = re.compile(r"(?:^|\s)(an? )$", re.IGNORECASE)
_DETERMINER = re.compile(r"(?:an?|the|my|our|two|three) ", re.IGNORECASE)
_LEADING = bag("a an the my our just only")
_KINDS: tuple[Collection[str], ...] = (
    RELATIONS, OCCUPATIONS, LANGUAGES, NATIONALITIES, SPECIES, PLURAL_SPECIES, BREEDS, DIETS, INSTRUMENTS, SPORTS,
    RELIGIONS, MARITAL,
)  # fmt: skip
_ALIKE = 0.6
_NO_NAMES = (
    NO_NAMES | frozenset(VERBS) | bag("loads plenty tons heaps lots enough kind sort almost once twice always often")
)


class Replaced(NamedTuple):
    text: str
    start: int  # of the words put in
    wrong: str
    is_past: bool = False  # only the tense was wrong


def replaced(sentence: str, right: str) -> Replaced | None:
    """A sentence with `right` in the place of what it is meant for."""
    if was := _past_of(sentence, right):
        return _put(sentence, was, f"used to {VERBS[right.casefold()].lemma}")._replace(is_past=True)
    place = meant(sentence, right)
    if place is None or sentence[slice(*place)].casefold() == right.casefold():
        return None
    return _put(sentence, place, right)


def _put(sentence: str, place: tuple[int, int], right: str) -> Replaced:
    """With the words in that place, and with its article as they need it."""
    led, wrong, behind = sentence[: place[0]], sentence[slice(*place)], sentence[place[1] :]
    if article := _ARTICLE.search(led):
        led = led[: article.start(1)] + ("" if _DETERMINER.match(right) else _article(right))
    return Replaced(led + right + behind, len(led), wrong)


def _article(right: str) -> str:
    return "an " if right[:1].casefold() in "aeiou" else "a "


def meant(sentence: str, right: str) -> tuple[int, int] | None:
    """Where the words of the same kind stand, if there is one such place."""
    words = [word.casefold().replace("’", "'") for word in _WORD.findall(right)]
    if not words or len(words) > 4:
        return None
    for kind in (_is_number, _DAYS.__contains__, _MONTHS.__contains__):
        if kind(words[0]):
            found = [each.span() for each in _WORD.finditer(sentence) if kind(each[0].casefold())]
            return found[0] if len(found) == 1 and len(words) == 1 else None
    bare = [word for word in words if word not in _LEADING]
    for kinds in _KINDS:
        if bare and (" ".join(bare) in kinds or bare[-1] in kinds):
            found = [each.span() for each in _WORD.finditer(sentence) if each[0].casefold() in kinds]
            if len(found) == 1:
                return _with_owner(sentence, found[0]) if len(bare) < len(words) else found[0]
    if right[:1].isupper() and not (words[-1].endswith("ly") or words[-1] == "of" or words[0] in _NO_NAMES):
        return _name(sentence, right)
    if words[0] in ("the", "a", "an") and 2 <= len(words) <= 3:
        same = [
            each.span()
            for each in _DETERMINED.finditer(sentence)
            if each["led"].casefold() in (words[0], "an"[: len(words[0])])
        ]
        return same[-1] if len(same) == 1 and same[0][1] >= len(sentence.rstrip(" .!")) else None
    return None


def _with_owner(sentence: str, place: tuple[int, int]) -> tuple[int, int]:
    """With "my", "the" in front of it, where the right words bring their own."""
    owner = re.search(r"\b(?:my|the|our) $", sentence[: place[0]], re.IGNORECASE)
    return (owner.start(), place[1]) if owner else place


def _past_of(sentence: str, right: str) -> tuple[int, int] | None:
    """The verb that is put into the past: "I live in Ghent." – "Well, lived." """
    verb = VERBS.get(right.casefold())
    if verb is None or verb.form != "past":
        return None
    for each in _WORD.finditer(sentence):
        told = VERBS.get(each[0].casefold())
        if told is not None and told.lemma == verb.lemma and told.form in ("base", "s"):
            return each.span()
    return None


def _name(sentence: str, right: str) -> tuple[int, int] | None:
    names = [each for each in _NAME.finditer(sentence) if each[0].casefold().replace("’", "'") not in _NO_NAME]
    near = [each for each in names if SequenceMatcher(None, each[0].casefold(), right.casefold()).ratio() >= _ALIKE]
    found = near if len(near) == 1 else names
    return found[0].span() if len(found) == 1 else None


def _is_number(word: str) -> bool:
    return word in NUMBERS or word.isdecimal()
