"""What someone is: name, age, origin, job, diet, health, favourites. Most of it is said with "be"."""

import re
from collections.abc import Iterator

from kg_assets.text.clauses import Clause, Statement, Value
from kg_assets.text.frames.attributes import attribute
from kg_assets.text.frames.couples import marrying
from kg_assets.text.frames.habits import able, looking
from kg_assets.text.frames.relations import called, is_related, kind_of_animal, qualified
from kg_assets.text.frames.stating import names, state, usable
from kg_assets.text.frames.tastes import is_taste
from kg_assets.text.frames.work import between_jobs, employers, is_trade
from kg_assets.text.lexicon import (
    BREEDS,
    CLUBS,
    HOBBIES,
    KINDS_OF_PEOPLE,
    MARITAL,
    NO_NAMES,
    PLURAL_SPECIES,
    SPECIES,
    among,
    bag,
)
from kg_assets.text.phrases import Phrase
from kg_assets.text.shallow import BAD_AT, GOOD_AT
from kg_assets.text.verb_groups import ADVERBS

_LIVING = frozenset(SPECIES) | frozenset(PLURAL_SPECIES) | BREEDS | bag("grandparents parents father wife man woman")
_JOB_WORDS = frozenset({"job", "occupation", "profession", "job title", "title"})
_NUMBER_NAMES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
)
_NUMBERS = {word: number for number, word in enumerate(_NUMBER_NAMES.split())}
_TENS = dict(
    zip(("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"), range(20, 99, 10), strict=True)
)
_NUMBERS |= _TENS | {
    f"{word}-{one}": number + digit
    for word, number in _TENS.items()
    for digit, one in enumerate(_NUMBER_NAMES.split()[1:10], 1)
}
_SPELLINGS = {"color": "colour", "movie": "film", "flavor": "flavour"}
_OLDEST = 120
_TAKING = {
    "allergic": ("to", "allergic_to"),
    "fluent": ("in", "speaks_language"),
    "fond": ("of", "likes"),
    "passionate": ("about", "likes"),
    "obsessed": ("with", "likes"),
    "crazy": ("about", "likes"),
    "keen": ("on", "likes"),
    "interested": ("in", "interested_in"),
    "afraid": ("of", "fears"),
    "scared": ("of", "fears"),
    "terrified": ("of", "fears"),
    **dict.fromkeys(GOOD_AT, ("at", "has_ability")),
    **dict.fromkeys(BAD_AT, ("at", "has_weakness")),
}
_KEEN = frozenset({"total", "huge", "massive", "big", "avid", "lifelong", "mega", "longtime", "major", "number-one"})
_ABLE = frozenset({"fears", "has_ability", "has_weakness"})


def being(clause: Clause) -> Iterator[Statement]:
    """Every reading of a copula."""
    subject = clause.subject
    if subject.head == "birthday" and subject.owner is not None:
        yield from birthday(clause)
        return
    if clause.tense == "future":
        return
    yield from described(clause)
    yield from from_where(clause)
    yield from between_jobs(clause)
    yield from attribute(clause)
    if subject.head == "name" and subject.owner is not None:
        for phrase in clause.objects[:1]:
            yield from called(clause, subject.owner, phrase)
    elif subject.lower in _JOB_WORDS and subject.owner is not None:
        for phrase in clause.objects:
            if is_trade(phrase):
                yield from state(clause, "works_as", phrase, subject=subject.owner)
    elif subject.owner is not None and (kind := favourite(clause.text, subject)):
        for phrase in clause.objects[:1]:
            if usable(phrase) and not phrase.owner and phrase.head != subject.head:
                yield from state(clause, f"favourite_{kind}", phrase, subject=subject.owner)
    elif subject.owner is not None and subject.head in ("hobby", "hobbies", "pastime"):
        for phrase in clause.objects:
            if usable(phrase) and (among(phrase.words, HOBBIES) or not phrase.determiner):
                yield from state(clause, "hobby", phrase, subject=subject.owner)
    else:
        yield from is_related(clause)
        yield from aged(clause)
        for phrase in clause.objects:
            yield from is_something(clause, phrase)


