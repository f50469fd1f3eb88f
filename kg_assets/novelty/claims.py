"""What an utterance claims, as far as the cheap patterns of `text/statements.py` read it. No model, no I/O.

The names are those that extraction would give, so that a claim finds the facts that it repeats or contradicts. Where
the two differ a claim looks new, and no more: what becomes a fact is for extraction to say.
"""

from collections.abc import Iterator

import msgspec

from kg_assets.model import SAME_AS, SELF_KEY, Draft, Literal
from kg_assets.text.names import normal_form, relation_key
from kg_assets.text.ontology import Ontology
from kg_assets.text.phrases import Phrase
from kg_assets.text.statements import statements

FIRST_PERSON = frozenset({"i", "me", "we", "us", "mine", "ours", "myself", "ourselves"})


class Claim(msgspec.Struct, frozen=True, kw_only=True):
    """One statement. `predicate` is canonical; statements of one `slot_name` compete, for one place if `functional`.

    `subject_key` is "" where the subject is only a pronoun ("she is a nurse"): whom it means is open. The object is a
    name (`object_key`) or a `literal`. `past`: held for a time and does no longer.
    """

    subject_key: str
    predicate: str
    object_key: str
    literal: Literal | None
    denied: bool
    past: bool
    slot_name: str
    functional: bool


def claims_of(draft: Draft, ontology: Ontology, *, multi_speaker: bool) -> tuple[Claim, ...]:
    """The claims of a text, in order."""
    own = SELF_KEY if draft.role == "user" and not multi_speaker else normal_form(draft.speaker)
    return tuple(_claims(draft.text, own, ontology))


def _claims(text: str, own: str, ontology: Ontology) -> Iterator[Claim]:
    for statement in statements(text):
        literal = None
        if isinstance(statement.object, Phrase):
            object_key = key_of(statement.object, own)
        else:
            literal = Literal(value=statement.object.value, type=statement.object.kind)
            object_key = str(literal.value)
        subject_key = key_of(statement.subject, own)
        if statement.predicate != SAME_AS and object_key:
            predicate, _ = ontology.canonical(statement.predicate)
            yield Claim(
                subject_key=subject_key,
                predicate=predicate.name,
                object_key=object_key,
                literal=literal,
                denied=statement.polarity != "affirmed",
                past=statement.aspect == "held",
                slot_name=ontology.slot_name(predicate),
                functional=predicate.functional,
            )


def key_of(phrase: Phrase, own: str) -> str:
    """The normal form under which extraction would mention this phrase; "" for a pronoun of another person."""
    if phrase.is_pronoun:
        return own if phrase.words[0] in FIRST_PERSON else ""
    if phrase.owner is not None and not phrase.is_name:
        owner = key_of(phrase.owner, own)
        return relation_key(owner, phrase.relation or phrase.text) if owner else ""
    return normal_form(phrase.text)
