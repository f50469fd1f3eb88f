"""The numbers that novelty is judged by: a reading set against what its memory knows. Pure."""

import msgspec
import numpy as np

from kg_assets.model import SELF_KEY
from kg_assets.novelty.claims import Claim
from kg_assets.novelty.known import Known
from kg_assets.novelty.nearness import Alignment, Spoken
from kg_assets.novelty.reading import Reading
from kg_assets.novelty.senses import default_senses
from kg_assets.novelty.telling import rates
from kg_assets.novelty.weights import Weights
from kg_assets.text.names import is_relational, normal_form
from kg_assets.text.tokens import words

BITS = 10.0  # a word that was never said in a young memory; told words are counted in these


class Features(msgspec.Struct, frozen=True, kw_only=True):
    """Kept with the score, so that a person can see why. Counts, but for shares, bits, rates and the flags (0 or 1)."""

    words: int
    questions: int  # sentences that ask
    content: int  # words that tell something, outside questions
    own_content: int  # of these, in sentences in the first person
    new_share: float  # of the different content terms, those never said before; one is taken off for doubt
    bits: float  # surprisal of the different content terms
    expected: float  # statements that an extractor would read, by the look of each sentence
    told_bits: float  # surprisal of the concrete terms, each by the chance that its sentence tells something; / 10
    unsaid: float  # the concrete terms never said before, each by the same chance
    new_entities: int
    statements: int  # that the patterns read
    new_statements: int
    new_functional: int  # of these, of someone named, with a predicate that has one value at a time
    stated_anew: (
        int  # of the new ones, those of somebody in particular with something that the nearest turn does not name
    )
    conflicts: int  # facts that a statement contradicts
    times: int
    numbers: int
    alignment: Alignment  # with the nearest known turn
    nearest: int  # seq of the nearest known turn, 0 where nothing is near
    before: int  # turns of the same conversation before it
    small_talk: int  # flag: nothing but grammar and courtesies
    assistant: int  # flag: said by the assistant


def features(reading: Reading, spoken: Spoken, known: Known, weights: Weights, *, seq: int) -> Features:
    """`seq` is the place of the reading itself, which may be in the log already."""
    told = reading.told
    content = [term for sentence in told for term in sentence.content]
    different = sorted(set(content))  # sorted: the sum of floats must not depend on the order of a set
    new = [claim for claim in reading.claims if known.is_new(claim, reading.draft.said_at)]
    said_before = sum(known.terms.said(term) for term in different)
    expected = rates(reading.sentences, weights.telling)
    told_bits, unsaid = _told(reading, known, expected)
    near = known.nearest(reading, spoken, but=seq)
    return Features(
        words=sum(sentence.words for sentence in reading.sentences),
        questions=len(reading.sentences) - len(told),
        content=len(content),
        own_content=sum(len(sentence.content) for sentence in told if sentence.own),
        new_share=round((len(different) - said_before) / (len(different) + 1), 4),
        bits=round(sum(known.terms.bits(term) for term in different), 2),
        expected=round(float(expected.sum()), 4),
        told_bits=round(told_bits, 4),
        unsaid=round(unsaid, 4),
        new_entities=len(known.new_entities(reading)),
        statements=len(reading.claims),
        new_statements=len(new),
        new_functional=sum(claim.functional and claim.subject_key != "" for claim in new),
        stated_anew=sum(_of_somebody(claim, reading) and not near.explains(_name(claim)) for claim in new),
        conflicts=len(known.conflicts(reading)),
        times=sum(sentence.times for sentence in told),
        numbers=sum(sentence.numbers for sentence in told),
        alignment=near.alignment,
        nearest=near.seq,
        before=known.before(reading.draft, seq),
        small_talk=int(not content and len(told) == len(reading.sentences)),
        assistant=int(reading.draft.role == "assistant"),
    )


def shown(found: Features) -> dict[str, float]:
    """As it is kept with the score: numbers by name."""
    given = {name: value for name, value in msgspec.structs.asdict(found).items() if name != "alignment"}
    near = {name: round(value, 4) for name, value in msgspec.structs.asdict(found.alignment).items()}
    return {name: float(value) for name, value in (given | near).items()}


def _of_somebody(claim: Claim, reading: Reading) -> bool:
    """Whether it is of the speaker, theirs, somebody named or a pronoun, and not of "a man": he is nobody known."""
    subject = claim.subject_key
    if subject in {SELF_KEY, "", normal_form(reading.draft.speaker)} or is_relational(subject):
        return True
    return not default_senses().holds(words(subject))


def _name(claim: Claim) -> list[str]:
    """The words of a claim's object: of "ana's sister" only the sister can be new, and oneself never."""
    return [] if claim.object_key == SELF_KEY else words(claim.object_key.rpartition("'s ")[2])


def _told(reading: Reading, known: Known, expected: np.ndarray) -> tuple[float, float]:
    """Surprisal and number of unsaid terms, each by the chance that its sentence tells anything, 1 - e^(-rate)."""
    seen: set[str] = set()
    bits = unsaid = 0.0
    for sentence, chance in zip(reading.sentences, (1 - np.exp(-expected)).tolist(), strict=True):
        for term in sentence.concrete:
            if term not in seen:
                seen.add(term)
                bits += chance * known.terms.bits(term) / BITS
                unsaid += chance * (not known.terms.said(term))
    return bits, unsaid
