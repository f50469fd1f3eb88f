"""How far the words of an answer go: up to a clause of its own, an aside, or the end of its first sentence."""

from collections.abc import Sequence

from kg_assets.text.chunks import PREPOSITIONS
from kg_assets.text.lexicon import VERBS, bag
from kg_assets.text.sentences import Token

CLAUSES = bag("i we he she they it you that this there")
_OFTEN = bag("now sometimes occasionally usually every daily weekly twice once nowadays")
_WITH_PRONOUN = bag("me us myself him them")
_SUBJECTS = bag("i he she they we you")
_JOINS = bag("and or")
BEHIND = bag("but because since so though although while when if who which where after before unless whenever")
ASIDE = bag(
    "sadly obviously actually mainly probably thanks lol haha always never tbh why hopefully unfortunately "
    "luckily used "
    "not though anyway honestly please"
)


def is_told(own: Sequence[Token]) -> bool:
    """ "Last year I took it in Spain": a sentence, and no words to be put into one."""
    subject = next((place for place, each in enumerate(own) if each.lower in _SUBJECTS - {"you"}), 0)
    return (
        subject > 0 and own[subject - 1].lower != "," and own[subject - 1].lower not in PREPOSITIONS | BEHIND | _JOINS
    )


def cut(own: Sequence[Token], *, is_list: bool = False) -> list[Token]:
    """An answer up to where a clause of its own or an aside begins: "Lidl, | going on six years". In a list of what one
    does, verbs are no aside."""
    end = next((place for place in range(1, len(own)) if _is_aside(own, place, is_list=is_list)), len(own))
    kept = list(own[:end])
    while kept and kept[-1].lower in _DANGLING:
        kept.pop()
    return kept


_DANGLING = frozenset(
    {",", "and", "or", "-", "–", ":", ")", "lol", "haha", "hahaha", "tbh", "tho", "though", "actually"}
)


def _is_aside(own: Sequence[Token], place: int, *, is_list: bool) -> bool:
    """Whether an answer is over at this word."""
    token, following = own[place], own[place + 1] if place + 1 < len(own) else None
    if token.lower in _SUBJECTS:
        return own[place - 1].lower not in PREPOSITIONS
    if token.lower in BEHIND:
        return following is None or not following.text[:1].isdigit()  # "since 2019"
    if token.lower in _OFTEN:
        return True  # "ibuprofen now and then"
    if token.text != "," or following is None:
        return False
    if not _WITH_PRONOUN.isdisjoint(each.lower for each in own[place + 1 : place + 6]):
        return True  # "three, God help me"
    told = VERBS.get(following.lower)
    goes_on = not is_list and told is not None and told.form in ("past", "ing") and not following.is_capitalised
    return following.lower in ASIDE | CLAUSES or (goes_on and place + 2 < len(own))  # a last word may be a pastime


def first_sentence(tokens: list[Token]) -> list[Token]:
    """Its words; none of a question."""
    end = next((place for place, each in enumerate(tokens) if each.text in ".!?…;"), len(tokens))
    return [] if tokens[end : end + 1] and tokens[end].text == "?" else tokens[:end]
