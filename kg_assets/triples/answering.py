"""Answers that lean on a question: "Where do you live?" – "In Antwerp." says "I live in Antwerp".

The question just asked by another and the words of the answer are put together into a sentence, which is read as any
other. Part of it was not said by the speaker, so what is read counts as carried. Only short answers without a clause of
their own are completed, and no wish, offer or guess ("would you like …") is a question of this kind.
"""

import re
from collections.abc import Iterator, Sequence

import msgspec

from kg_assets.text.chunks import PREPOSITIONS
from kg_assets.text.lexicon import RELATIONS, bag
from kg_assets.text.phrases import DETERMINERS
from kg_assets.text.sentences import Token, tokenise
from kg_assets.text.tokens import terms
from kg_assets.triples.alike import replaced
from kg_assets.triples.completed import Answer
from kg_assets.triples.pieces import BEHIND, CLAUSES, cut, first_sentence, is_told
from kg_assets.triples.questions import BE, DO, HAVE, LONGEST, Question, asked, pending
from kg_assets.triples.reading import Turn

_YES = bag("yes yeah yep yup yea sure absolutely definitely indeed correct exactly certainly totally right")
_NO = bag("no nope nah never")
_NO_ANSWER = bag(
    "thanks thank wow oh ha haha lol hey hi hello woah whoa yay aw aww yum ugh omg ooh woohoo well ok okay sorry "
    "congrats good great nice cool nothing none guess depends maybe dunno kind sort somewhat barely hardly "
    "rarely almost nearly perhaps possibly"
)
_FILLING = bag("well um uh hmm so just mostly mainly definitely only")
_ANY = bag("any anything anyone anybody anywhere")  # that one has "any" is nothing to be told
_OFTEN, _LOVE = bag("once twice often many several"), bag("love loved adore")
_COURTESY = re.compile(
    r"^(?:(?:thanks|thank you|cheers|hey|hi|hello|wow|oh|aww*|haha|lol|cool|nice|good (?:question|to [a-z]+ you)|"
    r"great|of course|"
    r"sure(?: thing)?)\b[^.!?\n]{0,30}[.!]+\s+)+",
    re.IGNORECASE,
)
_SIDE = r"(?=\W*$|[.,!;]| and | but | –| -)"
# Yes and no in more than one word: "very much so", "she is", "thankfully not", "I don't".
AGREED = re.compile(
    rf"^(?:oh |well,? |haha,? )?(?:very much(?: so)?|of course|that(?:['’]s| is) (?:right|correct|true)|spot on|"
    rf"(?:yes,? |yeah,? )?(?:i|we|he|she|they|it) (?:is|are|am|was|were|do|does|did|has|have)(?: indeed| too)?){_SIDE}",
    re.IGNORECASE,
)
REFUSED = re.compile(
    rf"^(?:oh |well,? |haha,? )?(?:not really|not at all|not anymore|not any more|not in the (?:least|slightest)|"
    rf"far from it|"
    rf"(?:thankfully|luckily|fortunately|sadly|unfortunately|alas|definitely|certainly|of course),? (?:not|no)|"
    rf"(?:no,? |nope,? )?(?:i|we|he|she|they|it)(?:['’]m not| (?:is|are|am|was|were|do|does|did|has|have)(?: not|"
    rf"n['’]t))"
    rf"(?: any ?more| really)?){_SIDE}",
    re.IGNORECASE,
)
_POINTING = re.compile(
    r"^(?:it|that|they|those|these|this)(?:['’](?:s|re|d be)| is| are| was| were| would be)\s+(?!not\b)", re.IGNORECASE
)
_YEAR = re.compile(
    r"^(?:\w+ )?(?:first|second|third|fourth|fifth|final|last|\d\w\w)[ -]year (?:of |in )?", re.IGNORECASE
)
_FURTHER = re.compile(
    r"[.!]\s+(?:oh,? )?(?:and|also|plus)(?: also)?,?\s+(?P<words>[^.!?\n]{2,60})(?=[.!\n]|$)", re.IGNORECASE
)


def answers(turn: Turn) -> list[Answer]:
    """The sentences that the first words of a turn amount to, given what was asked just before."""
    questions = pending(turn)
    text = turn.utterance.text[: 2 * LONGEST]
    courtesy = _COURTESY.match(text)
    opened = courtesy.end() if courtesy else 0
    return list(answered(questions[-1], text[opened:], opened)) if questions else []


