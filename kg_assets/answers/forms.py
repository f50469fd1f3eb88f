"""Question forms that follow from how the ontology words a fact: "{subject} lives in {object}" is asked for with
"does Ana live in Porto", "who lives in Porto" and "which city does Ana live in".
"""

import re
from collections.abc import Iterator
from functools import lru_cache

import msgspec

from kg_assets.text.ontology import Ontology, Predicate

STATED = re.compile(r"\{(?P<first>subject|object)\} (?P<words>(?!and )[a-z][a-z' ]*) \{(?:subject|object)\}")
BEING = frozenset({"is", "are", "am", "was", "were"})
DOING = frozenset({"does", "do", "did"})
HAVING = frozenset({"has", "have", "had"})
ASKED = re.compile(
    r"(?:(?P<wh>who|whom|where|what|which)(?: (?P<noun>[\w' -]+?))?? )??"
    r"(?P<auxiliary>does|do|did|is|are|am|was|were|has|have|had) (?P<rest>.+)"
)
WHO = re.compile(r"(?:who|what) (?P<rest>.+)")
PLACED = (" in", " at", " to")  # what "where" stands for
ARTICLES = frozenset({"a", "an", "the"})
LONGEST = 6  # words of a verb phrase
MOST = 8  # words of a name
ANYONE = "anyone"
IRREGULAR = {"has": "have", "is": "be", "was": "be"}


class Stated(msgspec.Struct, frozen=True):
    """A verb phrase and what it states; `inverted` where its first person or thing is the fact's object."""

    words: str
    predicate: str
    inverted: bool


class Form(msgspec.Struct, frozen=True, kw_only=True):
    """A reading of one question. With `objects` it asks whether that is so, else what stands in the open place."""

    subject: str
    predicate: str
    inverted: bool
    objects: str = ""
    noun: str = ""


class Tables(msgspec.Struct, frozen=True):
    """Verb phrases by how they stand in a question: after "does", after "is", after "has", after "who"."""

    done: dict[str, list[Stated]]
    been: dict[str, list[Stated]]
    had: dict[str, list[Stated]]
    finite: dict[str, list[Stated]]


def forms(bare: str, ontology: Ontology) -> Iterator[Form]:
    """The readings of a folded question without its time and question mark."""
    tables = tabled(tuple(stated(ontology)))
    if (asked := ASKED.fullmatch(bare)) is not None:
        words = asked["rest"].split()
        wh, noun, auxiliary = asked["wh"] or "", asked["noun"] or "", asked["auxiliary"]
        table = tables.done if auxiliary in DOING else tables.been if auxiliary in BEING else tables.had
        if not wh:
            yield from whether(words, table)
        elif not noun or wh in ("what", "which"):
            yield from open_object(words, table, where=wh == "where", noun=noun)
        if auxiliary in BEING and wh in ("who", "what") and not noun:
            yield from open_subject(words, tables.been)
    if (who := WHO.fullmatch(bare)) is not None:
        yield from open_subject(who["rest"].split(), tables.finite)


def whether(words: list[str], table: dict[str, list[Stated]]) -> Iterator[Form]:
    """ "(does) ana live in porto": every way to part the words, the longest verb phrase first; "(is) ana engaged"."""
    for start in range(1, min(len(words), MOST + 1)):
        for each in table.get(f"{' '.join(words[start:])} to", ()):
            yield Form(
                subject=" ".join(words[:start]), predicate=each.predicate, inverted=each.inverted, objects=ANYONE
            )
    for length in range(min(LONGEST, len(words) - 2), -1, -1):
        for start in range(max(1, len(words) - length - MOST), min(len(words) - length, MOST + 1)):
            for each in table.get(" ".join(words[start : start + length]), ()):
                yield Form(
                    subject=" ".join(words[:start]),
                    predicate=each.predicate,
                    inverted=each.inverted,
                    objects=" ".join(words[start + length :]),
                )


