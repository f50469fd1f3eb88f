"""Sentences and their words, and which of them state nothing. Standard library only, linear in the text.

A question, what stands in quotation marks, and a sentence that is only supposed ("maybe", "if …") are not what the
speaker holds to be true; no statement is read from them.
"""

import re
from typing import NamedTuple

_TOKEN = re.compile(
    r"(?:[^\W\d_]\.){2,}|[0-9]+(?:[.,:][0-9]+)*(?:st|nd|rd|th)?(?![^\W\d_])|[^\W_]+(?:[-'’&][^\W_]+)*|_+|[^\w\s]",
)
_CLITIC = re.compile(r"(?:n['’]t|['’](?:m|re|ve|ll|d|s))$", re.IGNORECASE)
# Contractions without their apostrophe, and where they are cut.
_RUN_TOGETHER = {"im": 1, "ive": 1, "dont": 2, "doesnt": 4, "didnt": 3, "isnt": 2, "wasnt": 3, "arent": 3, "cannot": 3}
_RUN_TOGETHER |= {"cant": 2, "wont": 2, "havent": 4, "hasnt": 3, "couldnt": 5, "wouldnt": 5, "shouldnt": 6, "weve": 2}
_RUN_TOGETHER |= {"werent": 4, "youre": 3, "theyre": 4, "youve": 3, "theyve": 4, "hes": 2, "shes": 3, "thats": 4}
_WRITTEN_OUT = {"ca": "can", "wo": "will", "nt": "n't", "ve": "'ve", "m": "'m", "not": "not", "u": "you", "ur": "your"}
_WRITTEN_OUT |= {"n": "and"}
_ABBREVIATIONS = frozenset(
    {"mr", "mrs", "ms", "dr", "st", "prof", "jr", "sr", "vs", "etc", "no", "approx", "gen", "gov", "sen", "rev", "mt"}
)
_CLOSING_NAMES = frozenset({"inc", "ltd", "co", "corp", "llc", "plc", "jr", "sr", "bros", "etc"})  # "Apple Inc. is …"
_COPULAS = frozenset({"is", "was", "are", "were", "has", "had"})
_CLOSING = frozenset({".", "!", "?", "…", ";"})

_SUPPOSED = frozenset(
    {"maybe", "perhaps", "probably", "possibly", "presumably", "apparently", "reportedly", "allegedly"}
)
_CONDITIONS = frozenset(
    {"if", "unless", "wish", "wished", "whether", "imagine", "suppose", "hypothetically", "pretend"}
)
_BELIEFS = frozenset(
    {"think", "thinks", "guess", "believe", "believes", "hope", "hopes", "hoped", "hoping", "doubt", "dream", "dreamed"}
    | {"dreamt", "dreaming", "dreams", "bet", "assume", "suspect", "fear", "wonder", "wondering", "wondered", "thought"}
)
_REPORTS = frozenset(
    {"said", "says", "say", "told", "tells", "claims", "claimed", "asked", "asks", "heard", "mentioned", "swears"}
    | {"announced", "wrote", "writes", "insists", "insisted", "according", "rumour", "rumor", "suggested", "joked"}
)
_NOT_SAYING = _REPORTS | {"tell", "claim", "mention", "write", "suggest", "announce"}
_NOT = frozenset({"not", "n't", "never"})
_OF_PEOPLE = frozenset({"i", "we", "my", "our", "he", "she", "they"})
_FEELING = frozenset({"feel", "feels", "felt", "feeling"})
_OURSELVES = frozenset({"i", "we"})  # "I told you that I moved" is one's own word, "my friend says I moved" is not
_JOINING = frozenset({"and", "but", "so", "well", "oh", ","})
_IN_CASE = frozenset({"when", "whenever", "once"})
_HANGING = _IN_CASE | {"if", "unless", "soon"}
_NOW_BEING = frozenset({"am", "'m", "is", "'s", "are", "'re"})
_AUXILIARIES = frozenset(
    {"do", "does", "did", "are", "is", "was", "were", "have", "has", "can", "could", "would", "will", "should", "am"}
)
_ASKING = frozenset({"what", "where", "who", "how", "why", "which", "whose", "whom", "when"})
_ASKED = frozenset({"you", "he", "she", "it", "they", "we", "i", "your", "the", "there", "that", "this", "anyone"})


