"""Words and stemmed terms of a text: what BM25, novelty and the question's weights count."""

import re
import unicodedata
from functools import lru_cache

from snowballstemmer.english_stemmer import EnglishStemmer

# Han and kana are written without spaces, so each sign is a word. Elsewhere a word is a run of letters, digits and
# combining marks (which Python's \w leaves out), joined inside by an apostrophe, or between digits by . , or :
# ("don't", "3.5", "10:30").
_MARKS = "\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0900-\u0963\u0966-\u0dff\u0e30-\u0e4e\u0eb0-\u0ece\u1000-\u109f"
_SIGN = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
_LETTERS = f"(?:(?![{_SIGN}])[^\\W_]|[{_MARKS}])+"
_WORD = re.compile(f"[{_SIGN}]|{_LETTERS}(?:(?:'|(?<=\\d)[.,:](?=\\d)){_LETTERS})*")
_APOSTROPHES = str.maketrans({"\u2019": "'", "\u02bc": "'", "\uff07": "'"})


def words(text: str) -> list[str]:
    """Casefolded (NFKC) words in order of appearance; nothing is dropped, numbers are words too."""
    return _WORD.findall(unicodedata.normalize("NFKC", text).translate(_APOSTROPHES).casefold())


def terms(text: str) -> list[str]:
    """The words of a text, each reduced by the English snowball stemmer (Porter 2); one term a word, in order.

    Stop words stay: their weight is the reader's decision. Deterministic: the pure Python stemmer is called by name,
    because the package's front door would pick a C one where it is installed.
    """
    return [stem(word) for word in words(text)]


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Porter 2 of one casefolded word. A stemmer keeps state, so each miss takes a fresh one (0.2 µs): threads."""
    return str(EnglishStemmer().stemWord(word))
