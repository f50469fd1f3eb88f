"""A plain dated chat export: one message a line, headed by time and speaker.

    [2026-03-14, 18:04] Ana: text             ISO dates, in brackets or not, seconds or not
    [14/03/2026, 18:04:10] Ana: text          as WhatsApp exports it on iOS
    14/03/2026, 18:04 - Ana: text             as WhatsApp exports it on Android; also 14.03.26, and 6:04 PM

A line without such a head belongs to the message before it. Dates with slashes or dots are read DAY FIRST: 03/04/2026
is 3 April. Where that gives no date (03/14/2026) the line is a problem, never guessed at. Times carry no zone and are
read as UTC. A session ends with the day, or after four silent hours. Every speaker is an entity (role `other`).
"""

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

from kg_assets.errors import InvalidInput
from kg_assets.model import Draft, Micros
from kg_assets.text.instants import format_instant, parse_instant
from kg_assets.utterances.intake import TEXT_BYTES, check
from kg_assets.utterances.lines import Line, Problem, Reading, Source

SILENCE: Micros = 4 * 3600 * 1_000_000

HEAD = re.compile(
    r"(?P<open>\[)?(?:(?P<year>[0-9]{4})-(?P<month>[0-9]{1,2})-(?P<day>[0-9]{1,2})"
    r"|(?P<first>[0-9]{1,2})(?P<mark>[./])(?P<second>[0-9]{1,2})(?P=mark)(?P<short>[0-9]{4}|[0-9]{2}))"
    r"(?:, ?| |T)(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2})(?::(?P<seconds>[0-9]{2}))?"
    r"(?:[ \u00a0\u202f]?(?P<half>[AaPp])\.?[Mm]\.?)?"
    r"(?(open)\] ?|(?: - |: ?| ))(?P<rest>.*)"
)
EXAMPLE = "[2026-03-14, 18:04] Ana: text"
DIRECTION_MARKS = "\u200e\u200f\u202a\u202c\ufeff"  # exports put them before the head and the text


class _Message(msgspec.Struct):
    """A message whose further lines may still come; `size` stops the collecting, so that memory stays bounded."""

    head: Line
    time: str
    speaker: str
    lines: list[str]
    size: int


def read_chat(path: Path) -> Iterator[Reading]:
    """Messages in the order of the file; their ids are derived from file and line."""
    source = Source(path)
    sessions = _Sessions(source)
    for found in _messages(source):
        yield "", found if isinstance(found, Problem) else _draft(found, source, sessions)


def _messages(source: Source) -> Iterator[_Message | Problem]:
    message: _Message | None = None
    headed = False  # what follows a bad head belongs to it and is not reported line by line
    before: list[str] = []  # where lines stand that no message has begun before; told once
    for line in source.lines():
        if isinstance(line, Problem):
            yield line
        elif (head := HEAD.fullmatch(line.text.lstrip(DIRECTION_MARKS))) is not None:
            if message is not None:
                yield message
            elif before and not headed:
                yield _stray(before, none=False)
            headed, message = True, None
            opened = _opened(line, head)
            if isinstance(opened, Problem):
                yield opened
            else:
                message = opened
        elif message is not None:
            if message.size <= TEXT_BYTES:
                message.lines.append(line.text)
                message.size += len(line.text.encode()) + 1
        elif line.text.strip() and not headed:
            before.append(line.where)
    if message is not None:
        yield message
    elif before and not headed:
        yield _stray(before, none=True)


def _stray(before: list[str], *, none: bool) -> Problem:
    """Lines that belong to no message: one problem for all of them. Where there is no message at all, it is no chat."""
    if none:
        message = f"no line begins a message like {EXAMPLE}; to take the file as a text, add --format document"
    else:
        more = f"and {len(before) - 1} more, down to {before[-1]}, stand" if before[1:] else "stands"
        message = f"{more} before any message; messages begin like: {EXAMPLE}"
    return Problem(where=before[0], message=message)


def _opened(line: Line, head: re.Match[str]) -> _Message | Problem:
    speaker, colon, text = head["rest"].partition(": ")
    if not colon and head["rest"].endswith(":"):
        speaker, colon = head["rest"][:-1], ":"
    if not colon:
        return Problem(
            where=line.where, message=f"names no speaker (a notice?) and is left out; messages are like: {EXAMPLE}"
        )
    try:
        time = _time(head)
    except InvalidInput as ex:
        return Problem(where=line.where, message=ex.reason)
    speaker, text = speaker.strip(DIRECTION_MARKS + " ~"), text.lstrip(DIRECTION_MARKS)
    return _Message(head=line, time=time, speaker=speaker, lines=[text], size=len(text.encode()))


def _time(head: re.Match[str]) -> str:
    """RFC 3339 of a head, day first. Raises `InvalidInput`."""
    day_first = head["first"] is not None
    day, month = (head["first"], head["second"]) if day_first else (head["day"], head["month"])
    year = head["short"] if day_first else head["year"]
    year = f"20{year}" if len(year) == 2 else year
    hour = int(head["hour"])
    if head["half"]:
        if not 1 <= hour <= 12:
            raise InvalidInput(f"{hour} {head['half']}m is no hour of a twelve-hour clock; it has 1 to 12")
        hour = hour % 12 + (12 if head["half"] in "Pp" else 0)
    text = f"{year}-{int(month):02d}-{int(day):02d}T{hour:02d}:{head['minute']}:{head['seconds'] or '00'}Z"
    try:
        return format_instant(parse_instant(text))
    except InvalidInput as ex:
        advice = "; dates are read day first, write others as 2026-03-14" if day_first else ""
        raise InvalidInput(f"{ex.reason}{advice}") from ex


def _draft(message: _Message, source: Source, sessions: "_Sessions") -> Draft | Problem:
    while len(message.lines) > 1 and not message.lines[-1].strip():
        message.lines.pop()
    raw = {
        "id": source.line_id(message.head.number),
        "speaker": message.speaker,
        "role": "other",
        "text": "\n".join(message.lines),
        "said_at": message.time,
    }
    try:
        draft = check(raw, where=message.head.where)
    except InvalidInput as ex:
        return Problem(where=ex.where, message=ex.reason)
    return msgspec.structs.replace(draft, session=sessions.name(draft.said_at))


class _Sessions:
    """Names sessions by file and day: "1f3a90c2/2026-03-14", and after four silent hours "1f3a90c2/2026-03-14/2".

    By the file too, because two chats of one day are two conversations, though they may go into one memory.
    """

    def __init__(self, source: Source) -> None:
        self._file = source.digest[:8]
        self._day = ""
        self._number = 0
        self._last: Micros = 0

    def name(self, said_at: Micros) -> str:
        day = format_instant(said_at)[:10]
        if day != self._day:
            self._day, self._number = day, 1
        elif said_at - self._last > SILENCE:
            self._number += 1
        self._last = said_at
        name = f"{self._file}/{day}"
        return name if self._number == 1 else f"{name}/{self._number}"
