"""Noun phrases as they stand in the text: whose, which relation, which name. Standard library only."""

from collections.abc import Sequence
from typing import NamedTuple

from kg_assets.text.lexicon import (
    BREEDS,
    CONDITION_ADJECTIVES,
    DIETS,
    GROUPS,
    LANGUAGES,
    NATIONALITIES,
    NO_NAMES,
    OCCUPATIONS,
    PLURAL_SPECIES,
    RELATIONS,
    RELIGIONS,
    SPECIES,
    among,
    bag,
)
from kg_assets.text.sentences import Token

PRONOUNS = bag(
    "i me we us you he him she her it they them this that these those someone somebody everyone everybody anyone "
    "anybody nobody myself yourself himself herself itself ourselves themselves mine yours hers theirs ours one what "
    "who something anything everything nothing another other others y'all u there"
)
OWNERS = {"my": "i", "our": "we", "your": "you", "his": "he", "her": "she", "its": "it", "their": "they"}
_ARTICLES = "a an the some any this that these those no another each every both all either neither such what which"
DETERMINERS = frozenset([*_ARTICLES.split(), *OWNERS])
_NUMBER_NAMES = "one two three four five six seven eight nine ten eleven twelve"
_COUNTS = {word: number for number, word in enumerate(_NUMBER_NAMES.split(), 1)}
# Modifiers that say nothing of what a thing is. Those that tell two sisters apart (older, younger) stay.
_PLAIN = bag(
    "really very pretty quite so super such new little small big great good nice beautiful lovely amazing wonderful "
    "cute sweet dear beloved own entire whole cool awesome gorgeous tiny huge adorable certain lot lots local massive "
    "brand brand-new only just also fantastic incredible favourite favorite closest other rather bit first second "
    "crazy funny special real true old close dearest most many few several more enough late too much"
)
PARTITIVES = bag(
    "bit touch smattering tad lot lots plenty loads tons sorts kinds couple ton bunch alot variety types"
)  # "a bit of German" is German
CALLED_BY_KIN = bag("dad daddy mum mummy mom mommy mama papa grandma grandpa granny grandad nana")
_TRAILING = bag(
    "instead too either though tho btw lol tbh haha please pls plz atm rn thx thanks fyi imo dear mate bro hun lads"
)
_NAMING = frozenset({"named", "called"})
_JOINS = frozenset(
    {"of", "de", "da", "do", "dos", "del", "la", "le", "van", "von", "der", "&", "and", "the", "'s", "-", "."}
)
_OPEN_ENDS = frozenset({"a", "an", "the"})  # "watch shows a | lot"
_LONGEST = 12  # words of one phrase; longer ones are not names of anything


class Phrase(NamedTuple):
    """The core of a noun phrase, without determiner, owner and plain modifiers.

    "my older sister Anna" → words (older, sister), owner i, relation "older sister", name "Anna".
    "a red Fiat Panda" → words (fiat, panda), is_name. A pronoun is its own core.
    """

    text: str
    start: int
    end: int
    words: tuple[str, ...]
    determiner: str = ""
    owner: "Phrase | None" = None
    relation: str = ""
    name: str = ""
    name_span: tuple[int, int] | None = None
    is_name: bool = False
    is_pronoun: bool = False
    number: int = 0
    is_cut: bool = False  # words in front of a name were dropped ("red" of "a red Fiat Panda")
    qualities: tuple[tuple[str, int, int], ...] = ()  # what somebody related is said to be: "my vegan girlfriend"
    age: int = 0  # of "my 7 year old son"
    counted: str = ""  # the number in the words of the text: "two" of "my two dogs"

    @property
    def span(self) -> tuple[int, int]:
        return (self.start, self.end)

    @property
    def head(self) -> str:
        return self.words[-1]

    @property
    def lower(self) -> str:
        return " ".join(self.words)


