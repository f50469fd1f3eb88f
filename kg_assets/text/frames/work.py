"""Work and study: employers, jobs, schools, what is being learned."""

from collections.abc import Iterator

from kg_assets.text.clauses import Aspect, Clause, Statement
from kg_assets.text.frames.stating import listed, names, state, usable
from kg_assets.text.lexicon import (
    CLUBS,
    FIELDS,
    HOBBIES,
    INSTRUMENTS,
    LANGUAGES,
    NAMES_OF_MEN,
    NAMES_OF_WOMEN,
    OCCUPATIONS,
    STUDY_PLACES,
    WORKPLACES,
    among,
    bag,
)
from kg_assets.text.phrases import Phrase

_FIRST_NAMES = NAMES_OF_MEN | NAMES_OF_WOMEN
_JOB = frozenset({"job", "position", "role", "internship", "apprenticeship", "gig", "post"})
_NO_TRADE = frozenset(
    {"team", "group", "couple", "family", "whole", "result", "kid", "child", "teenager", "hobby", "gift"}
)
_SCHOOL = frozenset({"university", "college", "school", "institute", "academy", "universidade", "uni", "faculty"})
_NO_SUBJECT = frozenset({"hard", "exam", "exams", "test", "tests", "finals", "abroad", "together", "more", "homework"})


def employers(clause: Clause, phrases: tuple[Phrase, ...]) -> list[Phrase]:
    return names(clause, phrases) or [each for each in listed(phrases, WORKPLACES) if each.owner is None]


def trade(phrases: tuple[Phrase, ...]) -> Phrase | None:
    """The job in "as a data analyst"."""
    for phrase in phrases:
        singular = phrase.determiner in ("a", "an", "the", "") and not phrase.number
        if usable(phrase) and singular and not phrase.owner and phrase.head not in _NO_TRADE:
            return phrase
    return None


def engaged(clause: Clause, aspect: Aspect | None) -> Iterator[Statement]:
    """Employer and job of a clause that says "at … as …"."""
    inside = [each for each in listed(clause.after("in"), WORKPLACES) if each.owner is None]  # "in a record shop"
    for employer in [*employers(clause, clause.after("at", "for", "with", "by")), *inside][:1]:
        yield from state(clause, "works_at", employer, aspect=aspect)
    if job := trade(clause.after("as")):
        yield from state(clause, "works_as", job, aspect=aspect)


def working(clause: Clause) -> Iterator[Statement]:
    """As in "I work at Helix as an analyst", "she works in marketing"."""
    if clause.tense == "future" or clause.particle:
        return
    yield from (each for each in engaged(clause, None) if not (each.predicate == "works_at" and clause.after("with")))
    for field in clause.after("in"):
        if field.lower in FIELDS:
            yield from state(clause, "works_in", field)
        elif field.is_name and usable(field):
            yield from state(clause, "works_in_place", field)


def starting(clause: Clause) -> Iterator[Statement]:
    """As in "I started as an analyst at Nordwind", "I'm starting a new job at …", "I started studying Japanese"."""
    planned = clause.tense == "present" and bool(clause.times and clause.after("at"))  # "I start at Siemens on Monday"
    soon = clause.progressive or clause.tense == "future" or planned
    if clause.negation or clause.used_to or (clause.tense == "present" and not soon) or (soon and not clause.times):
        return
    if clause.inner is not None:
        inner = clause.inner._replace(subject=clause.subject, tense="perfect", times=clause.times, start=clause.start)
        reader = {"work": working, "study": studying, "learn": learning, "teach": teaching}.get(inner.verb)
        for each in reader(inner) if reader else ():
            yield each._replace(aspect="begins", forward=soon)
        return
    job = not clause.objects or clause.objects[0].head in _JOB
    if job and (clause.objects or clause.after("at", "as") or clause.verb == "join"):
        yield from (each._replace(forward=each.forward or soon) for each in engaged(clause, "begins"))
    if not clause.objects and clause.after("at") and not employers(clause, clause.after("at")):
        for school in schools(clause.after("at"))[:1]:
            yield from state(clause, "studies_at", school, aspect="begins")


_DISMISSING = frozenset({"fire", "lay", "sack", "dismiss"})


def last_day(clause: Clause) -> Iterator[Statement]:
    """As in "My last day at Volvo is the 30th of April", "my first day at Nordwind was Monday"."""
    subject = clause.subject
    if subject.head != "day" or subject.owner is None or not clause.times or clause.negation:
        return
    placed = next((group for preposition, group in clause.placed if preposition in ("at", "with")), ())
    before = clause.text[max(0, subject.start - 6) : subject.end].casefold().split()
    ahead = clause.tense in ("present", "future")
    for employer in employers(clause, placed)[:1]:
        if "last" in before:
            made = state(clause, "works_at", employer, subject=subject.owner, aspect="ends", polarity="denied")
        elif "first" in before:
            made = state(clause, "works_at", employer, subject=subject.owner, aspect="begins")
        else:
            return
        yield from (each._replace(forward=ahead) for each in made)


def joining(clause: Clause) -> Iterator[Statement]:
    """A company where a job is named, otherwise a club or a group."""
    if clause.negation or clause.tense not in ("past", "perfect"):
        return
    job = trade(clause.after("as"))
    for target in clause.objects:
        if job and employers(clause, (target,)):
            yield from state(clause, "works_at", target, aspect="begins")
            yield from state(clause, "works_as", job, aspect="begins")
        elif usable(target) and (among(target.words, CLUBS) or target.is_name):
            yield from state(clause, "member_of", target, aspect="begins")


