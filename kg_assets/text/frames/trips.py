"""Trips by any way of travelling: "we hiked across Dartmoor", "I'm driving to Puglia at Easter", "we spent Christmas in
Reykjavik", "I booked a cabin in Lofoten", "our honeymoon was in Kerala"."""

from collections.abc import Iterator

from kg_assets.text.clauses import Clause, Statement
from kg_assets.text.frames.stating import is_own, names, state, usable
from kg_assets.text.lexicon import EVENTS, NAMES_OF_MEN, NAMES_OF_WOMEN, among, bag
from kg_assets.text.phrases import Phrase

MOTIONS = bag(
    "drive sail cycle bike hike ride walk trek backpack cruise head return row kayak paddle motorbike camp jet "
    "climb tour wander bicycle ski road-trip hitchhike"
)
_WAYS = ("to", "around", "across", "through", "over", "along", "into")
_THROUGH = ("around", "across", "through", "along")
_STAYS = bag(
    "trip holiday holidays vacation honeymoon flight hotel hostel cabin cottage airbnb villa apartment room tickets "
    "ticket flights campsite retreat cruise ferry train resort place tour lodge guesthouse weekend week"
)
_WERE = bag("trip holiday holidays vacation honeymoon exchange sabbatical stag hen getaway")
_LANDS = bag("countries continents cities states provinces islands")
_NO_TRIP = bag("work school college university church bed court")


def roaming(clause: Clause) -> Iterator[Statement]:
    """A verb of motion with a place by name: what was is an experience, what is to come, with its date, a plan."""
    if clause.negation or clause.used_to or clause.passive or not _is_somebody(clause):
        return
    ahead = clause.tense == "future" or (clause.progressive and clause.tense == "present")
    if clause.tense == "present" and not ahead:
        return
    errand = clause.verb in ("walk", "wander", "ride", "row", "head", "return", "jet")
    there = [each for way in (_THROUGH if errand else _WAYS) for each in clause.after(way)]
    if clause.verb in ("hike", "cycle", "walk", "climb", "trek", "sail", "tour", "row", "kayak"):
        there += [each for each in clause.objects if each.determiner in ("", "the")]
    for place in names(clause, tuple(there))[:2]:
        if among(place.words, EVENTS) or not _is_place(place) or _is_road(clause, place):
            continue
        if not ahead and clause.verb != "climb":
            yield from state(clause, "visited", place, aspect="happens")
        elif ahead and clause.times:
            yield from state(clause, "plans_to_visit", place, aspect="happens")


def _is_place(place: Phrase) -> bool:
    """No shop and nobody's house, as far as lists know: "to Costco", "to Sarah's"."""
    person = place.words[0] in NAMES_OF_WOMEN or place.words[0] in NAMES_OF_MEN
    return not person and place.lower not in _NO_TRIP and _SHOPS.isdisjoint(place.words)


_SHOPS = bag(
    "costco tesco ikea walmart target aldi lidl asda sainsbury's waitrose boots starbucks mcdonald's depot lowe's "
    "kroger carrefour decathlon b&q homebase primark greggs subway kfc nando's store shop mall supermarket excel "
    "teams zoom slack jira outlook minecraft skyrim zelda fortnite"
)


def _is_road(clause: Clause, place: Phrase) -> bool:
    """What one goes by or with: "I rode my bike to …" names the place, "I rode the Peloton" does not."""
    return place in clause.objects and clause.verb in ("ride", "drive")


def _is_somebody(clause: Clause) -> bool:
    subject = clause.subject
    return subject.is_pronoun or subject.is_name or bool(subject.relation)


