"""Answers that name values, and several answers at once: "Any allergies?" – "Nuts.", "What's your name and
where are you based?" – "Ana, Porto.", "Tell me about yourself." – "38, two kids, live in Utrecht".

Each becomes a whole sentence, or a note ("allergies: nuts"), that is read like any other.
"""

import re
from collections.abc import Iterator

import msgspec

from kg_assets.text.lexicon import DIETS, MARITAL, NOTE_KEYS, OCCUPATIONS, PLURAL_SPECIES, RELATIONS, VERBS, among, bag
from kg_assets.text.sentences import tokenise
from kg_assets.triples import answering
from kg_assets.triples.attributes import key_of, worded
from kg_assets.triples.completed import Answer
from kg_assets.triples.discourse import referents
from kg_assets.triples.pieces import ASIDE, cut
from kg_assets.triples.questions import pending
from kg_assets.triples.reading import Turn
from kg_assets.triples.same_of_others import last_told

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
    r"[.!?](?=\s|$)|[\n;]|,? (?:but|because|so)\b|,? and (?=(?:i|we|he|she|they|my)\b)|, (?=(?:i|he|she|it|they|we)\b)",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"\b(?:is|are|was|were|am|have|has|had|do|does|did|will|can)\b|['’](?:s|re|m)\b", re.IGNORECASE)
_PART = re.compile(r"(?:^|\s+)\d[.)]\s+|\s*(?:,|;|\band\b|\n)\s*(?:\d[.)]\s+)?", re.IGNORECASE)
_ABOUT_YOU = re.compile(r"\b(?:about|introduce) (?:you(?:rself)?)\b|\bwho are you\b|your background", re.IGNORECASE)
_LISTED = re.compile(
    r"\byour (?:(?P<whose>[a-z ]{2,20})['’]s )?(?P<keys>[a-z ]{2,20}(?:, [a-z ]{2,20}){0,4},? and (?:your )?[a-z "
    r"]{2,20})\s*\?",
    re.IGNORECASE,
)
_WHICH = re.compile(r"(?:and )?(?:which|what) (?!is |are |was )", re.IGNORECASE)
_EITHER = re.compile(
    r"\byou (?:prefer|like|drink|eat) (?P<one>[a-z' -]{2,30}) or (?P<other>[a-z' -]{2,30})\?", re.IGNORECASE
)


def exchanged(turn: Turn) -> Iterator[Answer]:
    """The sentences that a turn amounts to, given the turn before it."""
    text = turn.utterance.text
    if not turn.before or len(text) > LONGEST:
        return
    before = turn.before[-1]
    if before.speaker == turn.utterance.speaker:
        return
    if _ABOUT_YOU.search(before.text[-LONGEST:]):
        yield from _introduced(text)
        return
    questions = pending(turn)
    if len(questions) > 1:
        yield from _several(questions, text)
    elif listed := _LISTED.search(question := " ".join(questions)):
        yield from _keyed(listed["keys"], f"my {listed['whose']}" if listed["whose"] else "", text)
    elif either := _EITHER.search(question):
        chosen = re.match(r"(?:the )?(?P<what>[a-z' -]{2,30}?)(?: please| thanks)?[.!]*$", text, re.IGNORECASE)
        if chosen and chosen["what"].casefold() in (either["one"].casefold(), either["other"].casefold()):
            yield Answer(f"I prefer {chosen['what']}.", 9, chosen.span("what"))
    elif last := _LAST.search(question):
        owner = _owner(turn) if key_of(last[1]) else ""
        yield from _noted(last[1], text, owner=owner, is_closer=_is_closer(turn, last[1]))


def _owner(turn: Turn) -> str:
    """Whom a bare "Name?" is about: the one whom the speaker has just told of."""
    if len(turn.before) < 2 or turn.before[-2].speaker != turn.utterance.speaker:
        return ""
    known = referents(turn.before[-2].text)
    return f"my {known[-1].phrase.relation or known[-1].phrase.text}" if known and not known[-1].phrase.name else ""


def _is_closer(turn: Turn, question: str) -> bool:
    """ "I'm from Iran." – "Which city?": no question for where one lives."""
    if len(turn.before) < 2 or turn.before[-2].speaker != turn.utterance.speaker or not _WHICH.match(question):
        return False
    return len(last_told(turn.before[-2].text).split()) > 2


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


def _keyed(listed: str, owner: str, text: str) -> Iterator[Answer]:
    """ "What's your name, age and city?" – "Ana, 34, Porto"; of "your dog" too."""
    keys = [key.strip().casefold() for key in re.split(r",|\band\b", listed) if key.strip()]
    parts = [part for part in _PART.split(re.split(r"[.!?](?=\s|$)", text)[0]) if part]
    if len(keys) != len(parts) or len(keys) < 2:
        return
    place = 0
    for key, part in zip(keys, parts, strict=True):
        place = text.find(part, place)
        made = worded(key, part, owner) if owner or key in NOTE_KEYS else ""
        if made:
            yield Answer(made, made.rindex(part) if part in made else len(made), (place, place + len(part)))
        place += len(part)


def _noted(question: str, text: str, *, owner: str = "", is_closer: bool = False) -> Iterator[Answer]:
    """ "Any allergies?" – "Nuts and kiwi." as the note "allergies: nuts and kiwi"."""
    led = _YES.match(text)
    start = led.end() if led else 0
    stop = _ENDS.search(text, start)
    end = stop.start() if stop else len(text)
    words = text[start:end].rstrip(" ,")
    if not words or len(words.split()) > 14 or _CLAUSE.search(words):
        return
    if _DIETARY.search(question):
        yield from _dietary(words, start)
        return
    if _NO_ANSWER.match(words):
        return
    kept = cut(tokenise(words), is_list=True)
    words = words[: kept[-1].end] if kept else ""
    if not words or words.casefold().endswith((" one", " ones")):
        return  # "an annoying one": nobody can tell which
    if key := "" if is_closer else key_of(question):
        made = worded(key, words, owner if NOTE_KEYS.get(key, key) in _THEIRS else "")
    elif asked := _ASKED.search(question.strip()):
        key = asked["key"].casefold().strip().removesuffix("'").removesuffix("’")
        kin = asked["called"] and key in RELATIONS
        if asked["called"] and not kin and key not in NOTE_KEYS:
            return
        known = key_of(key)
        is_noted = known and NOTE_KEYS.get(known, "") not in _TOLD
        made = f"{key}: {words}" if kin else worded(known, words) if is_noted else ""
    else:
        return
    if made:
        yield Answer(made, made.rindex(words) if words in made else len(made), (start, start + len(words)))


_THEIRS = bag("name age breed birthday born_on")  # of the one who was told of last
_TOLD = bag("name works_as works_at lives_in birthday born_on age")  # "what is your name" is a question to be told


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
    parts = [part for part in _PART.split(said) if part and part.casefold() not in ASIDE]
    clause = next((index for index, part in enumerate(parts) if _NO_ANSWER.match(part)), len(parts))
    if len(parts) > len(questions) or any(len(part.split()) > 6 for part in parts[:clause]):
        return  # what is a clause of its own is read as it stands
    place = 0
    for question, part in zip(questions, parts[:clause], strict=False):
        place = text.find(part, place)
        yield from answering.answered(question, part, place)
        if last := _LAST.search(question):
            for noted in _noted(last[1], part):
                yield msgspec.structs.replace(noted, span=(noted.span[0] + place, noted.span[1] + place))
        place += len(part)
