"""How two names are alike that are no spellings of one: in which ways they may still mean the same, and how strongly.

Pure, of two plain forms (`text.names.plain_form`). Numbers always have to agree, and so do single letters other than
initials: "Room 101" is not "Room 102", and "Team A" not "Team B". Likeness is never enough to join two entities.
"""

import re
from functools import lru_cache

import jellyfish
import msgspec
from rapidfuzz.distance import OSA

from kg_assets.graph.short_forms import ABBREVIATIONS, FILLERS, GENERIC, HONORIFICS, long_forms
from kg_assets.text.tokens import stem

Words = tuple[str, ...]
PROPER = frozenset({"person", "agent", "group", "organisation", "place", "project", "animal"})
_NUMBERS = re.compile(
    r"\d+|\b(?:i{1,3}|iv|vi{0,3}|ix|xi{0,2})\b|\b(?:one|two|three|four|five|six|seven|eight|nine|ten)\b"
)
_VOWELS = re.compile(r"[aeiouy]+")


class Likeness(msgspec.Struct, frozen=True, order=True):
    """`strength` in thousandths; `way` in words for people."""

    strength: int
    way: str
    partial: bool = False  # one is less than a whole name, and may fit several


def likeness(one: str, other: str, kind: str = "thing") -> Likeness | None:
    """The strongest way in which two different plain forms are alike, taken for names of this type; None if none."""
    a, b = sorted((words_of(one), words_of(other)), key=lambda words: (len(words), words))
    if one == other or numbers(one) != numbers(other):
        return None
    if a == b:
        return Likeness(950, "differ in an abbreviation")
    ways = [
        written_otherwise(a, b),
        acronym(a, b),
        nearly(a, b, kind),
        short_form(a, b) if kind == "person" else plural(a, b),
        part_of(a, b, kind),
    ]
    return max((each for each in ways if each), default=None)


@lru_cache(maxsize=65_536)
def words_of(name: str) -> Words:
    """Abbreviations written out: "st louis" → saint, louis."""
    return tuple(ABBREVIATIONS.get(word, word) for word in name.replace("&", " and ").split())


@lru_cache(maxsize=65_536)
def numbers(name: str) -> Words:
    return tuple(sorted(_NUMBERS.findall(name)))


@lru_cache(maxsize=65_536)
def content(words: Words) -> Words:
    return tuple(sorted(word for word in words if word not in FILLERS))


@lru_cache(maxsize=65_536)
def bare(words: Words) -> Words:
    """Without words that say what it is."""
    return tuple(word for word in words if word not in GENERIC)


# --------------------------------------------------------------------------------------------------------- ways


def written_otherwise(a: Words, b: Words) -> Likeness | None:
    if "".join(a) == "".join(b):
        return Likeness(950, "differ in spaces alone")
    if content(a) == content(b):
        return Likeness(900, "the same words")
    if bare(a) and bare(a) == bare(b):
        return Likeness(750, "differ in a word that says what it is")
    return None


def acronym(a: Words, b: Words) -> Likeness | None:
    """ "ibm", "international business machines"."""
    if len(a) != 1 or len(b) < 2 or not 2 <= len(a[0]) <= 6:
        return None
    spelt = {"".join(word[0] for word in words) for words in (b, [word for word in b if word not in FILLERS])}
    return Likeness(800, "initials of the other", partial=True) if a[0] in spelt else None


def nearly(a: Words, b: Words, kind: str) -> Likeness | None:
    """Word by word the same, mistyped or sounding alike."""
    if len(a) != len(b):
        return None
    found = [word_likeness(one, other, kind) for one, other in zip(a, b, strict=True) if one != other]
    return min((each for each in found if each), default=None) if all(found) else None


def short_form(a: Words, b: Words) -> Likeness | None:
    """Of people: initials, short forms of first names, names left out."""
    if len(a) == len(b) >= 2 and a[-1] == b[-1] and all(map(abbreviates, a[:-1], b[:-1])):
        return Likeness(700, "initials and short forms of the same name", partial=True)
    if len(a) == 2 and len(b) > 2 and (a[0], a[-1]) == (b[0], b[-1]):
        return Likeness(700, "the same but for a middle name")
    if len(a) == len(b) == 1 and abbreviates(a[0], b[0]):
        return Likeness(550, "a short form of the other", partial=True)
    if len(a) == 1 < len(b) <= 4:
        if a[0] == b[-1] and b[0] in HONORIFICS:
            return Likeness(700, "differ in a title", partial=True)
        if a[0] == b[0]:
            return Likeness(600, "the first name of the other", partial=True)
        if a[0] == b[-1]:
            return Likeness(550, "the last name of the other", partial=True)
    return None


def abbreviates(one: str, other: str) -> bool:
    """ "j" or "jon" of "jonathan", "bob" of "robert", either way round; a name itself too."""
    short, long = sorted((one, other), key=len)
    if len(short) == 1 or one == other:
        return long.startswith(short)
    if not long_forms(one).isdisjoint(long_forms(other)):
        return True
    return len(short) >= 3 and len(long) >= len(short) + 2 and long.startswith(short)


def plural(a: Words, b: Words) -> Likeness | None:
    if tuple(map(stem, a)) == tuple(map(stem, b)):
        return Likeness(800, "differ in an ending")
    return None


def part_of(a: Words, b: Words, kind: str) -> Likeness | None:
    """ "atlas" of "atlas project": what is more says what it is."""
    if kind == "person" or not set(a) < set(b) or not set(b) - set(a) <= GENERIC | FILLERS:
        return None
    return Likeness(700, "differ in a word that says what it is", partial=True)


# -------------------------------------------------------------------------------------------------------- words


@lru_cache(maxsize=65_536)
def word_likeness(one: str, other: str, kind: str) -> Likeness | None:
    if not (one.isalpha() and other.isalpha()):
        return None
    if kind == "person" and ending(one) != ending(other):
        return None  # Maria and Mario, Daniel and Daniela
    if one[0] == other[0] and mistyped(one, other, proper=kind in PROPER):
        return Likeness(800 if kind in PROPER else 600, "nearly the same letters")
    if kind in PROPER and sounds_like(one, other):
        return Likeness(700, "sound alike")
    return None


def mistyped(one: str, other: str, *, proper: bool) -> bool:
    """One slip, two in long words. In other words than names no letter for another: that makes another word."""
    shortest = min(len(one), len(other))
    slips = OSA.distance(one, other, score_cutoff=2)
    if slips == 1 and len(one) == len(other):
        swapped = sorted(one) == sorted(other)
        return shortest >= 4 if swapped else proper and shortest >= 5
    return slips <= 2 and shortest >= (5 if slips == 1 else 9)


def sounds_like(one: str, other: str) -> bool:
    """By Metaphone, and by half of the letters at least: "reading" and "writing" have the same consonants to the ear.

    In short words with the same vowels, because the code leaves them out.
    """
    code, longest = sound(one), max(len(one), len(other))
    if len(code) < 2 or code != sound(other) or 2 * OSA.distance(one, other) > longest:
        return False
    return min(len(one), len(other)) > 4 or _VOWELS.findall(one) == _VOWELS.findall(other)


@lru_cache(maxsize=65_536)
def sound(word: str) -> str:
    """The Metaphone code of a word of Latin letters, else nothing."""
    return str(jellyfish.metaphone(word)) if word.isascii() and word.isalpha() else ""


def ending(word: str) -> str:
    """The vowel that a name ends in, if it ends in one; silent letters aside."""
    last = word.rstrip("h").removesuffix("e")[-1:]
    return "i" if last == "y" else last if last in "aiou" else ""
