"""School: which year, class or school a child is in, and where somebody was admitted."""

import re
from collections.abc import Iterator

from kg_assets.text.clauses import Clause, Statement, Value
from kg_assets.text.frames.stating import state, usable
from kg_assets.text.phrases import Phrase

_YEAR = re.compile(
    r"\s*(?:still |now |currently |only |already |in |at |the |a |my |his |her |their )*(?P<year>year \d{1,2}|"
    r"(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|\d{1,2}(?:st|nd|rd|th)) "
    r"(?:grade|year|form|class)|grade \d{1,2}|class \d{1,2}|sixth form)\b",
    re.IGNORECASE,
)
_SCHOOLS = re.compile(
    r"\s*(?:still |now |currently |already |in |at |the |a |to )*(?P<school>kindergarten|nursery|preschool|pre-school|"
    r"daycare|day care|reception|(?:primary|elementary|middle|secondary|high|boarding|music|art|law|medical) school)"
    r"\b(?! teacher| class| nurse| kid)",
    re.IGNORECASE,
)


def at_school(clause: Clause) -> Iterator[Statement]:
    """As in "Ronja is in year 3", "our son started kindergarten", "she goes to nursery"."""
    subject = clause.subject
    person = subject.is_name or subject.relation or (subject.is_pronoun and subject.head not in ("it", "you", "they"))
    told = clause.tense in ("present", "perfect") or clause.verb == "start"
    other = bool(clause.objects) and clause.verb == "be" and not _is_year(clause)
    if not person or not told or clause.negation or other:
        return
    place = clause.verb_span[1]
    begun = "begins" if clause.verb == "start" and clause.tense != "present" else None
    if year := _YEAR.match(clause.text, place):
        value = Value(year["year"], "text", year["year"], *year.span("year"))
        yield from state(clause._replace(end=max(clause.end, year.end())), "school_year", value, aspect=begun)  # type: ignore[arg-type]
    elif school := _SCHOOLS.match(clause.text, place):
        words = tuple(school["school"].casefold().split())
        phrase = Phrase(school["school"], *school.span("school"), words)
        yield from state(clause._replace(end=max(clause.end, school.end())), "studies_at", phrase, aspect=begun)  # type: ignore[arg-type]


def _is_year(clause: Clause) -> bool:
    return _YEAR.match(clause.text, clause.verb_span[1]) is not None


_PARENTS = frozenset({"mum", "mom", "mother", "dad", "father", "parent"})
_OF_HOW_MANY = re.compile(r" of (?P<many>one|two|three|four|five|six|[1-9])\b(?! (?:a|the|my))", re.IGNORECASE)
_COUNTS = {word: number for number, word in enumerate(("one", "two", "three", "four", "five", "six"), 1)}


def parenting(clause: Clause) -> Iterator[Statement]:
    """As in "I'm a single mum of two"."""
    for phrase in clause.objects[:1]:
        if phrase.head not in _PARENTS or phrase.owner is not None or clause.tense not in ("present", "perfect"):
            return
        if phrase.words[0] == "single":
            status = Phrase(phrase.text[:6], phrase.start, phrase.start + 6, ("single",))
            yield from state(clause, "marital_status", status)
        if found := _OF_HOW_MANY.match(clause.text, phrase.end):
            many = found["many"].casefold()
            value = Value(_COUNTS.get(many) or int(many), "number", found["many"], *found.span("many"))
            yield from state(clause._replace(end=max(clause.end, found.end())), "child_count", value)


def admitted(clause: Clause) -> Iterator[Statement]:
    """As in "My eldest got into Leiden for law", "I got accepted to MIT"."""
    if clause.tense not in ("past", "perfect") or clause.negation:
        return
    for school in clause.after("into", *(("to",) if clause.passive else ())):
        if usable(school) and school.is_name and school.owner is None:
            yield from state(clause, "studies_at", school, aspect="begins")
            for field in clause.after("for"):
                if usable(field) and not field.determiner and field.owner is None and not field.is_name:
                    yield from state(clause, "studies", field, aspect="begins")
