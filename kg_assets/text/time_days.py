"""Days of the calendar: dates, weekdays, holidays, "yesterday". Standard library only."""

import re
from datetime import date, timedelta

from kg_assets.text.periods import (
    Span,
    anniversary_near,
    day_of_month_near,
    easter,
    monday_of,
    months_later,
    thanksgiving,
    weekday_near,
    years,
)
from kg_assets.text.time_cores import Core, Seen, direction, word_of, year_of
from kg_assets.text.time_words import HOLIDAYS, NEAR_STEPS, WEEKDAYS, day_number, month_number, year_number


def iso(found: re.Match[str], _: Seen) -> Core:
    return Core(found.start(), found.end(), Span.day(date(int(found[1]), int(found[2]), int(found[3]))), "day")


def numeric(found: re.Match[str], seen: Seen) -> Core:
    """13/6/2021 can be read one way only, 05.06.2021 is written by those who put the day first; of 5/6/2021 nobody
    can tell more than the year."""
    first, second = int(found["first"]), int(found["second"])
    year = year_number(found["year"], seen.today)
    if found["sign"] == "." or first > 12 or first == second:
        chosen = date(year, second, first)
    elif second > 12:
        chosen = date(year, first, second)
    else:
        return Core(found.start(), found.end(), years(year), "year")
    return Core(found.start(), found.end(), Span.day(chosen), "day")


def month_day(found: re.Match[str], seen: Seen) -> Core:
    number, year = month_number(found["month"]), year_of(found, seen)
    day = day_number((word_of(found, "day") or word_of(found, "named")).removesuffix(" of"))
    chosen = (
        anniversary_near(seen.today, number, day, ahead=direction(found, seen))
        if year is None
        else date(year, number, day)
    )
    last = word_of(found, "last")  # "3-9 April"
    when = Span(chosen, chosen.replace(day=day_number(last)) + timedelta(1)) if last else Span.day(chosen)
    if when.end is None or when.end <= chosen:
        raise ValueError(f"{found[0]!r} ends before it begins")
    return Core(found.start(), found.end(), when, "day", "range" if last else "in", floating=year is None)


def day_alone(found: re.Match[str], seen: Seen) -> Core:
    chosen = day_of_month_near(seen.today, day_number(found["day"]), ahead=seen.ahead)
    return Core(found.start(), found.end(), Span.day(chosen), "day", floating=True)


def holiday(found: re.Match[str], seen: Seen) -> Core:
    name, year = word_of(found, "holiday").replace("’", "'"), year_of(found, seen)
    ahead = direction(found, seen)
    if year is not None:
        chosen = _day_of_holiday(name, year)
    else:
        days = [_day_of_holiday(name, each) for each in range(seen.today.year - 1, seen.today.year + 2)]
        chosen = min(day for day in days if day >= seen.today) if ahead else max(d for d in days if d <= seen.today)
    return Core(found.start(), found.end(), Span.day(chosen), "day", floating=year is None)


def _day_of_holiday(name: str, year: int) -> date:
    if name in HOLIDAYS:
        return date(year, *HOLIDAYS[name])
    if name == "thanksgiving":
        return thanksgiving(year)
    return easter(year) + timedelta({"good friday": -2, "easter monday": 1}.get(name, 0))


def weekday(found: re.Match[str], seen: Seen) -> Core:
    which, name = word_of(found, "which"), word_of(found, "weekday")
    wanted = next(number for number, each in enumerate(WEEKDAYS) if each.startswith(name[:3]))
    this_week = monday_of(seen.today) + timedelta(wanted)
    if which == "next":  # of the week after this one; the coming one is "this Friday"
        chosen = this_week + timedelta(7)
    elif which == "this" or seen.inside:
        chosen = this_week if this_week >= seen.today or not seen.ahead else this_week + timedelta(7)
    else:
        chosen = weekday_near(seen.today, wanted, ahead=direction(found, seen))
    if word_of(found, "later"):  # "Monday week"
        chosen += timedelta(7)
    return Core(found.start(), found.end(), Span.day(chosen), "day", floating=not which)


def weekday_and_day(found: re.Match[str], seen: Seen) -> Core:
    """ "Tuesday the 8th": the nearest day that is both."""
    wanted, day = WEEKDAYS.index(word_of(found, "weekday")), seen.today
    for _ in range(12):
        day = day_of_month_near(day, day_number(found["day"]), ahead=seen.ahead)
        if day.weekday() == wanted:
            return Core(found.start(), found.end(), Span.day(day), "day", floating=True)
        day += timedelta(1 if seen.ahead else -1)
    raise ValueError(f"no {found[0]!r} near {seen.today}")


def weekday_of_month(found: re.Match[str], seen: Seen) -> Core:
    """ "The second Saturday" of a month; the month stands beside it, without one it is this month's."""
    whole = months_later(seen.today, 0)
    assert whole.start is not None
    assert whole.end is not None
    wanted, nth = WEEKDAYS.index(word_of(found, "weekday")), word_of(found, "nth")
    if nth == "last":
        chosen = weekday_near(whole.end, wanted, ahead=False)
    else:
        chosen = weekday_near(whole.start - timedelta(1), wanted, ahead=True) + timedelta(7 * (day_number(nth) - 1))
    return Core(found.start(), found.end(), Span.day(chosen), "day", floating=True)


def near(found: re.Match[str], seen: Seen) -> Core:
    words = " ".join(found[0].casefold().split())
    step = next(step for opening, step in NEAR_STEPS if words.startswith(opening))
    return Core(found.start(), found.end(), Span.day(seen.today + timedelta(step)), "day")
