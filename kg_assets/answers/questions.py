"""Reading a question: which subject, which predicate, at what time. Patterns come from the ontology's `asks`.

A template such as "where does {subject} live" also reads "where did … live" and "where do I live".
"""

import re
from functools import lru_cache

import msgspec
from msgspec.structs import replace

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
}
PAST = re.compile(r"\b(?:did|was|were|had|used to)\b")
OF = re.compile(r"^(?:what|who|which) (?:is|are|was|were) the (?P<relation>[\w ]+?) of (?P<subject>.+)$")
POSSESSIVE = re.compile(
    r"^(?:what|who|which) (?:is|are|was|were) (?P<subject>.+?(?:'s|s'|\bmy|\byour)) (?P<relation>[\w ]+)$"
)
WHEN = re.compile(r"^when (?:did|does|do|was|were|is|will) (?P<rest>.+)$")
NAMED = re.compile(
    r"^(?:what is|what was) (?:the name of (?P<of>.+)|(?P<own>.+?)(?:'s)? name)$|^what is (?P<called>.+) called$"
)
SPACES = re.compile(r"\s+")


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """A fact question. `subject` is as worded. `kind`: value (what, who, where), name, or when.

    `instant` is the middle of the time that the question named, None where it named none; `past` tells its tense.
    `mentions` holds the words after "when did", where the object has to be found among the subject's facts.
    """

    kind: str
    subject: str
    predicate: str = ""
    inverted: bool = False
    instant: Micros | None = None
    past: bool = False
    mentions: str = ""


def read_question(text: str, ontology: Ontology, now: Micros) -> list[Question]:
    """The ways in which this can be read as a question about one fact, best first; none where it is something else."""
    bare, instant = without_time(text, now)
    asked = Question(kind="value", subject="", instant=instant, past=bool(PAST.search(bare)))
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
                found.append(replace(asked, subject=match["subject"], predicate=predicate, inverted=inverted))
    if (when := WHEN.match(bare)) is not None:
        found.append(replace(asked, kind="when", subject=when["rest"], mentions=when["rest"]))
    return found


def relation(words: str, ontology: Ontology) -> tuple[str, bool]:
    """A relation noun as a declared predicate and its direction; empty where the ontology does not know it."""
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
