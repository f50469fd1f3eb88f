"""Sentences said again by somebody else: "you're a nurse" as "I'm a nurse", "I have asthma" told of "my dad".

Only what can be turned word by word is turned. Standard library only.
"""

import re
from functools import lru_cache

from kg_assets.text.chunks import PREPOSITIONS
from kg_assets.text.lexicon import GROUPS, NAMED_GROUPS, VERBS, bag

_WORD = re.compile(r"[\w’'-]+")
_TURNED = {
    "you're": "I'm", "you've": "I've", "you'll": "I'll", "you'd": "I'd",
    "your": "my", "yours": "mine", "yourself": "myself", "me": "you", "my": "your", "mine": "yours",
}  # fmt: skip
_OF_ME = {"are": "am", "were": "was", "aren't": "am not", "weren't": "was not"}
_OF_OTHERS = {
    "am": "is", "'m": "is", "'ve": "has", "have": "has", "don't": "doesn't", "haven't": "hasn't",
    "do": "does", "are": "is", "'re": "is", "were": "was",
}  # fmt: skip
_OF_MANY = {"am": "are", "'m": "are", "'ve": "have", "was": "were"}
_SAME = bag("was had can can't cannot could couldn't didn't did will won't would should must might may")
_SUBJECT = re.compile(r"^(?:I|We)(?P<clitic>['’](?:m|ve|re))? (?P<rest>.+)$", re.IGNORECASE | re.DOTALL)


def turned(text: str) -> str:
    """What is said to "you", as the one who is meant would say it."""
    words: list[str] = []
    place = 0
    before = last = ""
    for found in _WORD.finditer(text):
        words.append(text[place : found.start()])
        word = found[0].casefold().replace("’", "'")
        made = _TURNED.get(word, found[0])
        if word == "you":
            made = (
                "me"
                if before in PREPOSITIONS - {"like", "than", "as", "after", "before", "since", "until"}
                or not text[found.end() :].strip(" .!,?")
                else "I"
            )
        elif last == "I" and before == "you":
            made = _OF_ME.get(word, made)
        words.append(made)
        place, before, last = found.end(), word, made
    return "".join([*words, text[place:]])


def told_of(sentence: str, who: str) -> str:
    """ "I have asthma." told of "my dad"; empty where the verb cannot be turned."""
    found = _SUBJECT.match(sentence)
    if found is None:
        return ""
    verb, _, rest = found["rest"].partition(" ") if not found["clitic"] else (found["clitic"], "", found["rest"])
    verb = verb.casefold().replace("’", "'")
    many = who.split()[-1].casefold() in {*GROUPS, *NAMED_GROUPS, "parents", "grandparents"}
    if verb in (_OF_MANY if many else _OF_OTHERS):
        said = (_OF_MANY if many else _OF_OTHERS)[verb]
    elif verb in _SAME or many:
        said = verb
    elif verb in VERBS and VERBS[verb].form in ("base", "past"):
        said = verb if VERBS[verb].form == "past" else third_person(verb)
    else:
        return ""
    sentence = f"{who} {said} {rest}".rstrip()
    return sentence[:1].upper() + sentence[1:]


def third_person(verb: str) -> str:
    """live → lives; the word itself where it is no known verb."""
    return _forms("s").get(verb, verb)


def past(verb: str) -> str:
    """live → lived; the word itself where it is no known verb."""
    return _forms("past").get(verb, verb)


@lru_cache(maxsize=4)
def _forms(form: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for spelling, verb in VERBS.items():
        if verb.form == form:
            found.setdefault(verb.lemma, spelling)
    return {"have": "has" if form == "s" else "had", "do": "does" if form == "s" else "did"} | {
        lemma: spelling for lemma, spelling in found.items() if lemma not in ("have", "do", "be")
    }
