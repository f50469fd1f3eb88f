"""Lists behind a plural: "My siblings are Ife, Kola and Dayo", "my hobbies include pottery"."""

from collections.abc import Iterator

from kg_assets.text.clauses import Clause, Statement
from kg_assets.text.frames.stating import is_own, speaker, state, usable
from kg_assets.text.lexicon import NAMED_GROUPS, bag, heals
from kg_assets.text.phrases import Phrase

_PASTIMES = bag("hobbies interests pastimes passions hobby")
_MEDICINES = bag("meds medication medications medicine medicines tablets pills prescriptions prescription")
_FAVOURITES = ("favourite ", "favorite ", "fave ", "fav ")


def listing(clause: Clause) -> Iterator[Statement]:
    """What "are" and "include" list of a plural of one's own."""
    subject = clause.subject
    if clause.tense != "present" or clause.negation or clause.passive or not clause.objects:
        return
    owner = subject.owner
    if owner is None and subject.lower in _PASTIMES and clause.text[: subject.start].strip() == "":
        owner = speaker(clause)  # "Hobbies include …"
    if owner is None:
        return
    plain = [each for each in clause.objects if usable(each) and each.owner is None]
    if subject.head in _PASTIMES and not subject.relation:
        for each in plain if clause.verb == "include" or len(plain) > 1 else ():
            yield from state(clause, "hobby", each, subject=owner)
    elif subject.head in _MEDICINES and is_own(owner):
        for each in plain:
            if heals(each.words):
                yield from state(clause, "takes_medication", each, subject=owner)
    elif subject.head in NAMED_GROUPS and len(plain) > 1 and all(_is_named(each) for each in clause.objects):
        for each in plain:
            yield from state(clause, NAMED_GROUPS[subject.head], each, subject=owner)
    elif subject.head.endswith("s") and subject.head != "things" and len(plain) > 1 and _is_favourite(clause, subject):
        for each in plain:
            yield from state(clause, "likes", each, subject=owner)


def _is_named(phrase: Phrase) -> bool:
    return phrase.is_name and len(phrase.words) <= 3 and not phrase.determiner and phrase.owner is None


def _is_favourite(clause: Clause, subject: Phrase) -> bool:
    return clause.text[max(0, subject.start - 12) : subject.start].casefold().endswith(_FAVOURITES)