def phrase_of(text: str, tokens: Sequence[Token]) -> Phrase | None:
    """Take a run of tokens apart; None where no core is left."""
    tokens = [token for token in tokens if token.is_word or token.lower in _JOINS][:_LONGEST]
    if not tokens:
        return None
    if len(tokens) == 1 and tokens[0].lower in PRONOUNS:
        return Phrase(tokens[0].text, tokens[0].start, tokens[0].end, (tokens[0].lower,), is_pronoun=True)
    first = tokens
    mine = _of_mine(tokens)
    tokens = tokens[:-2] if mine is not None else tokens
    owner, determiner, tokens, number = _owner(text, tokens)
    owner = owner or mine
    tokens, qualities, aged = _unqualified(_core(_whole(tokens)))
    if not tokens:
        return None
    if owner is not None and number and tuple(each.lower for each in tokens) in _AGED:  # "my 14 year old"
        place = _place(text, tokens)
        return Phrase(*place, ("child",), determiner, owner, relation=f"{number} year old", age=number)
    if owner is not None and len(tokens) == 1 and (years := _aged(tokens[0].lower)):  # "my six-year-old"
        return Phrase(*_place(text, tokens), ("child",), determiner, owner, relation=f"{years} year old", age=years)
    if len(tokens) == 1 and owner is None and not determiner and _is_own_kin(tokens[0]):
        owner = Phrase("", tokens[0].start, tokens[0].start, ("i",), is_pronoun=True)
        return Phrase(*_place(text, tokens), (tokens[0].lower,), owner=owner, relation=tokens[0].lower)
    prefix, name = _parted(tokens)
    if prefix and prefix[-1].lower == "of":  # "the capital of France" is no France
        prefix, name = tokens, []
    core = prefix if name and prefix else tokens[len(prefix) :] if name else tokens
    words = tuple(token.lower for token in core)
    named = name if name and prefix else []
    is_cut = bool(named) and not _introduces(words)
    if is_cut:
        core, named = name, []
        words = tuple(token.lower for token in core)
    return Phrase(
        text=text[core[0].start : core[-1].end],
        start=core[0].start,
        end=core[-1].end,
        words=words,
        determiner=determiner,
        owner=owner,
        relation=_relation(words),
        name=text[named[0].start : named[-1].end] if named else "",
        name_span=(named[0].start, named[-1].end) if named else None,
        is_name=not named and _is_proper(core),
        number=0 if aged else number,
        is_cut=is_cut,
        qualities=qualities,
        age=number if aged == "year" else 0,
        counted=_counted(text, first) if number > 1 and not aged else "",
    )


def _aged(word: str) -> int:
    """The years of "six-year-old"."""
    count, _, unit = word.partition("-")
    return _COUNTS.get(count, 0) if unit == "year-old" else 0


def _of_mine(tokens: Sequence[Token]) -> Phrase | None:
    """The owner of "a friend of mine"."""
    whose = {"mine": "i", "ours": "we"}.get(tokens[-1].lower) if len(tokens) > 2 and tokens[-2].lower == "of" else None
    last = tokens[-1]
    return Phrase(last.text, last.start, last.end, (whose,), is_pronoun=True) if whose else None


def _is_own_kin(token: Token) -> bool:
    """ "Dad", "Grandma" with a capital and nothing in front: the speaker's own."""
    return token.lower in CALLED_BY_KIN and token.is_capitalised


def _place(text: str, tokens: Sequence[Token]) -> tuple[str, int, int]:
    return text[tokens[0].start : tokens[-1].end], tokens[0].start, tokens[-1].end


def pronoun_phrase(token: Token) -> Phrase:
    """The owner that a possessive stands for: "my" → I."""
    return Phrase(token.text, token.start, token.end, (OWNERS.get(token.lower, token.lower),), is_pronoun=True)


def _owner(text: str, tokens: list[Token]) -> tuple[Phrase | None, str, list[Token], int]:
    """(whose, determiner, the rest, number)."""
    for position in range(len(tokens) - 2, 0, -1):
        proper = tokens[position - 1].is_capitalised and tokens[position + 1].is_capitalised
        if tokens[position].lower == "'s" and not proper:
            return phrase_of(text, tokens[:position]), "'s", tokens[position + 1 :], 0
    owner, determiner, count = None, "", 0
    while len(tokens) > 1:
        first, number = tokens[0], _number(tokens[0])
        if first.lower not in DETERMINERS and not number:
            break
        if first.lower in OWNERS:
            owner = pronoun_phrase(first)
        determiner = determiner or (first.lower if not number else "")
        count = count or number
        tokens = tokens[2:] if tokens[1].lower == "of" and len(tokens) > 2 else tokens[1:]
    return owner, determiner, tokens, count


def _counted(text: str, tokens: Sequence[Token]) -> str:
    """The word of a number above one."""
    return next((text[each.start : each.end] for each in tokens if _number(each) > 1), "")


def _number(token: Token) -> int:
    digits = token.text.isascii() and token.text.isdecimal() and len(token.text) < 7
    return int(token.text) if digits else _COUNTS.get(token.lower, 0)


def _whole(tokens: list[Token]) -> list[Token]:
    """What stands behind "a (little) bit of"."""
    for position in range(1, min(3, len(tokens) - 1)):
        if tokens[position].lower == "of" and tokens[position - 1].lower in PARTITIVES:
            return tokens[position + 1 :]
    return tokens


def _core(tokens: list[Token]) -> list[Token]:
    while len(tokens) > 1 and tokens[0].lower in _PLAIN and not (tokens[0].is_capitalised or _is_whole(tokens)):
        tokens = tokens[1:]
    while len(tokens) > 1 and tokens[-1].lower in _TRAILING:
        tokens = tokens[:-1]
    while tokens and (tokens[-1].lower in _JOINS or (len(tokens) > 1 and tokens[-1].text in _OPEN_ENDS)):
        tokens = tokens[:-1]
    while tokens and tokens[0].lower in _JOINS:
        tokens = tokens[1:]
    return tokens


