"""What is going to happen and what happened: plans, appointments, events with their dates."""

import re
from collections.abc import Iterator

from kg_assets.text.clauses import Clause, Statement
from kg_assets.text.frames.places import visiting
from kg_assets.text.frames.stating import LONGEST_OBJECT, activity, is_own, speaker, state, usable
from kg_assets.text.frames.study import attending_school
from kg_assets.text.lexicon import EVENTS, among, bag
from kg_assets.text.phrases import Phrase

_AHEAD = re.compile(
    r"next|tomorrow|tonight|in |on |after |at (?:the|christmas|easter|new)|"
    r"this (?:coming|weekend|summer|autumn|fall|winter|spring)",
    re.IGNORECASE,
)
_SOMEBODY = frozenset({"i", "we", "he", "she"})
_DULL = bag(
    "be have think feel say tell see know want hear look talk chat need like love hope seem sound become keep let try "
    "use ask remember forget mention happen realise realize notice wonder believe mean spend sleep speak find come meet"
)
_NO_PLAN = bag("be have say tell think see need know feel like love keep want let remember forget try")


def is_event(phrase: Phrase) -> bool:
    return usable(phrase) and bool(among(phrase.words, EVENTS))


def planning(clause: Clause) -> Iterator[Statement]:
    """As in "I plan to run a marathon in October", "we decided to adopt"."""
    inner = clause.inner
    tenses = ("past", "perfect") if clause.verb == "decide" else ("present", "perfect")
    if inner is None or clause.inner_form != "to" or clause.tense not in tenses:
        return
    if clause.negation:
        if clause.verb == "decide" and (found := list(_trips(clause, inner._replace(negation="not")))):
            yield from found
        elif clause.verb == "decide" and inner.verb not in _NO_PLAN and (deed := deed_of(inner)):
            yield from state(clause, "plans_to", deed, aspect="ends", polarity="denied")
        return
    if found := list(_trips(clause, inner)):
        yield from found
    elif inner.verb not in _NO_PLAN and (deed := deed_of(inner)):
        made = state(clause, "plans_to", deed, aspect="happens")
        yield from (each._replace(forward=True) for each in made)


def _trips(clause: Clause, inner: Clause) -> Iterator[Statement]:
    if inner.verb not in ("visit", "travel", "fly", "go"):
        return
    ahead = inner._replace(subject=clause.subject, tense="future", times=clause.times, start=clause.start)
    yield from visiting(ahead)


def acting_ahead(clause: Clause) -> Iterator[Statement]:
    """As in "I'm going to run a marathon in October": any verb in the future, if it has a date."""
    if (
        clause.negation
        or not clause.times
        or clause.verb in _NO_PLAN
        or clause.verb == "turn"
        or clause.subject.head in ("it", "you")
    ):
        return
    soon = clause.progressive and clause.tense == "present" and _lies_ahead(clause)
    if (clause.tense == "future" or soon) and (deed := deed_of(clause) or _whole_deed(clause)):
        yield from state(clause, "plans_to", deed, aspect="happens")


_WHOLE = bag("leave retire graduate emigrate marry resign")


def _whole_deed(clause: Clause) -> Phrase | None:
    """A verb that says all by itself: "she is retiring in June"."""
    return activity(clause, *clause.verb_span) if clause.verb in _WHOLE and not clause.objects else None


def _lies_ahead(clause: Clause) -> bool:
    return any(_AHEAD.match(clause.text, start, end) is not None for start, end in clause.times)


def happening(clause: Clause) -> Iterator[Statement]:
    """As in "I won my first tournament last week": any deed with a date that no other frame reads."""
    if clause.tense != "past" or clause.negation or clause.used_to or clause.passive or clause.progressive:
        return
    subject = clause.subject
    somebody = subject.is_name or subject.relation or (subject.is_pronoun and subject.head in _SOMEBODY)
    seen = clause.verb == "see" and any(each.is_name for each in clause.objects)  # "I saw Radiohead in 2016"
    telling = seen or clause.verb not in _DULL
    if somebody and clause.times and telling and (deed := deed_of(clause)):
        yield from state(clause, "did", deed, aspect="happens")


