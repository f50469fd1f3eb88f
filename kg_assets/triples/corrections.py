"""Corrections: "her name is Luna, not Lena", "sorry, I meant Lisbon, not London", "*Lisbon".

What the speaker said before with the wrong words is taken back, and said again with the right ones, for the time of
which it was said. Where only a NAME was wrong, nothing is taken back but the name: whoever was called Lena is Luna, and
what was said of her stands on its own turn. Only the speaker's own earlier turns of the session are looked at.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher

import msgspec

from kg_assets.model import SAME_AS, Literal, Mention
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
# What is said in front of the right words and is not one of them: "I meant | Graz", "it's | Graz".
_LED = re.compile(r"^.*\b(?:meant|mean|is|are|was|it['’]s|that['’]s|at|in|as|to|be)[ ](?=\S)", re.IGNORECASE)
_INSTEAD_OF_LAST = re.compile(
    r"^\W{0,3}(?:(?:sorry|wait|oops|no)[,.]? )?(?:correction|make that|I mean|I meant)[,:]? (?:in |at )?"
    r"(?P<right>(?-i:[A-Z])[\w'’-]{1,40}(?: (?-i:[A-Z])[\w'’-]{1,40}){0,2})[.!]",
    re.IGNORECASE,
)
_LAST_NAME = re.compile(r"(?<=[a-z,] )[A-ZÀ-Þ][\w'’-]+(?: [A-ZÀ-Þ][\w'’-]+)*")
_NAMING = re.compile(r"\b(?:names?|named|called|spel(?:led|t|ling)|spell|typo|autocorrect)\b", re.IGNORECASE)
_NAMES = (SAME_AS, "name")
_ALIKE = 0.6
TURNS = 4  # earlier turns in which the wrong words are looked up
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
    found = [_correction(each) for each in pattern.finditer(text)]
    instead = None if found else _INSTEAD_OF_LAST.match(text)
    last = _last_name(earlier_own(turn)[:1]) if instead else ""
    if instead and last:
        found = [Correction(last, instead["right"], instead.span(), instead.span("right"))]
    starred = _STARRED.match(text)
    if starred:
        right = starred["right"] or starred["last"]
        place = starred.span("right" if starred["right"] else "last")
        wrong = _likest(right, earlier_own(turn)[:1])
        found += [Correction(wrong, right, starred.span(), place)] if wrong else []
    return found


def _correction(found: re.Match[str]) -> Correction:
    led = _LED.match(found["right"])
    start = found.start("right") + (led.end() if led else 0)
    return Correction(
        found["wrong"], found.string[start : found.end("right")], found.span(), (start, found.end("right"))
    )


def earlier_own(turn: Turn) -> list[Turn]:
    """The speaker's earlier turns, latest first, each with what stood before it."""
    return [
        Turn(earlier, turn.before[:index], turn.multi_speaker)
        for index, earlier in reversed(list(enumerate(turn.before)))
        if earlier.speaker == turn.utterance.speaker and earlier.role == turn.utterance.role
    ]


def corrected_turns(turn: Turn, correction: Correction) -> list[Turn]:
    """The latest own turns that hold the wrong words, latest first."""
    wrong = re.compile(rf"(?<!\w){re.escape(correction.wrong)}(?!\w)", re.IGNORECASE)
    return [earlier for earlier in earlier_own(turn) if wrong.search(earlier.utterance.text)][:TURNS]


def carried(
    own: Sequence[Reading], earlier: Sequence[Sequence[Reading]], correction: Correction, text: str
) -> list[Reading]:
    """A turn's readings with those that its correction brings from earlier turns (latest first)."""
    wrong, right = normal_form(correction.wrong), normal_form(correction.right)
    if not right or right == wrong or not earlier:
        return list(own)
    given = [each for readings in earlier for each in readings if _names(each, wrong) and each.polarity == "affirmed"]
    if given and (_NAMING.search(text) or any(_names(each, right) for each in own)):
        return [*own, *_renamed(given, correction)]
    made = list(corrected(earlier[0], correction))
    again = {(each.statement, each.extractor): each for each in made}
    kept = [_dated_as(each, again.get((each.statement, each.extractor))) for each in own]
    said = {(each.statement, each.extractor) for each in own}
    return [*kept, *(each for each in made if (each.statement, each.extractor) not in said)]


