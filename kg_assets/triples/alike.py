"""Which words of a sentence others are meant to replace: a number a number, a weekday a weekday, a name a name.

"I have two cats" and "three": "I have three cats". Nothing is replaced where none or more than one would do.
"""

import re
from difflib import SequenceMatcher
from typing import NamedTuple

from kg_assets.text.lexicon import NO_NAMES, bag

_NUMBERS = bag(
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen "
    "nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred"
)
_DAYS = bag("monday tuesday wednesday thursday friday saturday sunday")
_MONTHS = bag("january february march april may june july august september october november december")
_DETERMINED = re.compile(r"\b(?P<led>the|a|an|my) (?P<noun>[a-z][\w-]*(?: [a-z][\w-]*)?)", re.IGNORECASE)
_NAME = re.compile(r"(?<![.!?] )(?<!^)\b[A-ZÀ-Þ][\w'’-]*(?: [A-ZÀ-Þ][\w'’-]*)*")
_NO_NAME = bag("i i'm i've i'll i'd") | _DAYS | _MONTHS
_WORD = re.compile(r"[\w'’-]+")
_ALIKE = 0.6


class Replaced(NamedTuple):
    text: str
    start: int  # of the words put in
    wrong: str


def replaced(sentence: str, right: str) -> Replaced | None:
    """A sentence with `right` in the place of what it is meant for."""
    wrong = meant(sentence, right)
    if wrong is None:
        return None
    start, end = wrong
    if sentence[start:end].casefold() == right.casefold():
        return None
    return Replaced(sentence[:start] + right + sentence[end:], start, sentence[start:end])


def meant(sentence: str, right: str) -> tuple[int, int] | None:
    """Where the words of the same kind stand, if there is one such place."""
    words = [word.casefold().replace("’", "'") for word in _WORD.findall(right)]
    if not words or len(words) > 4:
        return None
    for kind in (_is_number, _DAYS.__contains__, _MONTHS.__contains__):
        if kind(words[0]):
            found = [each.span() for each in _WORD.finditer(sentence) if kind(each[0].casefold())]
            return found[0] if len(found) == 1 and len(words) == 1 else None
    if right[:1].isupper() and words[0] not in NO_NAMES:
        return _name(sentence, right)
    if words[0] in ("the", "a", "an") and 2 <= len(words) <= 3:
        same = [
            each.span()
            for each in _DETERMINED.finditer(sentence)
            if each["led"].casefold() in (words[0], "an"[: len(words[0])])
        ]
        return same[-1] if len(same) == 1 and same[0][1] >= len(sentence.rstrip(" .!")) else None
    return None


def _name(sentence: str, right: str) -> tuple[int, int] | None:
    names = [each for each in _NAME.finditer(sentence) if each[0].casefold().replace("’", "'") not in _NO_NAME]
    near = [each for each in names if SequenceMatcher(None, each[0].casefold(), right.casefold()).ratio() >= _ALIKE]
    found = near if len(near) == 1 else names
    return found[0].span() if len(found) == 1 else None


def _is_number(word: str) -> bool:
    return word in _NUMBERS or word.isdecimal()
