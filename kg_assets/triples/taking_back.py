"""Turns that take back the one before: "just kidding", "scratch that", "April fools", "never mind, we called it off".

What the speaker said last is taken back as a whole; a plan that is called off is over. What is taken back in the same
turn is not read at all (`text/unsaid.py`).
"""

import re
from collections.abc import Iterable

import msgspec

from kg_assets.model import SAME_AS
from kg_assets.triples.completed import is_mentioned
from kg_assets.triples.corrections import earlier_own
from kg_assets.triples.reading import Reading, Turn

LONGEST = 200  # characters of a turn that takes back
_LED = (
    r"(?:(?:lol|haha+|hehe|ha|no|nah|oh|ok|okay|sorry|wait|actually|oops|um|er|well|hmm|please)[,.!]* )*"
    r"(?:(?:no|nah|lol|haha+),? )?"
)
_JEST = (
    r"(?:(?:i['’]m |i am |i was )?(?:just |only |totally |obviously )?(?:joking|kidding|jk|messing with you|teasing)|"
    r"(?:i['’]m |i am |i was )(?:just |only )?(?:testing you|lying|making (?:that|this|it) up)|i made (?:that|it)"
    r" up|i lied|"
    r"(?:that|this|it) (?:was|is) (?:just |only |all )?(?:a (?:joke|lie|test|prank)|a bad joke|not true|wrong|"
    r"nonsense)|"
    r"that(?:['’]s| is)(?: just| only)? (?:a (?:joke|lie)|not true|wrong|nonsense)|april fools?(?:['’] day)?|not "
    r"literally)"
)
_UNSAID = (
    r"(?:(?:scratch|strike|ignore|disregard|forget|delete) (?:that|this|it|what i (?:just )?said|my last message|"
    r"i (?:ever )?said (?:that|anything|it))|i take (?:that|it) back|wrong chat|wrong window)"
)
_WHOLE = re.compile(
    rf"^{_LED}(?:{_JEST}|{_UNSAID})\b(?=\W*$|[,.!;:)](?! (?:it['’]s|it is|make it|it was) )| and | but | i\b|"
    rf" my\b| lol| haha)",
    re.IGNORECASE,
)
_OFF = re.compile(
    r"\b(?:we|i)(?:['’]ve| have)? (?:just )?(?:called|call) it (?:all )?off\b|\b(?:we|i)(?:['’]ve| have)? "
    r"cancel+ed (?:it|that)\b|"
    r"\bit(?:['’]s| is| was|['’]s been| has been| got) (?:called off|cancel+ed|off now|not happening)\b|\bit "
    r"fell through\b",
    re.IGNORECASE,
)


class TakenBack(msgspec.Struct, frozen=True):
    """The earlier turn that is taken back, where this is said, and whether only its plans are over."""

    turn: Turn
    span: tuple[int, int]
    is_off: bool = False


def taken_back(turn: Turn) -> TakenBack | None:
    """The speaker's last turn, if this one takes it back."""
    text = turn.utterance.text
    if len(text) > LONGEST or not turn.before:
        return None
    found, off = _WHOLE.match(text), _OFF.search(text)
    own = earlier_own(turn)[:1]
    if not own or (found is None and off is None):
        return None
    return TakenBack(own[0], (found or off).span(), is_off=found is None)  # type: ignore[union-attr]


def retractions(readings: Iterable[Reading], taken: TakenBack) -> list[Reading]:
    """What was read of the turn that is taken back, now retracted; of plans that are off, denied."""
    return [
        msgspec.structs.replace(each, polarity="denied" if taken.is_off else "retracted", span=taken.span)
        for each in readings
        if each.polarity == "affirmed" and each.predicate != SAME_AS and not is_mentioned(each)
        if not taken.is_off or each.predicate in ("plans_to", "plans_to_visit", "has_event", "engaged_to")
    ]