def answered(question: str, text: str, offset: int = 0) -> Iterator[Answer]:
    """What a text amounts to as the answer to one question; `offset` is its place in the turn."""
    known = asked(question)
    if known is None:
        return
    if known.alternatives and known.rest.startswith("have "):
        yield from _had(known, text, offset)
        return
    known_whole, opened = _opening(known, text)
    tokens = first_sentence(tokenise(text[opened:LONGEST]))
    said, own = known_whole, tokens
    while own and (own[0].lower in _YES | _NO | _FILLING or not own[0].is_word):
        said, own = said | {own[0].lower}, own[1:]
    if own and (own[0].lower in _NO_ANSWER or (not opened and _goes_on(tokens[: len(tokens) - len(own)], own[0]))):
        return
    if known.asking and is_told(own):
        return
    own = cut(own) if own and own[0].lower not in BEHIND else []
    start, end = (own[0].start, own[-1].end) if own else (0, tokens[-1].end if tokens else 0)
    span = (offset + (opened if own else 0) + start, offset + opened + end)
    words = _small(own, text[opened + start : opened + end]) if own else ""
    words = _YEAR.sub("", words)
    if "no" in said and not known.asking and known.rest.startswith("still "):
        over = msgspec.structs.replace(known, rest=known.rest.removeprefix("still ")).statement + "."
        yield Answer(over, len(over), span, is_denied=True)
    for made in _made(known, said, own, words):
        yield Answer(text=made, start=_place(made, words), span=span)
    if known.asking and own:
        for more in _FURTHER.finditer(text[opened + end :]):
            yield from _more(known, more, offset + opened + end)


def _opening(question: Question, text: str) -> tuple[frozenset[str], int]:
    """Whether a text opens with yes or no in several words, and where it goes on; "it's" before what was asked for."""
    if question.asking:
        pointing = _POINTING.match(text)
        return frozenset(), pointing.end() if pointing else 0
    for pattern, word in ((REFUSED, "no"), (AGREED, "yes")):
        if found := pattern.match(text):
            later = re.search(r"not any ?more$", found[0], re.IGNORECASE)
            return frozenset((word, "any more") if later else (word,)), found.end()
    return frozenset(), 0


def _more(question: Question, found: re.Match[str], offset: int) -> Iterator[Answer]:
    """ "Mushrooms. And anything with coconut." """
    own = cut(tokenise(found["words"]))
    if own and own[0].lower not in CLAUSES and not _has_clause(own):
        words = found["words"][: own[-1].end]
        for made in told(question, words):
            start = offset + found.start("words")
            yield Answer(text=made, start=_place(made, words), span=(start, start + len(words)))


def _goes_on(opening: Sequence[Token], following: Token) -> bool:
    """ "No idea", "never mind", "yes please": the word for yes or no belongs to what follows."""
    runs_on = bool(opening) and opening[-1].lower in _YES | _NO
    return runs_on and following.lower not in CLAUSES and following.lower not in ("not", "but")


def _place(text: str, words: str) -> int:
    """Where the answer's words stand in a completed sentence; its end where it holds none of them."""
    return text.rfind(words) if words and words in text else len(text)


def _has_clause(own: Sequence[Token]) -> bool:
    return bool(own) and (own[0].lower in CLAUSES or any(each.lower in DO | BE | HAVE for each in own))


def _made(question: Question, said: frozenset[str], own: Sequence[Token], words: str) -> Iterator[str]:
    has_clause = _has_clause(own)
    if question.asking:
        if words and not has_clause and not said & (_YES | _NO):
            yield from told(question, words)
        return
    if question.alternatives:
        yield from _chosen(question, words)
    elif said & _NO or (own and own[0].lower == "not"):
        yield _denied(
            question, "never" in said, words if own and own[0].lower == "not" else "not any more" * ("any more" in said)
        )
        if words and not has_clause and own[0].lower != "not" and "," in said:
            yield from _replaced(question, words)
    elif said & _YES or _agrees(question, own):
        if _ANY.isdisjoint(question.rest.casefold().split()):
            yield f"{question.statement}."
        if words and not has_clause and "," in said:
            yield from _specified(question, words)
    elif words and not has_clause:
        yield from _specified(question, words)
        yield from _instead(question, words)


def _instead(question: Question, words: str) -> Iterator[str]:
    """ "Did you grow up in Norway?" – "Sweden."; "Does she live nearby?" – "In Leeds."; "Do you ride?" – "Used to."."""
    said, first = question.statement, words.split()[0].casefold()
    last = question.rest.split()[-1:]
    if words.casefold() in ("used to", "used to be"):
        yield f"{question.subject} used to {'be ' * (question.auxiliary in _AM)}{question.rest}."
    elif last and last[0].casefold() in _SOMEWHERE and first in ("in", "at", "near", "outside"):
        yield f"{said.removesuffix(last[0])}{words}."
    elif made := replaced(said, words):
        yield f"{made.text}."


_SOMEWHERE = bag("nearby abroad there here locally close away far")
_AM = BE | {"am"}


def _had(question: Question, text: str, offset: int) -> Iterator[Answer]:
    """ "Do you have any pets or kids?" – "No kids, two guinea pigs."."""
    stop = re.search(r"[.!?\n;]", text)
    for part in re.finditer(r"[^\s,][^,]*?(?=,| and | but |$)", text[: stop.start() if stop else len(text)]):
        words = re.sub(r"^(?:and|but|just|only) ", "", part[0].strip())
        first = words.split()[0].casefold() if words else ""
        if len(words.split()) > 1 and (first in DETERMINERS | _NUMBERS | {"no"} or first.isdecimal()):
            start = offset + part.start() + part[0].index(words)
            led = f"{question.subject} have "
            yield Answer(f"{led}{words[:1].lower()}{words[1:]}.", len(led), (start, start + len(words)))


