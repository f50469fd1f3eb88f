"""Answers that lean on a question: "Where do you live?" – "In Antwerp." says "I live in Antwerp".

The question just asked by another and the words of the answer are put together into a sentence, which is read as any
other. Part of it was not said by the speaker, so what is read counts as carried. Only short answers without a clause of
their own are completed, and no wish, offer or guess ("would you like …") is a question of this kind.
"""

from collections.abc import Iterator, Sequence

import msgspec

from kg_assets.model import SAME_AS, Literal, Mention
from kg_assets.text.chunks import OPENERS, PREPOSITIONS, Chunks, Times
from kg_assets.text.lexicon import VERBS, bag
from kg_assets.text.phrases import DETERMINERS, Phrase
from kg_assets.text.sentences import Token, tokenise
from kg_assets.triples.reading import Reading, Turn

_ASKING = bag("what where who when which how")
_DO, _BE, _HAVE = bag("do does did"), bag("is 's are 're was were"), bag("have has")
_YES = bag("yes yeah yep yup yea sure absolutely definitely indeed")
_NO = bag("no nope nah never")
_CLAUSES = bag("i we he she they it you that this there")
_NO_ANSWER = bag("thanks thank wow oh haha lol hey hi well ok okay sorry congrats good great nice cool nothing none")
_FILLING = bag("well um uh hmm so just mostly mainly definitely")
_SWAPPED = {"you": "me", "your": "my", "yours": "mine", "me": "you", "my": "your", "i": "you"}
_OFTEN, _LOVE = bag("once twice often many several"), bag("love loved adore")
_LONGEST = 160  # characters of a question or an answer


class Answer(msgspec.Struct, frozen=True):
    """A completed sentence; `start` is where the answer's own words stand in it, `span` where in the turn.

    `is_retracted`: it is said to be wrong. `is_carried`: part of it was not said in these words.
    """

    text: str
    start: int
    span: tuple[int, int]
    is_retracted: bool = False
    is_carried: bool = True


class Question(msgspec.Struct, frozen=True):
    """Its parts: "which | languages | do | you | speak". `asking` and `kind` are empty where yes or no will do."""

    asking: str
    kind: str
    auxiliary: str
    subject: str
    rest: str


def answers(turn: Turn) -> list[Answer]:
    """The sentences that the first words of a turn amount to, given what was asked just before."""
    if not turn.before or turn.before[-1].speaker == turn.utterance.speaker:
        return []
    question = asked(turn.before[-1].text)
    if question is None:
        return []
    tokens = _first_sentence(tokenise(turn.utterance.text[:_LONGEST]))
    said = bag("")
    opening = 0
    while opening < len(tokens) and (tokens[opening].lower in _YES | _NO | _FILLING or not tokens[opening].is_word):
        said |= {tokens[opening].lower}
        opening += 1
    own = tokens[opening:]
    if own and (own[0].lower in _NO_ANSWER or _goes_on(tokens[:opening], own[0])):
        return []
    span = (own[0].start, own[-1].end) if own else (tokens[0].start, tokens[-1].end) if tokens else (0, 0)
    words = _small(own, turn.utterance.text[slice(*span)]) if own else ""
    made = _made(question, said, own, words)
    return [Answer(text=text, start=_place(text, words), span=span) for text in made]


def _goes_on(opening: Sequence[Token], following: Token) -> bool:
    """ "No idea", "never mind", "yes please": the word for yes or no belongs to what follows."""
    runs_on = bool(opening) and opening[-1].lower in _YES | _NO
    return runs_on and following.lower not in _CLAUSES and following.lower != "not"


def _place(text: str, words: str) -> int:
    """Where the answer's words stand in a completed sentence; its end where it holds none of them."""
    return text.rfind(words) if words and words in text else len(text)


def _made(question: Question, said: frozenset[str], own: Sequence[Token], words: str) -> Iterator[str]:
    has_clause = bool(own) and (own[0].lower in _CLAUSES or any(each.lower in _DO | _BE | _HAVE for each in own))
    if question.asking:
        if words and not has_clause and not said & (_YES | _NO):
            yield from told(question, words)
        return
    if said & _NO or (own and own[0].lower == "not"):
        yield _denied(question, "never" in said, words if own and own[0].lower == "not" else "")
        if words and not has_clause and own[0].lower != "not" and "," in said:
            yield from _replaced(question, words)
    elif said & _YES or _agrees(question, own):
        yield f"{question.subject} {question.auxiliary} {question.rest}."
        if words and not has_clause and "," in said:
            yield from _specified(question, words)
    elif words and not has_clause:
        yield from _specified(question, words)


