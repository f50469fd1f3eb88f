"""The patterns of time expressions, each with the function that reads what it found. Standard library only.

Every pattern is bounded, so that reading is linear in the text. `~` in a pattern stands for the space between words.
"""

import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import Literal, NamedTuple

from kg_assets.text.periods import (
    Span,
    anniversary_near,
    monday_of,
    month,
    month_named,
    months_later,
    season_named,
    season_of,
    week,
    weekday_near,
    weekend,
    years,
)
from kg_assets.text.time_words import (
    COUNT,
    DAY,
    HOLIDAYS,
    LAST,
    MONTH,
    NEAR_STEPS,
    NEXT,
    OF_YEAR,
    ORDINAL,
    PART_OF_DAY,
    SEASON,
    SHORT_DAY,
    UNIT,
    WEEKDAY,
    WEEKDAYS,
    WHICH,
    YEAR,
    count_of,
    day_number,
    month_number,
)

Precision = Literal["instant", "day", "month", "year", "unknown"]


class Core(NamedTuple):
    """What one pattern found, before the words in front of it are read."""

    start: int
    end: int
    when: Span
    precision: Precision
    relation: Literal["in", "range", "for", "every"] = "in"


class Seen(NamedTuple):
    """Where an expression is seen from: the day it was said, and whether its sentence looks ahead."""

    today: date
    ahead: bool


LEAD = re.compile(
    r"\b(?:(?P<since>(?:ever )?since|starting(?: from)?|as of)|(?P<until>until|till|up to)|(?P<from>from|between)|"
    r"on|in|at|by|during|over|around|about|back in|early in|late in)"
    r"(?: (?:the|about|around|early|mid|late|mid-|end of|beginning of|start of|the end of|the start of)){0,2}[ -]$"
    r"|\b(?:early|mid|late)[ -]$",
    re.IGNORECASE,
)
REACH = 32  # characters in front of an expression that can belong to it
_NUMBER_BEFORE = re.compile(
    rf"(?:[0-9](?:st|nd|rd|th)?[ \t]{{1,3}}(?:of[ \t])?|\b{ORDINAL}[ \t]{{1,3}}of[ \t]{{1,3}})$", re.IGNORECASE
)


# ---------------------------------------------------------------------------------- one reader for each pattern


def _direction(which: str | None, ahead: bool) -> bool:
    """Back for "last", ahead for "next"; "this" or nothing leaves it to the tense."""
    word = (which or "").casefold()
    return True if word in NEXT else False if word in LAST else ahead


def _iso(found: re.Match[str], _: Seen) -> Core:
    return Core(found.start(), found.end(), Span.day(date(int(found[1]), int(found[2]), int(found[3]))), "day")


def _month_day(found: re.Match[str], seen: Seen) -> Core:
    number, day = month_number(found["month"]), day_number(found["day"])
    chosen = (
        date(int(found["year"]), number, day)
        if found["year"]
        else anniversary_near(seen.today, number, day, ahead=_direction(found["which"], seen.ahead))
    )
    return Core(found.start(), found.end(), Span.day(chosen), "day")


def _month_alone(found: re.Match[str], seen: Seen) -> Core | None:
    number, which = month_number(found["month"]), (found["which"] or "").casefold()
    if found["year"]:
        return Core(found.start(), found.end(), month(int(found["year"]), number), "month")
    if which == "this":
        return Core(found.start(), found.end(), month(seen.today.year, number), "month")
    if _NUMBER_BEFORE.search(found.string, max(0, found.start() - REACH), found.start()):
        return None  # what is left of an impossible day, such as 31 June
    led = which or LEAD.search(found.string, max(0, found.start() - REACH), found.start())
    if not led and (found["month"].islower() or number in (3, 5) or len(found["month"]) < 4):
        return None  # "may" and "march" are verbs first, "mar" and "jan" may be names
    when = month_named(seen.today, number, ahead=_direction(which, seen.ahead), other=bool(which))
    return Core(found.start(), found.end(), when, "month")


def _year_alone(found: re.Match[str], _: Seen) -> Core | None:
    first, last = int(found["year"]), int(found["to"] or found["year"])
    if first > last:
        return None
    return Core(found.start("year"), found.end(), years(first, last), "year", "range" if found["to"] else "in")


