"""What another is said to have said of themselves: "Ben told me he is moving to Oslo" is "Ben is moving to Oslo".

Only where the pronoun can mean nobody but the one who speaks, and with less confidence: it is hearsay. Of what is said
about the one who reports it, only a diagnosis by somebody who treats them counts ("my doctor says I have low iron").
And what one clause says of another: "it was my sister who went to Peru, not me", "I don't work at Shell, that's my
brother".
"""

import re
from collections.abc import Iterator

from kg_assets.text.lexicon import NAMES_OF_MEN, NAMES_OF_WOMEN, RELATIONS, VERBS, bag
from kg_assets.triples.completed import Answer

LONGEST = 400  # characters of a turn that is looked at
_NAME = r"(?-i:[A-ZÀ-Þ])[\w'’-]+(?: (?-i:[A-ZÀ-Þ])[\w'’-]+)?"
_KIN = rf"(?:my|our) (?:[\w-]+(?:['’]s)? ){{0,2}}[\w-]+(?: {_NAME})?"
_SAID = (
    r"(?:just |also |always |recently |finally )?(?:told (?:me|us|everyone|everybody|(?:my|the) [\w-]+)|tells me|says|"
    r"said|mentioned|announced|confirmed|admitted|texted(?: me)?|wrote(?: me)?|let me know|emailed(?: me)?)"
)
_TELLS = re.compile(
    rf"(?:^|[.!?;,]\s+|\n|\b(?:and|but|so|well|hey|btw) )(?:yesterday |today |so )?(?P<who>{_NAME}|{_KIN}),? "
    rf"{_SAID}(?: that)? (?P<pronoun>he|she|they)(?P<told>(?:['’](?:s|re|ll|ve)| )[^.!?;\n]{{3,120}})",
    re.IGNORECASE,
)
_OF_THEIRS = re.compile(
    rf"(?:^|[.!?;,]\s+|\n)(?P<who>{_NAME}|{_KIN}) {_SAID}(?: that)? (?P<pronoun>his|her|their) "
    r"(?P<told>[\w-]+ [^.!?;\n]{3,100})",
    re.IGNORECASE,
)
_TREATS = (
    r"(?:doctor|gp|dentist|therapist|psychiatrist|psychologist|consultant|specialist|physio|physiotherapist|"
    r"midwife|nurse|"
    r"optician|cardiologist|dermatologist|neurologist|dietitian|allergist|oncologist|surgeon|gynaecologist|"
    r"paediatrician)"
)
_DIAGNOSIS = re.compile(
    rf"\b(?:my|the|our) {_TREATS} (?:just |now )?(?:says|said|told me|confirmed|found)(?: that)? "
    r"(?P<told>(?:I have|I['’]ve got|I am|I['’]m) (?!to\b|not\b|fine\b|ok\b|a\b)[^.!?;,\n]{3,80})",
    re.IGNORECASE,
)
_SAYING = re.compile(
    r"\b(?:told|tells?|says|said|mentioned|announced|confirmed|admitted|texted|wrote|know|emailed|found)\b",
    re.I,
)
_POINTING = re.compile(r"\b(?:me|that['’]s|that is|that was|it['’]s|it was)\b", re.I)
_GENDERS = {"he": "m", "his": "m", "she": "f", "her": "f"}
_DOUBTED = re.compile(r"\b(?:if|would|could|might|maybe|may|thinks?|hopes?|wishes)\b", re.IGNORECASE)


def reported(text: str) -> Iterator[Answer]:
    """The sentences that somebody is said to have said of themselves, each with its place in the text."""
    if len(text) > LONGEST or not _SAYING.search(text):
        return
    for found in _TELLS.finditer(text):
        who = _person(found["who"])
        if who and _can_be(who, found["pronoun"].casefold()) and not _DOUBTED.search(found["told"]):
            yield _behind(who, _agreeing(found["pronoun"], found["told"]), found.start("told"))
    for found in _OF_THEIRS.finditer(text):
        who = _person(found["who"])
        if who and _can_be(who, found["pronoun"].casefold()) and not _DOUBTED.search(found["told"]):
            yield _behind(f"{who}'s ", found["told"], found.start("told"))
    for found in _DIAGNOSIS.finditer(text):
        yield Answer(found["told"] + ".", 0, found.span("told"))


def _behind(who: str, told: str, place: int) -> Answer:
    return Answer(f"{who}{told}.", len(who), (place, place + len(told)))


