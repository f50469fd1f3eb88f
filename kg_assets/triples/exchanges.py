"""Answers that name values, several answers at once, and what is said of one more: "Any allergies?" – "Nuts.", "What's
your name and where are you based?" – "Ana, Porto.", "I'm allergic to peanuts." – "And my sister too.", "Me too!".

Each becomes a whole sentence, or a note ("allergies: nuts"), that is read like any other.
"""

import re
from collections.abc import Iterator

from kg_assets.text.lexicon import DIETS, NOTE_KEYS, RELATIONS, VERBS, among
from kg_assets.triples import answering
from kg_assets.triples.answering import Answer
from kg_assets.triples.reading import Turn

LONGEST = 300  # characters of a turn, or of the turn before, that is looked at
_LAST = re.compile(r"(?:^|[.!?\n]\s*)([^.!?\n]{2,200})\?\s*$")
_ASKED = re.compile(
    r"(?:\bany(?: known)?|\b(?:what|which)(?:['’]s| is| are)(?: all)?(?: of)? your|\bdo you have(?: any)?|\bgot any|"
    r"^(?:and |so )?(?:your|what) )\s*(?P<key>[a-z][a-z' -]{1,30}?)"
    r"(?P<called>['’]s? names?(?: and ages?)?| called| named)?"
    r"(?: (?:do you have|you have|at home|I should|we should|that I|to|for)\b.*)?$",
    re.IGNORECASE,
)
_DIETARY = re.compile(
    r"\b(?:dietary|food|diet)\b[^?]*\b(?:restrictions?|requirements?|needs?|preferences?)\b", re.IGNORECASE
)
_YES = re.compile(r"^(?:(?:yes|yeah|yep|yup|sure|well|hmm|um+|just|only|mostly|mainly)[,!.]?\s+)+", re.IGNORECASE)
_NO_ANSWER = re.compile(
    r"^(?:no\b(?! \w+(?: and no| or|$|[,.]))|none|nope|nothing|not\b|never|thanks|i\b|i['’]|we\b|it\b|it['’]|he\b|"
    r"she\b|they\b|that\b|there\b|why|what|how|who|can\b|could\b|you\b|please|maybe|sorry|hi\b|hello|ok)",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r"[.!?\n;]|,? (?:but|because|so)\b|,? and (?=(?:i|we|he|she|they|my)\b)|, (?=(?:i|he|she|it|they|we)\b)",
    re.IGNORECASE,
)
_SPLIT = re.compile(r",? and (?=(?:where|what|who|how|when|which|do|are|is|does|have)\b)|\?\s+", re.IGNORECASE)
_PART = re.compile(r"\s*(?:,|;|\band\b|\n)\s*", re.IGNORECASE)
_ONE_MORE = re.compile(
    r"^(?:and |also |oh and |so (?:is|does|has) )?(?P<who>(?:my|our) [a-z][a-z'’ -]{1,30}?)"
    r"(?:,? (?:too|as well|also|is too|does too|has too))?[.! ]*$",
    re.IGNORECASE,
)
_ME_TOO = re.compile(
    r"^(?:me too|same here|same|so do i|so am i|me as well|likewise|me three)\b[^?]{0,30}$", re.IGNORECASE
)
_OWN = re.compile(r"^(?:I|We)(?P<verb>['’]m| am|['’]ve| have|\s+[a-z]+) (?P<rest>[^.!?\n]{2,120})[.!]?$")


def exchanged(turn: Turn) -> Iterator[Answer]:
    """The sentences that a turn amounts to, given the turn before it."""
    text = turn.utterance.text
    if not turn.before or len(text) > LONGEST:
        return
    before = turn.before[-1]
    if before.speaker == turn.utterance.speaker:
        yield from _one_more(text, before.text)
        return
    if len(turn.before) > 1 and turn.before[-2].speaker == turn.utterance.speaker and _says_more(text):
        yield from _one_more(text, turn.before[-2].text)
    if _ME_TOO.match(text) and len(before.text) <= LONGEST and _OWN.match(before.text):
        yield Answer(before.text, len(before.text), (0, len(text)))
    last = _LAST.search(before.text[-LONGEST:])
    if last is None:
        return
    parts = [part for part in _SPLIT.split(last[1]) if part.strip()]
    if len(parts) > 1:
        yield from _several(parts, text)
    else:
        yield from _noted(last[1], text, 0)