def is_something(clause: Clause, phrase: Phrase) -> Iterator[Statement]:
    """As in "I'm a nurse at Santa Clara", "Max is a beagle", "I'm a fan of jazz", "I'm vegan", "I'm Ana"."""
    subject = clause.subject
    if not usable(phrase):
        return
    yield from looking(clause, phrase)
    animal = among(phrase.words, BREEDS) or among(phrase.words, SPECIES)
    kind = favourite(clause.text, phrase) if phrase.owner is not None else ""
    if kind and usable(subject) and not subject.owner:
        yield from state(clause, f"favourite_{kind}", subject, subject=phrase.owner)
    elif phrase.head in ("favourite", "favorite", "fave", "fav") and phrase.owner is not None and usable(subject):
        if not subject.owner:
            yield from state(clause, "likes", subject, subject=phrase.owner)
    elif found := list(qualified(clause, phrase)):
        yield from found
    elif is_trade(phrase):
        yield from state(clause, "works_as", phrase)
        for employer in employers(clause, clause.after("at", "for", "with"))[:1]:
            yield from state(clause, "works_at", employer)
        for place in names(clause, clause.after("in"))[:1]:
            yield from state(clause, "works_in_place", place)
    elif phrase.head == "fan":
        for liked in clause.after("of"):
            if usable(liked) and not liked.owner:
                yield from state(clause, "likes", liked)
        yield from _fan_of(clause, phrase)
    elif phrase.head in ("member", "members"):
        for club in clause.after("of"):
            if usable(club) and (club.is_name or among(club.words, CLUBS)):
                yield from state(clause, "member_of", club)
    elif (
        animal
        and not phrase.owner
        and not subject.relation
        and (subject.is_name or subject.owner or subject.head in ("he", "she", "it"))
    ):
        yield from kind_of_animal(clause, phrase, animal, subject)
    elif phrase.head == "pregnant":
        start = phrase.end - len(phrase.head)
        yield from state(
            clause, "has_condition", Phrase(clause.text[start : phrase.end], start, phrase.end, (phrase.head,))
        )
    elif is_kind(clause, phrase) or (phrase.lower in KINDS_OF_PEOPLE and phrase.determiner in ("a", "an")):
        yield from state(clause, "is_a", phrase)
    elif subject.is_pronoun and subject.head == "i" and not clause.preps and _is_given(clause, phrase):
        yield from called(clause, subject, phrase)
        yield from introducing(clause, phrase)


def is_kind(clause: Clause, phrase: Phrase) -> bool:
    """As in "Portugal is a country", "Rust is a programming language": what a name stands for. No praise ("Tom is a
    great friend"), and nothing that goes on ("Yoga is a way to relax")."""
    subject = clause.subject
    between = clause.text[clause.verb_span[1] : phrase.start].casefold().split()
    following = clause.text[phrase.end : phrase.end + 1]
    plain = phrase.determiner in ("a", "an") and not phrase.is_name and phrase.owner is None and not phrase.relation
    return (
        plain
        and subject.is_name
        and subject.owner is None
        and clause.tense == "present"
        and between in (["a"], ["an"], ["not", "a"], ["not", "an"])
        and following in ("", ".", ",", "!", ";", "\n")
        and not clause.preps
        and not _PRAISE.intersection(phrase.words)
        and len(phrase.words) <= 3
    )


_PRAISE = bag(
    "way must must-visit must-see must-read help reminder blessing inspiration joy treat gift challenge part keeper "
    "legend star gem angel hero idiot lifesaver nightmare mess pain genius blast delight pleasure shame pity joke "
    "disaster game-changer passion beast classic winner success thing favourite favorite day week year month weekend "
    "mystery surprise bummer drag start"
)


def _fan_of(clause: Clause, phrase: Phrase) -> Iterator[Statement]:
    """As in "a huge film fan"."""
    kept = [word for word in phrase.words[:-1] if word not in _KEEN]
    start = phrase.text.casefold().find(" ".join([*kept, phrase.head]))
    if kept and start >= 0:
        first, last = phrase.start + start, phrase.start + start + len(" ".join(kept))
        yield from state(clause, "likes", Phrase(clause.text[first:last], first, last, tuple(kept)))


