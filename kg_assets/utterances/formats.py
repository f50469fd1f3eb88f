"""The file formats that can be read. Each reader streams what it finds, good or bad, and the memory that it belongs to.

A bad line is a `Problem` and nothing more: what stands before and after it is read.
"""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from kg_assets.errors import InvalidInput
from kg_assets.utterances.chat import read_chat
from kg_assets.utterances.documents.reading import ENDINGS, read_document
from kg_assets.utterances.jsonl import read_jsonl
from kg_assets.utterances.lines import Reading
from kg_assets.utterances.locomo import read_locomo

READERS: Mapping[str, Callable[[Path], Iterator[Reading]]] = {
    "jsonl": read_jsonl,  # one utterance a line, with the fields of `POST /v1/utterances`
    "locomo": read_locomo,  # one memory for each conversation, named by its sample_id
    "chat": read_chat,  # a dated chat export
    "document": read_document,  # text, Markdown, HTML or PDF
}
MULTI_SPEAKER = frozenset({"locomo", "chat"})  # nobody in these is the memory's own person: each name is an entity
ANY_MEMORY = frozenset({"document"})  # goes into memories of either kind


def read(path: Path, format_name: str) -> Iterator[Reading]:
    """What a file holds, in order. Raises `InvalidInput` for an unknown format or a file that cannot be opened."""
    if format_name not in READERS:
        raise InvalidInput(f"unknown format {format_name[:40]!a}; it is one of {', '.join(READERS)}")
    try:
        yield from READERS[format_name](path)
    except OSError as ex:
        raise InvalidInput(f"cannot be read ({ex.strerror}); check the name and the rights", where=str(path)) from ex


def recognised(path: Path) -> str:
    """The format of a file: JSON lines and documents by their suffix, else what its first characters speak for.

    A plain text is taken for a chat; it is a document only where somebody says so.
    """
    if path.suffix.lower() in ENDINGS:
        return "document"
    if path.suffix in (".jsonl", ".ndjson"):
        return "jsonl"
    try:
        with path.open("rb") as file:
            beginning = b"".join(file.read(4096).removeprefix(b"\xef\xbb\xbf").split())
    except OSError as ex:
        raise InvalidInput(f"cannot be read ({ex.strerror}); check the name and the rights", where=str(path)) from ex
    if beginning.startswith(b"%PDF-") or beginning[:14].lower().startswith((b"<!doctypehtml", b"<html")):
        return "document"
    if beginning.startswith(b"[{"):
        return "locomo"
    return "jsonl" if beginning.startswith(b"{") else "chat"
