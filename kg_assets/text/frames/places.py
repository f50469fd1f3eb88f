"""Where people live, come from and go."""

import re
from collections.abc import Iterator

from kg_assets.text.clauses import Clause, Statement
from kg_assets.text.frames.stating import activity, is_own, names, speaker, state, usable
from kg_assets.text.lexicon import EVENTS, LANGUAGES, among, bag
from kg_assets.text.phrases import Phrase

STAYS_IN = "stays_in"  # of no predicate: becomes `lives_in` where the talk is of homes, otherwise nothing
_VISITED = {
    "visit": ("",),
    "travel": ("to", "around", "through"),
    "fly": ("to",),
    "go": ("to",),
    "be": ("to",),
    "drive": ("to",),
}


def living(clause: Clause) -> Iterator[Statement]:
    """As in "I live in Porto", "we settled in Faro", "she's based in Rome"."""
    places = names(clause, clause.after("in", "at", "near"))
    if clause.tense == "future" or clause.subject.is_name is clause.passive is True:
        return
    yield from housed(clause)
    if not places:
        return
    begun = clause.verb == "settle" or clause.particle == "down"
    if clause.tense == "perfect" and len(places) > 1 and not clause.times and not clause.negation:
        for place in places:  # "I've lived in Hull, Antwerp and Graz": one after the other
            yield from state(clause, "lives_in", place, aspect="held")
        return
    yield from state(clause, "lives_in", places[0], aspect="begins" if begun else None)


def housed(clause: Clause) -> Iterator[Statement]:
    """As in "I live on a farm", "we live in a small flat by the sea", "I live with my parents": a home that is no
    place by name, and who shares it."""
    if (
        clause.verb not in ("live", "reside")
        or clause.tense not in ("present", "perfect")
        or clause.particle
        or clause.objects
    ):
        return
    for preposition, phrases in clause.preps:
        for phrase in phrases[:1]:
            if preposition == "with" and usable(phrase) and (phrase.relation or phrase.name or phrase.is_name):
                yield from state(clause, "roommate", phrase)
            elif preposition in _AT_HOME and _is_dwelling(phrase):
                yield from state(clause, "dwelling", _as_told(clause, phrase))


def _as_told(clause: Clause, phrase: Phrase) -> Phrase:
    """ "A small town", which is no town like another: with what is said in front of it."""
    before = clause.text[clause.verb_span[1] : phrase.start]
    told = _MODIFIERS.search(before)
    if told is None:
        return phrase._replace(owner=None)
    start = phrase.start - len(told["said"])
    text = clause.text[start : phrase.end]
    return phrase._replace(owner=None, text=text, start=start, words=tuple(text.casefold().split()))


_MODIFIERS = re.compile(
    r"(?:^|\s)(?:an?|the)\s+(?:(?:very|really|quite|pretty)\s+)?(?P<said>(?:[\w-]+\s+){1,2})$", re.IGNORECASE
)
_AT_HOME = frozenset({"in", "on", "at", "near", "by", "under"})
_NO_HOME = bag(
    "house home area place part world moment fear past present time way neighborhood neighbourhood "
    "state harmony peace sin"
)


def _is_dwelling(phrase: Phrase) -> bool:
    plain = usable(phrase) and not phrase.is_name and not phrase.is_cut and not phrase.relation
    plain = plain and (not phrase.words[0].endswith("ing") or len(phrase.words) > 1)
    return plain and (phrase.head not in _NO_HOME or len(phrase.words) > 1)


def renting(clause: Clause) -> Iterator[Statement]:
    """As in "We rent a flat in Malmö", "I share a house in Leeds with two nurses"."""
    home = any(each.head in _HOMES and each.owner is None and each.number <= 1 for each in clause.objects)
    if home and clause.tense in ("present", "perfect") and not clause.negation:
        for place in names(clause, clause.after("in", "near"))[:1]:
            yield from state(clause, "lives_in", place)


_HOMES = frozenset({"house", "flat", "apartment", "place", "room", "studio", "bungalow", "cottage", "bedsit"})