def introducing(clause: Clause, name: Phrase) -> Iterator[Statement]:
    """What follows a name: "I'm Nadia, 29, from Izmir"."""
    found = _AGE_BEHIND.match(clause.text, name.end)
    if found and 1 < int(found[1]) < _OLDEST:
        yield from state(clause, "age", Value(int(found[1]), "number", found[1], *found.span(1)))
    place = _FROM_BEHIND.match(clause.text, found.end() if found else name.end)
    if place:
        words = tuple(place[1].casefold().split())
        yield from state(clause, "comes_from", Phrase(place[1], *place.span(1), words, is_name=True))


_AGE_BEHIND = re.compile(r", (?:I'm |aged? )?([0-9]{1,3})(?: years old)?(?=,|[.!]|$| and | from )")
_FROM_BEHIND = re.compile(r",? (?:and )?(?:I'm )?from ([A-Z][\w'’-]+(?: [A-Z][\w'’-]+){0,2})")


def _is_given(clause: Clause, phrase: Phrase) -> bool:
    """As in "I'm actually Tom"; not "I'm avoiding Tom", "I'm team Tom"."""
    between = clause.text[clause.verb_span[1] : phrase.start].casefold().replace("’", "'")
    plain = phrase.is_name and len(phrase.words) <= 2 and not phrase.determiner and phrase.owner is None
    plain = plain and phrase.words[0] not in NO_NAMES and phrase.words[0] not in MARITAL  # "SO lucky", "Divorced."
    return plain and ADVERBS.issuperset(word.strip(",.") for word in between.split())


_UNITS = ("%", "°", "/", ":", "'", "’")


def aged(clause: Clause) -> Iterator[Statement]:
    """As in "I'm 34", "Mia is seven years old", "he turned 40". A bare number is an age only of somebody."""
    subject = clause.subject
    animal = among(subject.words, SPECIES) or among(subject.words, BREEDS)
    somebody = (subject.is_pronoun and subject.head != "it") or subject.is_name or subject.relation or animal
    if not somebody or clause.preps or clause.adjective:
        return
    for phrase in clause.objects[:1]:
        bare = _NUMBERS.get(phrase.lower) or (int(phrase.text) if _is_count(phrase.text) else 0)
        number = phrase.number if phrase.lower in ("years old", "years", "yo", "year old") else bare
        followed = clause.text[phrase.end : phrase.end + 1]
        measured = clause.text[max(0, phrase.start - 1) : phrase.start] in ("'", "’", ".", ",", ":", "/")  # "6'2"
        if 1 < number < _OLDEST and not phrase.owner and not measured and followed not in _UNITS:
            begun = clause.verb == "turn"
            if begun or clause.tense == "present":
                value = Value(number, "number", phrase.text, phrase.start, phrase.end)
                yield from state(clause, "age", value, aspect="begins" if begun else None)


def having_years(clause: Clause) -> Iterator[Statement]:
    """ "I have 26 years", as in many other languages; not "26 years of experience"."""
    phrase = clause.objects[0] if len(clause.objects) == 1 else None
    if phrase is None or clause.tense != "present" or clause.negation or clause.preps:
        return
    following = clause.text[phrase.end : phrase.end + 4].casefold()
    if phrase.words == ("years",) and 10 < phrase.number < _OLDEST and following not in (" of ", " in "):
        yield from state(clause, "age", Value(phrase.number, "number", phrase.text, *phrase.span))


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 4


def turning(clause: Clause) -> Iterator[Statement]:
    """As in "My daughter turned 7 on Saturday": her age from that day, and her birthday."""
    if clause.tense not in ("past", "perfect") or clause.negation:
        return
    ages = list(aged(clause))
    yield from ages
    if ages and clause.times:
        yield from state(clause._replace(times=()), "birthday", date_of(clause), aspect="holds")


def turning_soon(clause: Clause) -> Iterator[Statement]:
    """As in "She's turning 70 on Saturday": her birthday."""
    soon = clause.tense == "future" or (clause.tense == "present" and clause.progressive)
    told = clause._replace(tense="present", times=()) if soon and not clause.negation else None
    if told is not None and any(True for _ in aged(told)):
        for each in aged(told._replace(times=clause.times)):
            yield each._replace(aspect="begins", forward=True)


