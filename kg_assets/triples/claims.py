"""What another says of "you", and what the one who is meant makes of it: "So you have two cats?" – "Three, actually.",
"You're based in Tallinn, aren't you?" – "I am.", "Since you have diabetes, …" – "Not me, my dad."

A claim counts for nothing until it is agreed to. It is then read in the words of the one it is about; what is refused
is denied, and what is put right is said again with the right words.
"""

import re
from collections.abc import Iterator

from kg_assets.text.lexicon import bag
from kg_assets.triples.alike import replaced
from kg_assets.triples.answering import AGREED, REFUSED
from kg_assets.triples.completed import Answer
from kg_assets.triples.reading import Turn
from kg_assets.triples.rewording import told_of, turned

LONGEST = 400  # characters of a turn in which claims are looked up
_SPLIT = re.compile(r"(?<=[.!?;])\s+|\n")
_LED = (
    r"(?:^|[:,] |\b(?:since|because|as|that|like|thought|assume|assuming|believe|remember|know|see|said|"
    r"mentioned|and|so|"
    r"confirm|sure|hear|correctly,?|means|if) )"
)
_CLAIM = re.compile(
    rf"{_LED}(?P<claim>(?:you(?:['’](?:re|ve))?|your [a-z][\w'’ -]{{1,30}}?) [^.!?;\n]+)", re.IGNORECASE
)
_SAID = re.compile(
    r"^you(?: have|['’]ve)?(?: just| already| also)? (?:said|mentioned|told me|wrote|say|mention)(?: earlier)"
    r"?(?: that)? ",
    re.IGNORECASE,
)
_TAG = re.compile(
    r",? (?:right|correct|yes|no|is that right|is that correct|isn['’]t it|am i right|if i (?:remember|recall|"
    r"understood)[^,]*|"
    r"(?:are|do|have|did|were)n['’]t you|don['’]t you|(?:do|are|have|did|were) you)\W*$",
    re.IGNORECASE,
)
_MAIN = re.compile(
    r", (?:I|I['’]\w+|we|it|it['’]s|let|how|what|here|this|that|these|there|try|consider|maybe|then|would|do|is|"
    r"are|so)\b"
    r".*$"
)
_ASKS_SO = re.compile(
    r"\?|^(?:so|just to (?:confirm|check|be sure)|let me (?:check|confirm)|to (?:confirm|recap|summari[sz]e)|if "
    r"i|sounds like)\b",
    re.IGNORECASE,
)
_OPEN = bag(
    "should could would can can't may might must will won't shall 'll want wants need needs if or i me my "
    "probably maybe "
    "perhaps seem seems likely mind wish hope happen can't please either might've"
)
_QUESTION = re.compile(
    r"^(?:\w+,? )?(?:do|does|did|are|is|was|were|have|has|had|can|could|would|will|what|where|who|which|how|when|"
    r"why)\b",
    re.IGNORECASE,
)
_YES = re.compile(
    r"^(?:oh |haha,? )?(?:yes|yeah|yep|yup|correct|exactly|right|indeed|absolutely|definitely|true|precisely|spot on|"
    r"that(?:['’]s| is) (?:right|correct|true))(?=\W*$|[,.!;] | and | but | except )",
    re.IGNORECASE,
)
_NO = re.compile(
    r"^(?:oh |haha,? |er,? |um,? )?(?:no|nope|nah|not? me|me\? no|not quite|wrong|not any ?more|not true)(?=\W*$|"
    r"[,.!;])",
    re.IGNORECASE,
)
_YES_PLEASE = re.compile(r"^(?:yes|yeah|sure|ok|okay)(?:,? please| do|,? go ahead|,? thanks)?\W*$", re.IGNORECASE)
_TO_KEEP = re.compile(
    r"\b(?:remember|note|save|keep in mind|remind myself) (?:down )?that (?P<claim>(?:you|your)\b[^.!?\n]+)\?",
    re.IGNORECASE,
)
_NOT_ME = re.compile(
    r"^(?:oh,? |haha,? |er,? )?(?:no,? )?(?:not me|me\? no|that['’]s not me)[,.!-]* (?:that(?:['’]s| is| was) |"
    r"it['’]s |but )?"
    r"(?P<who>(?:my|our) [a-z][a-z'’ -]{1,30}?)(?=\W*$|[.,;!])",
    re.IGNORECASE,
)
_INSTEAD = re.compile(
    r"^(?:(?:oh|no|nope|well|actually|er|um|wait|sorry|it['’]s|that['’]s|make (?:it|that)|rather|just|only)[,.!]? )*"
    r"(?P<right>[^\s,.!?;][^,.!?;\n]{0,40}?)(?=(?:,? (?:actually|now|in fact|these days|not \w+|by now))?\W*$|[,.!;–])",
    re.IGNORECASE,
)


