"""What would be read from the lines of a file: `palimpsest extract`. Nothing is stored."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from kg_assets.identity import content_hash
from kg_assets.model import SELF_KEY, Assertion, Literal, Mention, Micros, Utterance
from kg_assets.text.instants import format_instant
from kg_assets.triples.extraction import Extractor, Turn

_BATCH = 64


def read_lines(
    lines: Iterable[str], extractor: Extractor, *, said_at: Micros, speaker: str = ""
) -> Iterator[dict[str, Any]]:
    """One JSON-able object a triple. Each line is read by itself; `speaker` names the one who says "I"."""
    batch: list[Utterance] = []
    for number, line in enumerate(lines, 1):
        text = line.rstrip("\r\n")
        if text.strip():
            batch.append(line_said(number, text, said_at, speaker))
        if len(batch) == _BATCH:
            yield from read_said(batch, extractor)
            batch = []
    yield from read_said(batch, extractor)


def read_said(said: Sequence[Utterance], extractor: Extractor) -> Iterator[dict[str, Any]]:
    """Lines as `line_said` makes them, parsed together and each read by itself."""
    found = extractor.extract([Turn(each) for each in said], b"")
    for line, assertions in zip(said, found, strict=True):
        for each in assertions:
            yield as_row(line.seq, each)


def line_said(number: int, text: str, said_at: Micros, speaker: str) -> Utterance:
    return Utterance(
        id=f"line-{number}",
        session="preview",
        speaker=speaker or "I",
        role="user",
        text=text,
        said_at=said_at,
        seq=number,
        recorded_at=said_at,
        content_hash=content_hash(text),
    )


def as_row(line: int, assertion: Assertion) -> dict[str, Any]:
    """One triple in the fields of the command line's contract; a retraction counts as negated."""
    return {
        "line": line,
        "subject": _name(assertion.subject),
        "predicate": assertion.predicate,
        "object": _name(assertion.object),
        "span": list(assertion.span) if assertion.span else None,
        "negated": assertion.polarity != "affirmed",
        "valid_from": _instant(assertion.valid_from),
        "valid_to": _instant(assertion.valid_to),
        "confidence": assertion.confidence / 1000,
        "extractor": assertion.extractor,
    }


def _name(thing: Mention | Literal) -> str | int | float | bool:
    if isinstance(thing, Literal):
        return thing.value
    return thing.surface or ("I" if thing.key == SELF_KEY else thing.key)


def _instant(micros: Micros | None) -> str | None:
    return None if micros is None else format_instant(micros)
