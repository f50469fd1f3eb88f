"""What was asked: a question in its parts, and what a short one ("Which part?") means in the light of those before."""

import re

import msgspec

from kg_assets.text.chunks import OPENERS, Chunks, Times
from kg_assets.text.lexicon import VERBS, bag
from kg_assets.text.phrases import Phrase
from kg_assets.text.sentences import Token, tokenise
from kg_assets.triples.reading import Turn
from kg_assets.triples.rewording import past, third_person, turned

ASKING = bag("what where who when which how")
DO, BE, HAVE = bag("do does did"), bag("is 's are 're was were"), bag("have has")
LONGEST = 160  # characters of a question or an answer
_HELPING = DO | BE | HAVE
_LEAD = 6  # words in front of a question's comma
_SPLIT = re.compile(
    r",? and (?=(?:where|what|who|how|when|which|do|are|is|does|have)\b)|, (?=(?:where|what|who|how|when|which)\b)|"
    r"\?\s+(?:\d[.)]\s+)?",
    re.IGNORECASE,
)
# The same question once more, and a closer one about what was answered to the last.
_MORE = re.compile(
    r"^(?:(?:and|ok|okay|great|anything)[,.]? )*(?:any(?:thing)? (?:others?|else|more)|what else|others|more)\W*$",
    re.IGNORECASE,
)
_CLOSER = re.compile(
    r"^(?:(?:and|oh|ok|okay|nice|cool|great)[,!.]? )*(?:(?:which|what) (?:part|bit|area|region|city|town|one|kind|type|"
    r"sort|brand|model|make|exactly|specifically)(?: of \w+)?|whereabouts|where exactly)\W*$",
    re.IGNORECASE,
)
_ANYTHING = re.compile(
    r"^(?:is there |are there )?(?:anything|any \w+|something)(?: that| which)? (?=you (?:do|eat|like|love|hate|"
    r"can|have|"
    r"are|play|take|need|drink|avoid|want))",
    re.IGNORECASE,
)
_SOME = re.compile(r"^(?:(?:and|so|got|have you got),? )*any (?P<what>[a-z]+(?: [a-z]+)?)\?$", re.IGNORECASE)
_STILL = re.compile(r"^still (?P<rest>(?!no |not |there|up\b|awake)[\w' -]{3,40})\?$", re.IGNORECASE)
_CALLING = re.compile(r"\b(?:would|do|could) you (?:describe|call|see|consider) yourself (?:as )?", re.IGNORECASE)
_PLAYED = re.compile(
    r"\b(?:imagine|pretend|role-?play|suppose|hypothetically|your character|in (?:the|this|our) (?:game|story|quiz))\b",
    re.IGNORECASE,
)
_SHORT = 6  # words of an answer that a closer question goes on from


class Question(msgspec.Struct, frozen=True):
    """Its parts: "which | languages | do | you | speak". `asking` and `kind` are empty where yes or no will do."""

    asking: str
    kind: str
    auxiliary: str
    subject: str
    rest: str
    alternatives: tuple[str, ...] = ()  # "tea", "coffee"
    is_ever: bool = False

    @property
    def statement(self) -> str:
        """What is asked by yes or no, as told: "Does your son like school?" is "my son likes school"."""
        verb, _, behind = self.rest.partition(" ")
        told = VERBS.get(verb)
        if self.is_ever and told is not None and past(told.lemma) == verb:
            return f"{self.subject} {self.rest}"  # "have you ever lived abroad": one did
        if self.auxiliary in DO and verb:
            said = past(verb) if self.auxiliary == "did" else verb if self.subject == "I" else third_person(verb)
            return f"{self.subject} {said} {behind}".rstrip()
        return f"{self.subject} {self.auxiliary} {self.rest}".rstrip()


def pending(turn: Turn) -> list[str]:
    """The questions that a turn answers, in the words of the one who asked; a short one as what it goes on from."""
    before = turn.before
    if not before or before[-1].speaker == turn.utterance.speaker:
        return []
    said = asking_part(before[-1].text)
    if not said or _PLAYED.search(before[-1].text):
        return []
    parts = [part.strip() for part in _SPLIT.split(said[-2 * LONGEST :]) if part.strip(" ?")]
    if not parts:
        return []
    short = last_sentence(parts[-1])
    if (_MORE.match(short) or _CLOSER.match(short)) and len(before) > 2:
        earlier = Turn(before[-2], before[:-2], turn.multi_speaker)
        asked_before = pending(earlier) if earlier.utterance.speaker == turn.utterance.speaker else []
        answered = len(before[-2].text.split()) <= _SHORT
        return asked_before[-1:] if _MORE.match(short) or answered else []
    return [_plain(part if part.endswith("?") else f"{part}?") for part in parts]


