"""Study: schools, degrees, what is being learned."""

from collections.abc import Iterator

from kg_assets.text.clauses import Clause, Statement
from kg_assets.text.frames.stating import names, state, usable
from kg_assets.text.lexicon import HOBBIES, INSTRUMENTS, LANGUAGES, STUDY_PLACES, among, bag
from kg_assets.text.phrases import Phrase

_SCHOOL = frozenset({"university", "college", "school", "institute", "academy", "universidade", "uni", "faculty"})
_NO_SUBJECT = frozenset({"hard", "exam", "exams", "test", "tests", "finals", "abroad", "together", "more", "homework"})
_STAGES = frozenset({"school", "college", "university", "uni", "preschool", "kindergarten", "nursery", "grade"})


def schooling(clause: Clause) -> Iterator[Statement]:
    """As in "I'm still in high school", "she's at university", "I'm in college"."""
    if clause.tense != "present" or clause.objects or clause.adjective or clause.times:
        return
    for preposition, phrases in clause.preps:
        for phrase in phrases[:1]:
            bare = not phrase.determiner and phrase.owner is None and not phrase.is_name
            known = phrase.head in _STAGES and (preposition == "in" or (preposition == "at" and phrase.head in _HIGHER))
            if bare and known and not (phrase.lower == "school" and preposition == "at"):
                yield from state(clause, "studies_at", phrase)


_HIGHER = frozenset({"university", "uni", "college"})


def schools(phrases: tuple[Phrase, ...]) -> list[Phrase]:
    return [
        each
        for each in phrases
        if usable(each) and (among(each.words, STUDY_PLACES) or (each.is_name and _SCHOOL.intersection(each.words)))
    ]


def studying(clause: Clause) -> Iterator[Statement]:
    """As in "I study biology at the University of Porto"."""
    if clause.tense == "future":
        return
    for subject in [*clause.objects, *(clause.after("in") if clause.verb == "major" else ())]:
        plain = usable(subject) and not subject.owner and not subject.determiner
        if plain and not _NO_SUBJECT.intersection(subject.words):
            yield from state(clause, "studies", subject)
    for school in [*schools(clause.after("at")), *names(clause, clause.after("at"))][:1]:
        yield from state(clause, "studies_at", school)


def attending_school(clause: Clause) -> Iterator[Statement]:
    """As in "She goes to Lincoln High School", "I attend the University of Porto", "I enrolled at …"."""
    ahead = clause.tense == "future" or (clause.verb == "go" and clause.progressive)
    if ahead or (clause.verb == "go" and clause.tense != "present"):
        return
    places = clause.objects if clause.verb == "attend" else clause.after("at", "to", "in")
    if clause.tense == "present" and not clause.times and not clause.inner:
        places = tuple(each for each in places if each.is_name or _is_stage(each))
    else:
        places = tuple(each for each in places if each.is_name)
    for school in schools(places)[:1]:
        of = next((each for each in clause.after("of") if each.start - school.end == len(" of ")), None)
        if of is not None and school.head in _HIGHER and not of.is_pronoun:  # "university of alabama"
            text = clause.text[school.start : of.end]
            school = school._replace(text=text, end=of.end, words=tuple(text.casefold().split()))
        yield from state(clause, "studies_at", school, aspect="begins" if clause.verb in ("enrol", "enroll") else None)


def _is_stage(phrase: Phrase) -> bool:
    """ "College", "art school", "a law school": a kind of school, which one goes to for years."""
    plain = phrase.determiner in ("", "a", "an") and phrase.owner is None and phrase.lower != "school"
    return plain and phrase.head in _HIGHER | {"school"}


def graduating(clause: Clause) -> Iterator[Statement]:
    if clause.tense not in ("past", "perfect") or clause.negation:
        return
    for phrase in clause.objects:  # "a maths degree"
        if phrase.head in _DEGREES and len(phrase.words) > 1 and _NO_FIELD.isdisjoint(phrase.words[:-1]):
            end = phrase.end - len(phrase.head) - 1
            field = Phrase(clause.text[phrase.start : end], phrase.start, end, phrase.words[:-1])
            if phrase.text.casefold() == phrase.lower and not phrase.owner:
                yield from state(clause, "has_degree_in", field, aspect="holds")
    for school in [*schools(clause.after("from", "at")), *names(clause, clause.after("from", "at"))][:1]:
        yield from state(clause, "graduated_from", school, aspect="begins")
    for field in clause.after("in"):
        if usable(field) and not field.determiner and not field.owner:
            yield from state(clause, "has_degree_in", field, aspect="begins")


_NO_FIELD = bag(
    "first second good bachelor bachelor's bachelors master master's masters online college university honours honors "
    "undergraduate graduate postgraduate joint associate associate's doctoral degree useless useful four-year two-year "
    "only teaching advanced higher research phd 's"
)
_DEGREES = bag("degree degrees bachelor's bachelors master's masters phd doctorate diploma ba bsc msc ma")


def _taking_now(clause: Clause) -> Iterator[Statement]:
    """As in "I'm doing a PhD on soil fungi at Wageningen"."""
    if not any(each.head in _DEGREES | {"apprenticeship", "doctorate"} for each in clause.objects):
        return
    for field in clause.after("in", "on"):
        if usable(field) and not field.determiner and not field.owner and not field.is_name:
            yield from state(clause, "studies", field)
    for school in [*schools(clause.after("at")), *names(clause, clause.after("at"))][:1]:
        yield from state(clause, "studies_at", school)


def taking_a_degree(clause: Clause) -> Iterator[Statement]:
    """As in "I did my degree in marine biology at Plymouth", "she has a master's in law"."""
    if clause.progressive and clause.tense in ("present", "perfect") and not clause.negation:
        yield from _taking_now(clause)
    done = clause.tense in ("past", "perfect") or (clause.verb in ("have", "hold") and clause.tense == "present")
    had = any(each.head in _DEGREES and each.determiner != "no" for each in clause.objects)
    if not done or clause.negation or clause.progressive or not had:
        return
    for field in [*clause.after("in"), *(each for phrase in clause.objects if (each := _field(clause, phrase)))]:
        if usable(field) and not field.determiner and not field.owner:
            yield from state(clause, "has_degree_in", field, aspect="holds")
    for school in [*schools(clause.after("from", "at")), *names(clause, clause.after("from", "at"))][:1]:
        yield from state(clause, "graduated_from", school, aspect="begins")


def _field(clause: Clause, phrase: Phrase) -> Phrase | None:
    """The "marketing" of "a marketing degree"."""
    words = phrase.words[:-1]
    if phrase.head not in ("degree", "diploma") or not words or not _NO_FIELD.isdisjoint(words):
        return None
    end = phrase.start + phrase.text.rfind(" ")
    return Phrase(clause.text[phrase.start : end], phrase.start, end, words)


_NO_FIELD = _DEGREES | bag(
    "master bachelor associate associates advanced college university graduate undergraduate honorary second first "
    "double high school four-year useless of 's"
)


def learning(clause: Clause) -> Iterator[Statement]:
    """Languages, instruments and pastimes only: one learns a lot of things in a chat."""
    if clause.tense == "future":
        return
    targets = clause.objects
    if clause.inner is not None and clause.inner.verb in ("play", "speak"):
        targets = clause.inner.objects
    for subject in targets:
        if usable(subject) and any(among(subject.words, words) for words in (LANGUAGES, INSTRUMENTS, HOBBIES)):
            yield from state(clause, "learns", subject)