def leaving(clause: Clause) -> Iterator[Statement]:
    """As in "I left Helix", "I quit my job at Helix", "I was laid off from …", "Helix let me go"."""
    if clause.negation or clause.tense not in ("past", "perfect"):
        return
    if clause.verb in _DISMISSING and not clause.passive:
        for employer in employers(clause, (clause.subject,)) if clause.objects else ():
            yield from state(clause, "works_at", employer, subject=clause.objects[0], aspect="ends", polarity="denied")
        return
    if clause.objects and clause.objects[0].head in _JOB:
        left = employers(clause, clause.after("at", "with"))
    elif clause.verb in ("leave", "quit"):
        left = names(clause, clause.objects)
        for club in [each for each in clause.objects if not each.is_name and among(each.words, CLUBS)]:
            yield from state(clause, "member_of", club, aspect="ends", polarity="denied")
    else:
        left = employers(clause, clause.after("from", "by", "at"))
    if clause.objects and clause.objects[0].head in _JOB and (job := trade(clause.after("as"))):
        yield from state(clause, "works_as", job, aspect="ends", polarity="denied")
    for employer in left[:1]:
        yield from state(clause, "works_at", employer, aspect="ends", polarity="denied")
        if clause.verb == "retire":
            yield from state(clause, "retired_from", employer, aspect="begins")


def hired(clause: Clause) -> Iterator[Statement]:
    """As in "I was hired by Nordwind as …", "Nordwind hired me", "I was promoted to team lead"."""
    if clause.negation or clause.tense == "future":
        return
    if clause.verb == "promote":
        if clause.passive and (job := trade(clause.after("to"))):
            yield from state(clause, "works_as", job, aspect="begins")
    elif clause.passive:
        yield from engaged(clause, "begins")
    elif clause.verb in ("hire", "employ") and clause.objects and clause.subject.is_name:
        person = clause.objects[0]
        yield from state(clause, "works_at", clause.subject, subject=person, aspect="begins")
        if job := trade(clause.after("as")):
            yield from state(clause, "works_as", job, subject=person, aspect="begins")


def getting_a_job(clause: Clause) -> Iterator[Statement]:
    """As in "I got a job at Nordwind as …", "I found a new position at …"."""
    if clause.negation or clause.tense not in ("past", "perfect") or not clause.objects:
        return
    if clause.objects[0].head in _JOB and clause.objects[0].owner is None:
        yield from engaged(clause, "begins")


def teaching(clause: Clause) -> Iterator[Statement]:
    """As in "I teach maths at a secondary school in Leeds": who teaches at a school is a teacher."""
    if clause.tense == "future":
        return
    for employer in employers(clause, clause.after("at", "in"))[:1]:
        at_work = employer in clause.after("at") or among(employer.words, WORKPLACES)
        if at_work:
            yield from state(clause, "works_at", employer)
        if at_work and employer.head == "school":
            start, end = clause.verb_span
            yield from state(clause, "works_as", Phrase("teacher", start, end, ("teacher",)))
    if clause.after("at"):
        for place in names(clause, clause.after("in"))[:1]:
            yield from state(clause, "works_in_place", place)
    for subject in clause.objects:
        if usable(subject) and not subject.is_name and not subject.determiner and not subject.owner:
            yield from state(clause, "teaches", subject)


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
    for school in [each for each in schools(places) if each.is_name][:1]:
        yield from state(clause, "studies_at", school, aspect="begins" if clause.verb in ("enrol", "enroll") else None)


def graduating(clause: Clause) -> Iterator[Statement]:
    if clause.tense not in ("past", "perfect") or clause.negation:
        return
    for school in [*schools(clause.after("from", "at")), *names(clause, clause.after("from", "at"))][:1]:
        yield from state(clause, "graduated_from", school, aspect="begins")
    for field in clause.after("in"):
        if usable(field) and not field.determiner and not field.owner:
            yield from state(clause, "has_degree_in", field, aspect="begins")


_DEGREES = bag("degree degrees bachelor's bachelors master's masters phd doctorate diploma ba bsc msc ma")


def taking_a_degree(clause: Clause) -> Iterator[Statement]:
    """As in "I did my degree in marine biology at Plymouth", "she has a master's in law"."""
    done = clause.tense in ("past", "perfect") or (clause.verb in ("have", "hold") and clause.tense == "present")
    if not done or clause.negation or clause.progressive or not any(each.head in _DEGREES for each in clause.objects):
        return
    for field in clause.after("in"):
        if usable(field) and not field.determiner and not field.owner:
            yield from state(clause, "has_degree_in", field, aspect="holds")
    for school in [*schools(clause.after("from", "at")), *names(clause, clause.after("from", "at"))][:1]:
        yield from state(clause, "graduated_from", school, aspect="begins")


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


def volunteering(clause: Clause) -> Iterator[Statement]:
    """As in "I volunteer at the animal shelter"."""
    if clause.tense == "future" or (clause.tense == "past" and not clause.used_to):
        return
    for place in clause.after("at", "for", "with"):
        if usable(place) and (place.is_name or among(place.words, WORKPLACES)):
            yield from state(clause, "volunteers_at", place)


_TRADES = ("ologist", "ographer", "ician", "iatrist", "keeper", "icist", "urgist")


def is_trade(phrase: Phrase) -> bool:
    """Whether a predicative noun is an occupation: "a nurse", "head of marketing"."""
    if phrase.is_name and not phrase.determiner and phrase.words[0] in _FIRST_NAMES and len(phrase.words) > 1:
        return False  # "Tom Baker"
    trade = among(phrase.words, OCCUPATIONS) or phrase.head.endswith(_TRADES)
    return bool(trade) and phrase.determiner in ("a", "an", "the", "") and not phrase.owner
