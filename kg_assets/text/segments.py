"""Sentences cut where one run of words says several things: told and asked, or told one after the other.

"I'm vegan, what can I cook?" tells and asks; "what can I cook, because my wife is vegan?" asks and tells; "I'm Marta I
live in Graz" tells twice without a stop. Each part is a sentence of its own, so that a question no longer hides what is
told beside it. What stands behind a condition or in another's mouth is never cut off from it.
Standard library only; each word is looked at a bounded number of times.
"""

from collections.abc import Sequence
from itertools import pairwise

from kg_assets.text.lexicon import GROUPS, NO_NAMES, RELATIONS, SPECIES, VERBS, bag
from kg_assets.text.sentences import BLOCKING, Sentence, Token, sentence_of, split
from kg_assets.text.unsaid import behind, joked, repaired

_OWN = frozenset({"i", "we"})
_OTHERS = frozenset({"he", "she", "they"})
_OWNING = frozenset({"my", "our"})
_IS = bag("am 'm is 's are 're was were")
_FINITE = _IS | bag("have 've has had do does did will 'll can could would 'd should might must need gotta used wanna")
_BETWEEN = bag(
    "just also really still only always never currently recently actually already now finally usually not n't"
)
_ASKED = bag("i you he she it they we there this that these those my our your the a an any anyone someone")
_INVERTED = bag("do does did is are was were am have has can could would will should shall may isn't")
_WH = bag("what where who how why which whose whom when")
_REQUESTS = frozenset({"any"})
_REQUESTED = bag(
    "ideas idea tips tip advice suggestions suggestion recommendations recs thoughts help options recipes realistic "
    "doable possible normal"
)
_REASONS = bag("because since cause cuz coz cos bc as given considering")
_OPENING = bag(
    "and but so well ok okay oh hey hi hello yeah yes no anyway basically um uh right also like then now plus"
)
_SUBORDINATE = bag(
    "when if once while after before until unless although though as since because whenever that who which"
)
_CLOSED = bag(
    "now here there too well anyway anymore lately today yesterday tomorrow tonight lol haha btw ok okay yeah together "
    "alone abroad again already online full-time part-time remotely please thanks guys"
)
_HABITUAL = bag("mostly usually mainly always normally often currently also still just only")
_PLAIN_VERBS = bag("am 'm have 've live work was got love like hate study moved started just used play need want")
_TAGS = bag("right correct no yes yeah okay ok huh eh")
_ASKING_FOR = frozenset({"wondering", "hoping", "hope", "wonder", "think", "guess", "if", "wish"})
_YOU = bag("you yourself urself yours")
_SPEAKING = bag(
    "know wonder wondering ask asked see tell told say said think thought guess sure remember figure explain"
)
_ALSO_DECLARING = bag("is are was were have has when who which where")
_LONG = 24  # words without a stop, from which on a joining "and" parts too
_LONGEST = 400  # words of one sentence that are looked at
_MOST_JOKED = 4  # sentences and parts of them that "just kidding" takes back


def segments(text: str) -> list[Sentence]:
    """The sentences of a text, each cut into what it tells and what it asks; none of what is only played or pasted."""
    found: list[Sentence] = []
    for told in split(text):
        sentence: Sentence | None = repaired(told)
        if sentence is not None and (place := joked(sentence)):
            found = found[:-_MOST_JOKED]
            sentence = behind(sentence, place)
        if sentence is None:
            continue
        end = _played_from(sentence)
        if end is not None:
            return found + (cut(sentence_of(sentence.tokens[:end])) if end else [])
        found += cut(sentence)
    return found


