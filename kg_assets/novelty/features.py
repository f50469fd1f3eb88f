"""The numbers that novelty is judged by: a reading set against what its memory knows. Pure."""

import msgspec

from kg_assets.novelty.known import Known
from kg_assets.novelty.reading import Reading


class Features(msgspec.Struct, frozen=True, kw_only=True):
    """Kept with the score, so that a person can see why. Counts, but for `new_share`, `bits` and the flags (0 or 1)."""

    words: int
    questions: int  # sentences that ask
    content: int  # words that tell something, outside questions
    own_content: int  # of these, in sentences in the first person
    new_share: float  # of the different content terms, those never said before; one is taken off for doubt
    bits: float  # surprisal of the different content terms
    new_entities: int
    statements: int  # that the patterns read
    new_statements: int
    new_functional: int  # of these, of someone named, with a predicate that has one value at a time
    conflicts: int  # facts that a statement contradicts
    times: int
    numbers: int
    small_talk: int  # flag: nothing but grammar and courtesies
    assistant: int  # flag: said by the assistant


def features(reading: Reading, known: Known) -> Features:
    told = reading.told
    content = [term for sentence in told for term in sentence.content]
    different = sorted(set(content))  # sorted: the sum of floats must not depend on the order of a set
    new = [claim for claim in reading.claims if known.is_new(claim, reading.draft.said_at)]
    unsaid = sum(not known.terms.said(term) for term in different)
    return Features(
        words=sum(sentence.words for sentence in reading.sentences),
        questions=len(reading.sentences) - len(told),
        content=len(content),
        own_content=sum(len(sentence.content) for sentence in told if sentence.own),
        new_share=round(unsaid / (len(different) + 1), 4),
        bits=round(sum(known.terms.bits(term) for term in different), 2),
        new_entities=len(known.new_entities(reading)),
        statements=len(reading.claims),
        new_statements=len(new),
        new_functional=sum(claim.functional and claim.subject_key != "" for claim in new),
        conflicts=len(known.conflicts(reading)),
        times=sum(sentence.times for sentence in told),
        numbers=sum(sentence.numbers for sentence in told),
        small_talk=int(not content and len(told) == len(reading.sentences)),
        assistant=int(reading.draft.role == "assistant"),
    )
