"""What people use and are signed up for: banks, phones, programs, subscriptions, courses."""

import re
from collections.abc import Iterator

from kg_assets.text.clauses import Clause, Statement, Value
from kg_assets.text.frames.doings import is_of_a_life
from kg_assets.text.frames.stating import state, usable
from kg_assets.text.lexicon import bag
from kg_assets.text.phrases import Phrase

_NO_TOOL = frozenset(
    {"it", "that", "word", "words", "name", "help", "toilet", "bathroom", "time", "excuse", "term", "phrase"}
)


def _tool(phrase: Phrase) -> bool:
    plain = usable(phrase) and not phrase.relation and phrase.head not in _NO_TOOL
    return plain and phrase.determiner in ("", "a", "an", "the")


def using(clause: Clause) -> Iterator[Statement]:
    """As in "I use Linux", "my mum uses a wheelchair", "I bank with Monzo", "I no longer use Gmail"."""
    told = clause.tense in ("present", "perfect") and not clause.progressive and clause.inner is None
    if not told and not clause.used_to:
        return
    if not is_of_a_life(clause) or (clause.tense == "perfect" and not clause.negation):
        return
    for phrase in clause.after("with") if clause.verb == "bank" else clause.objects:
        if _tool(phrase) and phrase.owner is None and (phrase.is_name or phrase.determiner in ("a", "an")):
            yield from state(clause, "uses_tool", phrase)


_AMOUNT = (
    r"(?:about |around |roughly |only |just |over |under )*"
    r"(?P<sum>[€$£]?\d[\d.,]*\s?(?:k|grand|thousand)?(?: ?(?:euros?|dollars|pounds|eur|usd|gbp|kr|€|£))?)"
)
_RENT = re.compile(rf"\s*{_AMOUNT}(?: a|/| per| every| each)? ?(?:month|week|pcm)\b", re.IGNORECASE)
_SALARY = re.compile(
    rf"\s*{_AMOUNT}(?: a| per|/)? ?(?:year|annum|month|hour|before tax|after tax|gross|net|annually|pa)\b",
    re.IGNORECASE,
)
_HOMES = bag(
    "flat apartment house room studio place one-bed two-bed bedsit bungalow cottage rent one-bedroom two-bedroom loft"
)


def paying(clause: Clause) -> Iterator[Statement]:
    """As in "I pay 1350 a month for a one-bed in Ystad": the rent, and where one lives."""
    found = _RENT.match(clause.text, clause.verb_span[1]) if clause.tense in ("present", "perfect") else None
    homes = [each for each in clause.after("for", "in") if _HOMES & set(each.words)]
    rent = any(each.head == "rent" for each in (*clause.objects, *clause.after("in", "for")))
    if found is None or clause.negation or not (homes or rent) or clause.subject.head not in ("i", "we"):
        return
    yield from state(clause, "rent", Value(found["sum"].strip(), "text", found["sum"].strip(), *found.span("sum")))
    for place in [each for preposition, group in clause.preps[-1:] if preposition == "in" for each in group]:
        if place.is_name and usable(place) and place.owner is None:
            yield from state(clause, "lives_in", place)


def earning(clause: Clause) -> Iterator[Statement]:
    """As in "I make 52k before tax", "she earns 3,000 a month"."""
    found = _SALARY.match(clause.text, clause.verb_span[1]) if clause.tense == "present" else None
    if found is not None and not clause.negation and is_of_a_life(clause) and len(found["sum"].strip()) > 1:
        said = found["sum"].strip()
        yield from state(clause, "salary", Value(said, "text", said, *found.span("sum")))


def switching(clause: Clause) -> Iterator[Statement]:
    """As in "I switched from Android to an iPhone": the one is used no longer, the other from then on."""
    if clause.negation or clause.tense not in ("past", "perfect") or not is_of_a_life(clause):
        return
    for phrase in clause.after("from")[:1]:
        if _tool(phrase):
            yield from state(clause, "uses_tool", phrase, aspect="ends", polarity="denied")
    for phrase in clause.after("to")[:1]:
        if _tool(phrase):
            yield from state(clause, "uses_tool", phrase, aspect="begins")


def subscribing(clause: Clause) -> Iterator[Statement]:
    """As in "I subscribe to Netflix", "I unsubscribed from Hulu", "I've subscribed to two magazines"."""
    if clause.tense == "future" or not is_of_a_life(clause):
        return
    ended = clause.verb in ("unsubscribe", "cancel")
    for phrase in clause.after("from") if clause.verb == "unsubscribe" else clause.after("to"):
        if usable(phrase) and phrase.owner is None:
            begun = clause.tense in ("past", "perfect") and not clause.negation
            yield from state(
                clause,
                "subscribes_to",
                phrase,
                aspect="ends" if ended else "begins" if begun else None,
                polarity="denied" if ended else None,
            )


def signing_up(clause: Clause) -> Iterator[Statement]:
    """As in "I signed up for a pottery class", "I registered for the Berlin marathon"."""
    if clause.negation or clause.tense not in ("past", "perfect") or not is_of_a_life(clause):
        return
    if clause.objects or (clause.verb == "sign" and clause.particle != "up"):
        return
    for phrase in clause.after("for", "in", "on"):
        if usable(phrase) and phrase.owner is None:
            yield from state(clause, "signed_up_for", phrase, aspect="begins")


def freelancing(clause: Clause) -> Iterator[Statement]:
    """As in "I freelance for a couple of magazines": self-employed, and for whom."""
    if clause.tense == "future":
        return
    start, end = clause.verb_span
    yield from state(clause, "works_as", Phrase("freelancer", start, end, ("freelancer",)))
    for phrase in clause.after("for", "as"):
        if usable(phrase) and phrase.is_name:
            yield from state(clause, "works_at", phrase)
