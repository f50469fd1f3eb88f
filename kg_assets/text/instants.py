"""Points in time as text: RFC 3339 with an offset, to and from integer microseconds since 1970-01-01 UTC.

Integers all the way: a float holds no more than 2**53 and loses microseconds far from 1970.
"""

import re
from datetime import UTC, datetime, timedelta

from kg_assets.errors import InvalidInput
from kg_assets.model import Micros

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
EARLIEST: Micros = (datetime(1, 1, 1, tzinfo=UTC) - EPOCH) // MICROSECOND
LATEST: Micros = (datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC) - EPOCH) // MICROSECOND

# [0-9] and not \d, which takes the digits of every script.
RFC_3339 = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt ]([0-9]{2}):([0-9]{2}):([0-9]{2})"
    r"(?:\.([0-9]{1,9}))?([Zz]|[+-][0-9]{2}:[0-9]{2})?"
)


def parse_instant(text: str) -> Micros:
    """The instant that an RFC 3339 text names. Digits beyond the microsecond are cut off. Raises `InvalidInput`."""
    found = RFC_3339.fullmatch(text)
    if found is None:
        raise InvalidInput(f"{text[:40]!r} is not a time; write it like 2026-05-30T18:04:00Z (RFC 3339)")
    *numbers, fraction, offset = found.groups()
    if offset is None:
        raise InvalidInput(f"{text!r} has no offset; end it with Z for UTC, or an offset like +01:00")
    year, month, day, hour, minute, second = (int(number) for number in numbers)
    micros = int((fraction or "").ljust(6, "0")[:6])
    try:
        local = datetime(year, month, day, hour, minute, second, micros, tzinfo=UTC)
    except ValueError as ex:
        raise InvalidInput(f"{text!r} is not a possible time: {ex}") from ex
    return within_calendar((local - EPOCH) // MICROSECOND - offset_micros(offset, text), text)


def offset_micros(offset: str, text: str) -> Micros:
    """How far a zone is ahead of UTC; raises `InvalidInput` past 23:59."""
    if offset in "Zz":
        return 0
    hours, minutes = int(offset[1:3]), int(offset[4:6])
    if hours > 23 or minutes > 59:
        raise InvalidInput(f"{text!r} has an impossible offset; it runs from -23:59 to +23:59")
    ahead = (hours * 60 + minutes) * 60_000_000
    return -ahead if offset[0] == "-" else ahead


def within_calendar(micros: Micros, text: str) -> Micros:
    if not EARLIEST <= micros <= LATEST:
        raise InvalidInput(f"{text!r} lies outside the years 1 to 9999 in UTC")
    return micros


def format_instant(micros: Micros) -> str:
    """RFC 3339 in UTC, ending in Z; six fraction digits where the microseconds are not zero. Raises `InvalidInput`."""
    moment = EPOCH + timedelta(microseconds=within_calendar(micros, str(micros)))
    return moment.isoformat().removesuffix("+00:00") + "Z"
