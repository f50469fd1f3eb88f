"""Follow-ups that lean on a noun phrase just said: "I'm learning the harp." – "My neighbours hate it.", "Do you like
school?" – "I love it.", "I play the drums." – "And the triangle."

The phrase that closed the sentence before is put in for the pronoun, or gives way to what is added; the sentence is
read like any other. Where that sentence goes on behind the phrase, nothing is put in.
"""

import re
from collections.abc import Iterator

from kg_assets.text.sentences import tokenise
from kg_assets.triples.completed import Answer
from kg_assets.triples.corrections import earlier_own
from kg_assets.triples.pieces import cut
from kg_assets.triples.questions import asked, pending
from kg_assets.triples.reading import Turn
from kg_assets.triples.refining import phrase_of
from kg_assets.triples.same_of_others import last_told

LONGEST = 200  # characters of a turn, and of a sentence before it, that is looked at
_FELT = (
    r"(?:(?:really|absolutely|just|still|actually|totally|both|all|always|do|does) )*(?:love[sd]?|like[sd]?|hate[sd]?|"
    r"enjoy(?:s|ed)?|adores?|dislikes?|detests?|loathes?|(?:can(?:['’]?t|not) stand)|(?:do|does)(?: not|n['’]t) "
    r"(?:like|enjoy))"
)
_IT = re.compile(
    rf"(?:^|[.!,] |\b(?:and|but|yes|yeah|oh|well),? )(?P<who>I|we|he|she|they|(?:my|our) [a-z][a-z'’ -]{{1,30}}?)"
    rf" (?P<felt>{_FELT}) "
    r"(?P<it>it|them)(?=\W*$|[.!,;]| so much| a lot| too\b| and | but )",
    re.IGNORECASE,
)
_ADDED = re.compile(
    r"^(?:oh,? )?(?:and|also|plus)(?: also)?,? (?P<words>[^\s,.!?;][^.!?;\n]{1,60}?)(?:,? (?:too|as well|also))"
    r"?(?=\W*$|[.!])",
    re.IGNORECASE,
)
_SINGLE = re.compile(r"^(?:a|an|the|my|our)? ?[\w'’-]+(?: [\w'’-]+){0,3}$", re.IGNORECASE)


def leaning(turn: Turn) -> Iterator[Answer]:
    """The sentences that a turn amounts to when what it leans on is put in."""
    text = turn.utterance.text
    if not turn.before or len(text) > LONGEST:
        return
    for found in _IT.finditer(text):
        topic = _topic(turn, text[: found.start()])
        if topic and (found["it"].casefold() == "them") == _is_many(topic):
            yield Answer(f"{found['who']} {found['felt']} {topic}.", 0, (found.start("who"), found.end("it")))
    added = _ADDED.match(text)
    if added and not pending(turn):
        yield from _also(turn, added)


def _topic(turn: Turn, opening: str) -> str:
    """The noun phrase that closes what was just asked or told."""
    if re.search(r"\w{3,} \w+ \w+", opening):
        return ""  # the turn has told something of its own before
    questions = pending(turn)
    question = asked(questions[-1]) if questions else None
    if question is not None and not question.asking and not question.alternatives:
        words = question.rest.split(" ", 1)
        return words[1] if len(words) == 2 and question.auxiliary in ("do", "does") and _SINGLE.match(words[1]) else ""
    for said in earlier_own(turn)[:1]:
        if sentence := _told(said.utterance.text):
            start, end = sentence[1]
            return sentence[0][start:end]
    return ""


def _told(text: str) -> tuple[str, tuple[int, int]] | None:
    """The last sentence of a turn and the place of the noun phrase that closes it."""
    said = last_told(text)
    place = phrase_of(said, tokenise(said), "") if said and len(said) <= LONGEST else None
    if place is None or said[place[1] :].strip(" .!") or not _SINGLE.match(said[slice(*place)]):
        return None
    return said, place


def _also(turn: Turn, added: re.Match[str]) -> Iterator[Answer]:
    """ "And the triangle." """
    own = cut(tokenise(added["words"]))
    told = [_told(said.utterance.text) for said in earlier_own(turn)[:1]]
    if not own or not told or told[0] is None or not _SINGLE.match(words := added["words"][: own[-1].end]):
        return
    said, (start, end) = told[0]
    if "favourite" not in said and "favorite" not in said and said[:1] in "IWM":
        place = added.start("words")
        yield Answer(f"{said[:start]}{words}{said[end:]}", start, (place, place + len(words)))


def _is_many(phrase: str) -> bool:
    last = phrase.split()[-1].casefold()
    return last.endswith("s") and not last.endswith(("ss", "us", "is", "ics"))
