"""What holds of one more: "I can't stand coriander." – "Neither can I.", "So's my brother.", "And my sister too.";
"Do you believe in ghosts?" – "My gran does."; "I thought you lived in Ealing." – "I did until August."

The verb phrase that is left out stands in the turn before; the sentence is put together and read like any other.
"""

import re
from collections.abc import Iterator

from kg_assets.triples.claims import claims
from kg_assets.triples.completed import Answer
from kg_assets.triples.questions import asked, pending
from kg_assets.triples.reading import Turn
from kg_assets.triples.rewording import told_of

LONGEST = 300  # characters of a turn, or of the turn before, that is looked at
_KIN = r"(?:my|our) [a-z][a-z'’ -]{1,30}?"
_LED = r"^(?:(?:oh|wow|really|haha|aw+|yes|yeah|yep|ha|ah|nice|cool|and|also)[,!.?]* )*"
_AUX = r"(?:do|does|did|is|are|am|was|were|has|have|had|can|could|will|would)"
_SO = re.compile(
    rf"{_LED}(?:so|same|neither|nor)(?:['’]s| {_AUX}| with| for| goes for) (?P<who>mine|I|{_KIN})(?=\W*$|[,.!;]|"
    rf" too\b| and )",
    re.IGNORECASE,
)
_TOO = re.compile(
    rf"{_LED}(?P<who>mine|me|I|{_KIN})(?: {_AUX})?,? (?:too|as well|also|either|neither)(?=\W*$|[,.!;]| and )",
    re.IGNORECASE,
)
_SAME = re.compile(rf"{_LED}(?P<who>same here|same|likewise|ditto|me three)(?=\W*$|[,.!;])", re.IGNORECASE)
_OWN = re.compile(r"^(?:I|We)(?:['’](?:m|ve)| [a-z]+)\b", re.IGNORECASE)
_THEIRS = re.compile(r"^(?:my|our) (?P<who>[a-z]+) [a-z]+", re.IGNORECASE)
_YOURS = re.compile(r"\byour (?P<who>[a-z]+)\?\s*$", re.IGNORECASE)
_MINE = re.compile(
    rf"{_LED}mine (?P<told>(?!too\b|either\b|as well|{_AUX},? (?:too|as well|either))[^.!?;\n]{{3,80}})", re.IGNORECASE
)
_DOES = re.compile(
    rf"^(?i:no|nope|not me|not really|well|actually|but|yes|yeah)?[,.!]? ?(?:but )?(?P<who>(?i:{_KIN})|[A-Z][\w-]+) "
    rf"(?:does|is|has|was|did|do|are|have)(?P<not>n['’]t| not)?(?: though| actually)?(?=\W*$|[,.!;])",
)
_USED = re.compile(r"^(?:no|nope|not any ?more|well)?[,.]? ?(?:I )?used to(?: be)?(?=\W*$|[,.!;]| but )", re.IGNORECASE)
_BEING = re.compile(r"^I(?:['’]m| am)\b")
_DID = re.compile(
    r"^(?:yes|yeah|well|no)?[,.!]? ?I (?:did|was|do|am)[,]? "
    r"(?P<when>(?:until|till|up to|before|from|since)\b[^.!?;\n]{2,30})",
    re.IGNORECASE,
)


def same_of_others(turn: Turn) -> Iterator[Answer]:
    """The sentences that a turn leaves half unsaid because the other half stands before it."""
    text = turn.utterance.text
    if not turn.before or len(text) > LONGEST:
        return
    before = turn.before[-1]
    if before.speaker != turn.utterance.speaker:
        yield from _as_you(before.text, text)
        yield from _does(turn, text)
        if len(turn.before) > 1 and turn.before[-2].speaker == turn.utterance.speaker:
            yield from _one_more(turn.before[-2].text, text)
    else:
        yield from _one_more(before.text, text)


def _as_you(said: str, text: str) -> Iterator[Answer]:
    """What another said of themselves holds of the one who answers too."""
    found = _SO.match(text) or _TOO.match(text) or _SAME.match(text)
    sentence = last_told(said)
    mine, theirs = _MINE.match(text), _THEIRS.match(sentence) or _YOURS.search(said)
    if mine is not None and theirs is not None:
        led = f"My {theirs['who']} "
        yield Answer(f"{led}{mine['told']}.", len(led), mine.span("told"))
        return
    if found is None or not sentence:
        return
    who = found["who"].casefold()
    if who in ("i", "me", "same here", "same", "likewise", "ditto", "me three"):
        if _OWN.match(sentence):
            yield Answer(sentence, len(sentence), found.span())
    elif who == "mine":
        if _THEIRS.match(sentence):
            yield Answer(sentence, len(sentence), found.span())
    elif _OWN.match(sentence) and (made := told_of(sentence, found["who"])):
        yield Answer(made, 0, found.span("who"))


def _one_more(said: str, text: str) -> Iterator[Answer]:
    """ "And my sister too": what one said of oneself, of her as well."""
    found = _TOO.match(text) or _SO.match(text)
    sentence = last_told(said)
    if found is None or not _OWN.match(sentence) or found["who"].casefold() in ("mine", "me", "i"):
        return
    if made := told_of(sentence, found["who"]):
        yield Answer(made, 0, found.span("who"))


def last_told(text: str) -> str:
    """The last sentence of a turn, if it tells something and the turn asks nothing."""
    if len(text) > LONGEST:
        return ""
    sentences = [each for each in re.split(r"(?<=[.!?])\s+|\n", text.strip()) if each]
    while sentences and sentences[-1].endswith("?") and len(sentences[-1].split()) <= 4:
        sentences.pop()  # "I'm from Ohio. You?"
    return sentences[-1] if sentences and not sentences[-1].endswith("?") else ""


def _does(turn: Turn, text: str) -> Iterator[Answer]:
    """ "My gran does.", asked whether one believes in ghosts oneself; "I did until August"."""
    told = [*claims(turn.before[-1].text)]
    questions = pending(turn)
    question = asked(questions[-1]) if questions else None
    if question is not None and not question.asking and not question.alternatives and question.subject == "I":
        told.append(question.statement)
    if len(told) != 1:
        return
    others, own = _DOES.match(text), _DID.match(text)
    if used := _USED.match(text):
        before = _BEING.sub("I be", told[0]).removeprefix("I ")
        if told[0].startswith("I "):
            yield Answer(f"I used to {before}.", 10 + len(before), used.span())
        return
    if others is not None and (made := told_of(told[0], others["who"])):
        yield Answer(f"{made}.", 0, others.span("who"), is_denied=others["not"] is not None)
    elif own is not None:
        yield Answer(f"{told[0]} {own['when']}.", len(told[0]) + 1, own.span("when"))
