"""Idioms as the plain sentences that they amount to: "I have a soft spot for Volvos" is "I like Volvos".

The rules stand in `paraphrases.txt`: a pattern over one sentence with a part `w`, and the sentence that is read in its
place. Linear: a rule's pattern is tried only where its key word
stands in the sentence, and only on the first `LONGEST` characters of it.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from kg_assets.text.lexicon import OCCUPATIONS, among
from kg_assets.text.sentences import Sentence
from kg_assets.triples.completed import Answer

FILE = Path(__file__).with_name("paraphrases.txt")
LONGEST = 400  # characters of a sentence that is looked at
_NOBODY = "he she it they you this that these those there i we me him them what which one"
_OWNERS = {"him": "His", "her": "Her"}
_PLACE = "\0"  # where the words of the text go, in a sentence that is made
_SINCE = re.compile(r"^(?P<w>[\w'’ -]{3,40}?),? (?:since|for) (?:\d|\w+ years|[A-Z])")


class Rule(NamedTuple):
    keys: tuple[str, ...]  # of these words one must stand in the sentence
    pattern: re.Pattern[str]
    small: re.Pattern[str]  # for who writes without capitals, names too
    meaning: str
    apart: frozenset[str]  # what `w` must not begin with
    is_wish: bool  # said under "wish" or "hope", which is what it is about


@lru_cache(maxsize=1)
def table() -> tuple[Rule, ...]:
    """What `paraphrases.txt` holds."""
    parts: dict[str, str] = {}
    rules: list[Rule] = []
    text = "\n".join(line for line in FILE.read_text(encoding="utf-8").splitlines() if not line.startswith("#"))
    for section, body in re.findall(r"^\[([\w ]+)\]\n(.*?)(?=^\[|\Z)", text, re.MULTILINE | re.DOTALL):
        if section == "parts":
            parts = dict(line.split(" = ", 1) for line in body.splitlines() if line)
        else:
            rules += [_rule(block, parts) for block in body.strip().split("\n\n")]
    return tuple(rules)


@lru_cache(maxsize=1)
def keys() -> frozenset[str]:
    """The key words of all rules."""
    return frozenset(key for rule in table() for key in rule.keys)


def _rule(block: str, parts: dict[str, str]) -> Rule:
    lines = dict(line.split(" = ", 1) for line in block.replace("\n    ", " ").splitlines())
    pattern = lines["find"]
    for _ in range(3):
        for name, part in parts.items():
            pattern = pattern.replace(f"<{name}>", part) if name != "CAPITAL" else pattern
    small = pattern.replace("<CAPITAL>", "[a-z]")
    return Rule(
        keys=tuple(lines["key"].split("|")),
        pattern=re.compile(pattern.replace("<CAPITAL>", parts["CAPITAL"]), re.IGNORECASE),
        small=re.compile(small, re.IGNORECASE),
        meaning=lines["read"],
        apart=frozenset(lines.get("not", "").replace("<NOBODY>", _NOBODY).split()),
        is_wish="wish" in lines,
    )


def paraphrases(text: str, sentences: Sequence[Sentence]) -> Iterator[Answer]:
    """The plain sentences that a turn's idioms amount to, each with the place of its own words."""
    casual = not any(character.isupper() for character in text)
    whole = text.casefold()
    found = {key for key in keys() if key in whole}
    fitting = [rule for rule in table() if not found.isdisjoint(rule.keys)] if found else []
    for sentence in sentences:
        said = text[sentence.start : sentence.end][:LONGEST]
        if sentence.is_question or sentence.is_supposed or '"' in said or "“" in said:
            continue
        stop = len(said)
        if sentence.open_until < len(sentence.tokens):
            stop = sentence.tokens[sentence.open_until].start - sentence.start
        lower = said.casefold() if fitting else said
        for rule in fitting:
            if any(key in lower for key in rule.keys):
                yield from _applied(rule, said, len(said) if rule.is_wish else stop, sentence.start, casual)
        yield from _fragment(said, sentence.start, casual)


def _applied(rule: Rule, said: str, stop: int, offset: int, casual: bool) -> Iterator[Answer]:
    for found in (rule.small if casual else rule.pattern).finditer(said):
        what = found["w"].strip()
        if not what or found.start("w") >= stop or not rule.apart.isdisjoint(what.casefold().split()[:1]):
            continue
        parts = {**found.groupdict(), "w": _PLACE}
        if "who" in parts:
            parts["who"] = _OWNERS[str(parts["who"]).casefold()]
        start = found.start("w") + found["w"].index(what)
        yield _answer(rule.meaning.format(**parts), what, offset + start, casual)


def _fragment(said: str, offset: int, casual: bool) -> Iterator[Answer]:
    """ "Team lead since January": a job without a verb."""
    found = _SINCE.match(said)
    if found and among(tuple(found["w"].casefold().split()), OCCUPATIONS):
        yield _answer(f"I am a {_PLACE}.", said.rstrip(" .!"), offset, casual)


def _answer(meaning: str, what: str, start: int, casual: bool) -> Answer:
    """Who writes without capitals is quoted without them, so that names in small letters are still seen as such."""
    meaning = meaning.lower() if casual else meaning
    return Answer(meaning.replace(_PLACE, what), meaning.index(_PLACE), (start, start + len(what)))