def _played_from(sentence: Sentence) -> int | None:
    """Where "pretend you are my uncle", "a fictional welder", "translate: …" begin, and all that follows with them."""
    lowers = [token.lower for token in sentence.tokens[:_LONGEST]]
    start = 0
    while start < len(lowers) and (lowers[start] in _ASKING_TO or not _is_word(lowers[start])):
        start += 1
    first, second = (*lowers[start : start + 2], "", "")[:2]
    if (first in _CASTING and second in _CAST) or (first, second) in (("act", "as"), ("be", "my")):
        return 0
    if not _PLAYING.isdisjoint(lowers) or (first in _MAKING and not _INVENTED.isdisjoint(lowers)):
        return 0
    if first == "let" and lowers[start + 2 : start + 3] == ["be"]:
        return 0
    if first in _WORKING_ON and ":" in lowers:
        return lowers.index(":") + 1
    return None


_ASKING_TO = bag("please can could you now ok okay hey hi let 's us so i want would like to we then and")
_PLAYING = bag("pretend role-play roleplay role-playing")
_CASTING, _CAST = frozenset({"imagine", "suppose", "assume", "picture"}), bag("i i'm you you're a an we that someone")
_MAKING = bag("give write create make generate draft invent describe need want sample")
_INVENTED = bag("fictional fictitious made-up imaginary invented")
_WORKING_ON = bag(
    "translate fix correct proofread rewrite rephrase paraphrase summarise summarize edit shorten improve check"
)


def cut(sentence: Sentence) -> list[Sentence]:
    """The parts of one sentence; the sentence itself where it says one thing."""
    tokens = sentence.tokens
    if len(tokens) < 5 or len(tokens) > _LONGEST:
        return [sentence]
    lowers = [token.lower for token in tokens]
    places = _places(tokens, lowers, is_question="?" in lowers[-4:])
    if not places:
        return [sentence]
    bounds = [0, *places, len(tokens)]
    return [_part(tokens[start:end], lowers, start, end) for start, end in pairwise(bounds)]


def _part(tokens: tuple[Token, ...], lowers: Sequence[str], start: int, end: int) -> Sentence:
    """A part; one that tells is no question because another part of the sentence asks."""
    told = _tells(lowers, start, end)
    if told and end == len(lowers):
        kept = tuple(token for token in tokens if token.text != "?")
        return sentence_of(kept or tokens)
    made = sentence_of(tokens)
    asks = any(_asks(lowers, place) for place in range(start, min(end, start + 4)))
    return made._replace(is_question=made.is_question or (asks and not told))


def _tells(lowers: Sequence[str], start: int, end: int) -> bool:
    """Whether a part opens as something told, words that join and give reasons aside."""
    while start < end and (lowers[start] in _OPENING or lowers[start] in _REASONS or not _is_word(lowers[start])):
        start += 1
    return _opens(lowers, start)


def _places(tokens: Sequence[Token], lowers: Sequence[str], *, is_question: bool) -> list[int]:
    """Where the parts after the first begin."""
    found: list[int] = []
    begun, blocked = 0, False
    long = len(lowers) > _LONG and sum(not _is_word(lower) for lower in lowers) * _LONG < len(lowers)
    for place in range(2, len(lowers) - 1):
        blocked = blocked or lowers[place - 1] in BLOCKING
        if place - begun < 2:
            continue
        opens, asks = _opens(lowers, place), _asks(lowers, place)
        if not opens and not asks:
            continue
        asked = not _tells(lowers, begun, place)
        if asks and not opens:
            parts = not asked and not blocked and _is_apart(lowers, place) and not _is_tag(lowers, place)
        elif lowers[place - 1] in _REASONS or lowers[place - 2 : place] in (["given", "that"], ["now", "that"]):
            parts = asked and (is_question or _asks_at(lowers, begun)) and not _is_anothers(lowers, begun, place)
        elif blocked:
            parts = False
        else:
            parts = _runs_on(tokens, lowers, begun, place, asked=asked, long=long)
        if parts:
            found.append(place)
            begun, blocked = place, False
    return found


def _is_word(lower: str) -> bool:
    return lower[0].isalnum() or (lower[0] == "'" and len(lower) > 1)


