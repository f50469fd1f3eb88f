"""HTML as blocks, without what a reader does not see: scripts, styles, templates, menus, and what is hidden."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from kg_assets.errors import InvalidInput
from kg_assets.text.lexicon import bag
from kg_assets.utterances.documents.blocks import Block, rows

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

DEEPEST = 2_000  # a parser looks up all open elements for each tag: measured 1.5 s for a megabyte at this depth
LONGEST_CELL = 300  # characters
_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>]*)")
_VOID = bag("area base br col embed hr img input link meta source track wbr")
_IMPLIED = bag("p dt dd tr td th thead tbody tfoot option html head body")  # they close one another
_UNSEEN = bag("script style template noscript head iframe object embed svg math canvas audio video select button nav")
_INLINE = bag(
    "a abbr b bdi bdo big br cite code data del dfn em font i ins kbd label mark q rp rt ruby s samp small span strike "
    "strong sub sup time tt u var wbr"
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_NO_DISPLAY = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)


def html_blocks(text: str) -> tuple[str, list[Block]]:
    """(title, blocks). Raises `InvalidInput` for elements nested without end."""
    from selectolax.lexbor import LexborHTMLParser

    if depth(text) > DEEPEST:
        raise InvalidInput(f"has elements nested more than {DEEPEST} deep; this is no document to be read")
    tree = LexborHTMLParser(text)
    found = tree.css_first("head > title")
    title = " ".join(found.text().split()) if found is not None else ""
    body = tree.body
    blocks = list(_Walk().blocks(body)) if body is not None else []
    first = next((each.text for each in blocks if each.kind == "heading"), "")
    return title or first, blocks


def depth(text: str) -> int:
    """An upper bound of how deep elements are nested, from the tags alone; linear."""
    opened: Counter[str] = Counter()
    now = deepest = 0
    for closing, name in _TAG.findall(text):
        name = name.lower()
        if name in _VOID or name in _IMPLIED:
            continue
        if not closing:
            opened[name] += 1
            now += 1
            deepest = max(deepest, now)
        elif opened[name]:
            opened[name] -= 1
            now -= 1
    return deepest


class _Walk:
    """One way through the tree, without recursion: words gather until an element that is a block begins or ends."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.level = 0  # of the heading that is open
        self.is_code = 0  # how many <pre> are open
        self.table: list[list[str]] | None = None
        self.tables = 0

    def blocks(self, body: "LexborNode") -> Iterator[Block]:
        node: Any = body
        root = body.mem_id
        while True:
            if node.is_text_node:
                self.words.append(node.text_content or "")
            elif node.is_element_node and not _is_unseen(node):
                yield from self.entered(node.tag)
                if node.first_child is not None:
                    node = node.first_child
                    continue
                yield from self.left(node.tag)
            while node.next is None or node.mem_id == root:
                if node.mem_id == root:
                    yield from self.flushed()
                    return
                node = node.parent
                yield from self.left(node.tag)
            node = node.next

    def entered(self, tag: str) -> Iterator[Block]:
        if tag == "br":
            self.words.append("\n" if self.is_code else " ")
        if tag in _INLINE:
            return
        yield from self.flushed()
        if tag in _HEADINGS:
            self.level = _HEADINGS[tag]
        elif tag == "pre":
            self.is_code += 1
        elif tag == "table":
            self.tables += 1
            self.table = self.table if self.tables > 1 else []
        elif tag == "tr" and self.table is not None:
            self.table.append([])

    def left(self, tag: str) -> Iterator[Block]:
        if tag in _INLINE:
            return
        yield from self.flushed(is_cell=tag in ("td", "th"))
        if tag in _HEADINGS:
            self.level = 0
        elif tag == "pre":
            self.is_code -= 1
        elif tag == "table":
            self.tables -= 1
            if self.tables == 0 and self.table is not None:
                yield from _of_table([row for row in self.table if any(row)])
                self.table = None

    def flushed(self, *, is_cell: bool = False) -> Iterator[Block]:
        """What has gathered, as a block; inside a table as a cell, once that ends."""
        if self.table and not is_cell:
            self.words.append(" ")
            return
        raw, self.words = "".join(self.words), []
        text = " ".join(raw.split())
        if self.table:
            self.table[-1].append(text)
        elif self.is_code and text:
            yield Block(raw.strip("\n"), "code")
        elif text:
            yield Block(text, "heading", self.level) if self.level else Block(text)


def _of_table(table: list[list[str]]) -> Iterator[Block]:
    """A table; where a page is laid out by one, its cells as paragraphs."""
    cells = [cell for row in table for cell in row if cell]
    if any(len(cell) > LONGEST_CELL for cell in cells):
        yield from map(Block, cells)
    elif cells:
        yield Block(rows(table), "table")


def _is_unseen(node: "LexborNode") -> bool:
    if node.tag in _UNSEEN:
        return True
    attributes = node.attributes
    if not attributes:
        return False
    hidden = "hidden" in attributes or attributes.get("aria-hidden") == "true"
    return hidden or _NO_DISPLAY.search(attributes.get("style") or "") is not None
