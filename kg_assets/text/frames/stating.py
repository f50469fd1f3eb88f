"""Making statements from a clause: polarity and aspect from its tense, and which phrases can be objects."""

from collections.abc import Iterable, Iterator

from kg_assets.text.clauses import Aspect, Clause, Polarity, Statement, Value
from kg_assets.text.lexicon import among, bag
from kg_assets.text.phrases import Phrase

# Phrases that point at the situation, not at something that can be remembered by name.
_POINTING = frozenset(
    {"this", "that", "these", "those", "your", "no", "such", "what", "which", "another", "neither", "any"}
)
_EMPTY = bag(
    "thing things stuff lot lots way ways one ones time times day days idea part kind sort bit moment everything "
    "something anything nothing fact place places people person guy guys others rest same reason reasons point while "
    "case best worst feeling feelings look looks vibe vibes sound chance opportunity journey support love future past "
    "life"
)
_COMMON_PLACES = bag(
    "town city suburbs countryside village apartment house flat downtown peace fear pain bed home work school college "
    "uni university church class court hospital hell heaven general person public private love trouble time shock"
)
INNER = frozenset({"a", "an", "the", "my", "your", "his", "her", "our", "their", "some"})
LONGEST_OBJECT = 60  # characters


def usable(phrase: Phrase) -> bool:
    """A phrase that names something by itself."""
    return not (
        phrase.is_pronoun
        or phrase.determiner in _POINTING
        or (phrase.head in _EMPTY and not _is_titled(phrase))  # "the West Highland Way"
        or is_two(phrase)
        or len(phrase.text) > LONGEST_OBJECT
        or (phrase.owner is not None and phrase.owner.is_pronoun and phrase.owner.head == "you")
    )


def is_two(phrase: Phrase) -> bool:
    """For whom and what: "(I bought my) nephew a drone"."""
    return not phrase.is_name and not INNER.isdisjoint(phrase.words[1:])


def _is_titled(phrase: Phrase) -> bool:
    """A name to its last word: "the West Highland Way", not "Monzo these days"."""
    return phrase.is_name and len(phrase.words) > 1 and phrase.text.rpartition(" ")[2][:1].isupper()


def names(clause: Clause, phrases: Iterable[Phrase]) -> list[Phrase]:
    """The phrases that are proper names, of a place or an organisation and not of a relation.

    Who writes without any capitals writes names without them too: there a short bare noun will do.
    """
    casual = clause.text == clause.text.lower()
    return [
        phrase
        for phrase in phrases
        if phrase.owner is None and usable(phrase) and (phrase.is_name or (casual and _is_bare(phrase)))
    ]


def _is_bare(phrase: Phrase) -> bool:
    return not phrase.determiner and not phrase.number and len(phrase.words) <= 2 and phrase.head not in _COMMON_PLACES


def listed(phrases: Iterable[Phrase], words: frozenset[str] | dict[str, str]) -> list[Phrase]:
    """The phrases whose last words are in a list."""
    return [phrase for phrase in phrases if usable(phrase) and among(phrase.words, words)]


def state(
    clause: Clause,
    predicate: str,
    object_: Phrase | Value | None,
    *,
    subject: Phrase | None = None,
    aspect: Aspect | None = None,
    polarity: Polarity | None = None,
) -> Iterator[Statement]:
    """The statement, and the one that "…, not Lena" takes back. Nothing where there is no object."""
    if object_ is None:
        return
    if clause.negation == "ended":
        aspect, polarity = "ends", polarity or "denied"
    elif clause.negation:
        aspect, polarity = "timeless" if clause.negation == "never" else "holds", polarity or "denied"
    made = Statement(
        subject=subject or clause.subject,
        predicate=predicate,
        object=object_,
        polarity=polarity or "affirmed",
        aspect=aspect or ("held" if clause.tense == "past" else "holds"),
        forward=clause.tense == "future" or (clause.tense == "present" and (clause.progressive or _is_limited(clause))),
        span=(clause.start, clause.end),
        times=clause.times,
    )
    yield made
    if clause.instead is not None and not clause.instead.is_pronoun and made.polarity == "affirmed":
        yield made._replace(object=like(object_, clause.instead), polarity="retracted")


def _is_limited(clause: Clause) -> bool:
    """ "I work there until May": the May to come."""
    return any(clause.text[start : start + 3].casefold() in ("unt", "til") for start, _ in clause.times)


def like(model: Phrase | Value, phrase: Phrase) -> Phrase | Value:
    """A phrase as the same kind of object as another."""
    return (
        model._replace(value=phrase.text, text=phrase.text, start=phrase.start, end=phrase.end)
        if isinstance(model, Value)
        else phrase
    )


def as_text(phrase: Phrase) -> Value:
    return Value(phrase.text, "text", phrase.text, phrase.start, phrase.end)


def activity(clause: Clause, start: int, end: int) -> Phrase:
    """What someone does, in the words of the text: "hiking in the mountains"."""
    text = clause.text[start:end]
    return Phrase(text, start, end, tuple(text.casefold().split()))


def speaker(clause: Clause) -> Phrase:
    """The one who speaks, where no word says so."""
    return Phrase("", clause.start, clause.start, ("i",), is_pronoun=True)


def is_own(phrase: Phrase) -> bool:
    return phrase.is_pronoun and phrase.head in ("i", "we", "me", "us")


def singulars(noun: str) -> tuple[str, ...]:
    """What a noun may be the plural of: trophies → trophy, boots → boot, watches → watch."""
    if len(noun) < 4 or not noun.endswith("s") or noun.endswith("ss"):
        return ()
    return (noun[:-3] + "y",) if noun.endswith("ies") else (noun[:-1], noun[:-2])
