"""Changes of mind and losses: plans that are called off, things that are had no longer."""

from collections.abc import Iterator

from kg_assets.text.clauses import Clause, Statement
from kg_assets.text.frames.plans import is_event
from kg_assets.text.frames.stating import is_own, names, speaker, state, usable
from kg_assets.text.frames.things import is_thing
from kg_assets.text.lexicon import VEHICLES, among
from kg_assets.text.phrases import Phrase

_GONE = frozenset({"steal", "destroy", "total", "wreck", "scrap", "sell", "crush", "tow"})
_LOSING = frozenset({"lose", "total", "wreck", "scrap", "crash", "donate"})


def calling_off(clause: Clause) -> Iterator[Statement]:
    """As in "We called off the wedding", "I cancelled my trip to Rome", "we decided against the dog", "I changed my
    mind about Lisbon": what was planned is planned no longer."""
    if clause.negation or clause.tense not in ("past", "perfect") or clause.progressive:
        return
    if clause.verb == "decide":
        targets = clause.after("against")
    elif clause.verb == "change":
        targets = clause.after("about") if any(each.head == "mind" for each in clause.objects) else ()
    elif clause.verb == "cancel" or clause.particle == "off":
        targets = (clause.subject,) if clause.passive else clause.objects
    else:
        return
    for target in targets:
        yield from _planned_no_longer(clause, target)


def _planned_no_longer(clause: Clause, target: Phrase) -> Iterator[Statement]:
    subject = target.owner or (speaker(clause) if clause.passive else clause.subject)
    bare = target._replace(owner=None)
    if not usable(bare):
        return
    if is_event(bare):
        yield from state(clause, "has_event", bare, subject=subject, aspect="ends", polarity="denied")
        for place in names(clause, clause.after("to", "in"))[:1]:
            yield from state(clause, "plans_to_visit", place, subject=subject, aspect="ends", polarity="denied")
    elif clause.verb != "cancel":
        predicate = "plans_to_visit" if bare.is_name else "plans_to"
        yield from state(
            clause, predicate, bare._replace(determiner=""), subject=subject, aspect="ends", polarity="denied"
        )


def losing(clause: Clause) -> Iterator[Statement]:
    """As in "My bike got stolen", "it was stolen", "I crashed the Golf", "I lost my phone": had no longer."""
    if clause.negation or clause.tense not in ("past", "perfect") or clause.progressive:
        return
    if clause.passive and clause.verb in _GONE:
        yield from gone(clause, clause.subject, speaker(clause))
    elif not clause.passive and clause.verb in _LOSING and (is_own(clause.subject) or clause.subject.is_name):
        for thing in clause.objects:
            yield from gone(clause, thing, clause.subject)
    elif clause.verb == "steal":  # "somebody stole my bike"
        for thing in clause.objects:
            if thing.owner is not None and is_own(thing.owner):
                yield from gone(clause, thing, thing.owner)


def gone(clause: Clause, thing: Phrase, owner: Phrase) -> Iterator[Statement]:
    """What is owned or driven no longer: "it", "the bike", "my bike"."""
    mine = thing.owner is None or is_own(thing.owner)
    it = thing.is_pronoun and thing.head == "it"
    if mine and (it or is_thing(thing)):
        driven = it or among(thing.words, VEHICLES)
        for predicate in ("owns", "drives") if driven else ("owns",):
            yield from state(
                clause, predicate, thing._replace(owner=None), subject=owner, aspect="ends", polarity="denied"
            )
