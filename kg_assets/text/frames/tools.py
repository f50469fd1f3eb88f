"""Work with tools: what is used and runs on what, what is being built and led. Software, machines and aids by name."""

from collections.abc import Iterator

from kg_assets.text.clauses import Clause, Statement
from kg_assets.text.frames.stating import activity, is_own, speaker, state, usable
from kg_assets.text.frames.work import employers
from kg_assets.text.lexicon import DURABLES, PRODUCTS, TECHNOLOGIES, among, bag
from kg_assets.text.phrases import Phrase

_SYSTEMS = bag(
    "stack backend back-end frontend front-end app website site api server servers database db pipeline service "
    "codebase code infra infrastructure project monolith warehouse cluster product setup blog bot machine laptop pc "
    "computer phone tests ci builds deployment"
)
_LAYERS = bag("stack backend back-end frontend front-end database db infra infrastructure")
_MADE = bag(
    "app website site game tool library bot startup platform plugin extension robot dashboard newsletter podcast novel "
    "book thesis dissertation album screenplay compiler engine prototype marketplace package script song memoir paper"
)
_TEAMS = bag("team department group unit lab squad crew project division practice chapter")
_VAGUE = bag("it project projects something stuff things myself skills this that lot")


def is_technology(phrase: Phrase) -> bool:
    """Listed, a version behind it or none: "Postgres 15", "python 3.13"."""
    words = phrase.words
    while len(words) > 1 and words[-1][:1].isdigit():
        words = words[:-1]
    return any(
        " ".join(words[start:]) in listed or " ".join(words[: start + 1]) in listed
        for start in range(len(words))
        for listed in (TECHNOLOGIES, PRODUCTS)
    )


def using(clause: Clause) -> Iterator[Statement]:
    """As in "we use postgres 15 on AWS", "we're using dbt": technologies in small letters, and what they run on."""
    if clause.tense != "present" or clause.passive or clause.subject.head in ("it", "they", "you"):
        return
    known = any(is_technology(each) for each in clause.objects)
    for phrase in (*clause.objects, *clause.after("on") * (not clause.negation)):
        beside = known and not phrase.determiner and len(phrase.words) == 1 and phrase in clause.objects
        if usable(phrase) and phrase.owner is None and (is_technology(phrase) or beside):
            yield from state(clause, "uses_tool", phrase)


def writing(clause: Clause) -> Iterator[Statement]:
    """As in "I mostly write Kotlin", "we code in Go"."""
    if clause.tense in ("present", "perfect") and not clause.passive:
        for phrase in (*clause.objects, *clause.after("in")):
            if usable(phrase) and is_technology(phrase):
                yield from state(clause, "uses_tool", phrase)


def built_on(clause: Clause) -> Iterator[Statement]:
    """As in "Our stack is FastAPI and Postgres on AWS", "my site runs on Django", "I'm on Windows 11"."""
    subject = clause.subject
    if clause.tense not in ("present", "perfect") or clause.negation:
        return
    if is_own(subject) and clause.verb == "be" and not clause.objects and not clause.adjective:
        for phrase in clause.after("on"):
            if usable(phrase) and is_technology(phrase):
                yield from state(clause, "uses_tool", phrase)
        return
    mine = subject.owner is not None and is_own(subject.owner)
    if subject.head not in _SYSTEMS or not (mine or subject.determiner == "the"):
        return
    own = subject.owner if mine else speaker(clause)
    inside = [phrase for preposition in ("in", "on", "with", "using") for phrase in clause.after(preposition)]
    layered = mine and subject.head in _LAYERS
    for phrase in (*clause.objects, *inside):
        named = phrase.is_name and (layered or (mine and phrase in inside))
        if usable(phrase) and phrase.owner is None and (is_technology(phrase) or named):
            yield from state(clause, "uses_tool", phrase, subject=own)


def deploying(clause: Clause) -> Iterator[Statement]:
    """As in "I deploy to Heroku"."""
    if clause.tense in ("present", "perfect") and not clause.passive:
        for phrase in clause.after("to", "on"):
            if usable(phrase) and is_technology(phrase):
                yield from state(clause, "uses_tool", phrase)


