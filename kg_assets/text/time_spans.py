"""Months, seasons, years and what lies some way off. Standard library only."""

import re
from datetime import date, timedelta

from kg_assets.text.periods import (
    Span,
    month,
    month_named,
    months_later,
    season_named,
    season_of,
    share_of_year,
    week,
    weekday_near,
    weekend,
    years,
)
from kg_assets.text.time_cores import Core, Precision, Seen, direction, word_of, year_of
from kg_assets.text.time_words import (
    DECADES,
    LAST,
    LEAD,
    NEXT,
    ORDINAL,
    REACH,
    WEEKDAYS,
    count_of,
    day_number,
    month_number,
    year_number,
)

_NUMBER_BEFORE = re.compile(
    rf"(?:[0-9](?:st|nd|rd|th)?[ \t]{{1,3}}(?:of[ \t])?|\b{ORDINAL}[ \t]{{1,3}}of[ \t]{{1,3}})$", re.IGNORECASE
)
_NAMING = re.compile(r"\b(?:with|called|named|auntie?|sister|daughter)[ \t]$", re.IGNORECASE)  # April is a woman too


def month_alone(found: re.Match[str], seen: Seen) -> Core | None:
    number, which, year = month_number(found["month"]), word_of(found, "which"), year_of(found, seen)
    if year is not None:
        return Core(found.start(), found.end(), month(year, number), "month")
    if which == "this":
        return Core(found.start(), found.end(), month(seen.today.year, number), "month")
    opening = max(0, found.start() - REACH)
    if _NUMBER_BEFORE.search(found.string, opening, found.start()):
        return None  # what is left of an impossible day, such as 31 June
    led = which or LEAD.search(found.string, opening, found.start())
    if not led and (found["month"].islower() or number in (3, 5) or len(found["month"]) < 4):
        return None  # "may" and "march" are verbs first, "mar" and "jan" may be names
    if not led and _NAMING.search(found.string, opening, found.start()):
        return None
    when = month_named(seen.today, number, ahead=direction(found, seen), other=bool(which))
    return Core(found.start(), found.end(), when, "month", floating=not which)


def year_alone(found: re.Match[str], seen: Seen) -> Core | None:
    first, to = year_number(found["year"], seen.today), word_of(found, "to") or word_of(found, "short")
    last = int(to) if len(to) == 4 else first // 100 * 100 + int(to) if to else first  # "2011/12"
    if first > last:
        return None
    return Core(found.start("year"), found.end(), years(first, last), "year", "range" if to else "in")


def decade(found: re.Match[str], seen: Seen) -> Core:
    word = word_of(found, "decade") or word_of(found, "named")
    digits = DECADES[word] if word in DECADES else int(word)
    first = digits if digits > 99 else (2000 if digits <= seen.today.year % 100 else 1900) + digits
    return Core(found.start(), found.end(), years(first, first + 9), "unknown")


def century(found: re.Match[str], seen: Seen) -> Core:
    word = word_of(found, "number")
    number = day_number(word) if word else seen.today.year // 100
    return Core(found.start(), found.end(), years(100 * (number - 1), 100 * number - 1), "unknown")


def season(found: re.Match[str], seen: Seen) -> Core:
    which, name, year = word_of(found, "which"), word_of(found, "season"), year_of(found, seen)
    when = (
        season_of(year, name)
        if year is not None
        else season_named(seen.today, name, ahead=direction(found, seen), other=which not in ("", "this"))
    )
    start = found.start("which") if which else found.start("season")
    return Core(start, found.end(), when, "year", floating=not which and year is None)


def part_of_year(found: re.Match[str], seen: Seen) -> Core:
    """A quarter or a half: "Q3 2023", "the second half of 2019"; without a year the nearest one."""
    words, year = word_of(found, "digit") or word_of(found, "quarter"), year_of(found, seen)
    parts = 4 if words else 2
    number = int(words) if words.isdigit() else day_number(words or word_of(found, "half"))
    if year is not None:
        return Core(found.start(), found.end(), share_of_year(year, number, parts), "year")
    spans = [share_of_year(each, number, parts) for each in range(seen.today.year - 1, seen.today.year + 2)]
    ends = [each.end > seen.today for each in spans if each.end is not None]
    begun = [each.start <= seen.today for each in spans if each.start is not None]
    when = spans[ends.index(True)] if seen.ahead else spans[begun.count(True) - 1]
    return Core(found.start(), found.end(), when, "year", floating=True)