def claims(text: str) -> list[str]:
    """What a turn says that "you" are, have or do, in the words of the one who is meant."""
    if len(text) > LONGEST:
        return []
    found = []
    for sentence in _SPLIT.split(text):
        made = _CLAIM.search(sentence)
        if made is None or _QUESTION.match(sentence):
            continue
        claim = _SAID.sub("", _TAG.sub("", made["claim"]))
        claim = _MAIN.sub("", claim)
        words = re.findall(r"[\w'’]+", claim.casefold().replace("’", "'"))
        if len(words) > 2 and _OPEN.isdisjoint(words) and words[0].startswith("you"):
            found.append(turned(claim).strip(" ,"))
    return [each[:1].upper() + each[1:] for each in found]


def replies(turn: Turn) -> Iterator[Answer]:
    """What a turn agrees to, refuses or puts right of what was just said of its speaker."""
    text = turn.utterance.text
    if not turn.before or turn.before[-1].speaker == turn.utterance.speaker or len(text) > LONGEST:
        return
    said = turn.before[-1].text
    kept = _TO_KEEP.search(said)
    if kept and (agreed := _YES_PLEASE.match(text)):
        yield Answer(turned(kept["claim"]) + ".", 0, agreed.span())
        return
    told = claims(said)
    last = _SPLIT.split(said.strip())[-1]
    if not told or (_QUESTION.match(last) and last.endswith("?")):
        return
    yield from _replied(told, any(_ASKS_SO.search(each) for each in _SPLIT.split(said)), text)


def _replied(told: list[str], is_asked: bool, text: str) -> Iterator[Answer]:
    agreed, refused = _YES.match(text) or AGREED.match(text), _NO.match(text) or REFUSED.match(text)
    if other := _NOT_ME.match(text):
        for each in told[:1]:
            yield Answer(f"{each}.", len(each) + 1, other.span(), is_denied=True)
            if made := told_of(each, other["who"]):
                yield Answer(f"{made}.", 0, other.span("who"))
    elif len(told) == 1 and _NEGATIVE.search(told[0]):
        yield from _to_a_denial(told[0], is_asked, text)
    elif agreed and is_asked:
        for each in told:
            yield Answer(f"{each}.", len(each) + 1, agreed.span())
    elif agreed:
        return
    elif len(told) == 1 and (instead := _INSTEAD.match(text)) and (right := replaced(told[0], instead["right"])):
        if refused:
            yield Answer(f"{told[0]}.", len(told[0]) + 1, instead.span("right"), is_denied=True)
        yield Answer(f"{right.text}.", right.start, instead.span("right"))
    elif refused and is_asked and len(told) == 1:
        yield Answer(f"{told[0]}.", len(told[0]) + 1, refused.span(), is_denied=True)


def _to_a_denial(told: str, is_asked: bool, text: str) -> Iterator[Answer]:
    """ "You don't eat meat?" – "No." and "Right." agree; "I do." says that it is so; a "yes" may be either."""
    if not is_asked:
        return
    if so := _SO.match(text):
        positive = _NEGATIVE.sub("", told)
        yield Answer(f"{positive}.", len(positive) + 1, so.span())
    elif agreed := _TRUE.match(text) or _NO.match(text) or REFUSED.match(text):
        yield Answer(f"{told}.", len(told) + 1, agreed.span())


_NEGATIVE = re.compile(r"(?<=I) do(?:n['’]t| not)|n['’]t\b| not\b| never\b", re.IGNORECASE)
_SO = re.compile(r"^(?:oh |actually,? |yes,? |no,? )?I (?:do|am|have)(?=\W*$|[,.!;])", re.IGNORECASE)
_TRUE = re.compile(
    r"^(?:right|correct|exactly|true|that(?:['’]s| is) (?:right|correct|true))(?=\W*$|[,.!;])", re.IGNORECASE
)
