"""What a turn says again in other words, as sentences that are read like any other: "I never said that I like jazz",
"Did I tell you that I moved?", "What's your favourite colour? Mine is red.", "At least until the end of May."

Each restatement is a run of the turn's words, or such words put behind those of the turn before.
"""

import re
from collections.abc import Iterator, Sequence

from kg_assets.text.lexicon import bag
from kg_assets.text.sentences import Sentence
from kg_assets.triples.completed import Answer
from kg_assets.triples.paraphrases import paraphrases
from kg_assets.triples.reading import Turn

LONGEST = 400  # characters of a turn, or of the turn before, that is looked at
_I_SAY = r"I(?: have|['’]ve)? (?:never|not|did not|didn['’]?t|haven['’]?t|never ever)(?: ever)?"
_SAYING = r"(?:said|say|told?|tell|claimed|claim|mentioned|mention|wrote|write|stated|state)"
_WHOM = r"(?: (?:to )?(?:you|anyone|anybody|him|her|them))?(?: that)?"
_UNTRUE = r"it (?:is not|isn['’]?t|was never) true that|it['’]s not true that"
_UNSAID = re.compile(
    rf"\b(?:{_I_SAY} {_SAYING}{_WHOM}|{_UNTRUE}) (?P<told>[^.!?\n;]+?)"
    r"(?:,? (?:but |and )?I (?:said|told you|wrote|meant)(?: that)? (?P<instead>[^.!?\n;]+))?(?=[.!?;\n]|$)",
    re.IGNORECASE,
)
_HAVE_TOLD = re.compile(
    r"\b(?:did I (?:ever )?(?:tell|mention to) you|have I (?:ever )?(?:told|mentioned to) you|did I mention|"
    r"have I mentioned|did you know)(?: already)?(?: that)? (?P<told>(?:I|we|my|our)\b[^.!?\n;]+)\?",
    re.IGNORECASE,
)
_CLEFT = re.compile(
    r"\bit(?:['’]s| is) (?!that\b|not\b)(?P<what>[^,.!?;\n]{2,40}?) (?:that )?(?P<told>(?:I|we)(?:['’]m| am|"
    r" [a-z]+) [^,.!?;\n]{0,40}?"
    r"\b(?:to|of|in|at|for|with))(?=[.!,;]|$)",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"(?:I|we|my|our|he|she|they|it|[A-Z][\w-]+)['’ ]", re.IGNORECASE)
_YOURS = re.compile(r"\b(?:your|ur) (?P<what>[\w' -]{3,40}?)\s*\?+\s*$", re.IGNORECASE)
_FAVOURED = re.compile(r"\b(?:your|ur|an?|any) (?P<what>fav(?:ou?rite) \w+)", re.IGNORECASE)
_MINE = re.compile(r"\bmine(?: is|['’]s| are| was) (?P<what>[^.!?\n;]{1,60})", re.IGNORECASE)
_CLOSED = {  # what can be meant by "it is my favourite colour", where one stands in the turn
    "colour": r"red|blue|green|yellow|orange|purple|violet|pink|black|white|gr[ae]y|brown|teal|turquoise|gold|silver",
    "season": r"spring|summer|autumn|fall|winter",
}
_FAVOURITE = re.compile(
    r"\b(?:(?:it|that|which|this)(?: is|['’]s)?|its|thats|,) (?:also |still )?my fav(?:ou?rite|e)? "
    r"(?P<kind>colou?r|season)\b(?! is| ?,? [a-z]+ is)",
    re.IGNORECASE,
)
_I_ANSWER = r"i (?:really |just |absolutely |also |do )*"
_COUNT = r"two|three|four|five|six|seven|eight|nine|ten|\d{1,2}"
_ASKED_BY_ONESELF = re.compile(
    r"\bdo (?:you|u|ya) (?:also |really |still |ever )?(?P<verb>like|love|enjoy|have|own|eat|drink|play|watch|collect|"
    r"listen to|believe in|read|smoke|drive)(?: to)? (?:any |some |the )?(?P<w>[\w'’-]+(?: [\w'’-]+){0,3}?) ?\?+\s*"
    rf"(?:(?:{_I_ANSWER}(?P<liking>like|love|enjoy|adore|hate)|(?P<bare>love|hate|adore)) (?:it|them|that|those)\b|"
    rf"{_I_ANSWER}(?:have|own|got) (?P<number>{_COUNT})(?=[ ]?[.,!;\n]|$| and )|"
    r"i (?P<yes>do)(?=[ ]?[.,!;\n]|$| too| as well)|i (?P<no>do not|don['’]?t)(?=[ ]?[.,!;\n]|$))",
    re.IGNORECASE,
)
_UNTIL = re.compile(
    r"^\W{0,3}(?:well,? )?(?:but )?(?:only |at least |just )?(?P<until>until [^.!?\n;]{3,40})[.!]*\s*$", re.IGNORECASE
)


