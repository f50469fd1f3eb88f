"""Days, weeks, months and years as half-open spans of dates. Standard library only; every day is a UTC day."""

from datetime import date, timedelta
from typing import NamedTuple

EPOCH = date(1970, 1, 1).toordinal()
DAY_MICROS = 86_400_000_000
_SEASON_STARTS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}  # meteorological, in the north


class Span(NamedTuple):
    """`[start, end)`; None is unbounded."""

    start: date | None
    end: date | None

    @classmethod
    def day(cls, start: date) -> "Span":
        return cls(start, start + timedelta(1))


def day_of(micros: int) -> date | None:
    """The UTC day of an instant, or None outside the years that leave room for arithmetic (2 to 9998)."""
    ordinal = micros // DAY_MICROS + EPOCH
    return date.fromordinal(ordinal) if date(2, 1, 1).toordinal() <= ordinal < date(9998, 1, 1).toordinal() else None


def midnight(day: date | None) -> int | None:
    """The instant at which a day begins."""
    return None if day is None else (day.toordinal() - EPOCH) * DAY_MICROS


def monday_of(day: date) -> date:
    """The Monday of the week that holds the day."""
    return day - timedelta(day.weekday())


def week(day: date) -> Span:
    """Monday to Monday."""
    return Span(monday_of(day), monday_of(day) + timedelta(7))


def weekend(day: date, *, weeks: int = 0) -> Span:
    """Saturday and Sunday of the week that holds the day, or of so many weeks later."""
    saturday = monday_of(day) + timedelta(5 + 7 * weeks)
    return Span(saturday, saturday + timedelta(2))


def month(year: int, number: int) -> Span:
    following = (year + 1, 1) if number == 12 else (year, number + 1)
    return Span(date(year, number, 1), date(*following, 1))


def years(first: int, last: int | None = None) -> Span:
    """One year, or all from the first to the last."""
    return Span(date(first, 1, 1), date((last or first) + 1, 1, 1))


def share_of_year(year: int, number: int, parts: int) -> Span:
    """The first, second … of two halves or four quarters."""
    months = 12 // parts
    return Span(date(year, 1 + months * (number - 1), 1), months_later(date(year, 1, 1), months * number).start)


def easter(year: int) -> date:
    """Easter Sunday of the Gregorian calendar (the anonymous algorithm, in Meeus, Astronomical Algorithms, ch. 8)."""
    golden, century, of_century = year % 19, year // 100, year % 100
    moon = (century - century // 4 - (century - (century + 8) // 25 + 1) // 3 + 19 * golden + 15) % 30
    sunday = (32 + 2 * (century % 4) + 2 * (of_century // 4) - moon - of_century % 4) % 7
    late = (golden + 11 * moon + 22 * sunday) // 451
    days = moon + sunday - 7 * late + 114
    return date(year, days // 31, days % 31 + 1)


def thanksgiving(year: int) -> date:
    """The fourth Thursday of November, as in the United States."""
    return date(year, 11, 1) + timedelta((3 - date(year, 11, 1).weekday()) % 7 + 21)


def months_later(day: date, months: int) -> Span:
    """The month that lies so many months after (before, where negative) the one of a day."""
    count = day.year * 12 + day.month - 1 + months
    return month(count // 12, count % 12 + 1)


def month_named(today: date, number: int, *, ahead: bool, other: bool = False) -> Span:
    """The nearest month of this name, this month included unless `other`."""
    if ahead:
        later = number < today.month or (other and number == today.month)
        return month(today.year + later, number)
    earlier = number > today.month or (other and number == today.month)
    return month(today.year - earlier, number)


def season_named(today: date, season: str, *, ahead: bool, other: bool = False) -> Span:
    """The nearest season of this name; one that runs now counts unless `other`."""
    spans = [season_of(year, season) for year in range(today.year - 2, today.year + 3)]
    if ahead:
        return next(span for span in spans if (span.start if other else span.end) > today)  # type: ignore[operator]
    return [span for span in spans if (span.end if other else span.start) <= today][-1]  # type: ignore[operator]


def season_of(year: int, season: str) -> Span:
    """Three months; a winter belongs to the year in which it begins."""
    first = _SEASON_STARTS[season]
    return Span(date(year, first, 1), months_later(date(year, first, 1), 3).start)


def weekday_near(today: date, weekday: int, *, ahead: bool) -> date:
    """The next such day after today, or the last one before it (Monday is 0)."""
    return today + timedelta((weekday - today.weekday() - 1) % 7 + 1 if ahead else (weekday - today.weekday()) % 7 - 7)


def anniversary_near(today: date, number: int, day: int, *, ahead: bool) -> date:
    """The nearest such day of a year, today included. Raises `ValueError` for a day that no year has."""
    found = []
    for year in range(max(1, today.year - 8), min(9998, today.year + 8) + 1):  # 1896 to 1904: no 29 February
        try:
            found.append(date(year, number, day))
        except ValueError:
            continue
    if not found:
        raise ValueError(f"no year has a day {day} in month {number}")
    return min(each for each in found if each >= today) if ahead else max(each for each in found if each <= today)


def day_of_month_near(today: date, number: int, *, ahead: bool) -> date:
    """The next (from today on) or last such day of a month; months that do not have it are passed over."""
    for step in range(3):
        first = months_later(today, step if ahead else -step).start
        assert first is not None
        try:
            day = first.replace(day=number)
        except ValueError:
            continue
        if day >= today if ahead else day <= today:
            return day
    raise ValueError(f"no day {number} near {today}")