def _says_more(text: str) -> bool:
    return bool(re.search(r"\b(?:too|as well|also)[.! ]*$", text, re.IGNORECASE))


def _noted(question: str, text: str, opening: int) -> Iterator[Answer]:
    """ "Any allergies?" – "Nuts and kiwi." as the note "allergies: nuts and kiwi"."""
    led = _YES.match(text, opening) or re.compile("").match(text, opening)
    start = led.end() if led else opening
    stop = _ENDS.search(text, start)
    end = stop.start() if stop else len(text)
    words = text[start:end].rstrip(" ,")
    if not words or len(words.split()) > 14:
        return
    if _DIETARY.search(question):
        yield from _dietary(words, start)
        return
    asked = _ASKED.search(question.strip())
    if asked is None or _NO_ANSWER.match(words):
        return
    key = asked["key"].casefold().strip().removesuffix("'").removesuffix("’")
    if asked["called"] and key not in RELATIONS and key not in NOTE_KEYS:
        return
    listed = NOTE_KEYS.get(key, "") not in (
        "",
        "name",
        "works_as",
        "works_at",
        "lives_in",
        "birthday",
        "born_on",
        "age",
    )
    if listed or (asked["called"] and key in RELATIONS):
        yield Answer(f"{key}: {words}", len(key) + 2, (start, start + len(words)))


def _dietary(words: str, start: int) -> Iterator[Answer]:
    """ "Vegetarian, and no nuts": a diet, and what is not eaten or drunk."""
    place = 0
    for part in [*_PART.split(words)]:
        place = words.find(part, place)
        said = part.strip().casefold()
        span = (start + place, start + place + len(part))
        if among(tuple(said.split()), DIETS) and len(said.split()) <= 2:
            yield Answer(f"I am {part}", 5, span)
        elif said.startswith("no ") and len(said.split()) <= 4:
            verb = "drink" if said.endswith(("alcohol", "caffeine", "coffee", "wine")) else "eat"
            led = f"I don't {verb} "
            yield Answer(led + part[3:], len(led), (span[0] + 3, span[1]))


def _several(questions: list[str], text: str) -> Iterator[Answer]:
    """As many answers as questions, in their order."""
    stop = re.search(r"[!?\n]|\.(?=\s|$)", text)
    said = text[: stop.start()] if stop else text
    parts = [part for part in _PART.split(said) if part]
    if len(parts) != len(questions) or any(_NO_ANSWER.match(part) or len(part.split()) > 6 for part in parts):
        return
    place = 0
    for question, part in zip(questions, parts, strict=True):
        place = text.find(part, place)
        known = answering.asked(question.strip().rstrip("?") + "?")
        if known is not None:
            for made in answering.told(known, part):
                start = made.rfind(part)
                yield Answer(made, start if start >= 0 else len(made), (place, place + len(part)))
        place += len(part)


def _one_more(text: str, before: str) -> Iterator[Answer]:
    """ "And my sister too": what one said of oneself, of her as well."""
    who, own = _ONE_MORE.match(text), _OWN.match(before.strip())
    if who is None or own is None or not _says_more(text):
        return
    verb = own["verb"].strip().casefold().replace("’", "'")
    if verb in ("'m", "am"):
        said = "is"
    elif verb in ("'ve", "have"):
        said = "has"
    else:
        known = VERBS.get(verb)
        if known is None or known.form not in ("base", "past"):
            return
        said = (
            verb
            if known.form == "past"
            else next((form for form, each in VERBS.items() if each.lemma == known.lemma and each.form == "s"), verb)
        )
    sentence = f"{who['who']} {said} {own['rest']}."
    yield Answer(sentence[:1].upper() + sentence[1:], 0, who.span("who"))