def _opens(lowers: Sequence[str], place: int) -> bool:
    """Whether somebody who is told of, and then a finite verb, begin here."""
    word = lowers[place] if place < len(lowers) else ""
    if word in _OWN or word in _OTHERS or word == "it":
        return _is_finite(lowers, place + 1, plain=word in _OWN or word == "they")
    if word not in _OWNING:
        return False
    for after in range(place + 2, min(place + 6, len(lowers))):
        if lowers[after] in _FINITE:
            return True
        if not _is_word(lowers[after]) or lowers[after] in _SUBORDINATE:
            return False
        if lowers[after] in _OWN | _OTHERS:
            return _is_finite(lowers, after + 1, plain=False)
        verb = VERBS.get(lowers[after])
        if verb is not None and verb.form in ("s", "past") and lowers[after] not in ("works", "plays", "left"):
            return True
        if verb is not None and verb.form == "s":
            return lowers[after + 1 : after + 2] != []
    return False


def _is_finite(lowers: Sequence[str], place: int, *, plain: bool) -> bool:
    while place < len(lowers) and lowers[place] in _BETWEEN:
        place += 1
    word = lowers[place] if place < len(lowers) else ""
    verb = VERBS.get(word)
    forms = ("base", "past") if plain else ("s", "past")
    return word in _FINITE or (verb is not None and verb.form in forms)


def _asks(lowers: Sequence[str], place: int) -> bool:
    """Whether a question begins here: "can you", "what should I", "which flowers do you", "any ideas"."""
    first, second = lowers[place], lowers[place + 1] if place + 1 < len(lowers) else ""
    if lowers[place - 1 : place] == [","] and _is_request(lowers, place):
        return True
    if first in _INVERTED:
        return second in _ASKED or (
            second == "n't" and lowers[place + 2 : place + 3] != [] and lowers[place + 2] in _ASKED
        )
    if first in _REQUESTS:
        return any(word in _REQUESTED for word in lowers[place + 1 : place + 3])
    if _is_returned(lowers, place):
        return True
    if first not in _WH:
        return False
    for after in range(place + 1, min(place + 5, len(lowers))):
        if lowers[after] in _INVERTED or lowers[after] in ("'s", "'re"):
            return after + 1 < len(lowers) and first != "when"
        if lowers[after] in _OWN | _OTHERS or not _is_word(lowers[after]):
            return first in ("what", "how") and lowers[after] in _OWN and lowers[after + 1 : after + 2] == ["can"]
    return first in ("what", "how") and second in ("about", "to")


def _is_returned(lowers: Sequence[str], place: int) -> bool:
    """ "…, you?", "… and you?", "… how about yourself?": the other is asked the same."""
    after = place + 2 * (lowers[place] in ("how", "what") and lowers[place + 1 : place + 2] == ["about"])
    joined = after > place or lowers[place - 1] in (",", "and", ".", "-")
    return joined and lowers[after : after + 1] != [] and lowers[after] in _YOU and lowers[after + 1 :][:1] == ["?"]


def _is_request(lowers: Sequence[str], place: int) -> bool:
    """ "…, dinner ideas?", "…, realistic?": a few words without a verb, at the end."""
    rest = [lower for lower in lowers[place : place + 8] if _is_word(lower)]
    plain = not any(word in _FINITE or word in _OWN or word in _OTHERS for word in rest)
    return "?" in lowers[-2:] and len(lowers) - place <= 7 and plain and any(word in _REQUESTED for word in rest)


def _asks_at(lowers: Sequence[str], place: int) -> bool:
    while place < len(lowers) - 1 and (lowers[place] in _OPENING or not _is_word(lowers[place])):
        place += 1
    return _asks(lowers, place)


def _is_apart(lowers: Sequence[str], place: int) -> bool:
    """Whether a question can begin behind the word before it: not "I know what she does"."""
    before = lowers[place - 1]
    if not _is_word(before) or before in ("and", "but", "so"):
        return True
    verb = VERBS.get(before)
    held = before in _SPEAKING or before in _SUBORDINATE or (verb is not None and lowers[place] in _WH)
    return not held and lowers[place] not in _ALSO_DECLARING


