"""Reading a question: which subject, which predicate, at what time. Patterns come from the ontology's `asks`.

A template such as "where does {subject} live" also reads "where did … live" and "where do I live". What no template
reads is read by how the ontology words its facts (`answers.forms`).
"""

import re
from functools import lru_cache

import msgspec
from msgspec.structs import replace

from kg_assets.answers.forms import forms
from kg_assets.model import Micros
from kg_assets.text.ontology import Ontology
from kg_assets.text.times import find_times

AUXILIARIES = {
    "does": "(?:does|do|did)",
    "do": "(?:does|do|did)",
    "is": "(?:is|are|am|was|were)",
    "are": "(?:is|are|am|was|were)",
    "has": "(?:has|have|had)",
    "was": "(?:was|were|is|are)",
    "what": "(?:what|which)",
    "which": "(?:what|which)",
}
SINCE = re.compile(r"^since when (?P<rest>.+)$")
BEFORE = re.compile(r"^(?P<rest>(?:who|what|which|where) .+?) before(?: (?P<before>.+))?$")
OWNED = re.compile(
    r"^(?P<whether>does|do|did) (?P<subject>.+?) have (?:(?:a|an|any|some) )?(?P<noun>[\w -]+)$"
    r"|^(?:what|which) (?P<kind>[\w -]+?) (?:does|do|did) (?P<owner>.+?) have$"
)
PLACED_FIRST = re.compile(r"^(?P<place>in|at|to|for|from|on) (?P<rest>(?:which|what) .+)$")
PAST = re.compile(r"\b(?:did|was|were|had|used to)\b|^ha(?:s|ve)\b")
OF = re.compile(r"^(?:what|who|which) (?:is|are|was|were) the (?P<relation>[\w ]+?) of (?P<subject>.+)$")
POSSESSIVE = re.compile(
    r"^(?:what|who|which) (?:is|are|was|were) (?P<subject>.+?(?:'s|s')|(?:.+? )?(?:my|your)) (?P<relation>[\w ]+)$"
)
WHEN = re.compile(r"^when (?:did|does|do|was|were|is|will) (?P<rest>.+)$")
NAMED = re.compile(
    r"^(?:what is|what was) (?:the name of (?P<of>.+)|(?P<own>.+?)(?:'s)? name)$|^what is (?P<called>.+) called$"
)
ADVERBS = re.compile(r"\b(?:ever|still|currently) ")
SPACES = re.compile(r"\s+")


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """A fact question. `subject` is as worded. `kind`: value (what, who, where), whether, having, name, or when.

    `instant` is the middle of the time that the question named, None where it named none; `past` tells its tense.
    `mentions` holds the words after "when did", where the object has to be found among the subject's facts; of
    "whether" the words of the object. `noun` says of which kind the answer has to be ("which instrument"), and what is
    asked for in "having" ("does Ana have a dog"), where `whether` tells a yes from a list.
    `relation` is the noun that led to the predicate ("brother").
    `before` names what came next, "" where it is what is now.
    """

    kind: str
    subject: str
    predicate: str = ""
    inverted: bool = False
    instant: Micros | None = None
    past: bool = False
    mentions: str = ""
    noun: str = ""
    relation: str = ""
    whether: bool = False
    before: str | None = None


def read_question(text: str, ontology: Ontology, now: Micros) -> list[Question]:
    """The ways in which this can be read as a question about one fact, best first; none where it is something else."""
    bare, instant = without_time(text, now)
    whole = SPACES.sub(" ", text.casefold().replace("’", "'")).strip(" ?!.,")
    if instant is None and whole != bare and (found := read_values(whole, asked_of(whole, None), ontology)):
        return found  # "what does it depend on"
    bare = PLACED_FIRST.sub(r"\g<rest> \g<place>", bare)  # "in which city does …" is asked like "which city … in"
    if (earlier := BEFORE.match(bare)) is not None:
        asked = Question(kind="value", subject="", instant=instant, past=True, before=earlier["before"] or "")
        found = [each for each in read_values(earlier["rest"], asked, ontology) if each.kind == "value"]
        if found:
            return found
    return read_values(bare, asked_of(bare, instant), ontology)