def last_sentence(text: str) -> str:
    """ "Cool! Which one?" → "Which one?"."""
    return re.split(r"(?<=[.!?])\s+|\n", text.strip())[-1]


def _plain(question: str) -> str:
    """ "Is there anything you don't eat?" as "What don't you eat?" would be told: by its own words."""
    return _CALLING.sub("are you ", question)


def asked(text: str) -> Question | None:
    """The question that a turn ends with."""
    text = asking_part(text)
    if not text:
        return None
    text = text[-LONGEST:].rstrip()
    if anything := _ANYTHING.search(last_sentence(text)):
        told = turned(last_sentence(text)[anything.end() :].rstrip("? "))
        return Question("anything", "", "", "I", told.removeprefix("I "))
    if some := _SOME.match(last_sentence(text)):
        return Question("", "", "do", "I", f"have any {some['what'].casefold()}")
    if still := _STILL.match(last_sentence(text)):
        return Question("", "", "am", "I", f"still {still['rest']}")
    tokens = tokenise(text)[:-1]
    opening = max((place + 1 for place, each in enumerate(tokens) if each.text in ".!?…;\n"), default=0)
    while opening < len(tokens) and (tokens[opening].lower in OPENERS - ASKING or not tokens[opening].is_word):
        opening += 1
    tokens = _after_lead(tokens[opening:])
    if len(tokens) < 2 or any(each.lower in ("n't", ",") for each in tokens):
        return None  # a tag: "you live in Paris, don't you"
    question = _parted(text, tokens)
    if question is None or "or" not in [each.lower for each in tokens]:
        return question
    options = tuple(question.rest.split(" or "))
    if question.asking or len(options) != 2:
        return None
    return msgspec.structs.replace(question, alternatives=options)


def asking_part(text: str) -> str:
    """A text up to its last question, where little follows: "What do you do? That helps me." """
    end = text.rfind("?") + 1
    return text[:end] if end and len(text) - end <= LONGEST else ""


def _after_lead(tokens: list[Token]) -> list[Token]:
    """ "Great, | what do you study": a question begins behind what leads to it."""
    comma = max((place for place, each in enumerate(tokens) if each.text == ","), default=-1)
    behind = tokens[comma + 1 :]
    starts = bool(behind) and (behind[0].lower in ASKING or behind[0].lower in _HELPING)
    return behind if 0 <= comma <= _LEAD and len(behind) > 3 and starts else tokens


def _parted(text: str, tokens: list[Token]) -> Question | None:
    chunks = Chunks(text, tokens, Times([]))
    asking = tokens[0].lower if tokens[0].lower in ASKING else ""
    place = next((each for each, token in enumerate(tokens[:5]) if token.lower in _HELPING), None)
    if place is None or (not asking and place > 0):
        return _claimed(chunks, tokens) if not asking else None
    subject, after = chunks.subject(place + 1) if place + 1 < len(tokens) else (None, 0)
    if subject is None or subject.head in ("i", "we", "it"):
        return None
    kind = " ".join(each.lower for each in tokens[1:place]) if asking else ""
    return _question(asking, kind, tokens[place].lower, subject, tokens, after)


def _claimed(chunks: Chunks, tokens: list[Token]) -> Question | None:
    """ "So you live in Paris?": told, and asked for by its tone."""
    subject, after = chunks.subject(0)
    verb = VERBS.get(tokens[after].lower) if subject is not None and after < len(tokens) else None
    if subject is None or subject.head != "you" or verb is None or verb.form != "base":
        return None
    return _question("", "", "do", subject, tokens, after)


def _question(asking: str, kind: str, auxiliary: str, subject: Phrase, tokens: list[Token], after: int) -> Question:
    own = subject.is_pronoun and subject.head == "you"
    first = "I" if own else turned(" ".join(each.text for each in _within(tokens, after)))
    rest = turned(" ".join(each.text for each in tokens[after:] if each.lower != "ever"))
    plain = {"'s": "is", "'re": "are"}.get(auxiliary, auxiliary)
    if own:
        plain = {"are": "am", "were": "was"}.get(plain, plain)
    rest = rest.replace(" '", "'")
    if rest.startswith("'s "):  # "what is your wife's name"
        first, rest = first + rest, ""
    is_ever = plain in HAVE and "ever" in [each.lower for each in tokens]
    return Question(asking, kind, plain, first, rest, is_ever=is_ever)


def _within(tokens: list[Token], after: int) -> list[Token]:
    """The words of the subject: those behind the auxiliary."""
    place = next((each for each, token in enumerate(tokens) if token.lower in _HELPING), -1)
    return tokens[place + 1 : after]