def _agrees(question: Question, own: Sequence[Token]) -> bool:
    """ "Have you been there?" – "Twice."; "Do you like it?" – "Love it."."""
    first = own[0].lower if own else ""
    return (question.auxiliary in _HAVE and first in _OFTEN) or (question.rest.startswith("like ") and first in _LOVE)


def told(question: Question, words: str) -> Iterator[str]:
    """The sentences that an answer to what, where, who, when or how amounts to."""
    subject, auxiliary, rest = question.subject, question.auxiliary, question.rest
    longest = 6 if question.asking in ("where", "when", "how") or rest.startswith("do ") else 2
    if rest.startswith("of ") or len(rest.split()) > longest:
        return  # "what do you love most about …": the answer stands elsewhere in the sentence
    where = question.asking == "where" and words.split()[0].casefold() not in PREPOSITIONS
    if question.asking == "what" and auxiliary in _DO and rest.split()[:1] == ["do"]:
        if rest == "do" or "living" in rest:
            yield f"{subject} work as {words}."
    elif question.asking == "how" and question.kind == "tall":
        yield f"My height is {words}."
    elif question.asking == "how":
        if question.kind.startswith("many "):
            yield f"{subject} {rest} {words} {question.kind.removeprefix('many ')}."
        elif question.kind == "old" and (len(words.split()) == 1 or words.endswith("old")):
            yield f"{subject} {auxiliary} {words}."
    elif question.asking == "when" and auxiliary in _BE:
        yield f"{subject} {auxiliary} on {words}."
    else:
        yield " ".join(f"{subject} {auxiliary} {rest} {'in' if where and not _closes(rest) else ''} {words}.".split())


def _denied(question: Question, never: bool, words: str) -> str:
    """ "No", "never", "not any more", "not since 2012"."""
    subject, auxiliary, rest = question.subject, question.auxiliary, question.rest
    if never:
        return f"{subject} never {rest}." if auxiliary in _DO else f"{subject} {auxiliary} never {rest}."
    since = words.casefold().removeprefix("not").strip()
    later = f" {since}" if since.split()[:1] in (["any"], ["anymore"], ["since"]) else ""
    return f"{subject} {auxiliary} not {rest}{later}."


def _replaced(question: Question, words: str) -> Iterator[str]:
    """ "So you live in Paris?" – "No, Lyon.": what stands last in the question is replaced."""
    rest = question.rest.split()
    place = max((each for each, word in enumerate(rest) if word in PREPOSITIONS), default=-1)
    if words.split()[0].casefold() in PREPOSITIONS:
        kept = rest[:place] if place >= 0 else rest
    else:
        kept = rest[: place + 1] if place >= 0 else rest[:1]
    yield " ".join([question.subject, question.auxiliary, *kept, words]) + "."


def _specified(question: Question, words: str) -> Iterator[str]:
    """ "Do you have any allergies?" – "Yes, penicillin."; "Do you have pets?" – "Yes, two cats."."""
    rest = question.rest.split()
    if rest[:1] == ["have"] and question.subject == "I" and rest[-1].startswith("allerg"):
        yield f"I am allergic to {words}."
    elif rest[:1] == ["have"] and question.subject == "I" and rest[-1] in ("hobby", "hobbies"):
        yield f"My hobby is {words}."
    elif rest[:1] == ["have"] and (words.split()[0].casefold() in DETERMINERS | _NUMBERS or words[:1].isdigit()):
        yield f"{question.subject} have {words}."


_NUMBERS = bag("one two three four five six seven eight nine ten")


# ------------------------------------------------------------------------------------------------ the question


