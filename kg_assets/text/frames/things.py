"""Possessions and health: what people own, drive, buy and sell; what they suffer from and take."""

from collections.abc import Iterator

from kg_assets.text.clauses import Clause, Statement
from kg_assets.text.frames.stating import is_own, singulars, state, usable
from kg_assets.text.lexicon import (
    BELONGINGS,
    BREEDS,
    DURABLES,
    PLURAL_SPECIES,
    PRODUCTS,
    SPECIES,
    VEHICLES,
    ails,
    among,
    bag,
    heals,
)
from kg_assets.text.phrases import Phrase

_BUSINESS = frozenset(
    {"bakery", "café", "cafe", "restaurant", "shop", "store", "bookshop", "business", "company", "studio"}
)


def is_durable(phrase: Phrase) -> bool:
    return is_kept(phrase.words) and phrase.determiner not in ("the", "this", "that")


def is_kept(words: tuple[str, ...]) -> bool:
    """Whether words name something that one has and keeps, be it one or several: "black cars", "record player"."""
    if len(words) > _LONGEST or not _NO_NOUN.isdisjoint(words):
        return False
    for end in (words[-1], *singulars(words[-1])):
        if end not in _HEADS:
            continue
        said = (*words[:-1], end)
        if any(among(said, listed) for listed in _KEPT):
            return True
    return False


_LONGEST = 5  # words
_NO_NOUN = bag("of out for with from will be is are was were and or in on at to have has") | {"'s"}
_KEPT = (DURABLES, PRODUCTS, VEHICLES, BELONGINGS)
_HEADS = frozenset(each.rpartition(" ")[2] for listed in _KEPT for each in listed)


def is_thing(phrase: Phrase) -> bool:
    """Something that lasts, whosever it is: "the car", "my black bike"."""
    return bool(among(phrase.words, DURABLES) or among(phrase.words, VEHICLES))


def is_animal(phrase: Phrase) -> bool:
    return any(among(phrase.words, listed) for listed in (SPECIES, PLURAL_SPECIES, BREEDS))


def possessing(clause: Clause) -> Iterator[Statement]:
    """As in "I own a boat", "we have a house in Faro", "I don't have a car". Of what one has, only things that last."""
    if clause.tense == "future":
        return
    for phrase in clause.objects:
        denied = phrase.determiner in ("any", "no") or clause.negation
        if not phrase.words[0][0].isalpha() or (clause.verb == "own" and is_animal(phrase)):
            continue  # "I own 10"; an animal is had as a pet
        if clause.verb == "own" and phrase.owner is not None and is_own(phrase.owner) and is_own(clause.subject):
            phrase = phrase._replace(owner=None, determiner="a")  # "I own my own shop"
        if phrase.owner is not None or not (usable(phrase) or denied) or phrase.is_pronoun:
            continue
        if phrase.head == "collection" and (gathered := clause.after("of")) and not denied:
            for each in gathered:
                if usable(each) and each.owner is None and each.determiner not in ("a", "an"):
                    yield from state(clause, "collects", each)
        elif (
            is_durable(phrase)
            or _is_beside(clause, phrase)
            or (clause.verb == "own" and not denied and phrase.determiner != "the")
        ):
            yield from state(clause, "owns", phrase, polarity="denied" if phrase.determiner == "no" else None)


def _is_beside(clause: Clause, phrase: Phrase) -> bool:
    """ "A car, a | tandem | and a cargo bike": one more of a list of lasting things."""
    others = [each for each in clause.objects if each is not phrase]
    lasting = sum(is_durable(each) for each in others)
    return bool(lasting) and lasting == len(others) and phrase.determiner in ("a", "an") and phrase.number <= 1


def running(clause: Clause) -> Iterator[Statement]:
    """As in "I run a bakery"."""
    if clause.tense in ("present", "perfect"):
        for phrase in clause.objects:
            if usable(phrase) and among(phrase.words, _BUSINESS) and phrase.determiner != "the":
                yield from state(clause, "owns", phrase)


def driving(clause: Clause) -> Iterator[Statement]:
    """As in "I drive a Fiat Panda", "I no longer drive the Panda"; a habit, not a trip."""
    habit = clause.tense in ("present", "perfect") and not clause.progressive
    if not (habit or clause.used_to) or clause.after("to"):
        return
    for phrase in clause.objects:
        casual = phrase.determiner == "" and not any(character.isupper() for character in clause.text)
        known = phrase.is_name or among(phrase.words, VEHICLES) or phrase.determiner in ("a", "an")
        known = known or (casual and len(phrase.words) <= 2 and not phrase.words[0].endswith("ly"))
        if usable(phrase) and phrase.owner is None and known and (phrase.determiner != "the" or clause.negation):
            yield from state(clause, "drives", phrase)


def buying(clause: Clause) -> Iterator[Statement]:
    """As in "I bought a bicycle on Saturday": it is owned from then on. Groceries are no possessions."""
    if clause.negation or clause.tense not in ("past", "perfect") or clause.passive or clause.after("for"):
        return
    for phrase in clause.objects:
        named = phrase.is_name and phrase.determiner in ("a", "an") and clause.verb != "get"
        own = phrase.owner is None or (phrase.owner.is_pronoun and phrase.owner.head == clause.subject.head)
        if usable(phrase) and own and (named or is_durable(phrase)):
            yield from state(clause, "owns", phrase._replace(owner=None), aspect="begins")


def selling(clause: Clause) -> Iterator[Statement]:
    """As in "I sold my car last week"."""
    if clause.negation or clause.tense not in ("past", "perfect"):
        return
    for phrase in clause.objects:
        it = phrase.is_pronoun and phrase.head == "it"
        if it or (usable(phrase) and (phrase.is_name or among(phrase.words, DURABLES))):
            for predicate in ("owns", "drives"):
                yield from state(clause, predicate, phrase._replace(owner=None), aspect="ends", polarity="denied")


def suffering(clause: Clause) -> Iterator[Statement]:
    """As in "I have asthma", "he was diagnosed with diabetes", "I suffer from migraines"."""
    if clause.tense == "future":
        return
    diagnosed = clause.verb == "diagnose"
    if clause.verb == "have":
        cases = any(each.head in _CASES for each in clause.objects)
        candidates = (*clause.objects, *(clause.after("of") if cases else ()))
    else:
        candidates = clause.after("with") if diagnosed else clause.after("from")
    for phrase in candidates:
        if usable(phrase) and ails(phrase.words):
            yield from state(
                clause, "has_condition", phrase, aspect="begins" if diagnosed and not clause.negation else None
            )


_CASES = bag("case form bout touch history kind type")


def taking(clause: Clause) -> Iterator[Statement]:
    """Medication by name: "I take insulin", "I'm taking antibiotics"."""
    if clause.tense in ("present", "perfect"):
        for phrase in clause.objects:
            if usable(phrase) and heals(phrase.words):
                yield from state(clause, "takes_medication", phrase)
