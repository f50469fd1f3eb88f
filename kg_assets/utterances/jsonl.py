"""JSON lines: one utterance a line, with the fields of `POST /v1/utterances`."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kg_assets.errors import InvalidInput
from kg_assets.utterances.intake import check
from kg_assets.utterances.lines import Problem, Reading, Source


def read_jsonl(path: Path) -> Iterator[Reading]:
    """Utterances in the order of the file; an absent id is derived from file and line. Blank lines are skipped."""
    source = Source(path)
    for line in source.lines():
        if isinstance(line, Problem):
            yield "", line
        elif line.text.strip():
            try:
                raw = parse_object(line.text)
                default_id = None if "id" in raw else source.line_id(line.number)
                yield "", check(raw, where=line.where, default_id=default_id)
            except InvalidInput as ex:
                yield "", Problem(where=line.where, message=ex.reason)


def parse_object(text: str) -> dict[str, Any]:
    """A JSON object. Raises `InvalidInput`, also where a name stands twice in one object.

    The standard library's reader, because it passes a lone surrogate on, so that `check` can name the field.
    """
    try:
        raw = json.loads(text, object_pairs_hook=_each_name_once)
    except json.JSONDecodeError as ex:
        raise InvalidInput(f"is not JSON ({ex.msg} at character {ex.pos + 1}); write one object a line") from ex
    except RecursionError as ex:
        raise InvalidInput("is nested too deeply; flatten it") from ex
    except ValueError as ex:  # an integer of more than 4300 digits
        raise InvalidInput("holds a number that is too long; write it as a string") from ex
    if not isinstance(raw, dict):
        raise InvalidInput('is JSON but no object; write one object a line, like {"text": …, "said_at": …}')
    return raw


def _each_name_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise InvalidInput(f"{twice[:40]!a} stands twice in one object; keep one")
    return found