def renamings(said: Iterable[Reading], correction: Correction) -> list[Reading]:
    """Where the wrong words were a name that was given: the name taken back and given anew, and nothing else."""
    wrong = normal_form(correction.wrong)
    given = [each for each in said if each.polarity == "affirmed" and _names(each, wrong)]
    return list(_renamed(given, correction))


def _names(reading: Reading, key: str) -> bool:
    """Whether it says that somebody bears this name."""
    thing = reading.object
    if reading.predicate not in _NAMES:
        return False
    return thing.key == key if isinstance(thing, Mention) else normal_form(str(thing.value)) == key


def _renamed(given: Iterable[Reading], correction: Correction) -> Iterator[Reading]:
    """The name is taken back and given anew; who bore the wrong one is the same as who bears the right one."""
    wrong = normal_form(correction.wrong)
    for reading in given:
        target = _replaced(reading.object, wrong, correction)
        subject = _replaced(reading.subject, wrong, correction)
        assert isinstance(subject, Mention)
        yield msgspec.structs.replace(reading, polarity="retracted", span=correction.span)
        yield msgspec.structs.replace(reading, subject=subject, object=target, span=correction.span)
        bearer = reading.object if isinstance(reading.object, Mention) else reading.subject
        if bearer.key == wrong:
            renamed = _replaced(bearer, wrong, correction)
            same = msgspec.structs.replace(reading, predicate=SAME_AS, subject=bearer, object=renamed)
            yield msgspec.structs.replace(same, span=correction.span)


def _dated_as(reading: Reading, earlier: Reading | None) -> Reading:
    """ "I moved to Graz, not Vienna" names no time: it is that of the move that was told before."""
    if earlier is None or reading.when.start_known:
        return reading
    return msgspec.structs.replace(reading, when=earlier.when)


def corrected(readings: Iterable[Reading], correction: Correction) -> Iterator[Reading]:
    """Each earlier reading with the wrong name: taken back, and made again with the right one."""
    wrong = normal_form(correction.wrong)
    for reading in readings:
        subject, target = _replaced(reading.subject, wrong, correction), _replaced(reading.object, wrong, correction)
        if reading.polarity != "affirmed" or (subject is reading.subject and target is reading.object):
            continue
        assert isinstance(subject, Mention)
        yield msgspec.structs.replace(reading, polarity="retracted", span=correction.span)
        yield msgspec.structs.replace(reading, subject=subject, object=target, span=correction.span, is_carried=True)


def _replaced(thing: Mention | Literal, wrong: str, correction: Correction) -> Mention | Literal:
    if isinstance(thing, Mention):
        if thing.key == wrong:
            key = normal_form(correction.right)
            return Mention(surface=correction.right, key=key, type=thing.type, span=correction.right_span)
        return thing
    same = isinstance(thing.value, str) and normal_form(thing.value) == wrong
    return Literal(value=correction.right, type=thing.type) if same else thing


def _last_name(turns: Iterable[Turn]) -> str:
    """The last name of a turn, which "Correction, Lund" puts right."""
    found = [name for turn in turns for name in _LAST_NAME.findall(turn.utterance.text[:LONGEST])]
    return found[-1] if found else ""


def _likest(right: str, turns: Iterable[Turn]) -> str:
    """The word of the turn before that was meant by a starred correction."""
    words = [word for turn in turns for word in re.findall(r"\w{3,40}", turn.utterance.text[:LONGEST])]
    scored = [(SequenceMatcher(None, word.casefold(), right.casefold()).ratio(), word) for word in words]
    best = max(scored, default=(0.0, ""))
    return best[1] if _ALIKE <= best[0] < 1 else ""