def _is_tag(lowers: Sequence[str], place: int) -> bool:
    """ "…, don't I?", "…, right?": what is told is what is asked."""
    words = [lower for lower in lowers[place:] if _is_word(lower)]
    return len(words) <= 3 and ("n't" in words or words[0] in _TAGS)


def _is_anothers(lowers: Sequence[str], begun: int, place: int) -> bool:
    """Whether a reason stands in another's mouth: "he says that … because I live in Rome"."""
    return any(lower in BLOCKING and lower not in _ASKING_FOR for lower in lowers[begun:place])


def _runs_on(
    tokens: Sequence[Token], lowers: Sequence[str], begun: int, place: int, *, asked: bool, long: bool
) -> bool:
    """Whether something new is told here, with a comma, "and" or nothing in front."""
    before, word = lowers[place - 1], lowers[place]
    if before in (",", "-", "–", "—", ")"):
        return asked and word in _OWN | _OWNING | _OTHERS and _asks_at(lowers, begun)
    if before in ("and", "but", "so"):
        return (long or (asked and _asks_at(lowers, begun))) and not _is_subordinate(lowers, begun)
    if asked and word == "i" and _is_answered(lowers, begun, place):
        return True
    if word not in _OWN | _OWNING or asked or _is_subordinate(lowers, begun) or not _is_word(before):
        return False
    if before in _SUBORDINATE or before in BLOCKING or before in _OWN | _OTHERS or place - begun < 3:
        return False
    named = tokens[place - 1].is_capitalised and tokens[place - 1].lower not in NO_NAMES
    if named or before in _CLOSED or before[0].isdigit():
        return True
    after = place + 1
    while after < len(lowers) - 1 and lowers[after] in _HABITUAL:
        after += 1
    if after > place + 1 and lowers[after : after + 1] and word == "i" and lowers[after] in ("listen", "work", "live"):
        return before not in VERBS and before not in _FINITE and lowers[after + 1 : after + 2] != []
    if before in VERBS or before in _FINITE or lowers[place + 1] not in _PLAIN_VERBS:
        return False
    noun = _is_noun_of_telling(lowers, place - 1)
    return noun or (word == "i" and lowers[place + 1] in _IS and not {"the", "all", "what"} & set(lowers[begun:place]))


def _is_answered(lowers: Sequence[str], begun: int, place: int) -> bool:
    """ "How tall are you | I hate cheese", "do you have pets | I have two": a question to another without a mark."""
    before, asked = lowers[place - 1], lowers[begun:place]
    if not _asks_at(lowers, begun) or _YOURS.isdisjoint(asked) or lowers[place + 1] not in _PLAIN_VERBS:
        return False
    if not _is_word(before) or before in _NO_END or before in _FINITE or before in _SPEAKING or before in BLOCKING:
        return False
    return _SPEAKING.isdisjoint(asked) and not {"the", "that", "which"} & set(asked[-3:])


_YOURS = _YOU | {"your"}
_NO_END = _SUBORDINATE | _WH | _REASONS | _OTHERS | _OWN | bag("and or but so than as to for of about with in on if")


def _is_noun_of_telling(lowers: Sequence[str], place: int) -> bool:
    """A noun that ends what was told, and is not described: no "the", "all", "every" in front."""
    word = lowers[place]
    near = lowers[max(0, place - 3) : place]
    return not {"the", "all", "every", "any", "what", "that", "this"} & set(near) and (
        word in RELATIONS or word in SPECIES or word in GROUPS or word not in ("person", "thing", "place", "way", "one")
    )


def _is_subordinate(lowers: Sequence[str], begun: int) -> bool:
    """ "When I am rich I …", "because I moved I …": one clause leans on the other."""
    return any(lower in _SUBORDINATE for lower in lowers[begun : begun + 3])