def _agreeing(pronoun: str, told: str) -> str:
    """ "They are moving" said of one is "is moving"."""
    if pronoun.casefold() != "they":
        return told
    return re.sub(r"^(?: are|['’]re)\b", " is", re.sub(r"^(?: have|['’]ve)\b", " has", told))


def _person(words: str) -> str:
    """Who speaks, as far as it is a name or somebody's kin; else ""."""
    lowers = words.casefold().split()
    if lowers[0] in ("my", "our"):
        kin = [word for word in lowers[1:] if word in RELATIONS or word.removesuffix("'s") in RELATIONS]
        return words if kin else ""
    return words if lowers[0] not in _NO_PERSON else ""


_NO_PERSON = bag(
    "i we he she they it you everyone everybody someone somebody nobody people the this that who what and but so then "
    "doctors experts scientists apparently google siri chatgpt"
)


def _can_be(who: str, pronoun: str) -> bool:
    """Whether a pronoun can mean somebody: nothing known of them speaks against it."""
    wanted = _GENDERS.get(pronoun)
    lowers = who.casefold().split()
    if wanted is None:
        return pronoun in ("they", "their")
    if lowers[0] in ("my", "our"):
        genders = [RELATIONS[word].gender for word in lowers if word in RELATIONS]
        return all(gender in (wanted, "?") for gender in genders[-1:])
    known = {"m"} if lowers[0] in NAMES_OF_MEN else set()
    known |= {"f"} if lowers[0] in NAMES_OF_WOMEN else set()
    return not known or wanted in known


# --------------------------------------------------------------------------------------- one clause of another

_END = r"(?=[.!?;,\n]|$)"
_CLEFT = re.compile(
    rf"\bit(?: was|['’]s| is) (?P<who>{_KIN}|{_NAME}) (?:who|that) (?P<told>[^.!?;,\n]{{3,80}}), not me\b",
    re.IGNORECASE,
)
_NOT_ME = re.compile(
    rf"\bit(?:['’]s| is| was)(?: not|n['’]t) me (?:who|that)(?P<told>(?:['’]s| )[^.!?;,\n]{{3,80}}),? "
    rf"(?:it['’]s|it is|it was|that['’]s|but) (?P<who>{_KIN}|{_NAME}){_END}",
    re.IGNORECASE,
)
_THAT_IS = re.compile(
    r"\bI(?: (?P<do>do|did)(?: not|n['’]t)| (?P<be>am|was)(?: not|n['’]t)|(?P<m>['’]?m) not) (?P<told>[^.!?;,\n]{3,80})"
    rf"[,;.-] (?:that['’]s|that is|that was|it['’]s|it was) (?P<who>{_KIN}|{_NAME}){_END}",
    re.IGNORECASE,
)


def told_of_another(text: str) -> Iterator[Answer]:
    """What is said of another by pointing at a clause, and what is thereby said not to be so of oneself."""
    if len(text) > LONGEST or not _POINTING.search(text):
        return
    for found in _CLEFT.finditer(text):
        yield Answer(f"I {_of_me(found['told'])}.", 2, found.span("told"), is_retracted=True)
    for found in _NOT_ME.finditer(text):
        told = found["told"]
        yield Answer(f"I {_of_me(told)}.", 2, found.span("told"), is_retracted=True)
        if who := _person(found["who"]):
            yield _behind(who, told, found.start("told"))
    for found in _THAT_IS.finditer(text):
        if who := _person(found["who"]):
            was = " was " in text[found.start() : found.start("who")].casefold()[-12:] or found["be"] == "was"
            if found["do"]:
                yield _behind(who, " " + _of_one(found["told"], past=found["do"] == "did"), found.start("told"))
            else:
                yield _behind(who, (" was " if was else " is ") + found["told"], found.start("told"))


def _of_me(told: str) -> str:
    """ "'s allergic", "has a cat", "went there" → "am allergic", "have a cat", "went there"."""
    first, _, rest = told.strip().partition(" ")
    lower = first.casefold()
    plain = {"'s": "am", "’s": "am", "is": "am", "has": "have", "does": "do"}.get(lower)
    if plain is None:
        verb = VERBS.get(lower)
        plain = verb.lemma if verb is not None and verb.form == "s" else first
    return f"{plain} {rest}".strip()


def _of_one(told: str, *, past: bool) -> str:
    """ "work at Shell" → "works at Shell", or the form of the past."""
    first, _, rest = told.partition(" ")
    lemma = first.casefold()
    forms = [word for word, verb in VERBS.items() if verb.lemma == lemma and verb.form == ("past" if past else "s")]
    return f"{forms[0] if forms else first} {rest}"
