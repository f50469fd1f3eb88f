"""Parts of the body that ail, who treats whom, and where the money is: "my knee hurts", "I see Dr Reis"."""

import re
from collections.abc import Iterator

from kg_assets.text.clauses import Clause, Statement, Value
from kg_assets.text.frames.stating import is_own, names, speaker, state, usable
from kg_assets.text.lexicon import BODY, CLUBS, NATIONALITIES, ails, among, bag
from kg_assets.text.phrases import Phrase

_SICK = bag("sore swollen broken stiff painful torn sprained bad inflamed fractured messed injured dislocated bruised")
_GRADES = bag("food bad severe mild serious slight")
VALUES = bag("pressure cholesterol sugar iron glucose weight bmi ferritin thyroid platelets potassium sodium")
_FUNDS = bag("savings mortgage account accounts pension insurance money loan")
_SEATS = bag("party church league class course board community")


def hurting(clause: Clause) -> Iterator[Statement]:
    """As in "My knee still hurts", "my mum's hip is swollen": the part that ails, of whom it is."""
    part = clause.subject
    if part.head not in BODY or part.owner is None or clause.negation or clause.tense not in ("present", "perfect"):
        return
    hurts = clause.verb in ("hurt", "ache", "swell")
    said = {word for phrase in clause.objects for word in phrase.words} | {clause.adjective}
    if hurts or (clause.verb == "be" and _SICK & said):
        yield from state(clause, "has_condition", part._replace(owner=None), subject=part.owner)


def having_ailments(clause: Clause) -> Iterator[Statement]:
    """As in "She has a peanut allergy", "I have a bad knee"."""
    if clause.tense not in ("present", "perfect") or clause.passive:
        return
    for phrase in clause.objects:
        if phrase.owner is not None or not usable(phrase):
            continue
        if phrase.head in ("allergy", "intolerance") and len(phrase.words) > 1 and phrase.words[-2] not in _GRADES:
            end = phrase.end - len(phrase.head) - 1
            start = phrase.start + len(phrase.words[0]) + 1 if phrase.words[0] in _GRADES else phrase.start
            words = tuple(word for word in phrase.words[:-1] if word not in _GRADES)
            yield from state(clause, "allergic_to", Phrase(clause.text[start:end], start, end, words))
        elif phrase.words[0] in ("low", "high") and phrase.head in VALUES and not clause.negation:
            yield from state(clause, "has_condition", phrase)
        elif phrase.head in ("allergy", "allergies", "intolerance"):
            for thing in clause.after("to"):
                if usable(thing) and thing.owner is None:
                    yield from state(clause, "allergic_to", thing)
        elif phrase.head in BODY and _SICK & set(phrase.words[:-1]) and not clause.negation:
            yield from state(clause, "has_condition", phrase)


def down_with(clause: Clause) -> Iterator[Statement]:
    """As in "Finn is off sick with chickenpox", "I'm in bed with the flu"."""
    if clause.tense in ("present", "perfect") and not clause.negation:
        for phrase in clause.after("with"):
            if ails(phrase.words) and phrase.owner is None:
                yield from state(clause, "has_condition", phrase)


_WEIGHT = re.compile(r"\s*(?:about |around |only |just )*(?P<weight>\d{2,3} ?(?:kg|kilos|lbs?|pounds|stone))\b", re.I)


def measured(clause: Clause) -> Iterator[Statement]:
    """As in "I weigh 84 kg", "he's 84 kg"."""
    person = clause.subject.is_name or clause.subject.relation or clause.subject.head in ("i", "he", "she")
    if not person or clause.tense != "present" or clause.negation:
        return
    for predicate, pattern in (("weight", _WEIGHT),):
        if found := pattern.match(clause.text, clause.verb_span[1]):
            said = found[predicate]
            value = Value(said, "text", said, *found.span(predicate))
            yield from state(clause._replace(end=max(clause.end, found.end())), predicate, value)


def having_papers(clause: Clause) -> Iterator[Statement]:
    """As in "I have a Dutch passport", "I'm a US citizen", "I have a mortgage with Nationwide"."""
    if clause.tense not in ("present", "perfect") or clause.negation:
        return
    for phrase in clause.objects:
        nation = phrase.words[-2] if len(phrase.words) > 1 else ""
        if phrase.owner is None and phrase.head in ("passport", "citizen") and nation in NATIONALITIES:
            start = phrase.start + phrase.text.casefold().find(nation)
            said = Phrase(clause.text[start : start + len(nation)], start, start + len(nation), (nation,))
            yield from state(clause, "nationality", said)
        elif phrase.head in _FUNDS and phrase.owner is None:
            for bank in names(clause, clause.after("with", "at"))[:1]:
                yield from state(clause, "uses_tool", bank)


def treated(clause: Clause) -> Iterator[Statement]:
    """As in "I see Dr Lindqvist on the 2nd", "we go to Dr Reis"."""
    doctors = (*clause.objects, *clause.after("to", "with")) if clause.verb in ("see", "go") else ()
    for phrase in doctors:
        if phrase.is_name and phrase.words[0] in ("dr", "doctor") and len(phrase.words) > 1 and not clause.negation:
            yield from state(clause._replace(times=()), "doctor", phrase, aspect="holds")


def kept_with(clause: Clause) -> Iterator[Statement]:
    """As in "My savings are with Rabobank, the mortgage is with ING": a bank that is used."""
    funds = clause.subject
    mine = funds.owner is not None and is_own(funds.owner)
    if funds.head in _FUNDS and (mine or funds.determiner == "the") and clause.tense == "present":
        for bank in names(clause, clause.after("with", "at"))[:1]:
            yield from state(clause, "uses_tool", bank, subject=funds.owner or speaker(clause))


def frequenting(clause: Clause) -> Iterator[Statement]:
    """As in "I sing in a choir", "she plays in an orchestra", "I go to a book club": a member."""
    if clause.tense not in ("present", "perfect") or clause.negation or clause.passive or clause.used_to:
        return
    person = clause.subject.is_name or clause.subject.relation or clause.subject.head in ("i", "we", "he", "she")
    if not person or (clause.verb == "go" and (clause.progressive or clause.times)):
        return
    for club in clause.after("to") if clause.verb == "go" else clause.after("in", "on"):
        if _is_club(club):
            yield from state(clause, "member_of", club)


def _is_club(phrase: Phrase) -> bool:
    pointing = phrase.determiner in ("this", "that")  # "so I go to this choir"
    named = usable(phrase._replace(determiner="")) if pointing else usable(phrase)
    return named and bool(among(phrase.words, CLUBS)) and phrase.head not in _SEATS