def _chosen(question: Question, words: str) -> Iterator[str]:
    """ "Do you rent or own?" – "Own."; "Do you drink tea or coffee?" – "Coffee."."""
    first, other = question.alternatives
    meant = _content(words)
    for option in question.alternatives:
        own = _content(option)
        if not meant or (meant != own and not (option == first and own[-len(meant) :] == meant)):
            continue
        shared = first.split()[: -len(other.split())] if option == other else []  # "drink" of "drink tea or coffee"
        yield f"{msgspec.structs.replace(question, rest=' '.join([*shared, option])).statement}."


def _content(words: str) -> list[str]:
    return [term for term in terms(words) if term not in ("a", "an", "the")]


def _agrees(question: Question, own: Sequence[Token]) -> bool:
    """ "Have you been there?" – "Twice."; "Do you like it?" – "Love it."."""
    first = own[0].lower if own else ""
    return (question.auxiliary in HAVE and first in _OFTEN) or (question.rest.startswith("like ") and first in _LOVE)


def told(question: Question, words: str) -> Iterator[str]:
    """The sentences that an answer to what, where, who, when or how amounts to."""
    subject, auxiliary, rest = question.subject, question.auxiliary, question.rest
    longest = 6 if question.asking in ("where", "when", "how") or rest.startswith("do ") else 2
    if rest.startswith("of ") or len(rest.split()) > longest:
        return  # "what do you love most about …": the answer stands elsewhere in the sentence
    where = question.asking == "where" and words.split()[0].casefold() not in PREPOSITIONS
    if question.kind.split()[-1:] and question.kind.split()[-1] in _PASTIMES and subject == "I":
        yield f"hobbies: {words}"
    elif question.asking == "what" and auxiliary in DO and rest.split()[:1] == ["do"]:
        if rest == "do" or "living" in rest:
            yield f"{subject} work as {words}."
    elif question.asking == "how" and question.kind == "tall":
        yield f"{'My' if subject == 'I' else subject + chr(39) + 's'} height is {words}."
    elif question.asking == "how":
        if question.kind.startswith("many "):
            count = re.match(r"[\w-]+", words)
            if count and (count[0].casefold() in _NUMBERS or count[0].isdecimal()):
                yield f"{subject} {rest} {count[0]} {question.kind.removeprefix('many ')}."
        elif question.kind == "old" and (len(words.split()) == 1 or words.endswith("old")):
            yield f"{subject} {auxiliary} {words}."
    elif question.asking == "when" and auxiliary in BE:
        yield " ".join(f"{subject} {auxiliary} {rest} on {words}.".split())
    elif not rest and auxiliary in BE and _last_word(subject) in _JOBS:
        yield f"{_owner(subject)} work as {words}."
    else:
        yield " ".join(f"{question.statement} {'in' if where and not _closes(rest) else ''} {words}.".split())


_PASTIMES = bag("sport sports hobby hobbies pastimes activities")
_JOBS = bag("role job position occupation profession")


def _last_word(phrase: str) -> str:
    return phrase.split()[-1].casefold()


def _owner(phrase: str) -> str:
    """ "my current role" is mine, "my wife's job" hers."""
    by_pronoun = {"his": "he", "her": "she", "my": "I"}
    return phrase.rpartition("'s ")[0] or by_pronoun.get(phrase.split()[0].casefold(), "they")


def _closes(rest: str) -> bool:
    """Whether a question ends with its preposition: "where are you from"."""
    return rest.split()[-1:] != [] and rest.split()[-1] in PREPOSITIONS


def _denied(question: Question, never: bool, words: str) -> str:
    """ "No", "never", "not any more", "not since 2012"."""
    subject, auxiliary, rest = question.subject, question.auxiliary, question.rest
    if never:
        return f"{subject} never {rest}." if auxiliary in DO else f"{subject} {auxiliary} never {rest}."
    since = words.casefold().removeprefix("not").strip()
    rest = rest.removeprefix("still ")
    later = f" {since}" if since.split()[:1] in (["any"], ["anymore"], ["since"]) else ""
    return f"{subject} {auxiliary} not {rest}{later or ' any more' * (rest != question.rest)}."


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
    elif rest[:1] == ["have"] and rest[-1] in RELATIONS and len(rest) < 4 and words[:1].isupper() and " " not in words:
        yield f"My {rest[-1]} is called {words}."
    elif len(rest) > 2 and rest[1] in ("any", "some") and rest[0] != "have":
        yield f"{question.subject} {rest[0]} {words}."
    elif rest[:1] == ["have"] and (words.split()[0].casefold() in DETERMINERS | _NUMBERS or words[:1].isdigit()):
        yield f"{question.subject} have {words}."


_NUMBERS = bag("one two three four five six seven eight nine ten")


def _small(own: Sequence[Token], words: str) -> str:
    """An opening "In" or "The" without its capital, so that it is no name."""
    small = bool(own) and own[0].lower in PREPOSITIONS | DETERMINERS | _NUMBERS
    return words[:1].lower() + words[1:] if small else words
