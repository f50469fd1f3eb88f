"""Words that a turn itself takes back: "just kidding" after what was a joke, "Leeds, no wait, Sheffield". Standard
library only; each word is looked at a bounded number of times."""

from collections.abc import Sequence

from kg_assets.text.chunks import COUNTED
from kg_assets.text.lexicon import NO_NAMES, bag
from kg_assets.text.sentences import Sentence, Token, sentence_of

_JOKING = bag("kidding joking jk")
_SAID_SO = bag("just only 'm am haha lol no ok okay hah hehe nah totally")
_MEANT = (
    ("no", "wait"),
    ("wait", "no"),
    ("no", "sorry"),
    ("i", "mean"),
    ("i", "meant"),
    ("scratch", "that"),
    ("make", "that"),
    ("or", "rather"),
    ("sorry",),
    ("correction",),
    ("wait",),
)
_AT = bag("in at to for from on with")
_LONGEST = 400  # words of one sentence that are looked at


def joked(sentence: Sentence) -> int:
    """The position behind "just kidding", 0 where nothing is said to have been a joke."""
    lowers = [token.lower for token in sentence.tokens[:_LONGEST]]
    if _JOKING.isdisjoint(lowers):
        return 0
    for place, word in enumerate(lowers):
        if word not in _JOKING or "me" in lowers[place + 1 : place + 2] or "aside" in lowers[place + 1 : place + 2]:
            continue
        before = lowers[place - 1] if place else ""
        apart = not before or not before[0].isalnum()
        seriously = not _NOT.isdisjoint(lowers[max(0, place - 2) : place])
        if word == "jk" or (not seriously and before != "no" and (apart or before in _SAID_SO)):
            return place + 1
    return 0


_NOT = bag("not n't never you 're are isn't")


def behind(sentence: Sentence, place: int) -> Sentence | None:
    """What a sentence says from a position on."""
    tokens = sentence.tokens
    while place < len(tokens) and not tokens[place].is_word:
        place += 1
    return sentence_of(tokens[place:]) if place < len(tokens) else None


def repaired(sentence: Sentence) -> Sentence:
    """A sentence without the words that are put right in it: "I live in | Leeds, no wait, | Sheffield now"."""
    tokens = sentence.tokens
    if len(tokens) > _LONGEST:
        return sentence
    lowers = [token.lower for token in tokens]
    if _OPENING.isdisjoint(lowers):
        return sentence
    for place in range(1, len(tokens) - 1):
        for marker in _MEANT:
            if tuple(lowers[place : place + len(marker)]) == marker:
                cut = _cut(tokens, place, place + len(marker))
                if cut is not None:
                    return sentence_of((*tokens[: cut[0]], *tokens[cut[1] :]))
    return sentence


_OPENING = frozenset(marker[0] for marker in _MEANT)


def _cut(tokens: Sequence[Token], start: int, after: int) -> tuple[int, int] | None:
    """Where the wrong words begin and the right ones do; None where what stands on both sides is not of a kind."""
    while start > 0 and not tokens[start - 1].is_word:
        start -= 1
    while after < len(tokens) and not tokens[after].is_word:
        after += 1
    if start <= 0 or after >= len(tokens):
        return None
    kind = _kind(tokens[start - 1])
    led = after + (tokens[after].lower in _AT)
    if not kind or led >= len(tokens) or _kind(tokens[led]) != kind:
        return None
    begun = start - 1
    while kind == "name" and begun > 1 and _kind(tokens[begun - 1]) == "name":
        begun -= 1
    if led > after and (begun == 0 or tokens[begun - 1].lower not in _AT):
        return None
    return begun, led


def _kind(token: Token) -> str:
    if token.text[0].isdigit() or token.lower in COUNTED:
        return "number"
    return "name" if token.is_capitalised and token.lower not in NO_NAMES and token.lower != "i" else ""
