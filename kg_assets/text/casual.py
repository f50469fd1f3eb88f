"""Quick and dictated writing put into the form that readers expect, sign for sign: no place in a text moves.

Who writes without capitals writes names without them too ("i live in graz with my gf sara"): names get theirs back
where the words around them, or a list, tell that they are names. Dictated fillers and doubled words become spaces,
spoken signs become signs. Standard library only, linear in the text.
"""

import re

from kg_assets.text.lexicon import (
    NAMES_OF_MEN,
    NAMES_OF_WOMEN,
    NO_NAMES,
    OCCUPATIONS,
    PLACES,
    RELATIONS,
    SPECIES,
    VERBS,
    WORKPLACES,
    bag,
)
from kg_assets.text.verb_groups import ADVERBS, BE, HAVE, MODALS, WAS

_WORD = re.compile(r"(?<![@.:/\w])[^\W\d_]+(?:['’-][^\W\d_]+)*(?![@/_\d]|\.\w)")  # no part of an address
_CAPITAL = re.compile(r"(?<=[^\W_]\s)(?!I\b|I['’])[A-Z]|(?<=[,;:]\s)(?!I\b|I['’])[A-Z]|[^\W\d_][A-Z]")
_FILLERS = re.compile(
    r"\b(?:u+[hm]+|e+r+m*|h+m+)\b,?|\b(?:you know|i mean)\b(?=,? (?:i|we|my|he|she|the|a|um|uh|like)\b)|"
    r"\b((?-i:I|[^\WA-Z\d_]{1,20})(?:['’]s)?(?: an?)?) (?=\1 )",
    re.IGNORECASE,
)
_SPOKEN = re.compile(r"(?<=\w) (comma|full stop|question mark|exclamation mark|new line)\b", re.IGNORECASE)
_SIGNS = {"comma": ",", "full stop": ".", "question mark": "?", "exclamation mark": "!", "new line": "\n"}
_DICTATED = re.compile(
    r"\b(?:um+|uh+|erm?)\b|\b(\w{1,20}(?: an?)?) \1\b|\b(?:comma|full stop|question mark)\b", re.IGNORECASE
)
_PLACED = re.compile(
    r"\b(?:(?:lives?|lived|living|based|born|settled|raised|(?:flat|apartment|house|room|place|home)) (?:in|near)|"
    r"(?:mov(?:e|ed|ing)|relocat(?:ed|ing)|fly(?:ing)?|trip|travell?ing|been|going|visit|holiday) (?:back )?to|"
    r"(?:be|i|im|['’]m|am|we|is|are|originally|come|comes|me) from|been in|visiting|visited)\s+(?=[^\W\d_])",
    re.IGNORECASE,
)
_EMPLOYED = re.compile(
    r"\b(?:(?:works?|worked|working|job|internship|intern|role|start|starts|started|starting|position|hired|shift) "
    r"(?:at|for|by|with))\s+(?=[^\W\d_])",
    re.IGNORECASE,
)
_CALLED = re.compile(
    r"\b(?:(?:name|name['’]?s|names) (?:is )?|(?:named|called|call (?:me|him|her)) |"
    r"(?:hey|hi|hello) (?:its|it['’]s) )(?=[^\W\d_])",
    re.IGNORECASE,
)
_KIN = re.compile(r"\b(?:my|our|his|her) (?:[a-z]+ )?([a-z-]+)\s+(?=[a-z])")
_COMMON = bag(
    "home work school college uni church town city bed hospital free fun myself money cash life love fear peace here "
    "there abroad upstairs downstairs scratch now then hell heaven jail prison court class dinner lunch bed "
    "night nights weekends mornings "
    "sleep sea space mars months years weeks days hours minutes ages a the my our this that some any one two three "
    "four five six ten both all bits him her them us me you it family friends people others english remote remotely"
)
_AMBIGUOUS = bag(
    "will mark may rose grace bill frank art iris joy hope jack rob pat ray drew grant jean dean miles chase jan lily "
    "luna victor stella max leo florence victoria ruth nick charles adele carol harry bob jake finn ivan joe ron"
)
_MOST = 2_000  # words
_FREE = NO_NAMES | _COMMON | ADVERBS | MODALS | WAS | HAVE | frozenset(BE) | bag("and or but so because who which n if")


def restored(text: str) -> str:
    """The text with its names in capitals and without fillers, as long as it was."""
    if _DICTATED.search(text):
        text = _FILLERS.sub(lambda found: " " * len(found[0]), text)
        text = _SPOKEN.sub(lambda found: _SIGNS[found[1].casefold()].ljust(len(found[0])), text)
    if _CAPITAL.search(text) or not _WORD.search(text):
        return text
    return _capitalised(text)


def _capitalised(text: str) -> str:
    places: set[int] = set()
    for pattern in (_PLACED, _EMPLOYED, _CALLED):
        for found in pattern.finditer(text):
            places |= _named(text, found.end(), known=_WORKING if pattern is _EMPLOYED else frozenset())
    for found in _KIN.finditer(text):
        if found[1] in RELATIONS or found[1] in SPECIES:
            places |= _after_kin(text, found.end())
    words = list(_WORD.finditer(text))
    for position, word in enumerate(words):
        before = words[position - 1][0] if position else ""
        if word[0] in _NAMES and word[0] not in _AMBIGUOUS and before not in ("my", "a", "the"):
            places.add(word.start())
        for reach in (1, 2, 3) if word[0] in _PLACES_BEGIN else ():
            together = words[position : position + reach]
            if " ".join(each[0] for each in together) in PLACES and before != "my":
                places |= {each.start() for each in together}
    signs = list(text)
    for place in places:
        upper = signs[place].upper()
        signs[place] = upper if len(upper) == 1 else signs[place]
    return "".join(signs)


_NAMES = NAMES_OF_MEN | NAMES_OF_WOMEN
_PLACES_BEGIN = frozenset(each.split()[0] for each in PLACES)
_WORKING = WORKPLACES | OCCUPATIONS


def _named(text: str, start: int, known: frozenset[str]) -> set[int]:
    """The place of a name behind words that ask for one."""
    word = _WORD.match(text, start)
    if word is None or word[0] in _FREE or word[0] in known or (word[0] in VERBS and word[0] not in PLACES):
        return set()
    following = _WORD.match(text, word.end() + 1) if text[word.end() : word.end() + 1] == " " else None
    if following is not None and (following[0] in known or f"{word[0]} {following[0]}" in known):
        return set()  # "a | record shop"
    both = following is not None and f"{word[0]} {following[0]}" in PLACES
    return {word.start(), following.start()} if both and following is not None else {word.start()}


def _after_kin(text: str, start: int) -> set[int]:
    """The name of "my gf | sara", "our dog | waffles": listed, or a word that a verb or the end follows."""
    word = _WORD.match(text, start)
    if word is None or word[0] in _FREE or word[0] in VERBS or len(word[0]) < 3:
        return set()
    if word[0] in _NAMES:
        return {word.start()}
    following = _WORD.match(text, word.end() + 1) if text[word.end() : word.end() + 1] == " " else None
    plain = not word[0].endswith(("s", "ed", "ing", "ly")) and word[0] not in RELATIONS and word[0] not in _NOUNS
    verb = VERBS.get(following[0]) if following is not None else None
    told = following is not None and (following[0] in BE or following[0] in WAS or following[0] in HAVE)
    told = told or (verb is not None and verb.form in ("s", "past"))
    return {word.start()} if plain and told else set()


_NOUNS = bag(
    "house car job food birthday wedding party place room school phone life dog cat name company business side"
)
