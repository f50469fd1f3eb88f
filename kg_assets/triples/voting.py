"""Votes for one statement in one utterance become one assertion. Integers throughout, whatever the order."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

import msgspec

from kg_assets.identity import keyed_id
from kg_assets.model import SAME_AS, Assertion, Literal, Mention, Micros, Utterance
from kg_assets.text.lexicon import bag
from kg_assets.triples.reading import DEPENDENCIES, LANGUAGE_MODEL, OPEN, RULES, Reading, object_key

CERTAIN = 1000
# Thousandths of readings that were right, rounded down to tens: read by hand on chat turns that no pattern was
# written for. `benchmarks/extraction_speed.py --sample` prints turns to read again.
# That of a language model is set, not counted: below what any other gives, whichever model it is.
CONFIDENCE = {RULES: 850, DEPENDENCIES: 800, OPEN: 500, LANGUAGE_MODEL: 400}
LOOSE = bag("did plans_to plans_to_visit has_event attended likes dislikes interested_in member_of knows visited")
LOOSE_LOSS, PRONOUN_LOSS = 100, 100
IMPLIED = bag("has_pet spouse engaged_to partner")
COUPLE = ("partner", "engaged_to", "spouse")  # each says more than those before it
AHEAD_LOSS = 100  # a home or a job to come may yet come to nothing
CARRIED_LOSS = 250  # what a correction leaves unsaid is only taken to go on
_ORDER = (RULES, DEPENDENCIES, OPEN, LANGUAGE_MODEL)


def confidence(reading: Reading, said_at: Micros) -> int:
    """How often a reading of this kind is right, in thousandths."""
    ahead = reading.when.valid_from is not None and reading.when.valid_from > said_at
    loss = LOOSE_LOSS if reading.predicate in LOOSE else AHEAD_LOSS * ahead
    loss += PRONOUN_LOSS * reading.by_pronoun
    return CONFIDENCE[reading.extractor] - loss - CARRIED_LOSS * reading.is_carried


def noisy_or(votes: Iterable[int]) -> int:
    """1 - Π(1 - vote), in thousandths; sorted first, so that rounding does not depend on the order."""
    doubt = CERTAIN
    for vote in sorted(votes):
        doubt = doubt * (CERTAIN - vote) // CERTAIN
    return CERTAIN - doubt


def assertions(readings: Sequence[Reading], utterance: Utterance, *, key: bytes, version: str) -> list[Assertion]:
    """One assertion a statement, in the order of the text. The best dated vote gives the interval."""
    votes: dict[tuple[str, str, str, str], dict[str, Reading]] = defaultdict(dict)
    for reading in ungrown(unended(agreed(readings)), utterance.said_at):
        votes[reading.statement].setdefault(reading.extractor, reading)
    merged = [_assertion(by_extractor, utterance, key, version) for by_extractor in votes.values()]
    return sorted(merged, key=_place)


def _place(assertion: Assertion) -> tuple[tuple[int, int], bool, str, str, str]:
    span = assertion.span or (0, 0)
    return (span, assertion.predicate == SAME_AS, assertion.predicate, object_key(assertion.object), assertion.polarity)


def unended(readings: Sequence[Reading]) -> list[Reading]:
    """Without what "my dog" or "my husband" only implies, where the same turn says that it is over."""
    denied = [each for each in readings if each.polarity == "denied" and each.extractor != LANGUAGE_MODEL]
    over = {each.statement[:3] for each in denied if each.predicate in IMPLIED}
    return [
        each
        for each in readings
        if not (each.statement[:3] in over and each.polarity == "affirmed" and not each.when.start_known)
        or each.when.valid_to is not None
    ]


def ungrown(readings: Sequence[Reading], said_at: Micros) -> list[Reading]:
    """Without the "girlfriend" of "I married my girlfriend Anna": what the turn says of the two has taken its place."""
    grown = {
        (_two(each)[0], below)
        for each in readings
        if each.predicate in COUPLE and each.polarity == "affirmed" and each.when.start_known
        if each.when.valid_to is None and (each.when.valid_from or 0) <= said_at
        for below in COUPLE[: COUPLE.index(each.predicate)]
    }
    return [
        each for each in readings if each.when.start_known or each.polarity != "affirmed" or _two(each) not in grown
    ]


def _two(reading: Reading) -> tuple[frozenset[str], str]:
    """The two ends whichever way round, and the predicate."""
    return frozenset((f"mention:{reading.subject.key}", object_key(reading.object))), reading.predicate


def agreed(readings: Sequence[Reading]) -> list[Reading]:
    """Where two voters mean the same words and one took more of them ("poetry reading"), the longer counts.

    A language model's count where it is alone: it joins the words of the others, and they never take its.
    """
    return [msgspec.structs.replace(each, object=_longest(each, readings)) for each in readings]


def _longest(reading: Reading, readings: Sequence[Reading]) -> Mention | Literal:
    own = reading.object
    if not isinstance(own, Mention) or own.span is None:
        return own
    best, size = own, 0 if reading.extractor == LANGUAGE_MODEL else own.span[1] - own.span[0]
    for other in readings:
        theirs = other.object
        if other.extractor in (reading.extractor, LANGUAGE_MODEL) or other.statement[:2] != reading.statement[:2]:
            continue
        if isinstance(theirs, Mention) and theirs.span and other.polarity == reading.polarity:
            overlaps = theirs.span[0] < own.span[1] and own.span[0] < theirs.span[1]
            if overlaps and theirs.span[1] - theirs.span[0] > size:
                best, size = theirs, theirs.span[1] - theirs.span[0]
    return best


def _assertion(votes: dict[str, Reading], utterance: Utterance, key: bytes, version: str) -> Assertion:
    ordered = [votes[name] for name in _ORDER if name in votes]
    best = min(ordered, key=lambda each: (not each.when.start_known, _ORDER.index(each.extractor)))
    target = object_key(best.object)
    parts = (best.subject.key, best.predicate, target, best.polarity, best.when.valid_from, best.when.valid_to, version)
    return Assertion(
        id=keyed_id(key, "assertion", utterance.id, *parts),
        utterance_id=utterance.id,
        seq=utterance.seq,
        said_at=utterance.said_at,
        subject=best.subject,
        predicate=best.predicate,
        object=best.object,
        polarity=best.polarity,
        valid_from=best.when.valid_from,
        valid_to=best.when.valid_to,
        start_known=best.when.start_known,
        precision=best.when.precision,
        confidence=noisy_or(confidence(each, utterance.said_at) for each in ordered),
        authority="model" if set(votes) == {LANGUAGE_MODEL} else best.authority,
        extractor="+".join(each.extractor for each in ordered),
        extractor_version=version,
        span=best.span,
    )
