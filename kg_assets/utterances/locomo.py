"""LoCoMo's file: a JSON list of conversations, each with numbered, dated sessions of turns.

One memory a conversation, named by its `sample_id`; an utterance's id is its `dia_id`. Both speakers are entities, so
every turn has the role `other`. What the data set says of a picture (`blip_caption`, `query`) becomes metadata.
"""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from kg_assets.errors import InvalidInput
from kg_assets.model import Draft, Micros
from kg_assets.text.instants import format_instant, parse_instant
from kg_assets.utterances.intake import check
from kg_assets.utterances.lines import Problem, Reading

FILE_BYTES = 64 * 1024 * 1024  # the format is one JSON value, so it is read whole
TURN_MICROS: Micros = 20_000_000  # the file dates sessions only; turns follow one another at this distance
PICTURE = ("blip_caption", "query")

MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
SESSION = re.compile(r"session_([0-9]+)")
SESSION_TIME = re.compile(r"([0-9]{1,2}):([0-9]{2}) ([ap]m) on ([0-9]{1,2}) ([A-Za-z]+),? ([0-9]{4})")


def read_locomo(path: Path) -> Iterator[Reading]:
    """Turns in the order in which they were said, conversation by conversation."""
    try:
        conversations = _load(path)
    except InvalidInput as ex:
        yield "", Problem(where=path.name, message=ex.reason)
        return
    for position, conversation in enumerate(conversations, start=1):
        where = f"{path.name}:conversation {position}"
        name = conversation.get("sample_id") if isinstance(conversation, dict) else None
        sessions = conversation.get("conversation") if isinstance(conversation, dict) else None
        if not isinstance(name, str) or not name.strip() or not isinstance(sessions, dict):
            yield "", Problem(where=where, message="has no sample_id or no conversation; it is left out")
            continue
        for item in _conversation(sessions, f"{path.name}:{name}"):
            yield name, item


def _load(path: Path) -> list[Any]:
    if path.stat().st_size > FILE_BYTES:
        raise InvalidInput(f"is larger than {FILE_BYTES} bytes; split it into files of fewer conversations")
    try:
        loaded = json.loads(path.read_bytes().decode("utf-8-sig"))
    except UnicodeDecodeError as ex:
        raise InvalidInput(f"is not UTF-8 (byte {ex.start + 1}); save it as UTF-8") from ex
    except (ValueError, RecursionError) as ex:
        raise InvalidInput(f"is not JSON ({ex}); a LoCoMo file is one list of conversations") from ex
    if not isinstance(loaded, list):
        raise InvalidInput("is no list; a LoCoMo file is one list of conversations")
    return loaded


def _conversation(sessions: Mapping[str, Any], where: str) -> Iterator[Draft | Problem]:
    numbers = sorted(int(found[1]) for key in sessions if (found := SESSION.fullmatch(key)))
    for number in numbers:
        session = f"session_{number}"
        turns = sessions[session]
        if not isinstance(turns, list):
            yield Problem(where=f"{where}/{session}", message="is no list of turns; it is left out")
            continue
        try:
            start = session_time(sessions.get(f"{session}_date_time"))
        except InvalidInput as ex:
            yield Problem(where=f"{where}/{session}", message=f"{ex.reason}; its turns are left out")
            continue
        for place, turn in enumerate(turns):
            yield _turn(turn, session, f"D{number}:{place + 1}", start + place * TURN_MICROS, where)


def _turn(turn: Any, session: str, default_id: str, said_at: Micros, where: str) -> Draft | Problem:
    if not isinstance(turn, dict):
        return Problem(where=f"{where}/{default_id}", message="is no object with speaker and text; it is left out")
    raw = {
        "id": turn.get("dia_id", default_id),
        "session": session,
        "speaker": turn.get("speaker"),
        "role": "other",
        "text": turn.get("text"),
        "said_at": format_instant(said_at),
        "metadata": {name: turn[name] for name in PICTURE if turn.get(name)},
    }
    try:
        return check(raw, where=f"{where}/{default_id}")
    except InvalidInput as ex:
        return Problem(where=ex.where, message=ex.reason)


def session_time(text: object) -> Micros:
    """The instant of "1:56 pm on 8 May, 2023", read as UTC. Raises `InvalidInput`."""
    found = SESSION_TIME.fullmatch(text.strip()) if isinstance(text, str) else None
    if found is None or found[5].lower() not in MONTHS or not 1 <= int(found[1]) <= 12:
        raise InvalidInput('its date_time is missing or not like "1:56 pm on 8 May, 2023"')
    hour = int(found[1]) % 12 + (12 if found[3] == "pm" else 0)
    month = MONTHS.index(found[5].lower()) + 1
    return parse_instant(f"{found[6]}-{month:02d}-{int(found[4]):02d}T{hour:02d}:{found[2]}:00Z")
