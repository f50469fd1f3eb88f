"""What the ontology's nouns ask of a person: "my shoe size is 42", "Tom's landlord is Mr Reis"."""

import re
from collections.abc import Iterator
from functools import lru_cache

from kg_assets.text.clauses import Clause, Statement, Value
from kg_assets.text.declared import declared
from kg_assets.text.frames.stating import state, usable
from kg_assets.text.lexicon import VERBS, bag
from kg_assets.text.phrases import DETERMINERS, OWNERS, PRONOUNS, Phrase
from kg_assets.text.sentences import tokenise

# Short for a phone number, where what follows has its shape.
_NUMBERS = ("number", "phone", "mobile", "cell", "cell number", "cell phone number", "mobile phone number")
_LONGEST = 80  # characters of a value


@lru_cache(maxsize=1)
def personal_nouns() -> dict[str, tuple[str, bool]]:
    """Noun → (predicate, whether its object is text), of the predicates that belong to a life."""
    return dict.fromkeys(_NUMBERS, ("phone_number", True)) | {
        noun: (name, kind == "text")
        for name, kind, encyclopaedic, _, nouns, _ in declared()
        if not encyclopaedic
        for noun in nouns
    }


def attribute(clause: Clause) -> Iterator[Statement]:
    """A noun of the ontology behind its owner, then what it is."""
    subject = clause.subject
    if subject.owner is None or subject.lower not in personal_nouns() or clause.tense != "present":
        return
    predicate, is_text = personal_nouns()[subject.lower]
    if is_text:
        yield from _texts(clause, predicate, subject.owner)
        return
    for phrase in clause.objects[:1]:
        if usable(phrase) and phrase.owner is None:
            yield from state(clause, predicate, phrase, subject=subject.owner)


# ------------------------------------------------------------------------------------------ values that are text
#
# A value is what stands behind the verb, all of it: "0151 234 567", "12 Baker Street, London NW1 6XE", "1.75 m".

_LED = re.compile(
    r"(?:n['’]t\b|\s|:|(?:not|no longer|now|still|also|just|actually|currently|really|simply|already|about|around)\b)+",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"(?<!\bst)(?<!\bno)(?<!\bapt)[.!?…]+(?=\s|$|[\"”’)])|[\n;]|\s[-–—]\s", re.IGNORECASE)
_STOP = re.compile(
    r"\s(?:and (?!\d)|but|so|because|since|if|in case|when|while|which|who|that|or|not|please|though|anymore|any more|"
    r"now|at the moment|for now|by the way|btw|these days|right now|my|our|with|for|as|until|from)\b|\s\((?!\d)",
    re.IGNORECASE,
)
_COMMA = re.compile(r",\s+")
_INSTEAD = re.compile(r"\s*,\s+not\s+", re.IGNORECASE)
_DIGITS = re.compile(r"[+(]{0,2}\d(?:[\s()/.-]{0,3}\d){4,19}(?: ?(?:ext\.?|x) ?\d{1,6})?", re.IGNORECASE)
_SHAPES = {"phone_number": _DIGITS, "email": re.compile(r"[^\s@]+@[^\s@]+")}
_COUNTED = bag(
    "one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty "
    "seventy eighty ninety hundred"
)


def _texts(clause: Clause, predicate: str, owner: Phrase) -> Iterator[Statement]:
    """The value, and the one that it is said not to be."""
    value, after = _value(clause, predicate, clause.verb_span[1])
    if value is None:
        return
    reached = clause._replace(end=max(clause.end, value.end), instead=None)
    yield from state(reached, predicate, value, subject=owner)
    instead = _INSTEAD.match(clause.text, after)
    wrong, _ = _value(clause, predicate, instead.end()) if instead else (None, 0)
    if wrong is not None and not clause.negation:
        yield from state(reached._replace(end=wrong.end), predicate, wrong, subject=owner, polarity="retracted")


def _value(clause: Clause, predicate: str, start: int) -> tuple[Value | None, int]:
    """The value that begins here and where its words end; None where there is nothing of its kind."""
    text = clause.text
    led = _LED.match(text, start, start + _LONGEST)
    start = led.end() if led else start
    end = _end(text, start, min([start + _LONGEST, *(each for each, _ in clause.times if each >= start)]), predicate)
    said = text[start:end].rstrip(" .,!?;:)") if "(" not in text[start:end] else text[start:end].rstrip(" .,!?;:")
    shape = _SHAPES.get(predicate)
    if shape is not None:
        found = shape.match(said)
        said = found[0] if found else ""
    elif not _is_value(text, said):
        said = ""
    return (Value(said, "text", said, start, start + len(said)), start + len(said)) if said else (None, end)


def _end(text: str, start: int, end: int, predicate: str) -> int:
    """Where the sentence goes on to something else. An address goes on behind its commas."""
    for pattern in (_SENTENCE_END, _STOP):
        found = pattern.search(text, start, end)
        end = found.start() if found else end
    for comma in _COMMA.finditer(text, start, end):
        following = text[comma.end() : comma.end() + 1]
        if predicate != "address" or not (following.isupper() or following.isdigit()):
            return comma.start()
    return end


def _is_value(text: str, said: str) -> bool:
    """Whether words can be a value: they open with a number or a capital; in a text without any, with no small word."""
    first = tokenise(said)[:1]
    if not first:
        return False
    lower = first[0].lower
    if any(character.isdigit() or character.isupper() for character in first[0].text) or lower in _COUNTED:
        return lower not in OWNERS and lower != "i"
    casual = not any(character.isupper() for character in text)
    return casual and lower.isalnum() and lower not in PRONOUNS and lower not in DETERMINERS and lower not in VERBS