def restatements(turn: Turn, sentences: Sequence[Sentence]) -> Iterator[Answer]:
    """The sentences that a turn amounts to beside those it says, each with its place in the turn."""
    text = turn.utterance.text
    yield from paraphrases(text, sentences)
    if len(text) > LONGEST:
        return
    for found in _UNSAID.finditer(text):
        if _CLAUSE.match(found["told"]):
            yield _slice(found, "told", retracted=True)
            if found["instead"] and _CLAUSE.match(found["instead"]):
                yield _slice(found, "instead")
    for found in _HAVE_TOLD.finditer(text):
        yield _slice(found, "told")
    for found in _CLEFT.finditer(text):  # "it's cashews I'm allergic to"
        yield Answer(f"{found['told']} {found['what']}.", len(found["told"]) + 1, found.span("what"), is_carried=False)
    for found in _MINE.finditer(text):
        if asked := _asked_for(turn, found.start()):
            sentence = f"My {asked} is {found['what']}."
            yield Answer(sentence, len(sentence) - 1 - len(found["what"]), found.span("what"), is_carried=False)
    for found in _FAVOURITE.finditer(text) if "my fav" in text else ():
        kind = "season" if found["kind"].casefold() == "season" else "colour"
        named = list(re.finditer(rf"\b(?:{_CLOSED[kind]})\b", text, re.IGNORECASE))
        if len({each[0].casefold() for each in named}) == 1:
            yield Answer(f"My favourite {kind} is {named[0][0]}.", 17 + len(kind), named[0].span(), is_carried=False)
    for found in _ASKED_BY_ONESELF.finditer(text) if "?" in text else ():
        if sentence := _answered(found):
            start = sentence.index(found["w"])
            yield Answer(sentence, start, found.span("w"), is_carried=False)
    until = _UNTIL.match(text)
    if until and turn.before and turn.before[-1].speaker == turn.utterance.speaker:
        said = turn.before[-1].text.rstrip(" .!")
        if len(said) <= LONGEST and not re.search(r"[.!?\n;]", said):
            yield Answer(f"{said} {until['until']}.", len(said) + 1, until.span("until"))


def _answered(found: re.Match[str]) -> str:
    """ "Do you like cats? I love them." → "I love cats."; empty where the answer names nothing."""
    what, verb = found["w"], found["verb"].casefold()
    first, last = what.casefold().split()[0], what.casefold().split()[-1]
    if first in _NOTHING or last in _NOTHING:
        return ""
    if liking := found["liking"] or found["bare"]:
        return f"I {liking} {what}." if verb not in ("have", "own") else ""
    if found["number"]:
        return f"I have {found['number']} {what}."
    if found["yes"]:
        return f"I {verb} {what}."
    return f"I do not {verb} {'any ' if verb in ('have', 'own') else ''}{what}."


_NOTHING = bag(
    "it that this them those your my a an one ones to me him her what anything something there here you good well too"
)


def _slice(found: re.Match[str], group: str, *, retracted: bool = False) -> Answer:
    return Answer(found[group] + ".", 0, found.span(group), is_retracted=retracted, is_carried=False)


def _asked_for(turn: Turn, end: int) -> str:
    """What "mine" is: of the question in this turn before it, or of the one asked just before."""
    own = _YOURS.search(turn.utterance.text[:end].rstrip(" .!,")) or _FAVOURED.search(turn.utterance.text)
    if own is None and turn.before and turn.before[-1].speaker != turn.utterance.speaker:
        own = _YOURS.search(turn.before[-1].text[-LONGEST:])
    return " ".join(own["what"].split()) if own else ""
