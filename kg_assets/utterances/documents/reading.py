"""A document as utterances: one a chunk, said by the document itself, which is found again by the hash of its bytes.

The whole file is read before the first chunk is given out, so that a document that cannot be read leaves nothing.
"""

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from kg_assets.errors import InvalidInput, NotReady
from kg_assets.identity import content_hash
from kg_assets.model import Draft, Micros
from kg_assets.ports import Memory
from kg_assets.text.instants import format_instant
from kg_assets.utterances.documents.blocks import CHUNKING, Block, Chunk, chunks, paragraphs
from kg_assets.utterances.documents.html import html_blocks
from kg_assets.utterances.documents.markdown import markdown_blocks
from kg_assets.utterances.documents.pdf import pdf_blocks
from kg_assets.utterances.intake import NAME_CHARACTERS, check
from kg_assets.utterances.lines import Reading

ENDINGS = {
    **dict.fromkeys((".md", ".markdown"), "markdown"),
    **dict.fromkeys((".html", ".htm", ".xhtml"), "html"),
    ".pdf": "pdf",
}
MOST_BYTES = {"pdf": 20 * 1024 * 1024, "html": 2 * 1024 * 1024, "markdown": 1024 * 1024, "text": 5 * 1024 * 1024}
_UNWRITABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w-]{1,40})", re.IGNORECASE)
_HTML = re.compile(rb"\s*(?:<!--.{0,2000}?-->\s*)?<(?:!doctype\s+html|html)\b", re.IGNORECASE | re.DOTALL)


def read_document(path: Path) -> Iterator[Reading]:
    """The chunks of a file, said when it was last modified. Raises `InvalidInput` where it cannot be read."""
    with path.open("rb") as file:
        content = file.read(max(MOST_BYTES.values()) + 1)
        written = path.stat().st_mtime_ns // 1000
    yield from (("", draft) for draft in document_drafts(content, path.name, said_at=written))


def document_drafts(content: bytes, name: str, *, said_at: Micros, kind: str = "") -> list[Draft]:
    """Each chunk as an utterance of role "other" whose speaker is the document's title. `kind`: told from the name."""
    kind = kind or ENDINGS.get(Path(name).suffix.lower()) or sniffed(content)
    if len(content) > MOST_BYTES[kind]:
        limit = MOST_BYTES[kind] // 1024
        raise InvalidInput(f"is larger than {limit} kB, the limit for {kind}; split it", where=name)
    try:
        title, blocks = taken_apart(content, kind)
    except InvalidInput as ex:
        raise InvalidInput(ex.reason, where=name) from ex
    except ModuleNotFoundError as ex:
        raise NotReady("reading documents needs an extra: pip install 'palimpsest-memory[documents]'") from ex
    found = [each for each in chunks([_clean(block) for block in blocks]) if each.text.strip()]
    if not found:
        raise InvalidInput("holds no text", where=name)
    digest = hashlib.sha256(content).hexdigest()
    title = " ".join(_UNWRITABLE.sub(" ", title).split())[:NAME_CHARACTERS] or Path(name).stem[:NAME_CHARACTERS]
    return [
        _draft(chunk, number, name=name, title=title, digest=digest, said_at=said_at)
        for number, chunk in enumerate(found, 1)
    ]


def as_stored(memory: Memory, draft: Draft) -> Draft:
    """A chunk of a document as it came first: its id stands for the words, and a file may be renamed or touched."""
    stored = memory.ledger.utterance(draft.id) if draft.is_document else None
    if stored is None or not stored.is_document:
        return draft
    return msgspec.structs.replace(
        draft, session=stored.session, speaker=stored.speaker, said_at=stored.said_at, metadata=stored.metadata
    )


def sniffed(content: bytes) -> str:
    """What the beginning of a file speaks for."""
    if b"%PDF-" in content[:1024]:
        return "pdf"
    return "html" if _HTML.match(content[:4096].removeprefix(b"\xef\xbb\xbf")) else "text"


def taken_apart(content: bytes, kind: str) -> tuple[str, list[Block]]:
    """(title, blocks)."""
    if kind == "pdf":
        return pdf_blocks(content)
    text = decoded(content, kind)
    if kind == "html":
        return html_blocks(text)
    if kind == "markdown":
        return markdown_blocks(text)
    return "", [Block(each) for each in paragraphs(text)]


def decoded(content: bytes, kind: str) -> str:
    """UTF-8, or of HTML what it says of itself. Raises `InvalidInput`."""
    try:
        return content.removeprefix(b"\xef\xbb\xbf").decode().replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as ex:
        named = _CHARSET.search(content[:1024]) if kind == "html" else None
        try:
            if named is not None:
                return content.decode(named[1].decode("ascii"))
        except (LookupError, UnicodeDecodeError, ValueError):
            pass
        raise InvalidInput(
            f"is not UTF-8 (byte {ex.start + 1} is 0x{content[ex.start]:02x}); save it as UTF-8, for example with: "
            "iconv -f LATIN1 -t UTF-8"
        ) from ex


def _clean(block: Block) -> Block:
    return Block(_UNWRITABLE.sub(" ", block.text), block.kind, block.level, block.page)


def _draft(chunk: Chunk, number: int, *, name: str, title: str, digest: str, said_at: Micros) -> Draft:
    metadata: dict[str, Any] = {"document": name[:NAME_CHARACTERS], "title": title, "chunk": number, "sha256": digest}
    if chunk.headings:
        metadata["heading"] = " > ".join(chunk.headings)
    if chunk.page is not None:
        metadata["page"] = chunk.page
    if chunk.kind != "text":
        metadata["block"] = chunk.kind
    raw = {
        "id": content_hash("chunk", CHUNKING, digest, number)[:32],
        "session": f"document/{digest[:16]}",
        "speaker": title,
        "role": "other",
        "text": chunk.text,
        "said_at": format_instant(said_at),
        "metadata": metadata,
    }
    return check(raw, where=f"{name}: chunk {number}")