def asked_of(bare: str, instant: Micros | None) -> Question:
    return Question(kind="value", subject="", instant=instant, past=bool(PAST.search(bare)))


def read_values(bare: str, asked: Question, ontology: Ontology) -> list[Question]:
    """Readings of the folded question; `asked` holds what is known of all of them."""
    found: list[Question] = []
    if (named := NAMED.match(bare)) is not None:
        found.append(replace(asked, kind="name", subject=named["of"] or named["own"] or named["called"]))
    for pattern, predicate in templates(ontology):
        if (match := pattern.fullmatch(bare)) is not None:
            found.append(replace(asked, subject=match["subject"], predicate=predicate))
    for pattern in (OF, POSSESSIVE):
        if (match := pattern.match(bare)) is not None:
            predicate, inverted = relation(match["relation"], ontology)
            if predicate:
                related = replace(asked, subject=match["subject"], predicate=predicate, inverted=inverted)
                found.append(replace(related, relation=match["relation"]))
    if (when := WHEN.match(bare)) is not None:
        found.append(replace(asked, kind="when", subject=when["rest"], mentions=when["rest"]))
    return found + derived(bare, asked, ontology)


def derived(bare: str, asked: Question, ontology: Ontology) -> list[Question]:
    """Readings that follow from the wording of facts."""
    bare = ADVERBS.sub("", bare)
    if (since := SINCE.match(bare)) is not None:
        stated = [each for each in forms(since["rest"], ontology) if each.objects and not each.inverted]
        return [
            replace(asked, kind="when", predicate=each.predicate, mentions=f"{each.subject} {each.objects}")
            for each in stated
        ]
    found: list[Question] = []
    if (owned := OWNED.match(bare)) is not None:
        subject, noun = owned["subject"] or owned["owner"], owned["noun"] or owned["kind"]
        found.append(replace(asked, kind="having", subject=subject, noun=noun, whether=bool(owned["whether"])))
    for each in forms(bare, ontology):
        reading = replace(asked, subject=each.subject, predicate=each.predicate, inverted=each.inverted)
        if each.objects:
            reading = replace(reading, kind="whether", mentions=each.objects)
        found.append(replace(reading, noun=each.noun))
    return found


def relation(words: str, ontology: Ontology) -> tuple[str, bool]:
    """A relation noun as a declared predicate and its direction; empty where the ontology does not know it."""
    if not any(character.isalnum() for character in words):
        return "", False
    predicate, inverted = ontology.canonical(words)
    return ("", False) if predicate.provisional else (predicate.name, inverted)


def without_time(text: str, now: Micros) -> tuple[str, Micros | None]:
    """The folded question without its time expression and question mark, and the middle of that time."""
    instant = None
    for each in reversed(find_times(text, now)):
        start, end = each.valid_from, each.valid_to
        if start is not None:
            instant = start if end is None else (start + end) // 2
            text = f"{text[: each.span[0]]} {text[each.span[1] :]}"
    folded = SPACES.sub(" ", text.casefold().replace("’", "'")).strip(" ?!.,")
    return re.sub(r"\b(?:in|on|at|since|during|back|as of)$", "", folded).strip(" ,"), instant


@lru_cache(maxsize=8)
def compiled(asks: tuple[tuple[str, str], ...]) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(template_pattern(ask)), name) for ask, name in asks)


def templates(ontology: Ontology) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Compiled question forms with their predicates, in the ontology's order."""
    return compiled(tuple((ask, each.name) for each in ontology.predicates.values() for ask in each.asks))


def template_pattern(ask: str) -> str:
    """ "where does {subject} live" → a pattern that also reads other persons and tenses."""
    words = [AUXILIARIES.get(word, re.escape(word)) for word in ask.replace("{subject}", "SUBJECT").split()]
    return " ".join(words).replace("SUBJECT", "(?P<subject>.+?)")