def spending(clause: Clause) -> Iterator[Statement]:
    """As in "We spent Christmas in Reykjavik", "I spent two weeks in Peru": where one was."""
    soon = clause.tense == "future" or (clause.tense == "present" and clause.progressive)
    if soon and not clause.negation and clause.subject.head in ("i", "we"):
        there = [each for preposition, group in clause.preps if preposition in ("in", "at") for each in group]
        for place in names(clause, tuple(there))[:1] if _is_long(clause) else ():
            yield from (
                each._replace(forward=True) for each in state(clause, "plans_to_visit", place, aspect="happens")
            )
    if clause.tense in ("past", "perfect") and not clause.negation and _is_somebody(clause) and not clause.progressive:
        for place in names(clause, clause.after("in", "at"))[:1] if _is_long(clause) else ():
            if not _is_place(place):
                continue
            childhood = any(each.head in ("childhood", "youth", "life") for each in clause.objects)
            yield from state(clause, "grew_up_in" if childhood else "visited", place, aspect="happens")


def _is_long(clause: Clause) -> bool:
    """Time enough for a trip: not "an hour in Excel"."""
    behind = clause.text[clause.verb_span[1] : clause.end].casefold().replace(",", " ").split()
    return not _LONG.isdisjoint(behind)


_LONG = bag(
    "weekend weekends week weeks month months summer winter spring autumn fall holiday holidays christmas easter "
    "days nights year years honeymoon birthday vacation childhood youth season semester term fortnight thanksgiving "
    "hanukkah diwali eid ramadan anniversary"
)


def booking(clause: Clause) -> Iterator[Statement]:
    """As in "I booked a cabin in Lofoten", "we've booked flights to Porto": a trip to come."""
    if clause.tense not in ("past", "perfect") or clause.negation or clause.passive:
        return
    booked = any(each.head in _STAYS for each in clause.objects)
    for place in names(clause, clause.after("in", "to", "near"))[:1] if booked else ():
        yield from (each._replace(forward=True) for each in state(clause, "plans_to_visit", place, aspect="happens"))


def planned(clause: Clause) -> Iterator[Statement]:
    """As in "We're planning a road trip through Montana": where it leads."""
    if not clause.progressive or clause.negation or clause.tense not in ("present", "perfect"):
        return
    trip = any(each.head in _STAYS | _WERE for each in clause.objects)
    for place in names(clause, clause.after("to", "through", "in", "around", "across"))[:1] if trip else ():
        yield from (each._replace(forward=True) for each in state(clause, "plans_to_visit", place, aspect="happens"))


def gone_about(clause: Clause) -> Iterator[Statement]:
    """As in "I went backpacking in Bolivia", "we're going skiing in Austria in March"."""
    inner = clause.inner if clause.inner_form == "ing" else None
    if (
        inner is None
        or inner.verb == "shop"
        or inner.objects
        or clause.negation
        or clause.used_to
        or not _is_somebody(clause)
    ):
        return
    ahead = clause.tense == "future" or (clause.tense == "present" and clause.progressive)
    there = [each for way in ("in", "around", "through", "across") for each in inner.after(way)]
    for place in names(clause, tuple(there))[:1]:
        if clause.tense in ("past", "perfect") and not clause.progressive:
            yield from state(clause, "visited", place, aspect="happens")
        elif ahead and clause.times:
            yield from state(clause, "plans_to_visit", place, aspect="happens")


def having_been(clause: Clause) -> Iterator[Statement]:
    """As in "Our honeymoon was in Kerala", "I've been to 32 countries"."""
    subject = clause.subject
    mine = subject.owner is not None and is_own(subject.owner)
    if clause.tense == "past" and mine and subject.head in _WERE and not clause.negation and not clause.objects:
        for place in names(clause, clause.after("in", "to"))[:1]:
            yield from state(clause, "visited", place, subject=subject.owner, aspect="happens")
    elif clause.tense == "perfect" and not clause.negation:
        for lands in clause.after("to"):
            if lands.number > 1 and lands.head in _LANDS and usable(lands):
                start = lands.start - len(lands.counted) - 1
                counted = clause.text[start : lands.start].strip() == lands.counted
                whole = lands._replace(text=f"{lands.counted} {lands.text}", start=start) if counted else lands
                yield from state(clause, "visited", whole, aspect="happens")