_AS_IF = [["i", "'m"], ["i", "am"], ["i", "was"], ["i", "were"], ["we", "'re"], ["we", "are"]]
SUPPOSING = _CONDITIONS | _BELIEFS  # these leave what noun phrases say in passing as it is
BLOCKING = _SUPPOSED | _CONDITIONS | _BELIEFS | _REPORTS  # words after which nothing is stated as so
_MARKS = frozenset({'"', "“", "”", "«", "»"})
_SPEAKING = frozenset({"i", "you", "he", "she", "we", "they", "it", "me", "my", "your", "let", "'m", "!", "?"})


class Token(NamedTuple):
    text: str
    lower: str  # casefolded, straight apostrophe, written out ("ca" of "can't" → "can")
    start: int
    end: int

    @property
    def is_word(self) -> bool:
        return self.text[0].isalnum() or (self.text[0] in "'’" and len(self.text) > 1)

    @property
    def is_capitalised(self) -> bool:
        return self.text[0].isupper() or (len(self.text) > 1 and self.text[0].isdigit() and self.text[-1].isupper())


class Sentence(NamedTuple):
    """`tokens` of one sentence; those from `open_until` on depend on a condition or another's word.

    `is_conditional`: what is told of a state holds only "if", "when I am rich", "once I'm there".
    """

    tokens: tuple[Token, ...]
    is_question: bool
    is_supposed: bool
    open_until: int
    is_conditional: bool = False

    @property
    def start(self) -> int:
        return self.tokens[0].start

    @property
    def end(self) -> int:
        return self.tokens[-1].end


def tokenise(text: str) -> list[Token]:
    """Words, numbers and signs with their places; contractions are cut apart ("don't" → do, n't)."""
    tokens: list[Token] = []
    for found in _TOKEN.finditer(text):
        word, start = found[0], found.start()
        cut = _cut(word)
        if cut:
            tokens.append(_token(word[:cut], start))
            start, word = start + cut, word[cut:]
        token = _token(word, start)
        tokens.append(token._replace(lower=f"'{token.lower}") if cut and token.lower in ("s", "re") else token)
    return tokens


def _cut(word: str) -> int:
    clitic = _CLITIC.search(word)
    if clitic and clitic.start():
        return clitic.start()
    return _RUN_TOGETHER.get(word.casefold(), 0) if word.casefold() != "im" or word != "IM" else 0


def _token(word: str, start: int) -> Token:
    lower = word.casefold().replace("’", "'")
    return Token(word, _WRITTEN_OUT.get(lower, lower), start, start + len(word))


def split(text: str) -> list[Sentence]:
    """The sentences of a text, what is quoted in it left out."""
    tokens = _unquoted(tokenise(text))
    found: list[Sentence] = []
    opening = 0
    for position, token in enumerate(tokens):
        last = position + 1 == len(tokens)
        if last or _ends(tokens, position) or "\n" in text[token.end : tokens[position + 1].start]:
            found.append(sentence_of(tuple(tokens[opening : position + 1])))
            opening = position + 1
    return found


def _ends(tokens: list[Token], position: int) -> bool:
    token, following = tokens[position], tokens[position + 1]
    if token.text not in _CLOSING or following.text in _CLOSING or following.text in {'"', "”", "'", ")", "’"}:
        return False
    before = tokens[position - 1] if position else None
    if token.text != ".":  # the "!" of "Jeopardy! was created by …" ends no sentence
        named = before is not None and before.is_capitalised and before.end == token.start
        return not (named and token.text in "!?" and following.text in _COPULAS)
    if before is not None and before.lower in _CLOSING_NAMES and not following.is_capitalised:
        return False
    shortened = before is not None and (
        before.lower in _ABBREVIATIONS or (len(before.text) == 1 and before.text != "I")
    )
    return following.start > token.end and not (shortened and following.is_capitalised)