def _is_whole(tokens: Sequence[Token]) -> bool:
    """An adjective that makes another thing of what it describes: "only child"."""
    return (tokens[0].lower, tokens[1].lower) == ("only", "child")


def _unqualified(tokens: list[Token]) -> tuple[list[Token], tuple[tuple[str, int, int], ...], str]:
    """(the rest, what was said of it in front, the unit of its age): "7 year old | vegan | daughter Ida"."""
    qualities: list[tuple[str, int, int]] = []
    unit, place = "", 0
    while place < len(tokens) - 1:
        word, after = tokens[place].lower, tokens[place + 1].lower
        aged = next((each for each in _UNITS if word.startswith(each)), "")
        if aged and word in (aged, aged + "s") and after == "old":
            unit, place = aged, place + 2
        elif (aged and word.endswith("-old")) or word in ("yo", "y/o"):
            unit, place = aged or "year", place + 1
        elif word in _QUALITIES or word == "pregnant":
            qualities.append((tokens[place].text, tokens[place].start, tokens[place].end))
            place += 1
        elif place and word in _PLAIN:
            place += 1
        else:
            break
    rest = tokens[place:]
    return (rest, tuple(qualities), unit) if place and _is_of_kin(rest) else (tokens, (), "")


def _is_of_kin(tokens: Sequence[Token]) -> bool:
    """Whether a relation or an animal stands here, a name behind it or none."""
    lowers = tuple(token.lower for token in tokens)
    first = next((each.lower for each in tokens if not each.is_capitalised or each.lower in RELATIONS), "")
    return (
        first in RELATIONS
        or first in GROUPS
        or first in _TELLING
        or any(among(lowers[:end], listed) for end in range(1, len(lowers) + 1) for listed in _ANIMALS)
    )


_ANIMALS = (SPECIES, PLURAL_SPECIES, BREEDS)
_AGED = (("year", "old"), ("year-old",), ("yo",))
_UNITS = ("year", "month", "week", "day")


def _parted(tokens: list[Token]) -> tuple[list[Token], list[Token]]:
    """(what stands before, the proper name at the end): "dog | Max", "dog named | Max", "red | Fiat Panda"."""
    start = len(tokens)
    while start and (tokens[start - 1].is_capitalised or (tokens[start - 1].lower in _JOINS and start < len(tokens))):
        start -= 1
    while start < len(tokens) and tokens[start].lower in _JOINS:
        start += 1
    prefix, name = tokens[:start], tokens[start:]
    if not name:
        return tokens, []
    if prefix and prefix[-1].lower in _NAMING:
        prefix = prefix[:-1]
    elif not prefix:  # "Sister Anna", "Grandma Rosa": the relation may wear a capital too
        lowers = tuple(token.lower for token in tokens)
        if len(tokens) > 1 and lowers[0] in RELATIONS:
            return tokens[:1], tokens[1:]
    return prefix, name


def _introduces(words: tuple[str, ...]) -> bool:
    """Whether a name can follow these words: "my sister Anna", "our puppy Max", "a cat named Tom"."""
    return bool(
        words[-1] in RELATIONS
        or words[-1] in GROUPS
        or among(words, SPECIES)
        or among(words, PLURAL_SPECIES)
        or among(words, BREEDS)
        or among(words, OCCUPATIONS)
        or words[-1] in {"baby", "company", "startup", "band", "boat", "car", "town", "village", "city"}
    )


def _relation(words: tuple[str, ...]) -> str:
    """The relation with what tells it from others of its kind, or ""."""
    if words[-1] in RELATIONS or words[-1] in GROUPS:
        kept = tuple(word for word in words[:-1] if word in _TELLING)
        told = len(kept) == len(words) - 1
        near = words[-1] in _NEAR and len(words) <= 3 and _NO_LONGER.isdisjoint(words)  # "our upstairs neighbour"
        return " ".join(words if near else (*kept, words[-1])) if told or near else ""
    return ""


_QUALITIES = DIETS | NATIONALITIES | RELIGIONS | CONDITION_ADJECTIVES
_NEAR = bag(
    "neighbour neighbor colleague coworker co-worker friend cousin brother sister aunt uncle niece nephew boss "
    "grader lead"
)
_NO_LONGER = bag("ex former future imaginary fictional soul late big god 's of and &")
_TELLING = bag("older younger elder eldest youngest oldest middle twin half step best maternal paternal great")


def _is_proper(core: Sequence[Token]) -> bool:
    first = core[0]
    if not first.is_capitalised or first.lower in NATIONALITIES or first.lower in LANGUAGES:
        return False
    return len(core) > 1 or first.lower not in NO_NAMES