def _decade(found: re.Match[str], seen: Seen) -> Core:
    digits = int(found["decade"])
    first = digits if digits > 99 else (2000 if digits <= seen.today.year % 100 else 1900) + digits
    return Core(found.start(), found.end(), years(first, first + 9), "unknown")


def _season(found: re.Match[str], seen: Seen) -> Core:
    which, season = (found["which"] or "").casefold(), found["season"].casefold()
    when = (
        season_of(int(found["year"]), season)
        if found["year"]
        else season_named(
            seen.today, season, ahead=_direction(which, seen.ahead), other=bool(which) and which != "this"
        )
    )
    return Core(found.start("which") if which else found.start("season"), found.end(), when, "year")


def _unit_near(found: re.Match[str], seen: Seen) -> Core:
    """The calendar's own weeks, months and years: "last week", "this month", "next year"."""
    which, unit = found["which"].casefold(), found["unit"].casefold()
    step = 1 if which in NEXT else -1 if which in LAST else 0
    if unit == "week":
        return Core(found.start(), found.end(), week(seen.today + timedelta(7 * step)), "month")
    if unit == "month":
        return Core(found.start(), found.end(), months_later(seen.today, step), "month")
    return Core(found.start(), found.end(), years(seen.today.year + step), "year")


def _weekend(found: re.Match[str], seen: Seen) -> Core:
    which = found["which"].casefold()
    running = seen.today.weekday() >= 5
    step = 1 if which == "next" else -1 if which in LAST or not (seen.ahead or running) else 0
    return Core(found.start(), found.end(), weekend(seen.today, weeks=step), "day")


def _weekday(found: re.Match[str], seen: Seen) -> Core:
    which, name = (found["which"] or "").casefold(), found["weekday"].casefold()
    wanted = next(number for number, weekday in enumerate(WEEKDAYS) if weekday.startswith(name[:3]))
    if which == "next":  # of the week after this one; the coming one is "this Friday"
        chosen = monday_of(seen.today) + timedelta(7 + wanted)
    else:
        chosen = weekday_near(seen.today, wanted, ahead=_direction(which, seen.ahead))
    return Core(found.start(), found.end(), Span.day(chosen), "day")


def _near(found: re.Match[str], seen: Seen) -> Core:
    words = " ".join(found[0].casefold().split())
    step = next(step for opening, step in NEAR_STEPS if words.startswith(opening))
    return Core(found.start(), found.end(), Span.day(seen.today + timedelta(step)), "day")


def _ago(found: re.Match[str], seen: Seen) -> Core:
    return _distance(found, seen, -1)


def _from_now(found: re.Match[str], seen: Seen) -> Core | None:
    return _distance(found, seen, 1) if seen.ahead or found["now"] else None


def _duration(found: re.Match[str], seen: Seen) -> Core:
    core = _distance(found, seen, -1)
    return core._replace(when=Span(core.when.start, None), relation="for")


def _distance(found: re.Match[str], seen: Seen, sign: int) -> Core:
    number, unit = sign * count_of(found["count"]), found["unit"].casefold().rstrip("s")
    start, end = found.span()
    if unit in ("day", "week", "fortnight"):
        number *= {"day": 1, "week": 7, "fortnight": 14}[unit]
        return Core(start, end, Span.day(seen.today + timedelta(number)), "day" if unit == "day" else "month")
    if unit == "month":
        return Core(start, end, months_later(seen.today, number), "month")
    return Core(start, end, years(seen.today.year + number * (10 if unit == "decade" else 1)), "year")


def _repeated(found: re.Match[str], _: Seen) -> Core:
    return Core(found.start(), found.end(), Span(None, None), "unknown", "every")


def _holiday(found: re.Match[str], seen: Seen) -> Core:
    number, day = HOLIDAYS[" ".join(found["holiday"].casefold().replace("’", "'").split())]
    chosen = anniversary_near(seen.today, number, day, ahead=_direction(found["which"], seen.ahead))
    return Core(found.start(), found.end(), Span.day(chosen), "day")


Reader = Callable[[re.Match[str], Seen], Core | None]


def _pattern(*parts: str) -> re.Pattern[str]:
    """`~` stands for the space between two words."""
    return re.compile("".join(parts).replace("~", r"[ \t]{1,3}"), re.IGNORECASE)