def sentence_of(tokens: tuple[Token, ...]) -> Sentence:
    """These words as one sentence: whether it asks or only supposes, and from where on it leans on a condition."""
    lowers = [token.lower for token in tokens]
    return Sentence(
        tokens=tokens,
        is_question="?" in lowers[-4:] or _asks(lowers),
        is_supposed=not _SUPPOSED.isdisjoint(lowers),
        open_until=_first_condition(lowers),
        is_conditional=not _HANGING.isdisjoint(lowers) and any(_hangs(lowers, place) for place in range(len(lowers))),
    )


def _hangs(lowers: list[str], position: int) -> bool:
    """Whether a condition begins here, which the words around it depend on."""
    word = lowers[position]
    if word in ("if", "unless"):
        return lowers[position - 1 : position] != ["as"]
    if word not in _IN_CASE and not (word == "as" and lowers[position : position + 3] == ["as", "soon", "as"]):
        return False
    place = position + (3 if word == "as" else 1)
    return lowers[place : place + 1] != [] and not _NOW_BEING.isdisjoint(lowers[place + 1 : place + 2])


def _asks(lowers: list[str]) -> bool:
    words = [word for word in lowers if word[0].isalnum()]
    while len(words) > 2 and words[0] in {"and", "so", "but", "hey", "well", "oh", "wow", "ok", "okay"}:
        words = words[1:]
    if len(words) < 2:
        return False
    if words[0] in _AUXILIARIES and words[1] in _ASKED:
        return True
    return words[0] in _ASKING and words[0] != "when" and words[1] in _AUXILIARIES


def _first_condition(lowers: list[str]) -> int:
    """Where a condition, a belief or another's word begins; the number of words where none does."""
    for position, word in enumerate(lowers):
        before = lowers[max(0, position - 3) : position]
        if word in _CONDITIONS or word in _BELIEFS:
            return position
        if word == "like" and before[-1:] in (["was"], ["were"]) and lowers[position + 1 : position + 2] == [","]:
            return position  # "he was like, I'm a doctor"
        if word == "like" and lowers[position + 1 : position + 3] in _AS_IF:
            return position  # "explain it like I'm five"
        alone = word == "neither" and lowers[position + 1 : position + 2] != ["of"]
        if word == "nor" or alone or (word == "like" and not _FEELING.isdisjoint(before[-1:])):
            return position  # "neither my wife nor I drink"; "I feel like I'm 100"
        if _is_unsaid(lowers, position) or _is_when(lowers, position):
            return position
        if word in _REPORTS and not (_OURSELVES.intersection(before) and word not in {"heard", "asked"}):
            return position
    return len(lowers)


def _is_unsaid(lowers: list[str], position: int) -> bool:
    """ "I never said that …", "it is not true that …": what follows is not held, unless a "but" ends it."""
    word, following = lowers[position], lowers[position + 1 : position + 2]
    before = lowers[max(0, position - 3) : position]
    negated = not _NOT.isdisjoint(before)
    if word in ("that", "like") and negated and before[0] == "it" and not _OF_PEOPLE.isdisjoint(following):
        return True  # "it's not that I hate my job"
    if word in ("true", "untrue", "false"):
        return following == ["that"] and negated == (word == "true")
    return negated and word in _NOT_SAYING and "but" not in lowers[position:]


def _is_when(lowers: list[str], position: int) -> bool:
    """ "When I am rich I live in Rome" opens with a condition; "when I was a child" with a time."""
    if lowers[position] not in _IN_CASE or not _JOINING.issuperset(lowers[:position]):
        return False
    return lowers[position + 1 : position + 2] != [] and not _NOW_BEING.isdisjoint(lowers[position + 2 : position + 3])


def _unquoted(tokens: list[Token]) -> list[Token]:
    """Leaves out speech in quotation marks; a quoted title or name (no pronoun in it) stays, without the marks."""
    kept: list[Token] = []
    opened: int | None = None
    for token in tokens:
        if token.text not in _MARKS:
            kept.append(token)
        elif opened is None:
            opened = len(kept)
        else:
            quoted = kept[opened:]
            if not _SPEAKING.isdisjoint(each.lower for each in quoted):
                kept[opened:] = [each for each in quoted[-1:] if each.text in _CLOSING]
            opened = None
    return kept
