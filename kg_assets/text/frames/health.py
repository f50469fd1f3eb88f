"""Health beyond what is named with "have": what was prescribed, who is expecting."""

from collections.abc import Iterator

from kg_assets.text.clauses import Clause, Statement
from kg_assets.text.frames.stating import state, usable
from kg_assets.text.lexicon import bag, heals
from kg_assets.text.phrases import Phrase

_DOSES = bag("mg mcg g ml milligrams micrograms units iu")
_CHILDREN = bag("baby boy girl twins triplets child son daughter")


def prescribing(clause: Clause) -> Iterator[Statement]:
    """As in "The doctor put me on 20 mg of citalopram", "I was prescribed statins", "I'm on insulin"."""
    if clause.tense == "future" or clause.negation in ("not", "never"):
        return
    patient, given = clause.subject, clause.after("on")
    begun = clause.verb in ("put", "prescribe", "start") and clause.tense in ("past", "perfect")
    if clause.verb in ("put", "start", "prescribe") and not clause.passive:
        if not clause.objects:
            return
        patient = clause.objects[0]
        if clause.verb == "prescribe":
            given = (clause.second,) if clause.second is not None else ()
    elif clause.verb in ("take", "prescribe"):
        given = clause.objects
    if patient.is_pronoun and patient.head in ("mine", "ours", "it"):
        return  # "ours is on insulin": our cat
    for phrase in given:
        drug = _drug(clause, phrase)
        if drug is not None:
            yield from state(clause, "takes_medication", drug, subject=patient, aspect="begins" if begun else None)


def _drug(clause: Clause, phrase: Phrase) -> Phrase | None:
    """What is taken: of a list, or whatever has a dose in front of it."""
    if phrase.head in _DOSES:
        return next((each for each in clause.after("of") if usable(each)), None)
    if phrase.words[0] in _DOSES and len(phrase.words) > 1:
        start = phrase.start + phrase.text.casefold().find(phrase.words[1])
        return Phrase(clause.text[start : phrase.end], start, phrase.end, phrase.words[1:])
    return phrase if usable(phrase) and heals(phrase.words) and clause.verb != "take" else None


def expecting(clause: Clause) -> Iterator[Statement]:
    """As in "My sister-in-law is expecting twins", "we're expecting a baby in July"."""
    if not clause.progressive or clause.tense != "present" or clause.negation:
        return
    for phrase in clause.objects:
        if usable(phrase) and phrase.head in _CHILDREN and phrase.owner is None:
            yield from state(clause._replace(times=()), "expecting", phrase)
