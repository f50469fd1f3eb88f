"""A sentence put together from more than one turn, and what is read of it, with places in the turn it is for."""

from collections.abc import Sequence

import msgspec

from kg_assets.model import SAME_AS, Literal, Mention
from kg_assets.triples.reading import Reading


class Answer(msgspec.Struct, frozen=True):
    """A completed sentence; `start` is where the answer's own words stand in it, `span` where in the turn.

    `is_retracted`: it is said to be wrong. `is_denied`: it is said not to be so. `is_carried`: part of it was not said
    in these words.
    """

    text: str
    start: int
    span: tuple[int, int]
    is_retracted: bool = False
    is_carried: bool = True
    is_denied: bool = False


def placed(readings: Sequence[Reading], answer: Answer) -> list[Reading]:
    """Readings of a completed sentence, with places in the turn: those of the question's words have none.

    What is said not to have been said is taken back; there is nothing to take back of what is denied in it.
    """
    taken = answer.is_retracted or answer.is_denied
    return [
        msgspec.structs.replace(
            each,
            polarity="retracted" if answer.is_retracted else "denied" if answer.is_denied else each.polarity,
            subject=_moved(each.subject, answer),
            object=each.object if isinstance(each.object, Literal) else _moved(each.object, answer),
            span=answer.span,
            is_carried=each.is_carried or answer.is_carried,
        )
        for each in readings
        if not taken or (each.polarity == "affirmed" and each.predicate != SAME_AS and not is_mentioned(each))
    ]


def is_mentioned(reading: Reading) -> bool:
    """Whether it says no more than a mention does: that my sister is my sister."""
    if isinstance(reading.object, Literal):
        return False
    one, other = reading.subject.key, reading.object.key
    return one.startswith(f"{other}'s ") or other.startswith(f"{one}'s ")


def _moved(mention: Mention, answer: Answer) -> Mention:
    if mention.span is None or mention.span[0] < answer.start:
        return msgspec.structs.replace(mention, span=None)
    shift = answer.span[0] - answer.start
    return msgspec.structs.replace(mention, span=(mention.span[0] + shift, mention.span[1] + shift))