def is_user(clause: Clause) -> Iterator[Statement]:
    """As in "I'm a Windows user", "my laptop is a ThinkPad"."""
    if clause.tense != "present":
        return
    own = clause.subject.owner
    for phrase in clause.objects:
        if phrase.head in ("user", "users") and len(phrase.words) > 1:
            tool = phrase._replace(
                text=phrase.text[: -len(phrase.head) - 1],
                words=phrase.words[:-1],
                end=phrase.end - len(phrase.head) - 1,
            )
            if is_technology(tool):
                yield from state(clause, "uses_tool", tool._replace(determiner=""))
            continue
        mine = own is not None and is_own(own) and among(clause.subject.words, DURABLES) and not clause.negation
        made = any(among(phrase.words[:end], PRODUCTS) for end in range(1, len(phrase.words) + 1))
        device = subject_is_device(clause) and phrase.determiner in ("a", "an") and (phrase.is_name or phrase.is_cut)
        if mine and (made or device) and phrase.owner is None:
            yield from state(clause, "owns", phrase, subject=own)


def subject_is_device(clause: Clause) -> bool:
    """ "My phone is a …", "my car is a …": what it is called is what is owned."""
    return clause.subject.head in _DEVICES


_DEVICES = bag(
    "phone laptop computer car bike guitar camera tablet watch van truck motorbike piano bicycle scooter pc tv"
)


def running(clause: Clause) -> Iterator[Statement]:
    """As in "I run Arch": a system; a race or a shop is none."""
    if clause.tense == "present" and is_own(clause.subject):
        for phrase in clause.objects:
            if usable(phrase) and phrase.owner is None and is_technology(phrase):
                yield from state(clause, "uses_tool", phrase)
    yield from built_on(clause)
    yield from leading(clause)


def choosing(clause: Clause) -> Iterator[Statement]:
    """As in "I went with Flutter", "we chose Postgres", "we settled on Terraform"."""
    if clause.negation or clause.tense not in ("past", "perfect") or not is_own(clause.subject):
        return
    chosen = (
        clause.after("with")
        if clause.verb == "go"
        else clause.after("on")
        if clause.verb == "settle"
        else clause.objects
    )
    if any(each.determiner in ("the", "this", "that") for each in clause.after("for")):
        return  # "React for the example"
    for phrase in chosen:
        if usable(phrase) and is_technology(phrase) and phrase.owner is None:
            yield from state(clause, "uses_tool", phrase, aspect="begins")


def changing_over(clause: Clause) -> Iterator[Statement]:
    """As in "We migrated from MySQL to Postgres", "we're moving our app from Rails 5 to Rails 7"."""
    before = [each for each in clause.after("from") if usable(each) and is_technology(each)]
    after = [each for each in clause.after("to") if usable(each) and is_technology(each)]
    if clause.negation or clause.used_to:
        return
    if clause.progressive or clause.tense == "future":
        for phrase in before:
            yield from state(clause._replace(times=(), tense="present"), "uses_tool", phrase, aspect="holds")
        if after:
            yield from state(clause, "plans_to", activity(clause, clause.verb_span[0], after[0].end), aspect="happens")
    elif clause.tense in ("past", "perfect"):
        for phrase in before:
            yield from state(clause, "uses_tool", phrase, aspect="ends", polarity="denied")
        for phrase in after:
            yield from state(clause, "uses_tool", phrase, aspect="begins")


def leading(clause: Clause) -> Iterator[Statement]:
    """As in "I lead a team of six at Nordwind", "she manages the payments team"."""
    if clause.tense not in ("present", "perfect") or clause.negation or clause.passive:
        return
    for phrase in clause.objects[:1]:
        if usable(phrase) and phrase.head in _TEAMS and clause.subject.head != "it":
            yield from state(clause, "leads", phrase._replace(owner=None))
            for employer in employers(clause, clause.after("at"))[:1]:
                yield from state(clause, "works_at", employer)


def working_on(clause: Clause) -> Iterator[Statement]:
    """As in "I'm working on a birdwatching app", "we're building a game called Plover"."""
    if clause.tense not in ("present", "perfect") or clause.negation or clause.passive:
        return
    targets = clause.after("on") if clause.verb == "work" else clause.objects if clause.progressive else ()
    for phrase in targets:
        named = phrase.is_name and clause.verb == "work"
        if usable(phrase) and phrase.head not in _VAGUE and (named or phrase.head in _MADE):
            yield from state(clause, "works_on", phrase._replace(owner=None))