def birthday(clause: Clause) -> Iterator[Statement]:
    """As in "My birthday is on 5 May": the day stands in the time expression."""
    if clause.times:
        yield from state(
            clause._replace(times=()), "birthday", date_of(clause), subject=clause.subject.owner, aspect="holds"
        )


def born(clause: Clause) -> Iterator[Statement]:
    """As in "I was born in Porto on 3 May 1990"."""
    if not clause.passive:
        return
    for place in names(clause, clause.after("in", "at", "near"))[:1]:
        yield from state(clause._replace(times=()), "born_in", place, aspect="holds")
    for phrase in clause.after("with")[:1]:  # "born with a heart defect"
        plain = usable(phrase) and phrase.owner is None and phrase.determiner in ("", "a", "an") and not clause.negation
        if plain and phrase.head not in ("spoon", "talent", "gift", "name", "privilege", "hair", "eyes"):
            yield from state(clause._replace(times=()), "has_condition", phrase, aspect="holds")
    if clause.times:
        yield from state(clause._replace(times=()), "born_on", date_of(clause), aspect="holds")


def dying(clause: Clause) -> Iterator[Statement]:
    """As in "My grandfather died last week", "our cat passed away"."""
    subject = clause.subject
    passed = clause.verb == "pass" and not clause.objects
    gone = clause.verb == "die" or (passed and (clause.particle == "away" or bool(subject.relation)))
    lived = subject.is_name or subject.is_pronoun or bool(subject.relation) or among(subject.words, _LIVING)
    if gone and lived and clause.times and clause.tense in ("past", "perfect") and not clause.negation:
        yield from state(clause, "died_on", date_of(clause), aspect="begins")


def date_of(clause: Clause) -> Value:
    """The first time expression as a value; its day is known once it is known when it was said."""
    start, end = clause.times[0]
    return Value("", "date", clause.text[start:end], start, end)


def described(clause: Clause) -> Iterator[Statement]:
    """Adjectives that take something with them."""
    if clause.adjective in ("married", "engaged"):
        yield from marrying(clause)
    elif clause.adjective in _TAKING and clause.verb == "be" and _TAKING[clause.adjective][1] in _ABLE:
        yield from able(clause, *_TAKING[clause.adjective])
    elif clause.adjective in _TAKING:
        preposition, predicate = _TAKING[clause.adjective]
        for phrase in clause.after(preposition):
            fits = is_taste(clause.text, phrase) if predicate == "likes" else usable(phrase) and not phrase.owner
            if fits:
                yield from state(clause, predicate, phrase)
    elif not clause.objects and not clause.adjective:
        for phrase in clause.after("into"):  # "I'm into climbing"
            if is_taste(clause.text, phrase) and phrase.lower not in ("it", "trouble"):
                yield from state(clause, "likes", phrase)
    elif clause.adjective == "retired" and clause.tense in ("present", "perfect"):
        start = clause.text.find("retired", clause.verb_span[1])
        if start >= 0:
            yield from state(clause, "works_as", Phrase("retired", start, start + 7, ("retired",)))


def from_where(clause: Clause) -> Iterator[Statement]:
    """As in "I'm from Porto"; not "this is from Porto"."""
    person = clause.subject.is_pronoun or clause.subject.is_name or clause.subject.relation
    if person and not clause.objects and not clause.adjective and clause.tense == "present":
        for place in names(clause, clause.after("from"))[:1]:
            yield from state(clause, "comes_from", place)


def favourite(text: str, phrase: Phrase) -> str:
    """What is a favourite, as the end of a predicate: "my favourite Italian food" → italian_food; "" for none."""
    before = text[max(0, phrase.start - 12) : phrase.start].casefold()
    if not before.endswith(("favourite ", "favorite ")):
        return ""
    if phrase.head in ("one", "ones", "thing", "part"):
        return ""
    return "_".join(_SPELLINGS.get(word, word) for word in phrase.words if word.isalnum())
