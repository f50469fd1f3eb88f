"""The normal form of a name: what two surfaces must share to be taken for the same mention. Standard library only."""

import re
import unicodedata

_DETERMINERS = "a an the my our your his her its their this that these those some"
_TITLES = "mr mrs ms miss mx dr prof professor sir dame madam"
DETERMINERS, TITLES = frozenset(_DETERMINERS.split()), frozenset(_TITLES.split())
_APOSTROPHES = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "`": "'", "´": "'"})
_OUTSIDE_NAMES = re.compile(r"[^\w'&+#./@-]+")
_EDGES = "'&./@-_"  # + and # stay, so that C++ and C# keep their names
_NO_ACCENTS = str.maketrans({"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"})
_ACCENTED = re.compile(r"([a-z])[\u0300-\u036f]+")  # of Latin letters alone: elsewhere a mark makes another letter
_HYPHEN = re.compile(r"(?<=[^\W\d_])[-‐‑](?=[^\W\d_])")
_ELISION = re.compile(r"(?<=[^\W\d_])'(?=[^\W\d_])(?!s\b)")  # O'Brien
_INITIALS = re.compile(r"(?<!')\b[^\W\d_](?:[. ]+[^\W\d_]\b)+\.?")  # j. r. r.


def normal_form(surface: str) -> str:
    """Case, width, determiners, titles, a closing possessive and punctuation taken off; words one space apart.

    Idempotent. A surface that has nothing else ("the", "!!!") keeps its folded text, so only blank text gives "".
    """
    folded = _fold(surface)
    words = [word.strip(_EDGES) for word in _OUTSIDE_NAMES.sub(" ", folded).split()]
    words = [word for word in words if word]
    while len(words) > 1 and (words[0] in DETERMINERS or words[0] in TITLES):
        words = words[1:]
    while words and words[-1].endswith("'s") and len(words[-1]) > 2:
        words[-1] = words[-1][:-2].strip(_EDGES)
        words = [word for word in words if word]
    return " ".join(words) or " ".join(folded.split())


def plain_form(key: str) -> str:
    """What spellings of one name share: a normal form without accents, hyphens, elisions and dots of initials.

    Idempotent; never empty where the key is not. A name of which that would make a relation ("1's-a") stays as it is.
    """
    given = key
    for _ in range(4):
        letters = unicodedata.normalize("NFKD", key.translate(_NO_ACCENTS))
        plain = unicodedata.normalize("NFC", _ACCENTED.sub(r"\1", letters))
        plain = _ELISION.sub("", _HYPHEN.sub(" ", plain))
        plain = _INITIALS.sub(lambda found: re.sub(r"[. ]", "", found[0]), plain)
        if plain == key:
            break
        key = plain
    return given if is_relational(key) and not is_relational(given) else key


def relation_key(owner_key: str, relation: str) -> str:
    """The key of someone named by their relation: ("ana", "sister") → "ana's sister"."""
    return f"{owner_key}'s {normal_form(relation)}"


def is_relational(key: str) -> bool:
    """True for keys that `relation_key` makes."""
    return "'s " in key


def _fold(text: str) -> str:
    """NFKC and case folding until nothing changes: one pass of each can undo the other for a few characters."""
    for _ in range(4):
        folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold()).translate(_APOSTROPHES)
        if folded == text:
            break
        text = folded
    return text
