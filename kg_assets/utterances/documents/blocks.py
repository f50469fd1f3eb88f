"""What every format is taken apart into, and how that becomes chunks: by section, and never inside a sentence."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal

import msgspec

from kg_assets.text.sentences import split

CHUNKING = "1"  # raised with every change to how documents are cut: the ids of chunks hold it
CHUNK_CHARACTERS = 700  # about 150 tokens: a few sentences on one matter
LONGEST_SENTENCE = 4_000  # characters; what has no end before is cut between words
LONGEST_HEADING = 200
_HYPHEN = re.compile(r"(?<=[a-z])[-\u00ad\u2010]$")
_LIST_ITEM = re.compile(r"(?:[-*•‣–]|[0-9]{1,3}[.)]) ")
_FULL = 0.6  # of the longest line: a line that is shorter ends its paragraph


class Block(msgspec.Struct, frozen=True):
    """A paragraph, a heading of `level`, a table (one row a line), or code. `page` counts from 1, of a PDF."""

    text: str
    kind: Literal["text", "heading", "table", "code"] = "text"
    level: int = 0
    page: int | None = None


class Chunk(msgspec.Struct, frozen=True):
    """A piece of a document: whole sentences of one section, or whole lines of a table or of code."""

    text: str
    kind: Literal["text", "table", "code"]
    headings: tuple[str, ...]
    page: int | None


def chunks(blocks: Sequence[Block]) -> Iterator[Chunk]:
    """In the order of the document. A section begins a chunk, with its heading as the first line."""
    path: list[tuple[int, str]] = []
    open_ = _Open()
    for block in blocks:
        names = tuple(name for _, name in path)
        if block.kind == "heading":
            if open_.has_body:
                yield from open_.closed(names)
            name = block.text[:LONGEST_HEADING]
            path = [each for each in path if each[0] < block.level] + [(block.level, name)]
            open_.add(name, "\n", block.page)
        elif block.kind == "text":
            for number, piece in enumerate(sentences(block.text)):
                if open_.has_body and open_.size + len(piece) > CHUNK_CHARACTERS:
                    yield from open_.closed(names)
                open_.add(piece, " " if number else "\n", block.page, body=True)
        else:
            yield from open_.closed(names)
            yield from (Chunk(lines, block.kind, names, block.page) for lines in _lines(block.text))
    yield from open_.closed(tuple(name for _, name in path))


class _Open:
    """The chunk that is being filled."""

    def __init__(self) -> None:
        self._clear()

    def _clear(self) -> None:
        self.parts: list[str] = []
        self.size, self.has_body = 0, False
        self.page: int | None = None

    def add(self, text: str, joint: str, page: int | None, *, body: bool = False) -> None:
        if not self.parts:
            self.page = page
        self.parts += [joint, text] if self.parts else [text]
        self.size += len(text) + 1
        self.has_body = self.has_body or body

    def closed(self, headings: tuple[str, ...]) -> Iterator[Chunk]:
        if self.parts:
            yield Chunk("".join(self.parts), "text", headings, self.page)
        self._clear()


def sentences(paragraph: str) -> Iterator[str]:
    """A paragraph cut in front of each sentence; nothing is lost but the spaces between."""
    cuts = [0, *(each.start for each in split(paragraph)[1:]), len(paragraph)]
    for start, end in pairwise(cuts):
        if piece := paragraph[start:end].strip():
            yield from _cut(piece)


def _cut(text: str) -> Iterator[str]:
    while len(text) > LONGEST_SENTENCE:
        place = text.rfind(" ", 1, LONGEST_SENTENCE)
        place = LONGEST_SENTENCE if place < 0 else place
        yield text[:place].strip()
        text = text[place:].strip()
    if text:
        yield text


def _lines(text: str) -> Iterator[str]:
    """Whole lines, as many as a chunk holds."""
    lines: list[str] = []
    size = 0
    for line in (piece for whole in text.split("\n") for piece in _cut_line(whole)):
        if lines and size + len(line) > CHUNK_CHARACTERS:
            yield "\n".join(lines)
            lines, size = [], 0
        if lines or line.strip():
            lines.append(line)
            size += len(line) + 1
    if lines:
        yield "\n".join(lines).rstrip()


def _cut_line(line: str) -> list[str]:
    return [line[at : at + LONGEST_SENTENCE] for at in range(0, len(line), LONGEST_SENTENCE)] or [line]


def rows(table: Sequence[Sequence[str]]) -> str:
    """A table as lines, each cell behind the name of its column: "Country: Portugal; Capital: Lisbon"."""
    if len(table) < 2:
        return "\n".join("; ".join(cell for cell in row if cell) for row in table)
    head = table[0]
    named = [
        "; ".join(
            f"{head[place]}: {cell}" if place < len(head) and head[place] else cell
            for place, cell in enumerate(row)
            if cell
        )
        for row in table[1:]
    ]
    return "\n".join(line for line in named if line)


def paragraphs(text: str) -> list[str]:
    """Wrapped lines joined again: a blank line, a short line or the mark of a list ends a paragraph."""
    found: list[str] = []
    for part in re.split(r"\n[^\S\n]*\n", text):
        lines = [" ".join(line.split()) for line in part.split("\n") if line.strip()]
        longest = max(map(len, lines), default=0)
        before = ""
        for line in lines:
            goes_on = before and not _LIST_ITEM.match(line) and not is_over(before, longest)
            if goes_on and _HYPHEN.search(found[-1]) and line[0].islower():
                found[-1] = _HYPHEN.sub("", found[-1]) + line
            elif goes_on:
                found[-1] += f" {line}"
            else:
                found.append(line)
            before = line
    return found


def is_over(line: str, longest: int) -> bool:
    """Whether a paragraph ends with this line: it is short, and does not stop in the middle of something."""
    return len(line) < _FULL * longest and not line.endswith((",", "-"))