def open_object(words: list[str], table: dict[str, list[Stated]], *, where: bool, noun: str) -> Iterator[Form]:
    """ "(who is) ana engaged to", "(where does) ana volunteer"."""
    for start in range(1, min(len(words), MOST + 1)):
        said = " ".join(words[start:])
        for phrase in [said + place for place in PLACED] if where else [said]:
            for each in table.get(phrase, ()):
                yield Form(subject=" ".join(words[:start]), predicate=each.predicate, inverted=each.inverted, noun=noun)


def open_subject(words: list[str], table: dict[str, list[Stated]]) -> Iterator[Form]:
    """ "(who) lives in milan": asked from the other end."""
    for length in range(min(LONGEST, len(words) - 1), -1, -1):
        for each in table.get(" ".join(words[:length]), ()):
            yield Form(subject=" ".join(words[length:]), predicate=each.predicate, inverted=not each.inverted)


# ------------------------------------------------------------------------------------------------- verb phrases


def stated(ontology: Ontology) -> Iterator[Stated]:
    """What phrases, sentence forms and verbal names say stands between the two of a fact."""
    for predicate in ontology.predicates.values():
        for sentence in (predicate.phrase, *predicate.forms):
            if (match := STATED.fullmatch(sentence)) is not None:
                yield Stated(match["words"], predicate.name, match["first"] == "object")
        yield from named(predicate)


def named(predicate: Predicate) -> Iterator[Stated]:
    """Names that are verbs in the third person: "works for", "is a fan of". A plural noun does no harm here."""
    for inverted, names in (
        (False, predicate.aliases),
        (True, (predicate.inverse.replace("_", " "), *predicate.inverse_aliases)),
    ):
        for name in names:
            if name.partition(" ")[0].endswith("s"):
                yield Stated(name, predicate.name, inverted)
    if predicate.range == "occupation" and predicate.functional:
        yield Stated("is", predicate.name, False)  # "is Ana a nurse" asks for her work


@lru_cache(maxsize=8)
def tabled(phrases: tuple[Stated, ...]) -> Tables:
    tables = Tables({}, {}, {}, {})
    for each in phrases:
        verb, _, rest = each.words.partition(" ")
        if rest in ARTICLES:
            rest = ""  # articles are no part of a name
        if verb in BEING:
            put(tables.been, rest, each)
            continue
        present, past = base_forms(verb), past_forms(verb)
        for form in present:
            put(tables.done, f"{form} {rest}", each)
        for form in past:
            put(tables.had, f"{form} {rest}", each)
        if verb in HAVING and rest:
            put(tables.had, rest, each)  # "has Ana been to Crete"
        for form in dict.fromkeys((verb, *present, *past)):
            put(tables.finite, f"{form} {rest}", each)
    return tables


def put(table: dict[str, list[Stated]], words: str, phrase: Stated) -> None:
    table.setdefault(words.strip(), []).append(phrase)


def base_forms(verb: str) -> tuple[str, ...]:
    """ "lives" → live, "studies" → study, "watches" → watch, "moved" → move (and mov, which nobody says)."""
    if verb in IRREGULAR:
        return (IRREGULAR[verb],)
    if verb.endswith("ied"):
        return (verb[:-1], f"{verb[:-3]}y")
    if verb.endswith("ed"):
        return (verb[:-2], verb[:-1])
    if verb.endswith("ies"):
        return (f"{verb[:-3]}y",)
    if verb.endswith(("ches", "shes", "sses", "xes", "oes")):
        return (verb[:-2],)
    return (verb[:-1],) if verb.endswith("s") else (verb,)


def past_forms(verb: str) -> tuple[str, ...]:
    """The regular one."""
    if verb in HAVING:
        return ("had",)
    if not verb.endswith("s"):
        return (verb,)
    (base,) = base_forms(verb)
    if base.endswith("y") and not base.endswith(("ay", "ey", "oy", "uy")):
        return (f"{base[:-1]}ied",)
    return (f"{base}d" if base.endswith("e") else f"{base}ed",)
