"""Corrections: "her name is Luna, not Lena", "sorry, I meant Lisbon, not London", "*Lisbon".

What the speaker said before with the wrong name is taken back, and said again with the right one. Only the speaker's
own earlier turns of the session are looked at, the latest that holds the wrong name.
"""

import re
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher

import msgspec

from kg_assets.model import Literal, Mention
from kg_assets.text.names import normal_form
from kg_assets.triples.reading import Reading, Turn

_NAME = r"[\w'’&-]{1,40}(?: [\w'’&-]{1,40}){0,2}?"
_SMALL = r"(?:in |at |as |a |an |the )?"
_STOP = r"(?=[.,!?;)\n]|$)"
_SAYING = r"(?:\b(?:meant|mean|is|are|was|it's|that's|'s|at|in|as|to|correction:?|be)|^|[:*—-])[ ]{0,2}(?:to say )?"
_NOT = re.compile(
    rf"{_SAYING}{_SMALL}(?P<right>{_NAME}),? (?:and )?not {_SMALL}(?P<wrong>{_NAME}){_STOP}", re.IGNORECASE
)
_INSTEAD = re.compile(rf"\bnot {_SMALL}(?P<wrong>{_NAME}),? but {_SMALL}(?P<right>{_NAME}){_STOP}", re.IGNORECASE)
_STARRED = re.compile(rf"^\s{{0,3}}\*(?P<right>{_NAME})\*?\s{{0,3}}$|^\s{{0,3}}(?P<last>{_NAME})\*\s{{0,3}}$")
_ALIKE = 0.6
LONGEST = 300  # characters; a longer turn is no correction


class Correction(msgspec.Struct, frozen=True):
    wrong: str
    right: str
    span: tuple[int, int]
    right_span: tuple[int, int]


def corrections(turn: Turn) -> list[Correction]:
    """What this turn takes back."""
    text = turn.utterance.text
    if len(text) > LONGEST or not turn.before:
        return []
    pattern = _INSTEAD if _INSTEAD.search(text) else _NOT
    found = [
        Correction(each["wrong"], each["right"], each.span(), each.span("right")) for each in pattern.finditer(text)
    ]
    starred = _STARRED.match(text)
    if starred:
        right = starred["right"] or starred["last"]
        place = starred.span("right" if starred["right"] else "last")
        wrong = _likest(right, earlier_own(turn)[:1])
        found += [Correction(wrong, right, starred.span(), place)] if wrong else []
    return found


def earlier_own(turn: Turn) -> list[Turn]:
    """The speaker's earlier turns, latest first, each with what stood before it."""
    return [
        Turn(earlier, turn.before[:index], turn.multi_speaker)
        for index, earlier in reversed(list(enumerate(turn.before)))
        if earlier.speaker == turn.utterance.speaker and earlier.role == turn.utterance.role
    ]


def corrected_turn(turn: Turn, correction: Correction) -> Turn | None:
    """The latest own turn that holds the wrong words."""
    wrong = re.compile(rf"(?<!\w){re.escape(correction.wrong)}(?!\w)", re.IGNORECASE)
    return next((earlier for earlier in earlier_own(turn) if wrong.search(earlier.utterance.text)), None)


def corrected(readings: Iterable[Reading], correction: Correction) -> Iterator[Reading]:
    """Each earlier reading with the wrong name: taken back, and made again with the right one."""
    wrong, right = normal_form(correction.wrong), correction.right
    for reading in readings:
        subject, target = _replaced(reading.subject, wrong, correction), _replaced(reading.object, wrong, correction)
        if reading.polarity != "affirmed" or (subject is reading.subject and target is reading.object) or not right:
            continue
        assert isinstance(subject, Mention)
        yield msgspec.structs.replace(reading, polarity="retracted", span=correction.span)
        yield msgspec.structs.replace(reading, subject=subject, object=target, span=correction.span)


def _replaced(thing: Mention | Literal, wrong: str, correction: Correction) -> Mention | Literal:
    if isinstance(thing, Mention):
        if thing.key == wrong:
            key = normal_form(correction.right)
            return Mention(surface=correction.right, key=key, type=thing.type, span=correction.right_span)
        return thing
    same = isinstance(thing.value, str) and normal_form(thing.value) == wrong
    return Literal(value=correction.right, type=thing.type) if same else thing


def _likest(right: str, turns: Iterable[Turn]) -> str:
    """The word of the turn before that was meant by a starred correction."""
    words = [word for turn in turns for word in re.findall(r"\w{3,40}", turn.utterance.text[:LONGEST])]
    scored = [(SequenceMatcher(None, word.casefold(), right.casefold()).ratio(), word) for word in words]
    best = max(scored, default=(0.0, ""))
    return best[1] if _ALIKE <= best[0] < 1 else ""
