"""Work: employers, jobs, how they begin and end."""

import re
from collections.abc import Iterator

from kg_assets.text.clauses import Aspect, Clause, Statement
from kg_assets.text.frames.stating import listed, names, state, usable
from kg_assets.text.frames.study import learning, schools, studying
from kg_assets.text.lexicon import (
    CLUBS,
    FIELDS,
    NAMES_OF_MEN,
    NAMES_OF_WOMEN,
    OCCUPATIONS,
    WORKING_STATES,
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


def employers(clause: Clause, phrases: tuple[Phrase, ...]) -> list[Phrase]:
    return names(clause, phrases) or [each for each in listed(phrases, WORKPLACES) if each.owner is None]


def workplace(clause: Clause, phrases: tuple[Phrase, ...]) -> list[Phrase]:
    """Where one works by a common noun: "at a brewery", "for the telecom company"."""
    known = employers(clause, phrases)
    if known:
        return known
    return [
        each
        for each in phrases
        if usable(each)
        and each.owner is None
        and not each.relation
        and each.determiner in ("a", "an", "the")
        and _NO_PLACE.isdisjoint(each.words)
    ]


_NO_PLACE = bag(
    "moment time minute hour hours level end beginning start age pace desk table living while year years project month "
    "projects day days night nights weekend weekends friend man guy lady woman person people family boss client future "
    "clients myself wage salary money fun side same least week event party team book degree deadline pleasure reason "
    "rest garden yard thing things counter morning evening computer couple few"
)


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
    told = workplace if clause.verb == "work" else employers
    for employer in [*told(clause, clause.after("at", "for", "with", "by")), *inside][:1]:
        yield from state(clause, "works_at", employer, aspect=aspect)
    like = [each for each in clause.after("like") if clause.progressive and not each.determiner and is_trade(each)]
    if job := trade(clause.after("as")) or trade(tuple(like)):  # "she is working like nurse"
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


_SCHEDULE = re.compile(
    r"\s+(?:mostly |mainly |only |usually )?(?P<when>nights|night shifts?|weekends|shifts|early shifts?|late shifts?|"
    r"from home|remotely)\b",
    re.IGNORECASE,
)
_HOURS = re.compile(r"\s+(?P<hours>part[ -]time|full[ -]time|half[ -]time)\b", re.IGNORECASE)


def scheduled(clause: Clause) -> Iterator[Statement]:
    """As in "I work nights", "she works from home", "I work part-time"."""
    if clause.tense not in ("present", "perfect") or clause.negation or clause.subject.head in ("it", "they", "you"):
        return
    if found := _SCHEDULE.match(clause.text, clause.verb_span[1]):
        start, end = clause.verb_span[0], found.end()
        text = f"working {found['when']}"
        yield from state(clause, "does", Phrase(text, start, end, tuple(text.casefold().split())))
    if hours := _HOURS.match(clause.text, clause.verb_span[1]):
        words = (hours["hours"].casefold(),)
        yield from state(clause, "job_status", Phrase(hours["hours"], *hours.span("hours"), words))


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
        placed = listed(clause.objects, WORKPLACES) if clause.verb == "quit" and not left else []
        left += [each for each in placed if each.determiner == "the"]  # "I quit the hospital"
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


_FORCES = bag("army navy military marines marine corps guard force militia reserves")


def serving(clause: Clause) -> Iterator[Statement]:
    """As in "I'm in the navy", "my brother is in the military"."""
    if clause.tense in ("present", "perfect") and not clause.objects and not clause.adjective:
        for force in clause.after("in"):
            if usable(force) and force.head in _FORCES and force.determiner in ("the", "") and force.owner is None:
                yield from state(clause, "works_at", force)


def between_jobs(clause: Clause) -> Iterator[Statement]:
    """As in "I'm between jobs", "she's out of work"."""
    if clause.tense != "present" or clause.objects or clause.adjective:
        return
    start, end = clause.verb_span[1], max([clause.end, *(each.end for _, group in clause.preps for each in group)])
    end = min([end, *(place for place, _ in clause.times if place > start)])
    said = clause.text[start:end].strip()
    leave = re.fullmatch(
        r"(?:still |now |currently |also )*(?P<leave>on (?:a |my )?(?:[\w-]+ )?(?:leave|sabbatical))", said.casefold()
    )
    said = clause.text[start:end].strip()[-len(leave["leave"]) :] if leave else said
    if leave or said.casefold() in WORKING_STATES:
        start = clause.text.find(said, start)
        words = tuple(said.casefold().split())
        yield from state(clause, "job_status", Phrase(said, start, start + len(said), words))
