"""Sentences that are a form of the ontology from end to end: "The author of Oliver Twist is Charles Dickens."

A form has two slots for names with fixed words around them. Found by searching for the words between the slots, so the
time is linear in the sentence. Standard library only; the table of forms comes from the ontology, on first use.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from kg_assets.text.chunks import PREPOSITIONS, STOPS, Times
from kg_assets.text.clauses import Aspect, Negation, Polarity, Statement, Value
from kg_assets.text.declared import declared
from kg_assets.text.frames.stating import usable
from kg_assets.text.lexicon import VERBS, bag
from kg_assets.text.phrases import DETERMINERS, OWNERS, PRONOUNS, Phrase, phrase_of
from kg_assets.text.sentences import BLOCKING, Sentence, Token, tokenise
from kg_assets.text.verb_groups import ADVERBS

_WORD = re.compile(r"\w+")
LONGEST = 300  # characters of a sentence that can be a form
_MOST_WORDS = 14  # of a slot
_TELLING = 3  # words of a form from which on a subject may be a common noun; one more, and the object may be one too
_CLOSING = " .!,;:'\"“”«»"
_OPENING = " '\"“”«»"
_IN_NAMES = STOPS & bag("and or but of for where how what why while so that who")
_TO = bag("in since on at from until for by")
_POINTING = bag("this that these those such some any every each no here there it")
_MOST_OF_THINGS = 6  # words that name a thing, its determiner among them
_NO_LONGER = " no longer"
_DENIALS: tuple[tuple[str, Negation], ...] = ((" is not ", "not"), (" isn't ", "not"), (" is no longer ", "ended"))
_JOINING = re.compile(r",? and |, ")
_UNTOLD = (
    (PRONOUNS - {"my", "our"}) | _POINTING | bag("a an his her its their your one")
)  # "a" thing is none that is known
_NEVER_INSIDE = (
    STOPS | PREPOSITIONS | ADVERBS | PRONOUNS | BLOCKING | bag("not no never being is are was were")
) - bag("of one")


class Form(NamedTuple):
    """The fixed words before, between and after two slots; `turned` where the object comes first."""

    predicate: str
    opening: str
    middle: str
    closing: str
    turned: bool
    dated: bool
    timeless: bool
    words: int
    common: bool = False  # its ends need not be names
    negation: Negation = ""


class Slot(NamedTuple):
    text: str
    start: int
    end: int


def form_statements(text: str, sentence: Sentence, times: Times) -> list[Statement]:
    """What a sentence states as a form; the form with the most words of its own counts. Empty where none fits."""
    start, end = sentence.start, sentence.end
    if end - start > LONGEST or sentence.is_question or not 4 <= len(sentence.tokens) <= 4 * _MOST_WORDS:
        return []
    whole = text[start:end].rstrip(_CLOSING)
    lowered = whole[:1].lower() + whole[1:]
    known = table()
    found = {form for word in set(_WORD.findall(lowered)) for form in known.get(word, ())}
    for form in sorted(found, key=_telling):
        for slots in _split(whole, lowered, form):
            first, second = (Slot(part.text, part.start + start, part.end + start) for part in slots)
            subject, other = (second, first) if form.turned else (first, second)
            if form.common:
                if told := list(_of_things(form, first, second, times, (start, end))):
                    return told
            elif _fits(form, subject, other, times):
                return list(_stated(form, subject, other, (start, end)))
    return []


def _split(whole: str, lowered: str, form: Form) -> Iterator[tuple[Slot, Slot]]:
    """The two slots of a form; where its words stand twice, the later place first for "the author of … is …"."""
    if not lowered.startswith(form.opening) or not whole.endswith(form.closing):
        return
    first, last = len(form.opening), len(whole) - len(form.closing)
    place = whole.rfind(form.middle, first, last) if form.opening else whole.find(form.middle, first, last)
    if place > first and place + len(form.middle) < last:
        yield _slot(whole, first, place), _slot(whole, place + len(form.middle), last)


def _slot(whole: str, start: int, end: int) -> Slot:
    while start < end and whole[start] in _OPENING:
        start += 1
    while start < end and whole[end - 1] in _OPENING:
        end -= 1
    return Slot(whole[start:end], start, end)


def _fits(form: Form, subject: Slot, other: Slot, times: Times) -> bool:
    if not subject.text or not other.text:
        return False
    dated = times.at(other.start)
    whole_date = dated is not None and dated[0][1] >= other.end
    if form.dated != whole_date:
        return False
    named = _is_name(subject, times, common=form.words >= _TELLING)
    return named and (form.dated or _is_name(other, times, common=form.words > _TELLING))


def _is_name(slot: Slot, times: Times, *, common: bool) -> bool:
    """A name, or a common noun where the form allows it: no pronoun, no verb, no clause, no time told beside it."""
    tokens = [token for token in tokenise(slot.text) if token.is_word]
    if not 0 < len(tokens) <= _MOST_WORDS:
        return False
    if not _opens(tokens) or any(_breaks(token) for token in tokens[1:]):
        return False
    for before, token in pairwise(tokens):
        if before.text in _TO and times.at(slot.start + token.start) is not None:
            return False
    if any(token.is_capitalised or token.text[0].isdigit() for token in tokens):
        return True
    return common and tokens[0].lower != "the" and len(tokens) <= 4


def _opens(tokens: list[Token]) -> bool:
    """Whether a name can begin so: with a capital before another one ("We Will Rock You"), or no word that points."""
    first, lower = tokens[0], tokens[0].lower
    if len(tokens) > 1 and first.is_capitalised and tokens[1].is_capitalised and lower not in BLOCKING:
        return True
    pointing = lower in PRONOUNS or lower in OWNERS or lower in _POINTING
    joining = len(tokens) > 1 and (lower in BLOCKING or lower in STOPS)
    return (
        not pointing and not joining and first.text not in ("a", "an") and (first.is_capitalised or not _breaks(first))
    )


def _breaks(token: Token) -> bool:
    """A word in small letters that no name holds: a verb in the past, a pronoun, the beginning of a clause."""
    if token.text != token.lower:
        return False
    verb = VERBS.get(token.lower)
    small = token.lower in PRONOUNS and token.lower != "one"
    return (
        small
        or token.lower in OWNERS
        or token.lower in BLOCKING
        or (token.lower in STOPS and token.lower not in _IN_NAMES)
        or (verb is not None and verb.form in ("past", "s") and token.lower not in ("born", "left", "cut", "set"))
    )


def _stated(form: Form, subject: Slot, other: Slot, span: tuple[int, int]) -> Iterator[Statement]:
    thing: Phrase | Value = Value("", "date", other.text, other.start, other.end) if form.dated else _phrase(other)
    aspect = "timeless" if form.timeless else "holds"
    yield Statement(_phrase(subject), form.predicate, thing, "affirmed", aspect, False, span)  # type: ignore[arg-type]


def _of_things(form: Form, first: Slot, second: Slot, times: Times, span: tuple[int, int]) -> Iterator[Statement]:
    """Of common nouns too: one statement for each thing that the last slot names."""
    negation = form.negation
    if not negation and first.text.endswith(_NO_LONGER):
        negation, place = "ended", first.end - len(_NO_LONGER)
        first = Slot(first.text.removesuffix(_NO_LONGER), first.start, place)
    one, others = thing(first, times), [thing(each, times) for each in _listed(second)]
    aspect: Aspect = "ends" if negation == "ended" else "timeless" if form.timeless else "holds"
    polarity: Polarity = "denied" if negation else "affirmed"
    told = [each for each in others if each is not None]
    if one is None or len(told) < len(others):
        return
    for other in told:
        subject, object_ = (other, one) if form.turned else (one, other)
        yield Statement(subject, form.predicate, object_, polarity, aspect, False, span)


def _listed(slot: Slot) -> Iterator[Slot]:
    """ "the API, the database and the tests": each of them."""
    place = slot.start
    for part in _JOINING.split(slot.text):
        start = slot.start + slot.text.index(part, place - slot.start)
        place = start + len(part)
        yield Slot(part, start, place)


def thing(slot: Slot, times: Times) -> Phrase | None:
    """What is named as one thing: no pronoun, nothing that is merely one of many, no clause, no time."""
    tokens = tokenise(slot.text)
    if not tokens or len(tokens) > _MOST_OF_THINGS or not all(token.is_word for token in tokens):
        return None
    if tokens[0].lower in _UNTOLD or any(times.at(slot.start + token.start) for token in tokens):
        return None
    inside = tokens[1:] if tokens[0].lower in DETERMINERS else tokens
    if not inside or any(_breaks(token) or token.lower in _NEVER_INSIDE for token in inside):
        return None
    placed = [token._replace(start=token.start + slot.start, end=token.end + slot.start) for token in tokens]
    phrase = phrase_of(" " * slot.start + slot.text, placed)
    if phrase is None or not usable(phrase):
        return None
    return phrase if phrase.owner is not None or phrase.name else phrase._replace(is_name=True)


def _phrase(slot: Slot) -> Phrase:
    return Phrase(slot.text, slot.start, slot.end, tuple(slot.text.casefold().split()), is_name=True)


def _telling(form: Form) -> tuple[int, int, bool, Form]:
    """Those of most words first; of things before of names, because they leave out a determiner."""
    return (-form.words, -len(form.middle), not form.common, form)


@lru_cache(maxsize=1)
def table() -> dict[str, tuple[Form, ...]]:
    """The ontology's forms by the longest of their words: a sentence without it needs no look at the form."""
    found: dict[str, list[Form]] = {}
    for name, kind, timeless, forms, nouns, common in declared():
        written_out = (*forms, *(form for noun in nouns for form in _of_noun(noun)))
        made = [_form(name, written, kind == "date", timeless) for written in written_out]
        made += [denied for written in common for denied in _of_common(_form(name, written, False, timeless))]
        for form in made:
            words = _WORD.findall(f"{form.opening} {form.middle} {form.closing}")
            found.setdefault(max(words, key=lambda word: (len(word), word)), []).append(form)
    return {word: tuple(forms) for word, forms in found.items()}


def _of_common(form: Form) -> Iterator[Form]:
    """A form of things, and how it is denied: "is not part of", "is no longer part of"."""
    yield form._replace(common=True)
    if form.middle.startswith(" is "):
        for words, negation in _DENIALS:
            yield form._replace(middle=form.middle.replace(" is ", words, 1), common=True, negation=negation)


def _of_noun(noun: str) -> tuple[str, ...]:
    """The sentences in which a noun of relation states: "the capital of X is Y", "Y is the capital of X", "X's …"."""
    spellings = sorted({noun, noun.title(), noun.upper() if len(noun) < 4 else noun})
    return tuple(
        form
        for spelt in spellings
        for form in (
            f"the {spelt} of {{subject}} is {{object}}",
            f"{{object}} is the {spelt} of {{subject}}",
            f"{{subject}}'s {spelt} is {{object}}",
        )
    )


def _form(predicate: str, written: str, dated: bool, timeless: bool) -> Form:
    first, second = sorted(("{subject}", "{object}"), key=written.index)
    opening, rest = written.split(first)
    middle, closing = rest.split(second)
    words = len(f"{opening} {middle} {closing}".replace("'s", "").split())
    return Form(predicate, opening, middle, closing, first == "{object}", dated, timeless, words)
