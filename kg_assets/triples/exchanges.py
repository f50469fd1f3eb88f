"""Answers that name values, several answers at once, and what is said of one more: "Any allergies?" – "Nuts.", "What's
your name and where are you based?" – "Ana, Porto.", "I'm allergic to peanuts." – "And my sister too.", "Me too!".

Each becomes a whole sentence, or a note ("allergies: nuts"), that is read like any other.
"""

import re
from collections.abc import Iterator

from kg_assets.text.lexicon import DIETS, MARITAL, NOTE_KEYS, OCCUPATIONS, PLURAL_SPECIES, RELATIONS, VERBS, among
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
_CLAUSE = re.compile(r"\b(?:is|are|was|were|am|have|has|had|do|does|did|will|can)\b|['’](?:s|re|m)\b", re.IGNORECASE)
_PART = re.compile(r"(?:^|\s+)\d[.)]\s+|\s*(?:,|;|\band\b|\n)\s*(?:\d[.)]\s+)?", re.IGNORECASE)
_ABOUT_YOU = re.compile(r"\b(?:about|introduce) (?:you(?:rself)?)\b|\bwho are you\b|your background", re.IGNORECASE)
_LISTED = re.compile(
    r"\byour (?P<keys>[a-z ]{2,20}(?:, [a-z ]{2,20}){0,4},? and (?:your )?[a-z ]{2,20})\s*\?", re.IGNORECASE
)
_EITHER = re.compile(
    r"\byou (?:prefer|like|drink|eat) (?P<one>[a-z' -]{2,30}) or (?P<other>[a-z' -]{2,30})\?", re.IGNORECASE
)
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
    if _ABOUT_YOU.search(before.text[-LONGEST:]):
        yield from _introduced(text)
        return
    question = answering.asking_part(before.text)[-LONGEST:]
    parts = [part for part in _SPLIT.split(question) if part.strip(" ?")]
    if len(parts) > 1:
        yield from _several(parts, text)
    elif listed := _LISTED.search(question):
        yield from _keyed(listed["keys"], text)
    elif either := _EITHER.search(question):
        chosen = re.match(r"(?:the )?(?P<what>[a-z' -]{2,30}?)(?: please| thanks)?[.!]*$", text, re.IGNORECASE)
        if chosen and chosen["what"].casefold() in (either["one"].casefold(), either["other"].casefold()):
            yield Answer(f"I prefer {chosen['what']}.", 9, chosen.span("what"))
    elif last := _LAST.search(question):
        yield from _noted(last[1], text, 0)


def _introduced(text: str) -> Iterator[Answer]:
    """ "38, two kids, live in Utrecht, work in insurance", asked about oneself: each part as a sentence."""
    place = 0
    parts = [part for part in re.split(r"\s*(?:,|;|\.|\n|\band\b)\s*", text) if part]
    if any(len(part.split()) > 8 for part in parts):
        return
    for part in parts:
        place = text.find(part, place)
        span = (place, place + len(part))
        place = span[1]
        words = part.casefold().split()
        verb = VERBS.get(words[0])
        if words[0] in ("i", "i'm", "i’m", "im", "my", "we"):
            continue
        if words[0].isdecimal() and (len(words) == 1 or words[1].startswith("year")):
            led = "I am "
        elif verb is not None and verb.form == "base":
            led = "I "
        elif words[-1] in ("kids", "children") or among(tuple(words), PLURAL_SPECIES):
            led = "I have "
        elif (
            among(tuple(words), OCCUPATIONS) or among(tuple(words), DIETS) or words[0] == "from" or words[0] in MARITAL
        ):
            led = "I am a " if among(tuple(words), OCCUPATIONS) and words[0] not in ("a", "an") else "I am "
        else:
            continue
        yield Answer(f"{led}{part}.", len(led), span)


def _keyed(listed: str, text: str) -> Iterator[Answer]:
    """ "What's your name, age and city?" – "Ana, 34, Porto" as notes."""
    keys = [key.strip().casefold() for key in re.split(r",|\band\b", listed) if key.strip()]
    parts = [part for part in _PART.split(re.split(r"[.!?](?=\s|$)", text)[0]) if part]
    if len(keys) != len(parts) or len(keys) < 2 or not all(key in NOTE_KEYS for key in keys):
        return
    place = 0
    for key, part in zip(keys, parts, strict=True):
        place = text.find(part, place)
        yield Answer(f"{key}: {part}", len(key) + 2, (place, place + len(part)))
        place += len(part)


def _says_more(text: str) -> bool:
    return bool(re.search(r"\b(?:too|as well|also)[.! ]*$", text, re.IGNORECASE))


def _noted(question: str, text: str, opening: int) -> Iterator[Answer]:
    """ "Any allergies?" – "Nuts and kiwi." as the note "allergies: nuts and kiwi"."""
    led = _YES.match(text, opening) or re.compile("").match(text, opening)
    start = led.end() if led else opening
    stop = _ENDS.search(text, start)
    end = stop.start() if stop else len(text)
    words = text[start:end].rstrip(" ,")
    if not words or len(words.split()) > 14 or _CLAUSE.search(words):
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
    clause = next((index for index, part in enumerate(parts) if _NO_ANSWER.match(part)), len(parts))
    if len(parts) > len(questions) or any(len(part.split()) > 6 for part in parts[:clause]):
        return  # what is a clause of its own is read as it stands
    place = 0
    for question, part in zip(questions, parts[:clause], strict=False):
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
