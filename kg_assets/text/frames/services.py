"""What people use and are signed up for: banks, phones, programs, subscriptions, courses."""

from collections.abc import Iterator

from kg_assets.text.clauses import Clause, Statement
from kg_assets.text.frames.doings import is_of_a_life
from kg_assets.text.frames.stating import state, usable
from kg_assets.text.phrases import Phrase

_NO_TOOL = frozenset(
    {"it", "that", "word", "words", "name", "help", "toilet", "bathroom", "time", "excuse", "term", "phrase"}
)


def _tool(phrase: Phrase) -> bool:
    plain = usable(phrase) and not phrase.relation and phrase.head not in _NO_TOOL
    return plain and phrase.determiner in ("", "a", "an", "the")


def using(clause: Clause) -> Iterator[Statement]:
    """As in "I use Linux", "my mum uses a wheelchair", "I bank with Monzo", "I no longer use Gmail"."""
    told = clause.tense in ("present", "perfect") and not clause.progressive and clause.inner is None
    if not told and not clause.used_to:
        return
    if not is_of_a_life(clause) or (clause.tense == "perfect" and not clause.negation):
        return
    for phrase in clause.after("with") if clause.verb == "bank" else clause.objects:
        if _tool(phrase) and phrase.owner is None and (phrase.is_name or phrase.determiner in ("a", "an")):
            yield from state(clause, "uses_tool", phrase)


def switching(clause: Clause) -> Iterator[Statement]:
    """As in "I switched from Android to an iPhone": the one is used no longer, the other from then on."""
    if clause.negation or clause.tense not in ("past", "perfect") or not is_of_a_life(clause):
        return
    for phrase in clause.after("from")[:1]:
        if _tool(phrase):
            yield from state(clause, "uses_tool", phrase, aspect="ends", polarity="denied")
    for phrase in clause.after("to")[:1]:
        if _tool(phrase):
            yield from state(clause, "uses_tool", phrase, aspect="begins")


def subscribing(clause: Clause) -> Iterator[Statement]:
    """As in "I subscribe to Netflix", "I unsubscribed from Hulu", "I've subscribed to two magazines"."""
    if clause.tense == "future" or not is_of_a_life(clause):
        return
    ended = clause.verb in ("unsubscribe", "cancel")
    for phrase in clause.after("from") if clause.verb == "unsubscribe" else clause.after("to"):
        if usable(phrase) and phrase.owner is None:
            begun = clause.tense in ("past", "perfect") and not clause.negation
            yield from state(
                clause,
                "subscribes_to",
                phrase,
                aspect="ends" if ended else "begins" if begun else None,
                polarity="denied" if ended else None,
            )


def signing_up(clause: Clause) -> Iterator[Statement]:
    """As in "I signed up for a pottery class", "I registered for the Berlin marathon"."""
    if clause.negation or clause.tense not in ("past", "perfect") or not is_of_a_life(clause):
        return
    if clause.objects or (clause.verb == "sign" and clause.particle != "up"):
        return
    for phrase in clause.after("for", "in", "on"):
        if usable(phrase) and phrase.owner is None:
            yield from state(clause, "signed_up_for", phrase, aspect="begins")


def freelancing(clause: Clause) -> Iterator[Statement]:
    """As in "I freelance for a couple of magazines": self-employed, and for whom."""
    if clause.tense == "future":
        return
    start, end = clause.verb_span
    yield from state(clause, "works_as", Phrase("freelancer", start, end, ("freelancer",)))
    for phrase in clause.after("for", "as"):
        if usable(phrase) and phrase.is_name:
            yield from state(clause, "works_at", phrase)