READERS: tuple[tuple[re.Pattern[str], Reader], ...] = (
    (_pattern(r"(?<![0-9-])([0-9]{4})-([0-9]{2})-([0-9]{2})(?![0-9-])"), _iso),
    (
        _pattern(rf"\b(?:(?P<which>{WHICH})~)?(?:the~)?(?P<day>{DAY})~(?:of~)?(?P<month>{MONTH})", OF_YEAR),
        _month_day,
    ),
    (
        _pattern(rf"\b(?:(?P<which>{WHICH})~)?(?P<month>{MONTH})~(?:the~)?(?P<day>{DAY})(?![0-9])\b", OF_YEAR),
        _month_day,
    ),
    (_pattern(rf"\b(?P<which>)(?:the~)?(?P<day>{ORDINAL})~of~(?P<month>{MONTH})", OF_YEAR), _month_day),
    (_pattern(rf"\b(?P<which>)(?P<month>{MONTH})~the~(?P<day>{ORDINAL})\b", OF_YEAR), _month_day),
    (_pattern(rf"\b(?:(?P<which>{WHICH})~)?(?P<month>{MONTH})", OF_YEAR), _month_alone),
    (
        _pattern(
            r"\b(?:in|since|until|till|from|by|during|between|of|early|mid|late|year)[ -](?:the~year~)?",
            rf"(?P<year>{YEAR})(?:[ \t]?(?:-|–|to|until|till|and)[ \t]?(?P<to>{YEAR}))?\b(?![:%]|[.,][0-9])",
        ),
        _year_alone,
    ),
    (_pattern(r"\bthe~(?:(?:early|late|mid)[ -])?'?(?P<decade>(?:1[89]|20)?[0-9]0)'?s\b"), _decade),
    (
        _pattern(rf"\b(?:(?P<which>{WHICH})|the|in|since|by|until)~(?P<season>{SEASON})\b", OF_YEAR),
        _season,
    ),
    (_pattern(rf"\b(?:the~)?(?P<which>{WHICH})~(?P<unit>week|month|year)\b"), _unit_near),
    (_pattern(rf"\b(?P<which>{WHICH}|(?:over|on|at|for)~the)~weekend\b"), _weekend),
    (_pattern(rf"\b(?:(?P<which>{WHICH})~)?(?P<weekday>{WEEKDAY})\b", PART_OF_DAY), _weekday),
    (_pattern(rf"\b(?:(?P<which>{WHICH})|on)~(?P<weekday>{SHORT_DAY})\b", PART_OF_DAY), _weekday),
    (
        _pattern(
            r"\b(?:the~day~before~yesterday|the~day~after~tomorrow|yesterday|today|tonight|tomorrow|last~night|",
            r"this~(?:morning|afternoon|evening))\b",
            PART_OF_DAY,
        ),
        _near,
    ),
    (
        _pattern(
            rf"(?<![0-9.,])\b(?:(?:about|around|almost|over)~)?(?P<count>{COUNT})~(?P<unit>{UNIT})~(?:ago|back)\b"
        ),
        _ago,
    ),
    (_pattern(rf"\bin~(?P<count>{COUNT})~(?P<unit>{UNIT})(?P<now>~from~now|'?~time)?\b"), _from_now),
    (
        _pattern(
            r"\b(?:for|over|in|during)~(?:(?:almost|about|around|nearly|more~than|over|the)~){0,2}(?:(?:last|past)~)?",
            rf"(?P<count>{COUNT})~(?P<unit>{UNIT})(?:~now)?\b(?!~(?:ago|back|old))",
        ),
        _duration,
    ),
    (
        _pattern(
            rf"\b(?:every|each)~(?:(?:single|other|second)~)?(?:{WEEKDAY}|day|week|weekend|month|year|morning|",
            rf"evening|night|{SEASON}|{MONTH})\b|\b(?:on~)?{WEEKDAY}s\b|\bon~weekends\b|",
            r"\b(?:once|twice|(?:[0-9]|two|three|four|five|a few|few|several)~times)~an?~(?:day|week|month|year)\b",
        ),
        _repeated,
    ),
    (
        _pattern(
            rf"\b(?:(?P<which>{WHICH})~)?(?P<holiday>new~year['’]s~(?:day|eve)|valentine['’]s~day|halloween|",
            r"christmas(?:~(?:eve|day))?)\b",
        ),
        _holiday,
    ),
)
