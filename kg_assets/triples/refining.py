"""A closer word for what was just told: "I used to work for an airline." – "Which one?" – "Iberia, as cabin crew."

The answer takes the place of the noun phrase that the question is about in what the speaker said last; the sentence is
read like any other.
"""

import re
from collections.abc import Iterator

from kg_assets.text.chunks import PREPOSITIONS, STOPS
from kg_assets.text.lexicon import RELATIONS, VERBS, bag
from kg_assets.text.phrases import DETERMINERS
from kg_assets.text.sentences import Token, tokenise
from kg_assets.text.times import find_times
from kg_assets.triples.completed import Answer
from kg_assets.triples.pieces import cut, first_sentence
from kg_assets.triples.questions import asking_part
from kg_assets.triples.reading import Turn
from kg_assets.triples.same_of_others import last_told

LONGEST = 160  # characters of the question and of the answer
_OPENING = r"(?:^|[.!?,] )(?:(?:oh|and|cool|nice|great|ok|okay|exciting|lovely|do you know|may i ask)[,!.]? )*"
_WHICH = re.compile(
    rf"{_OPENING}(?:(?:which|what)(?: (?P<noun>[a-z]+))?|where exactly|(?P<where>whereabouts))"
    r"(?: (?:one|ones|kind|type|sort|brand|model|exactly|specifically|of them))?"
    r"(?: (?:is (?:it|that)|are they|do you mean))?(?:\?|, the one)",
    re.IGNORECASE,
)
_ONE = bag("one ones kind type sort brand model exactly specifically")
_THE_ONE = re.compile(r"^(?:the )one (?P<where>(?:in|at|near|on|from) [^,.!?;\n]{2,30})", re.IGNORECASE)
_THE_OTHER = re.compile(
    r"^(?:no,? )?(?:the|my) (?P<which>[a-z]+)(?: one)?, (?P<name>(?-i:[A-Z])[\w'’-]+)(?=\W*$|[,.!;])", re.IGNORECASE
)
_NOTHING = bag("i it that this he she they we you no yes none both all neither not the don't why what")


def refined(turn: Turn) -> Iterator[Answer]:
    """What the speaker said last, said again with the words that were asked for."""
    before, text = turn.before, turn.utterance.text
    if len(before) < 2 or len(text) > LONGEST or before[-2].speaker != turn.utterance.speaker:
        return
    if before[-1].speaker == turn.utterance.speaker:
        return
    said, question = last_told(before[-2].text), asking_part(before[-1].text)[-LONGEST:]
    asked = _WHICH.search(question)
    if not said or len(said) > LONGEST:
        return
    if asked is None:
        yield from _added(said, question, text)
        return
    tokens = tokenise(said)
    if other := _THE_OTHER.match(text):
        yield from _named(tokens, other)
        return
    noun = (asked["noun"] or asked["where"] or "one").casefold()
    if noun in _AREAS and re.search(r"[A-ZÀ-Þ][\w'’-]+$", said.rstrip(" .!")):
        noun = "one"
    place = phrase_of(said, tokens, "" if noun in _ONE else noun)
    if place is None and noun not in _ONE and tokens[-2:] and _is_verb(said):
        place = (len(said.rstrip(" .!")),) * 2  # "I teach." – "What subject?"
    if place is None:
        return
    start, end = place
    if one := _THE_ONE.match(text):
        yield Answer(f"{said[:end]} {one['where']}{said[end:]}", end + 1, one.span("where"))
        return
    own = cut(first_sentence(tokenise(text)))
    if own and own[0].lower not in _NOTHING:
        words = text[own[0].start : own[-1].end]
        led = f"{said[:start]} " if start == end else said[:start]
        yield Answer(f"{led}{words}{said[end:]}", len(led), (own[0].start, own[-1].end))


def _is_verb(said: str) -> bool:
    """Whether a sentence ends with its verb."""
    verb = VERBS.get(said.rstrip(" .!").split()[-1].casefold())
    return verb is not None and verb.form in ("base", "ing")


def _added(said: str, question: str, text: str) -> Iterator[Answer]:
    """ "I'm moving to Spain." – "When?" – "In June."; "We just moved." – "Where to?" – "Bilbao."."""
    asked, own = _ADJUNCT.search(question), cut(first_sentence(tokenise(text)))
    if asked is None or not own or own[0].lower in _NOTHING or find_times(said, 0):
        return
    words = text[own[0].start : own[-1].end]
    led = _ADJUNCTS[" ".join(asked["which"].casefold().split())]
    if own[0].lower in PREPOSITIONS or (led == "in" and find_times(words, 0)):
        led = ""
    if led and led in PREPOSITIONS and tokenise(said.rstrip(" .!"))[-1].lower == led:
        led = ""
    if own[0].lower in PREPOSITIONS | DETERMINERS:
        words = words[:1].lower() + words[1:]
    whole = " ".join([said.rstrip(" .!"), *([led] if led else []), ""])
    yield Answer(f"{whole}{words}.", len(whole), (own[0].start, own[-1].end))


_ADJUNCTS = {
    "since when": "since", "where to": "to", "to where": "to", "as what": "as a", "in what": "in", "who with": "with",
    "with whom": "with", "where": "in", "with who": "with", "from where": "from", "where from": "from", "when": "in",
}  # fmt: skip
_ADJUNCT = re.compile(rf"{_OPENING}(?P<which>{'|'.join(_ADJUNCTS)})\?$", re.IGNORECASE)
_AREAS = bag("city town part area region state province village district neighbourhood country whereabouts")


def _named(tokens: list[Token], other: re.Match[str]) -> Iterator[Answer]:
    """ "My daughter's birthday is near." – "Which one?" – "The older one, Frida." """
    kin = next((each.lower for each in tokens if each.lower in RELATIONS), "")
    if kin:
        sentence = f"My {other['which'].casefold()} {kin} is called {other['name']}."
        yield Answer(sentence, sentence.rindex(other["name"]), other.span("name"))


def phrase_of(said: str, tokens: list[Token], noun: str) -> tuple[int, int] | None:
    """Where the noun phrase stands that a closer word is asked for: the one with the noun, or the last."""
    words = [each for each in tokens if each.is_word]
    dated = next((each.span[0] for each in find_times(said, 0)), len(said))
    words = [each for each in words if each.start < dated]
    if noun:
        last = next((place for place, each in enumerate(words) if each.lower.rstrip("s") == noun.rstrip("s")), -1)
    else:
        last = len(words) - 1
    if last < 2:
        return None
    first = last
    while first > 1 and words[first].lower not in DETERMINERS and not _parts(words[first - 1], words[first - 2]):
        first -= 1
    return words[first].start, words[last].end


def _parts(token: Token, before: Token) -> bool:
    """Whether a noun phrase cannot reach over this word: "I'm reading | Dune", "my | reading group"."""
    verb = VERBS.get(token.lower)
    told = verb is not None and (verb.form != "ing" or before.lower in _BEING)
    return told or token.lower in PREPOSITIONS | STOPS or token.lower in ("to", "'m")


_BEING = bag("am 'm is 's are 're was were been start started keep stop stopped")