def staying(clause: Clause) -> Iterator[Statement]:
    """As in "I'm still in Bristol", "I'm in Bristol now": a home, or a trip; the talk around it tells (`stays_in`)."""
    alone = len(clause.preps) == 1 and not (clause.objects or clause.adjective or clause.times or clause.negation)
    places = names(clause, clause.after("in"))
    since = clause.times and clause.text[: clause.times[0][1]].casefold().find("since ", clause.verb_span[1]) >= 0
    if clause.tense == "perfect" and since and places and not (clause.objects or clause.adjective or clause.negation):
        yield from state(clause, "lives_in", places[0])  # "I've been in Perth since 2019"
        return
    if clause.tense != "present" or not alone or len(places) != 1 or clause.subject.head in ("it", "you"):
        return
    before = clause.text[clause.verb_span[0] : places[0].start].casefold().split()
    after = clause.text[places[0].end : places[0].end + 7].casefold().strip(" ").split(" ")[0].strip(".,!;")
    if not {"still", "now", "again"}.isdisjoint((*before, after)):
        yield from state(clause, STAYS_IN, places[0])


def moving(clause: Clause) -> Iterator[Statement]:
    """As in "I moved from Porto to Lisbon": the new home begins, the old one was left. A move to come is a plan, and
    with its date the home from then on."""
    if clause.negation:
        return
    to, from_ = names(clause, clause.after("to")), names(clause, clause.after("from"))
    if clause.tense == "future" or (clause.progressive and clause.tense == "present"):
        if to:
            yield from state(clause, "plans_to", activity(clause, clause.verb_span[0], to[0].end), aspect="happens")
            if clause.times:
                yield from (each._replace(forward=True) for each in state(clause, "lives_in", to[0], aspect="begins"))
        return
    if clause.used_to or clause.progressive or clause.tense == "present":
        return
    if to:
        yield from state(clause, "lives_in", to[0], aspect="begins")
    if from_:
        yield from state(clause, "moved_from", from_[0], aspect="begins")
        yield from state(clause, "lives_in", from_[0], aspect="ends", polarity="denied")


def coming(clause: Clause) -> Iterator[Statement]:
    """As in "I come from Sweden", "my parents are coming to visit"."""
    if clause.tense == "present" and not clause.progressive:
        for place in names(clause, clause.after("from"))[:1]:
            yield from state(clause, "comes_from", place)
    elif clause.inner and clause.inner.verb in ("visit", "see"):
        yield from visiting(
            clause.inner._replace(subject=clause.subject, tense="future", times=clause.times, start=clause.start)
        )


def growing_up(clause: Clause) -> Iterator[Statement]:
    if clause.particle == "up" and clause.tense in ("past", "perfect"):
        spoken = (
            clause.inner.objects if clause.inner is not None and clause.inner.verb == "speak" else clause.after("with")
        )
        for language in spoken:
            if language.lower in LANGUAGES:
                yield from state(clause._replace(times=()), "speaks_language", language, aspect="holds")
        for place in names(clause, clause.after("in", "near"))[:1]:
            yield from state(clause, "grew_up_in", place, aspect="holds")


def visiting(clause: Clause) -> Iterator[Statement]:
    """Trips: what was is an experience, what is to come a plan."""
    ahead = clause.tense == "future" or (clause.progressive and clause.tense == "present")
    habit = clause.tense == "present" and not clause.progressive
    if habit or clause.used_to:
        return
    targets = list(clause.objects) if clause.verb == "visit" else list(clause.after(*_VISITED[clause.verb]))
    named = [
        each for each in targets if usable(each) and (each.is_name or each.relation) and not among(each.words, EVENTS)
    ]
    if not targets and clause.verb == "visit" and not is_own(clause.subject):
        named = [speaker(clause)]  # "my sister is visiting in June": us
    elif clause.verb == "visit" and any(is_own(each) for each in targets) and not is_own(clause.subject):
        named = [speaker(clause)]
    for target in named:
        if ahead:
            yield from state(clause, "plans_to_visit", target, aspect="happens")
        else:
            yield from state(clause, "visited", target, aspect="happens")


def going(clause: Clause) -> Iterator[Statement]:
    if clause.verb == "be" and (clause.tense != "perfect" or clause.adjective or clause.objects):
        return  # "I've been to Rome", but never "I'm to Rome"
    yield from visiting(clause)