def asked(text: str) -> Question | None:
    """The question that a turn ends with."""
    text = asking_part(text)
    if not text:
        return None
    tokens = tokenise(text[-_LONGEST:].rstrip())[:-1]
    opening = max((place + 1 for place, each in enumerate(tokens) if each.text in ".!?…;\n"), default=0)
    while opening < len(tokens) and (tokens[opening].lower in OPENERS - _ASKING or not tokens[opening].is_word):
        opening += 1
    tokens = _after_lead(tokens[opening:])
    if len(tokens) < 2 or any(each.lower in ("or", "n't", ",") for each in tokens):
        return None  # one of two, or a tag: "you live in Paris, don't you"
    return _parted(text[-_LONGEST:].rstrip(), tokens)


def asking_part(text: str) -> str:
    """A text up to its last question, where little follows: "What do you do? That helps me." """
    end = text.rfind("?") + 1
    return text[:end] if end and len(text) - end <= _LONGEST else ""


def _after_lead(tokens: list[Token]) -> list[Token]:
    """ "Great, | what do you study": a question begins behind what leads to it."""
    comma = max((place for place, each in enumerate(tokens) if each.text == ","), default=-1)
    behind = tokens[comma + 1 :]
    starts = bool(behind) and (behind[0].lower in _ASKING or behind[0].lower in _DO | _BE | _HAVE)
    return behind if 0 <= comma <= _LEAD and len(behind) > 3 and starts else tokens


_LEAD = 6  # words in front of a question's comma


def _parted(text: str, tokens: list[Token]) -> Question | None:
    chunks = Chunks(text, tokens, Times([]))
    asking = tokens[0].lower if tokens[0].lower in _ASKING else ""
    helping = _DO | _BE | _HAVE
    place = next((each for each, token in enumerate(tokens[:5]) if token.lower in helping), None)
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
    first = "I" if own else " ".join(_turned(each) for each in _within(tokens, after))
    rest = " ".join(_turned(each) for each in tokens[after:] if each.lower != "ever")
    plain = {"'s": "is", "'re": "are"}.get(auxiliary, auxiliary)
    if own:
        plain = {"are": "am", "were": "was"}.get(plain, plain)
    rest = rest.replace(" '", "'")
    if rest.startswith("'s "):  # "what is your wife's name"
        first, rest = first + rest, ""
    return Question(asking, kind, plain, first, rest)


def _within(tokens: list[Token], after: int) -> list[Token]:
    """The words of the subject: those behind the auxiliary."""
    helping = _DO | _BE | _HAVE
    place = next((each for each, token in enumerate(tokens) if token.lower in helping), -1)
    return tokens[place + 1 : after]


def _turned(token: Token) -> str:
    return _SWAPPED.get(token.lower, token.text)


def _closes(rest: str) -> bool:
    """Whether a question ends with its preposition: "where are you from"."""
    return rest.split()[-1:] != [] and rest.split()[-1] in PREPOSITIONS


def _first_sentence(tokens: list[Token]) -> list[Token]:
    end = next((place for place, each in enumerate(tokens) if each.text in ".!?…;"), len(tokens))
    return tokens[:end]


def _small(own: Sequence[Token], words: str) -> str:
    """An opening "In" or "The" without its capital, so that it is no name."""
    small = bool(own) and own[0].lower in PREPOSITIONS | DETERMINERS | _NUMBERS
    return words[:1].lower() + words[1:] if small else words


# ------------------------------------------------------------------------------------------------ the readings


def placed(readings: Sequence[Reading], answer: Answer) -> list[Reading]:
    """Readings of a completed sentence, with places in the turn: those of the question's words have none.

    What is said not to have been said is taken back; there is nothing to take back of what is denied in it.
    """
    return [
        msgspec.structs.replace(
            each,
            polarity="retracted" if answer.is_retracted else each.polarity,
            subject=_moved(each.subject, answer),
            object=each.object if isinstance(each.object, Literal) else _moved(each.object, answer),
            span=answer.span,
            is_carried=each.is_carried or answer.is_carried,
        )
        for each in readings
        if not answer.is_retracted or (each.polarity == "affirmed" and each.predicate != SAME_AS)
    ]


def _moved(mention: Mention, answer: Answer) -> Mention:
    if mention.span is None or mention.span[0] < answer.start:
        return msgspec.structs.replace(mention, span=None)
    shift = answer.span[0] - answer.start
    return msgspec.structs.replace(mention, span=(mention.span[0] + shift, mention.span[1] + shift))
