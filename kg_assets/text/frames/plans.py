"""What is going to happen and what happened: plans, appointments, events with their dates."""

from collections.abc import Iterator

from kg_assets.text.clauses import Clause, Statement
from kg_assets.text.frames.places import visiting
from kg_assets.text.frames.stating import activity, state, usable
from kg_assets.text.frames.work import attending_school
from kg_assets.text.lexicon import EVENTS, among
from kg_assets.text.phrases import Phrase

_NO_PLAN = frozenset(
    {"be", "have", "say", "tell", "think", "see", "need", "know", "feel", "like", "love", "keep", "want", "let"}
)


def is_event(phrase: Phrase) -> bool:
    return usable(phrase) and bool(among(phrase.words, EVENTS))


def planning(clause: Clause) -> Iterator[Statement]:
    """ "I plan to run a marathon in October", "we decided to adopt"."""
    inner = clause.inner
    if inner is None or clause.inner_form != "to" or clause.negation or clause.tense not in ("present", "perfect"):
        return
    if inner.verb in ("visit", "travel", "fly", "go") and (found := list(_trips(clause, inner))):
        yield from found
    elif inner.verb not in _NO_PLAN and not any(each.is_pronoun for each in inner.objects):
        made = state(clause, "plans_to", activity(clause, inner.start, _end(inner)), aspect="happens")
        yield from (each._replace(forward=True) for each in made)


def _trips(clause: Clause, inner: Clause) -> Iterator[Statement]:
    ahead = inner._replace(subject=clause.subject, tense="future", times=clause.times, start=clause.start)
    yield from visiting(ahead)


def _end(inner: Clause) -> int:
    """The end of a plan in words: its objects and places, without the time."""
    ends = [phrase.end for phrase in inner.objects] + [phrase.end for _, group in inner.preps for phrase in group]
    return max(ends, default=inner.end)


def acting_ahead(clause: Clause) -> Iterator[Statement]:
    """ "I'm going to run a marathon in October": any verb in the future, if it has a date."""
    if clause.tense != "future" or clause.negation or not clause.times or clause.verb in _NO_PLAN:
        return
    if not clause.objects or any(each.is_pronoun for each in clause.objects) or clause.verb in ("visit", "attend"):
        return
    start = clause.text.casefold().find(clause.verb, clause.subject.end, clause.objects[0].start)
    if start >= 0:
        yield from state(clause, "plans_to", activity(clause, start, _end(clause)), aspect="happens")


def having_events(clause: Clause) -> Iterator[Statement]:
    """ "I have a dentist appointment tomorrow": with a date only, and not a repetition."""
    if clause.negation or clause.passive or not clause.times:
        return
    for phrase in clause.objects:
        if is_event(phrase) and phrase.owner is None:
            ahead = clause.tense in ("present", "future")
            yield from (each._replace(forward=ahead) for each in state(clause, "has_event", phrase, aspect="happens"))


def being_dated(clause: Clause) -> Iterator[Statement]:
    """ "My exam is on Monday", "our wedding was in June"."""
    subject = clause.subject
    if subject.owner is None or not clause.times or clause.objects or clause.adjective or clause.negation:
        return
    if is_event(subject._replace(determiner="")):
        ahead = clause.tense in ("present", "future")
        made = state(clause, "has_event", subject._replace(owner=None), subject=subject.owner, aspect="happens")
        yield from (each._replace(forward=ahead) for each in made)


def attending(clause: Clause) -> Iterator[Statement]:
    """ "I went to a concert last Friday", "we're going to a wedding in May", "I ran a charity race"."""
    if clause.negation or clause.used_to or clause.passive:
        return
    ahead = clause.tense == "future" or (clause.tense == "present" and clause.progressive)
    if not ahead and clause.tense == "present":
        return
    direct = clause.verb in ("attend", "run", "join", "finish", "celebrate", "perform")
    targets = clause.objects if direct else clause.after("to", "in", "at")
    for phrase in targets:
        if is_event(phrase) and (clause.times or phrase.determiner in ("a", "an", "my", "our", "")):
            if ahead and clause.times:
                yield from state(clause, "has_event", phrase._replace(owner=None), aspect="happens")
            elif not ahead:
                yield from state(clause, "attended", phrase, aspect="happens")


def going_to(clause: Clause) -> Iterator[Statement]:
    """ "go" and "attend" hide a trip, an event or a school."""
    yield from attending(clause)
    yield from attending_school(clause)
