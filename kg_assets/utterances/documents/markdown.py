"""Markdown (CommonMark with tables) as blocks."""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from kg_assets.utterances.documents.blocks import Block, rows
from kg_assets.utterances.documents.html import html_blocks

if TYPE_CHECKING:
    from markdown_it.token import Token

_FRONT_MATTER = re.compile(r"\A---[^\S\n]*\n(.*?)\n(?:---|\.\.\.)[^\S\n]*(?:\n|\Z)", re.DOTALL)
_TITLE = re.compile(r"^title:\s*[\"']?(.+?)[\"']?\s*$", re.MULTILINE)


def markdown_blocks(text: str) -> tuple[str, list[Block]]:
    """(title, blocks). The title is that of the front matter, or the first heading; empty where there is none."""
    from markdown_it import MarkdownIt

    front = _FRONT_MATTER.match(text)
    named = _TITLE.search(front[1]) if front else None
    body = text[front.end() :] if front else text
    blocks = list(_blocks(MarkdownIt("commonmark").enable("table").parse(body)))
    first = next((each.text for each in blocks if each.kind == "heading"), "")
    return (named[1] if named else first), blocks


def _blocks(tokens: Sequence["Token"]) -> Iterator[Block]:
    table: list[list[str]] = []
    for place, token in enumerate(tokens):
        opener = tokens[place - 1] if place else token
        if token.type == "inline" and opener.type in ("th_open", "td_open"):
            table[-1].append(_plain(token))
        elif token.type == "inline" and opener.type == "heading_open":
            yield Block(_plain(token), "heading", int(opener.tag[1]))
        elif token.type == "inline":
            yield Block(_plain(token))
        elif token.type in ("fence", "code_block"):
            yield Block(token.content.rstrip("\n"), "code")
        elif token.type == "html_block":
            yield from html_blocks(token.content)[1]
        elif token.type == "tr_open":
            table.append([])
        elif token.type == "table_close":
            yield Block(rows(table), "table")
            table = []


def _plain(token: "Token") -> str:
    """The words of a paragraph without their marks; of an image its text, of raw HTML nothing."""
    found = []
    for each in token.children or ():
        if each.type in ("text", "code_inline", "image"):
            found.append(each.content)
        elif each.type in ("softbreak", "hardbreak"):
            found.append(" ")
    return " ".join("".join(found).split())
