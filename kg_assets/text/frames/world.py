"""Encyclopaedic statements between two proper names: "Paris is the capital of France", "Dickens wrote Oliver Twist"."""

from collections.abc import Iterator

from kg_assets.text.clauses import Clause, Statement
from kg_assets.text.frames.stating import names, state
from kg_assets.text.phrases import Phrase

# "X is the … of Y": predicate of Y with the value X.
_OFFICES = {
    "capital": "capital",
    "capital city": "capital",
    "author": "author",
    "writer": "author",
    "director": "director",
    "composer": "composer",
    "creator": "creator",
    "inventor": "inventor",
    "founder": "founder",
    "co-founder": "founder",
    "developer": "developer",
    "producer": "producer",
    "publisher": "publisher",
    "ceo": "chief_executive",
    "chief executive": "chief_executive",
    "chief executive officer": "chief_executive",
    "chairperson": "chairperson",
    "chairman": "chairperson",
    "president": "president",
    "king": "monarch",
    "queen": "monarch",
    "head of state": "head_of_state",
    "prime minister": "prime_minister",
    "mayor": "mayor",
    "chancellor": "chancellor",
    "head coach": "head_coach",
    "official language": "official_language",
    "currency": "currency",
}
_MAKERS = {
    "write": "author",
    "direct": "director",
    "compose": "composer",
    "create": "creator",
    "invent": "inventor",
    "found": "founder",
    "establish": "founder",
    "develop": "developer",
    "produce": "producer",
    "publish": "publisher",
}
_SETTLEMENTS = frozenset(
    {"city", "town", "village", "country", "river", "mountain", "island", "region", "company", "museum"}
)


def office(clause: Clause) -> Iterator[Statement]:
    """As in "Paris is the capital of France" and "the capital of France is Paris"."""
    if clause.tense not in ("present",) or len(clause.objects) != 1:
        return
    subject, other = clause.subject, clause.objects[0]
    if subject.is_name and not subject.owner and other.lower in _OFFICES:
        for whole in names(clause, clause.after("of"))[:1]:
            yield from _timeless(clause, _OFFICES[other.lower], whole, subject)
    elif other.is_name and not other.owner and (found := _office_of(subject)):
        yield from _timeless(clause, found[0], found[1], other)
    elif subject.is_name and not subject.owner and other.head in _SETTLEMENTS and other.determiner in ("a", "an"):
        for place in names(clause, clause.after("in"))[:1]:
            yield from _timeless(clause, "located_in", subject, place)


def _office_of(subject: Phrase) -> tuple[str, Phrase] | None:
    """The office and its place in "the capital of France", which reads as one phrase; "France's capital" as owner."""
    if subject.owner is not None and subject.owner.is_name and subject.lower in _OFFICES:
        return _OFFICES[subject.lower], subject.owner
    noun, _, place = subject.lower.partition(" of ")
    if noun in _OFFICES and place and subject.determiner == "the":
        start = subject.end - len(place)
        text = subject.text[len(subject.text) - len(place) :]
        if text[:1].isupper():
            return _OFFICES[noun], Phrase(text, start, subject.end, tuple(place.split()), is_name=True)
    return None


def making(clause: Clause) -> Iterator[Statement]:
    """As in "Dickens wrote Oliver Twist", "Oliver Twist was written by Dickens"."""
    if clause.tense not in ("past", "perfect") or not clause.subject.is_name or clause.subject.owner:
        return
    predicate = _MAKERS[clause.verb]
    if clause.passive:
        for maker in names(clause, clause.after("by"))[:1]:
            yield from _timeless(clause, predicate, clause.subject, maker)
    else:
        for made in names(clause, clause.objects):
            yield from _timeless(clause, predicate, made, clause.subject)


def located(clause: Clause) -> Iterator[Statement]:
    """As in "Porto is located in Portugal"."""
    if clause.passive and clause.tense == "present" and clause.subject.is_name:
        for place in names(clause, clause.after("in"))[:1]:
            yield from _timeless(clause, "located_in", clause.subject, place)


def _timeless(clause: Clause, predicate: str, subject: Phrase, object_: Phrase) -> Iterator[Statement]:
    if not clause.negation:
        yield from state(clause._replace(times=()), predicate, object_, subject=subject, aspect="timeless")


MAKERS = tuple(_MAKERS)