def week_of_year(found: re.Match[str], seen: Seen) -> Core:
    year = year_of(found, seen) or seen.today.year
    return Core(found.start(), found.end(), week(date.fromisocalendar(year, int(found["number"]), 1)), "month")


def unit_near(found: re.Match[str], seen: Seen) -> Core:
    """The calendar's own weeks, months, quarters and years: "last week", "this month", "next year"."""
    which, unit = word_of(found, "which"), word_of(found, "unit")
    return _unit(found, seen, unit, 1 if which in NEXT else -1 if which in LAST else 0)


def unit_beyond(found: re.Match[str], seen: Seen) -> Core:
    """ "The year before last", "the week after next"."""
    return _unit(found, seen, word_of(found, "unit"), -2 if word_of(found, "back") else 2)


def _unit(found: re.Match[str], seen: Seen, unit: str, step: int) -> Core:
    if unit == "week":
        return Core(found.start(), found.end(), week(seen.today + timedelta(7 * step)), "month")
    if unit == "weekend":
        return Core(found.start(), found.end(), weekend(seen.today, weeks=step), "day")
    if unit == "month":
        return Core(found.start(), found.end(), months_later(seen.today, step), "month")
    if unit == "quarter":
        count = seen.today.year * 4 + (seen.today.month - 1) // 3 + step
        return Core(found.start(), found.end(), share_of_year(count // 4, count % 4 + 1, 4), "year")
    return Core(found.start(), found.end(), years(seen.today.year + step), "year")


def named_beyond(found: re.Match[str], seen: Seen) -> Core:
    """ "The Saturday before last", "the summer before last": the last one but one."""
    name = word_of(found, "named")
    if name in WEEKDAYS:
        last = weekday_near(seen.today, WEEKDAYS.index(name), ahead=False)
        return Core(found.start(), found.end(), Span.day(last - timedelta(7)), "day")
    last_one = season_named(seen.today, name, ahead=False, other=True)
    assert last_one.start is not None
    return Core(found.start(), found.end(), season_of(last_one.start.year - 1, name), "year")


def weekend_near(found: re.Match[str], seen: Seen) -> Core:
    which = word_of(found, "which")
    running = seen.today.weekday() >= 5
    step = 1 if which == "next" else -1 if which in LAST or not (seen.ahead or running or which == "this") else 0
    return Core(found.start(), found.end(), weekend(seen.today, weeks=step), "day")


# -------------------------------------------------------------------------------------------------------- distances


def ago(found: re.Match[str], seen: Seen) -> Core:
    return _distance(found, seen, -1)


def from_now(found: re.Match[str], seen: Seen) -> Core | None:
    return _distance(found, seen, 1) if seen.ahead or word_of(found, "now") else None


def coming(found: re.Match[str], seen: Seen) -> Core:
    """ "Over the next two weeks": from today on."""
    core = _distance(found, seen, 1)
    return core._replace(when=Span(seen.today, core.when.end), relation="range")


def duration(found: re.Match[str], seen: Seen) -> Core:
    core = _distance(found, seen, -1)
    return core._replace(when=Span(core.when.start, None), relation="for")


def _distance(found: re.Match[str], seen: Seen, sign: int) -> Core:
    half_of = word_of(found, "half_of")
    count = 0 if half_of else sign * count_of(word_of(found, "count"))
    half = sign if half_of or word_of(found, "half") else 0
    when, precision = shifted(seen, count, half_of or word_of(found, "unit"), half=half)
    return Core(found.start(), found.end(), when, precision)


def shifted(seen: Seen, number: int, unit: str, *, half: int = 0) -> tuple[Span, Precision]:
    """What lies so many units away, as sharply as the unit tells; `half`: and half a unit more (1) or less (-1)."""
    unit = unit.casefold().rstrip("s")
    if unit in ("minute", "hour"):
        hours = number if unit == "hour" else 0
        return Span.day(seen.today + timedelta((seen.hour + hours) // 24)), "day"
    if unit in ("day", "week", "fortnight"):
        days = {"day": 1, "week": 7, "fortnight": 14}[unit]
        return Span.day(seen.today + timedelta(number * days)), "day" if unit == "day" else "month"
    if unit == "month":
        return months_later(seen.today, number), "month"
    if half:
        return months_later(seen.today, 12 * number + 6 * half), "month"
    return years(seen.today.year + number * (10 if unit == "decade" else 1)), "year"


def repeated(found: re.Match[str], _: Seen) -> Core:
    return Core(found.start(), found.end(), Span(None, None), "unknown", "every")
