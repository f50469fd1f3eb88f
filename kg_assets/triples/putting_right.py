"""Wrong words put right without being named: "Sorry, I meant Thursday.", "Peru, I always mix them up."

The right words take the place of those of their kind in what the speaker said last, which is then read again: what it
no longer says is taken back, what it says now is said. Where the wrong words are named too, see `corrections`.
"""

import re
from collections.abc import Iterable, Sequence

import msgspec

from kg_assets.model import SAME_AS, Literal, Mention
from kg_assets.triples.alike import replaced
from kg_assets.triples.completed import is_mentioned
from kg_assets.triples.corrections import Correction, corrections, earlier_own, renamings
from kg_assets.triples.questions import pending
from kg_assets.triples.reading import Reading, Turn

LONGEST = 160  # characters of a turn that puts something right, and of a sentence that is put right
_SLIP = (
    r"(?:sorry|w?h?oops|my (?:bad|mistake)|wait|typo|autocorrect|correction|i mean(?:t)?|make it|make that|should be|"
    r"scratch that|strike that)"
)
_SOFT = r"(?:actually|well|no|rather|hang on|oh|ah|hmm|er|um)"
_RIGHT = r"(?P<right>[^\s,.!?;:][^,.!?;:\n]{0,40}?)"
_STOP = r"(?=(?:,? (?:actually|to be exact|to be precise|of course|that is))?\W*$|[,.!;–])"
_LED = re.compile(
    rf"^(?P<cues>(?:(?:{_SLIP}|{_SOFT})[,.:! ]+)+)(?:it['’]s |that['’]s |it was |that was |it is )?(?:in |at |on "
    rf")?{_RIGHT}{_STOP}",
    re.IGNORECASE,
)
_OPENED = re.compile(
    rf"^(?:in |at |on )?{_RIGHT},? (?:actually|to be exact|to be precise|sorry|i mean)\W*", re.IGNORECASE
)
_MIXED = re.compile(
    rf"^{_RIGHT}[,.!] (?:i always mix|i mixed|i keep (?:mixing|confusing)|typo|autocorrect|my mistake|sorry|silly me|"
    rf"with (?:an? |one |two )[a-z]{{1,2}}\b|spel)",
    re.IGNORECASE,
)
_STRONG = re.compile(_SLIP, re.IGNORECASE)


class PutRight(msgspec.Struct, frozen=True):
    """The speaker's last turn as it was and as it was meant; where the right words stand in it and in this turn."""

    wrong: Turn
    right: Turn
    start: int
    span: tuple[int, int]
    correction: Correction
    is_past: bool = False  # what was said was so, and is no longer


def put_right(turn: Turn) -> PutRight | None:
    """What this turn puts right in the speaker's last one."""
    text = turn.utterance.text
    if len(text) > LONGEST or not turn.before or corrections(turn):
        return None
    led = _LED.match(text)
    found = led or _MIXED.match(text) or _OPENED.match(text)
    if found is None or (pending(turn) and not (led and _STRONG.search(led["cues"])) and not _MIXED.match(text)):
        return None
    for earlier in earlier_own(turn)[:1]:
        said = earlier.utterance.text
        made = replaced(said, found["right"]) if len(said) <= LONGEST else None
        if made is not None:
            meant = msgspec.structs.replace(
                earlier, utterance=msgspec.structs.replace(earlier.utterance, text=made.text)
            )
            correction = Correction(made.wrong, found["right"], found.span("right"), found.span("right"))
            return PutRight(earlier, meant, made.start, found.span("right"), correction, made.is_past)
    return None


def said_right(wrong: Sequence[Reading], right: Iterable[Reading], put: PutRight) -> list[Reading]:
    """What was read of the wrong words alone is taken back; what is read of the right ones alone is said."""
    if renamed := renamings(wrong, put.correction):
        return [msgspec.structs.replace(each, is_carried=True) for each in renamed]
    now = list(right)
    kept = {each.statement for each in now}
    before = {each.statement for each in wrong}
    gone = [
        msgspec.structs.replace(each, polarity="retracted", span=put.span)
        for each in wrong
        if not put.is_past and each.statement not in kept and each.polarity == "affirmed" and each.predicate != SAME_AS
        if not is_mentioned(each)
    ]
    said = [
        msgspec.structs.replace(
            each,
            span=put.span,
            is_carried=True,
            subject=placed(each.subject, put),
            object=each.object if isinstance(each.object, Literal) else placed(each.object, put),
        )
        for each in now
        if each.statement not in before
    ]
    return [*gone, *said]


def placed(mention: Mention, put: PutRight) -> Mention:
    """With its place in this turn, if it is what was put right."""
    length = put.span[1] - put.span[0]
    if mention.span is None or not put.start <= mention.span[0] < mention.span[1] <= put.start + length:
        return msgspec.structs.replace(mention, span=None)
    shift = put.span[0] - put.start
    return msgspec.structs.replace(mention, span=(mention.span[0] + shift, mention.span[1] + shift))
