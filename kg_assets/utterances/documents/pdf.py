"""PDF as blocks, page by page. A scan has no text, and is said to have none."""

import logging
import re
import zlib
from collections import Counter
from collections.abc import Sequence
from io import BytesIO

from kg_assets.errors import InvalidInput
from kg_assets.utterances.documents.blocks import Block, paragraphs

PAGES = 2_000
_BROKEN = "is no PDF that can be read ({error}); print it anew, or export its text"
_NUMBER = re.compile(r"(?:page\s+)?[0-9ivxlc]{1,5}(?:\s*(?:/|of)\s*[0-9]{1,5})?", re.IGNORECASE)
_ENDED = (".", "!", "?", "…", ":", ";", "”", '"', ")")
_EDGE = 2  # lines at the head and the foot of a page that may repeat on every page
_OFTEN = 3  # pages


def pdf_blocks(content: bytes) -> tuple[str, list[Block]]:
    """(title, blocks). Raises `InvalidInput` for a PDF that is broken, encrypted or holds no text."""
    import pypdf

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # it tells each oddity, which no reader can mend
    # A damaged file fails in as many ways as there are kinds of objects in it.
    failures = (
        *(pypdf.errors.PyPdfError, zlib.error, ValueError, KeyError, IndexError, TypeError, AttributeError),
        *(ArithmeticError, RecursionError, NotImplementedError, AssertionError, EOFError),
    )
    try:
        reader = pypdf.PdfReader(BytesIO(content))
        if reader.is_encrypted and not reader.decrypt(""):
            raise InvalidInput("is encrypted; take the password off first, for example with: qpdf --decrypt")
        if (pages := len(reader.pages)) > PAGES:
            raise InvalidInput(f"has {pages} pages and the limit is {PAGES}; split it")
        texts = [page.extract_text() or "" for page in reader.pages]
        title = str(reader.metadata.title or "") if reader.metadata else ""
    except pypdf.errors.DependencyError as ex:
        raise InvalidInput("is encrypted; take the password off first, for example with: qpdf --decrypt") from ex
    except failures as ex:
        if isinstance(ex, InvalidInput):
            raise
        raise InvalidInput(_BROKEN.format(error=type(ex).__name__)) from ex
    if not any(text.strip() for text in texts):
        raise InvalidInput("holds no text (a scan?); run it through character recognition first")
    return title, _blocks([text.replace("\r\n", "\n").split("\n") for text in texts])


def _blocks(pages: Sequence[Sequence[str]]) -> list[Block]:
    """Paragraphs with the page on which they begin; one that a page's end cuts goes on."""
    edges = Counter(line for lines in pages for line in {*_edges(lines)})
    blocks: list[Block] = []
    for number, lines in enumerate(pages, 1):
        running = {line for line in _edges(lines) if edges[line] >= _OFTEN}
        kept = [line for line in lines if line.strip() not in running and not _NUMBER.fullmatch(line.strip())]
        for place, text in enumerate(paragraphs("\n".join(kept))):
            before = blocks[-1] if blocks and place == 0 else None
            if before is not None and not before.text.endswith(_ENDED) and not text[0].isupper():
                blocks[-1] = Block(f"{before.text} {text}", page=before.page)
            else:
                blocks.append(Block(text, page=number))
    return blocks


def _edges(lines: Sequence[str]) -> list[str]:
    written = [line.strip() for line in lines if line.strip()]
    return [*written[:_EDGE], *written[-_EDGE:]]
