"""The lines of a file, one at a time and never a whole huge one in memory; and what a reader says of a bad one."""

import hashlib
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

import msgspec

from kg_assets.identity import content_hash
from kg_assets.model import Draft

LINE_BYTES = 1024 * 1024  # holds the longest text and metadata allowed, every character escaped
BLOCK_BYTES = 256 * 1024
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """Something in a file that was left out: `where` is "file:line", the message says why and what to do."""

    where: str
    message: str


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One line without its end. `number` counts from 1; `where` is "file:number"."""

    number: int
    where: str
    text: str


# What a reader yields: the memory's name ("" where the caller names it), and an utterance or a problem.
Reading = tuple[str, Draft | Problem]


class Source:
    """A file to be read: its lines, and ids for lines that bring none."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = path.name

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the whole file, read in blocks."""
        with self.path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    def where(self, number: int) -> str:
        return f"{self.name}:{number}"

    def line_id(self, number: int) -> str:
        """The id of what stands in this line: the same file gives the same id (SEMANTICS, Identity)."""
        return content_hash("line", self.digest, number)[:32]

    def lines(self) -> Iterator[Line | Problem]:
        """Lines in order; one that is too long or not UTF-8 comes as a problem."""
        with self.path.open("rb") as file:
            number = 0
            while raw := file.readline(LINE_BYTES + 1):
                number += 1
                if len(raw) > LINE_BYTES and not raw.endswith(b"\n"):
                    size = len(raw)
                    while not raw.endswith(b"\n") and (raw := file.readline(BLOCK_BYTES)):
                        size += len(raw)
                    yield Problem(
                        where=self.where(number),
                        message=f"the line has {size} bytes and the limit is {LINE_BYTES}; split it into several",
                    )
                    continue
                yield self._line(number, raw.removeprefix(BYTE_ORDER_MARK) if number == 1 else raw)

    def _line(self, number: int, raw: bytes) -> Line | Problem:
        try:
            text = raw.rstrip(b"\r\n").decode()
        except UnicodeDecodeError as ex:
            return Problem(
                where=self.where(number),
                message=f"is not UTF-8 (byte {ex.start + 1} of the line is 0x{ex.object[ex.start]:02x}); "
                "save the file as UTF-8, for example with: iconv -f LATIN1 -t UTF-8",
            )
        return Line(number=number, where=self.where(number), text=text)