def deed_of(clause: Clause) -> Phrase | None:
    """What is done, in the words of the text: verb and complements without the time; None where it says too little."""
    first = min((start for start, _ in clause.times if start > clause.verb_span[0]), default=clause.end + 1)
    said = [*clause.objects, *(each for _, group in clause.preps for each in group)]
    kept = [each for each in said if clause.verb_span[1] <= each.start and each.end <= first]
    if not kept or any(each.is_pronoun for each in said) or (clause.objects and not usable(clause.objects[0])):
        return None
    end = max(each.name_span[1] if each.name_span else each.end for each in kept)
    made = activity(clause, clause.verb_span[0], end)
    return made if len(made.text) <= LONGEST_OBJECT else None


def having_events(clause: Clause) -> Iterator[Statement]:
    """As in "I have a dentist appointment tomorrow": with a date only, and not a repetition."""
    if clause.negation or clause.passive or not clause.times:
        return
    for phrase in clause.objects:
        own = phrase.owner is None or (phrase.owner.is_pronoun and phrase.owner.head == clause.subject.head)
        soon = phrase.determiner in ("a", "an") and clause.tense == "present" and _lies_ahead(clause)
        soon = soon and usable(phrase) and not phrase.relation and clause.subject.head in ("i", "we")
        if (is_event(phrase) or (soon and phrase.head not in _NO_EVENT)) and own:
            phrase = phrase._replace(owner=None)
            ahead = clause.tense in ("present", "future")
            yield from (each._replace(forward=ahead) for each in state(clause, "has_event", phrase, aspect="happens"))


_NO_EVENT = bag("baby child kid dog cat car house job cold headache degree friend boyfriend girlfriend chance problem")


def being_dated(clause: Clause) -> Iterator[Statement]:
    """As in "My exam is on Monday", "our wedding was in June"."""
    subject = clause.subject
    owner = subject.owner or (speaker(clause) if subject.determiner == "the" else None)  # "the wedding is on …"
    if owner is None or not clause.times or clause.objects or clause.adjective or clause.negation:
        return
    if is_event(subject._replace(determiner="")):
        ahead = clause.tense in ("present", "future")
        made = state(clause, "has_event", subject._replace(owner=None), subject=owner, aspect="happens")
        yield from (each._replace(forward=ahead) for each in made)


_TERMS = bag(
    "contract lease visa passport licence license insurance membership internship term semester warranty probation "
    "permit notice leave placement"
)


def running_out(clause: Clause) -> Iterator[Statement]:
    """As in "My contract runs out at the end of April", "my visa expires in May": dated, and so worth knowing."""
    subject = clause.subject
    ends = clause.verb in ("expire", "end", "finish") or (
        clause.verb == "run" and "out" in (clause.particle, _next(clause))
    )
    if not ends or subject.owner is None or subject.head not in _TERMS or not clause.times or clause.negation:
        return
    ahead = clause.tense in ("present", "future")
    stop = clause.verb_span[1] + (4 if _next(clause) == "out" else 0)
    made = state(clause, "has_event", activity(clause, subject.start, stop), subject=subject.owner, aspect="happens")
    yield from (each._replace(forward=ahead) for each in made)


def _next(clause: Clause) -> str:
    """The word behind the verb."""
    return "".join(clause.text[clause.verb_span[1] : clause.verb_span[1] + 20].casefold().split()[:1])


def rescheduled(clause: Clause) -> Iterator[Statement]:
    """As in "My meeting got moved to Friday": it is then."""
    if clause.passive and not clause.negation:
        yield from being_dated(clause._replace(objects=(), tense="future"))


def attending(clause: Clause) -> Iterator[Statement]:
    """As in "I went to a concert last Friday", "we're going to a wedding in May", "I ran a charity race"."""
    if clause.negation or clause.used_to or clause.passive:
        return
    ahead = clause.tense == "future" or (clause.tense == "present" and clause.progressive)
    if not ahead and clause.tense == "present":
        return
    direct = clause.verb in ("attend", "run", "join", "finish", "celebrate", "perform", "pass")
    targets = clause.objects if direct else clause.after("to", "in", "at")
    for phrase in targets:
        own = phrase.owner is not None and is_own(phrase.owner)
        if is_event(phrase) and (clause.times or len(phrase.words) > 1 or (direct and own)):
            if ahead and clause.times:
                yield from state(clause, "has_event", phrase._replace(owner=None), aspect="happens")
            elif not ahead:
                yield from state(clause, "attended", phrase, aspect="happens")


def going_to(clause: Clause) -> Iterator[Statement]:
    """Behind "go" and "attend" hides an event or a school."""
    yield from attending(clause)
    yield from attending_school(clause)
