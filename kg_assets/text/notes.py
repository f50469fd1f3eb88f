"""Notes: "allergies: nuts, cats", "- wife: Lea", "kids - Tom 4, Lia 7", "Name: Ana. Age: 29.", in lines or in one.

What stands before the colon names a predicate (the lexicon's note keys, relations and animals), the one who writes is
the subject, the values stand behind it, parted by commas. Standard library only; linear in the text.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from kg_assets.text.chunks import Times
from kg_assets.text.clauses import Clause, Statement, Value
from kg_assets.text.frames.relations import introductions, kind_of_animal
from kg_assets.text.frames.stating import state
from kg_assets.text.lexicon import (
    BREEDS,
    GROUPS,
    NOTE_KEYS,
    OCCUPATIONS,
    PLURAL_SPECIES,
    RELATIONS,
    SPECIES,
    among,
    bag,
)
from kg_assets.text.names import normal_form
from kg_assets.text.phrases import Phrase

_PERSONAL = bag(
    "name age lives_in comes_from nationality speaks_language works_as works_at studies_at birthday born_on height "
    "weight email phone_number address religion studies learns plans_to uses_tool has_condition"
)  # of the writer only where a text opens with notes, or says whose they are: else of what they ask for
_OWN = re.compile(r"\b(?:about|for|of|on) (?:me|us|myself)\b|\b(?:my|our)\b|^\W*me\b|\bI\b|^\W*$", re.IGNORECASE)
_NONE = bag("none no nothing n/a na - tbd unknown nil any idk")
_NOT_SO = bag("no not none never nothing formerly former previously used without was were until looking searching")
_ENDED = bag("stopped quit former formerly ex past previously until not resolved outgrown gone dead")  # in brackets
_TELLING = bag("i he she they we i'm has had doesn't isn't")  # no value, but a sentence
_NO_NAME = bag("divorced separated deceased dead gone single passed unknown widowed")
_GUESTS = bag("guest guests family kids children kid child visitor visitors")
_FOR = re.compile(r"\s+for (?:my|our|his|her|their|a|the) (?P<whom>[\w-]+)", re.IGNORECASE)
_LINES = re.compile(r"[\s:]{0,9}(?:\n[ \t]{0,8}(?:[-*•·–]|\(?\d{1,2}[.)])[ \t]+[^\n:]{1,80}(?=\n|$))+")
_PART = re.compile(
    r"\s*(?:\n\s*(?:[-*•·–]|\(?\d{1,2}[.)])[ \t]+|[,;/•]|\band\b|&|\bn\b|\+(?=\s))\s*(?:and\s+)?", re.IGNORECASE
)
_BEHIND = re.compile(
    r"\s+(?:\d+(?:[.,]\d+)?\s?(?:mcg|mg|g|ml|iu|µg)\b|at\b|in the\b|every\b|daily\b|twice\b|once\b|since\b|for\b|"
    r"from\b|but\b|because\b|with\b|who\b|which\b|when\b|if\b|on\b|by\b|as\b|that\b|-\s|–).*$",
    re.IGNORECASE,
)
_AGE = re.compile(r"^(?P<name>[^\W\d][\w'’-]*(?: [^\W\d][\w'’-]*)?),?\s+\(?(?:aged? )?(?P<age>\d{1,3})\b")
_NUMBER = re.compile(r"\d{1,3}\b(?![.,:/-]\d)")
_MEASURE = re.compile(r"[\d.,'\"’]+ ?(?:cm|m|kg|kgs|lbs?|ft|in|st|eu|uk|us)?\b", re.IGNORECASE)
_SIGN = re.compile(r"[ ]?[:=](?=\s)\s{0,3}|[ \t][-–—][ \t]")
_BOUND = re.compile(r"\n|[.;!?)][ ]|(?:^|(?<=\s))(?:[-*•·–]|\(?\d{1,2}[.)])[ ]|:[ ]")
_BARE = re.compile(r"(?:^|(?<=\n)|(?<=, )|(?<=; ))(?P<key>age|height|weight|shoe size) (?=\d)", re.IGNORECASE)
_LED = re.compile(r"^(?:my|our|the|and|also|current) | (?:are|is)$")
_END = re.compile(r"\n|[.!?](?=\s+[A-Z(])|[.!?]\s*$|(?<=\s)[-•*–](?=\s)|(?<=\s)\d{1,2}[.)](?=\s)|\?")
_LONGEST_VALUES, _MOST, _LONGEST = 300, 24, 60
_COUNTS = ("one", "two", "three", "four", "five", "six")
_LEADING = bag("a an the my our bit of some little fluent basic mostly mainly probably severe mild daily")
_CALLED = re.compile(r"^(?P<kind>.{2,30}?) (?:called|named) (?P<name>[^\s].{0,30})$", re.IGNORECASE)
_ITEM = re.compile(r"^[-*•·–\s]*(?:\(?\d{1,2}[.)]\s+)?")
_PEOPLE = frozenset({"parent_of", "sibling", "friend", "colleague", "roommate"})
_NAMES = frozenset({"name", "lives_in", "comes_from", "works_at", "studies_at"})


class Note(NamedTuple):
    """A key with where its values stand; `span` holds both."""

    key: str
    predicate: str
    start: int
    end: int
    span: tuple[int, int]


def notes(text: str) -> list[Note]:
    """The notes of a text, in order; at most as many as one who writes of themselves will make."""
    heads = sorted({*_with_colons(text), *_measured(text)})[:_MOST]
    made = []
    for place, (start, key, after) in enumerate(heads):
        following = heads[place + 1][0] if place + 1 < len(heads) else len(text)
        reach = min(following, after + _LONGEST_VALUES)
        listed = _LINES.match(text, after - 1, reach)
        stop = None if listed else _END.search(text, min(after + 1, reach), reach)
        end = listed.end() if listed else stop.start() if stop else reach
        made.append(Note(key, _predicate(key), after, end, (start, end)))
    own = not made or _OWN.search(text[: made[0].span[0]]) is not None
    return [each for each in made if own or each.predicate not in _PERSONAL]


def _with_colons(text: str) -> Iterator[tuple[int, str, int]]:
    """(where a note begins, its key, where its values begin)."""
    for sign in _SIGN.finditer(text):
        opening = max(0, sign.start() - _LONGEST)
        head = text[opening : sign.start()]
        bounds = [each.end() for each in _BOUND.finditer(head)]
        start = bounds[-1] if bounds else 0
        if not bounds and opening:
            continue
        dashed = sign[0].strip() not in (":", "=")
        at_line = not head[:start].strip() or head[:start].rstrip(" ").endswith("\n")
        for begun in (start, head.rfind(", ") + 2):
            key = _LED.sub("", " ".join(head[max(begun, start) :].casefold().replace("’", "'").split()))
            if _is_known(key) and (not dashed or (at_line and begun == start)):
                yield opening + max(begun, start), key, sign.end()
                break


def _measured(text: str) -> Iterator[tuple[int, str, int]]:
    """ "Height 182, weight 91": numbers need no colon."""
    for each in _BARE.finditer(text):
        yield each.start("key"), " ".join(each["key"].casefold().split()), each.end()


def _is_known(key: str) -> bool:
    if _TELLS.fullmatch(key):
        return True
    favourite = key.startswith(("favourite ", "favorite ")) and len(key.split()) <= 3
    return key in NOTE_KEYS or key in RELATIONS or key in SPECIES or key in BREEDS or favourite


_TELLS = re.compile(
    r"(?:(?:[\w-]+ )?(?:things|stuff|food|foods|languages|games|sports|drinks|books|music|instruments|bands|films|"
    r"movies|shows) )?(?:that |which )?(?:i|we) (?:really |absolutely |also |already )?"
    r"(?P<verb>love|like|enjoy|hate|dislike|can't stand|own|speak|play|collect|drink|can't eat|don't eat)"
)
_TOLD = {
    **dict.fromkeys(("love", "like", "enjoy"), "likes"),
    **dict.fromkeys(("hate", "dislike", "can't stand"), "dislikes"),
    **dict.fromkeys(("can't eat", "don't eat"), "-eats"),
    "own": "owns",
    "speak": "speaks_language",
    "play": "plays",
    "collect": "collects",
    "drink": "drinks",
}


def _predicate(key: str) -> str:
    if told := _TELLS.fullmatch(key):
        return _TOLD[told["verb"]]
    if key.startswith(("favourite ", "favorite ")):
        return "favourite_" + "_".join(key.split()[1:])
    return NOTE_KEYS.get(key, "")


# ------------------------------------------------------------------------------------------------- what they state


def note_statements(text: str, found: Sequence[Note], times: Times) -> Iterator[Statement]:
    """What the notes state of the one who writes."""
    for note in found:
        clause = _clause(text, note)
        values = list(_values(text, note))
        if note.predicate in ("birthday", "born_on"):
            yield from _dated(clause, note, times)
        elif note.key in RELATIONS or note.key in SPECIES or note.key in BREEDS:
            yield from _of_kin(clause, note, values)
        elif note.predicate in ("age", "height", "weight", "shoe_size"):
            yield from _number(clause, note)
        else:
            for value in values:
                yield from _valued(clause, note, value)


class _Item(NamedTuple):
    """One value: its words, and what stands in brackets behind them."""

    phrase: Phrase
    aside: str
    place: int


def _clause(text: str, note: Note) -> Clause:
    start = note.span[0]
    speaker = Phrase("", start, start, ("i",), is_pronoun=True)
    return Clause(text, start, max(start, note.end), speaker, "", (start, start))


def _values(text: str, note: Note) -> Iterator[_Item]:
    """The values of a note, each without its dose, its time and what else is said of it."""
    bounds, place, depth = [note.start], note.start, 0
    while place < note.end:
        if text[place] in "([":
            depth += 1
        elif text[place] in ")]":
            depth = max(0, depth - 1)
        elif not depth and (part := _PART.match(text, place, note.end)) and part.end() > place:
            bounds += [place, part.end()]
            place = part.end()
            continue
        place += 1
    bounds.append(note.end)
    for start, end in zip(bounds[::2], bounds[1::2], strict=True):
        if (item := _item(text, start, end)) is not None:
            yield item


def _item(text: str, start: int, end: int) -> _Item | None:
    said = text[start:end]
    bracket = min((place for place in (said.find("("), said.find("[")) if place >= 0), default=len(said))
    words = _BEHIND.sub("", said[:bracket].replace("\n", " "))
    words = _ITEM.sub("", words).rstrip(" .,!?;:")
    start += max(0, said.find(words))
    lowers = words.casefold().split()
    if not lowers or len(words) > _LONGEST or words.casefold() in _NONE or lowers[0] in _NOT_SO:
        return None
    aside = said[bracket:].strip("()[] .,")
    whom = _FOR.search(said)
    others = whom is not None and (whom["whom"].casefold() in RELATIONS or whom["whom"].casefold() in _GUESTS)
    if others or not _ENDED.isdisjoint(aside.casefold().split()[:1]):
        return None
    while len(lowers) > 1 and lowers[0] in _LEADING:
        start += len(words) - len(words.split(None, 1)[1])
        words, lowers = words.split(None, 1)[1], lowers[1:]
    phrase = Phrase(words, start, start + len(words), tuple(lowers))
    return _Item(phrase, aside, bracket)


def _valued(clause: Clause, note: Note, item: _Item) -> Iterator[Statement]:
    phrase, predicate = item.phrase, note.predicate
    if not _TELLING.isdisjoint(phrase.words) and not predicate.startswith("favourite_"):
        return
    if predicate in _PEOPLE:
        yield from _person(clause, predicate, item)
    elif predicate == "has_pet":
        yield from _pet(clause, item)
    elif predicate == "works_at" and among(phrase.words, OCCUPATIONS) and not phrase.text[0].isupper():
        yield from state(clause, "works_as", phrase)
    elif predicate.startswith("-"):
        yield from state(clause, predicate[1:], phrase, polarity="denied")
    elif predicate == "name":
        yield from state(clause, "name", Value(phrase.text, "text", phrase.text, *phrase.span))
    elif predicate and any(character.isalnum() for character in phrase.text):
        yield from state(clause, predicate, phrase._replace(is_name=predicate in _NAMES or phrase.text[0].isupper()))


def _named(item: _Item) -> tuple[Phrase, int]:
    """A person or animal of a note, and their age: "Tom (4)", "Lia 7"."""
    phrase, age = item.phrase, 0
    if behind := _AGE.match(phrase.text):
        text = behind["name"]
        phrase = Phrase(text, phrase.start, phrase.start + len(text), tuple(text.casefold().split()))
        age = int(behind["age"])
    elif inside := _NUMBER.match(item.aside):
        age = int(inside[0])
    return phrase._replace(is_name=True), age if age < 120 else 0


def _person(clause: Clause, predicate: str, item: _Item) -> Iterator[Statement]:
    if item.phrase.text.isdecimal() and predicate == "parent_of" and len(item.phrase.text) < 3:
        yield from state(clause, "child_count", Value(int(item.phrase.text), "number", *_place(item.phrase)))
        return
    person, age = _named(item)
    if person.words[-1] in RELATIONS or person.words[-1] in GROUPS or person.words[0] in _COUNTS:
        count = _COUNTS.index(person.words[0]) + 1 if person.words[0] in _COUNTS else 0
        if count and predicate == "parent_of" and person.words[-1] in GROUPS:  # "two boys", not "one, a daughter"
            yield from state(clause, "child_count", Value(count, "number", *_place(person)))
        return
    if not normal_form(person.text) or person.text[0].isdigit():
        return
    yield from state(clause, predicate, person)
    if age:
        yield from state(clause, "age", Value(age, "number", str(age), *person.span), subject=person)


def _place(phrase: Phrase) -> tuple[str, int, int]:
    return phrase.text, phrase.start, phrase.end


def _pet(clause: Clause, item: _Item) -> Iterator[Statement]:
    """ "Pets: Rex (beagle), two rabbits (Crouton and Gravy), cat"."""
    phrase = item.phrase
    if called := _CALLED.match(phrase.text):
        kind = called["kind"]
        short = Phrase(kind, phrase.start, phrase.start + len(kind), tuple(kind.casefold().split()))
        phrase, item = short, item._replace(phrase=short, aside=called["name"])
    animal = any(among(phrase.words, listed) for listed in (SPECIES, BREEDS, PLURAL_SPECIES))
    inside = [each for each in re.split(r",|\band\b|&", item.aside) if each.strip()[:1].isupper()]
    if animal and inside:
        place = clause.text.find(item.aside, phrase.end)
        for each in inside:
            name = each.strip()
            start = clause.text.find(name, place)
            named = Phrase(name, start, start + len(name), tuple(name.casefold().split()), is_name=True)
            yield from state(clause, "has_pet", named)
            if kind := among(phrase.words, SPECIES) or PLURAL_SPECIES.get(among(phrase.words, PLURAL_SPECIES), ""):
                species = Phrase(SPECIES.get(kind, kind), *phrase.span, (kind,))
                yield from state(clause, "species", species, subject=named)
    elif animal:
        owned = phrase._replace(owner=clause.subject, determiner="my")
        yield from introductions(clause._replace(subject=owned))
        if among(phrase.words, PLURAL_SPECIES) == "":
            return
    else:
        name, age = _named(item)
        yield from state(clause, "has_pet", name)
        kind = item.aside.casefold()
        if kind in BREEDS or kind in SPECIES:
            start = clause.text.find(item.aside, phrase.end)
            described = Phrase(item.aside, start, start + len(item.aside), (kind,))
            yield from kind_of_animal(clause, described, kind, name)
        if age:
            yield from state(clause, "age", Value(age, "number", str(age), *name.span), subject=name)


def _of_kin(clause: Clause, note: Note, values: list[_Item]) -> Iterator[Statement]:
    """ "Wife: Lea (34)", "dog: Rex (beagle)"."""
    start = clause.text.casefold().find(note.key, note.span[0])
    if start < 0:
        return
    for item in values:
        name, age = _named(item)
        if name.text[0].isdigit() or len(name.words) > 3 or name.words[0] in _NO_NAME:
            continue
        kin = Phrase(
            text=clause.text[start : start + len(note.key)],
            start=start,
            end=start + len(note.key),
            words=tuple(note.key.split()),
            determiner="my",
            owner=clause.subject,
            relation=note.key if note.key in RELATIONS else "",
            name=name.text,
            name_span=name.span,
        )
        yield from introductions(clause._replace(subject=kin))
        if age:
            yield from state(clause, "age", Value(age, "number", str(age), *name.span), subject=kin)
        kind = item.aside.casefold()
        if note.key in SPECIES and kind in BREEDS:
            place = clause.text.find(item.aside, name.end)
            described = Phrase(item.aside, place, place + len(item.aside), (kind,))
            yield from kind_of_animal(clause, described, kind, kin)


def _number(clause: Clause, note: Note) -> Iterator[Statement]:
    found = _MEASURE.match(clause.text, note.start, note.end)
    if found is None or not any(character.isdigit() for character in found[0]):
        return
    said = found[0].strip().rstrip(".,")
    place = (said, found.start(), found.start() + len(said))
    if note.predicate != "age":
        yield from state(clause, note.predicate, Value(said, "text", *place))
    elif said.isdecimal() and 1 < int(said) < 120:
        yield from state(clause, "age", Value(int(said), "number", *place))


def _dated(clause: Clause, note: Note, times: Times) -> Iterator[Statement]:
    place = note.start
    while place < note.end and not clause.text[place].isalnum():
        place += 1
    timed = times.at(place) if place < note.end else None
    if timed is not None:
        start, end = timed[0]
        value = Value("", "date", clause.text[start:end], start, end)
        yield from state(clause, note.predicate, value, aspect="holds")
