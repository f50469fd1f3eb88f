"""Time expressions that belong together: "March last year", "three days before Christmas", "from May to August".

Each is read by itself first; here neighbours are joined. Standard library only, linear in their number.
"""

import re
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from kg_assets.text.periods import Span, months_later
from kg_assets.text.time_cores import Core, Seen
from kg_assets.text.time_spans import shifted
from kg_assets.text.time_words import COUNT, REACH, UNIT, WEEKDAY, count_of

_OF = re.compile(r",?[ \t]{1,3}(?:(?:of|in)[ \t]{1,3})?", re.IGNORECASE)
_IN = re.compile(r"[ \t]{1,3}(?:(?:in|on)[ \t]{1,3})?(?:the[ \t]{1,3})?", re.IGNORECASE)
_BRIDGE = re.compile(r"[ \t]?(?:(?P<through>-|–|to|until|till|through)|and)[ \t]?", re.IGNORECASE)
_WEEKDAY = re.compile(WEEKDAY, re.IGNORECASE)
_AWAY = re.compile(
    rf"\b(?:(?P<count>{COUNT})~(?P<unit>{UNIT})|the~(?P<one>day|week|month|year))~"
    r"(?:(?P<back>before)|after|from|(?P<on>on))~(?:the~)?$".replace("~", r"[ \t]{1,3}"),
    re.IGNORECASE,
)


class Found(NamedTuple):
    """A core with what is needed to read it again from another day."""

    core: Core
    match: re.Match[str]
    read: Callable[[re.Match[str], Seen], Core | None]
    seen: Seen


def apart(found: Sequence[Found]) -> list[Found]:
    """Of overlapping ones the first and longest."""
    kept: list[Found] = []
    for each in sorted(found, key=lambda each: (each.core.start, -each.core.end)):
        if not kept or each.core.start >= kept[-1].core.end:
            kept.append(each)
    return kept


def joined(text: str, found: Sequence[Found]) -> list[Found]:
    """A day, month or season beside the period it lies in is one: "Tuesday last week", "last year in May"."""
    kept: list[Found] = []
    for each in found:
        whole = None
        if kept and _OF.fullmatch(text, kept[-1].core.end, each.core.start):
            whole = _weekday_of(kept[-1], each) or _ago(kept[-1], each) or _inside(kept[-1], each.core.when)
        if kept and whole is None and _IN.fullmatch(text, kept[-1].core.end, each.core.start):
            whole = _inside(each, kept[-1].core.when)
        if whole is None:
            kept.append(each)
        else:
            kept[-1] = whole._replace(core=whole.core._replace(start=kept[-1].core.start, end=each.core.end))
    return kept


def _weekday_of(first: Found, second: Found) -> Found | None:
    """ "Monday, 12 January": the date says it all."""
    day = second.core.when
    is_day = day.start is not None and day.end == day.start + timedelta(1)
    return second if is_day and _WEEKDAY.fullmatch(first.match[0]) else None


def _ago(first: Found, second: Found) -> Found | None:
    """ "A week ago yesterday", "three years ago next month"."""
    when, words = second.core.when, first.match.groupdict()
    if not first.match[0].casefold().endswith("ago") or not words.get("count") or when.start is None:
        return None
    number, unit = -count_of(words["count"]), words["unit"].casefold().rstrip("s")
    if unit not in ("month", "year"):
        moved_to, _ = shifted(Seen(when.start, False), number, unit)
    elif second.core.precision == "month":
        moved_to = months_later(when.start, number * (12 if unit == "year" else 1))
    else:
        month = months_later(when.start, number * (12 if unit == "year" else 1))
        assert month.start is not None
        moved_to = Span.day(month.start.replace(day=min(when.start.day, 28)))
    return second._replace(core=second.core._replace(when=moved_to, floating=False))


def _inside(floating: Found, period: Span) -> Found | None:
    """The same words, read inside a period; None where they name their own year or do not fit in."""
    own = floating.core
    if not own.floating or own.relation != "in" or period.start is None or period.end is None:
        return None
    if own.when.start is None or own.when.end is None:
        return None
    if own.when.end - own.when.start >= period.end - period.start:
        return None
    core = floating.read(floating.match, Seen(period.start, True, inside=True))
    if core is None or core.when.start is None or not period.start <= core.when.start < period.end:
        return None
    return floating._replace(core=core._replace(floating=False))


def moved(text: str, found: Sequence[Found]) -> list[Found]:
    """What is told by its distance from a day: "three days before Christmas", "a week on Saturday"."""
    return [_moved(text, each) for each in found]


def _moved(text: str, found: Found) -> Found:
    core = found.core
    away = _AWAY.search(text, max(0, core.start - REACH), core.start)
    day = core.when.start
    if away is None or day is None or core.when.end != day + timedelta(1) or core.relation != "in":
        return found
    unit = away["one"] or away["unit"]
    if away["on"] and unit.casefold().rstrip("s") != "week":
        return found
    number = (-1 if away["back"] else 1) * (1 if away["one"] else count_of(away["count"]))
    when, precision = shifted(Seen(day, True), number, unit)
    return found._replace(core=core._replace(start=away.start(), when=when, precision=precision, floating=False))


def bridged(text: str, first: Found, last: Found, *, led: bool) -> Span | None:
    """From one to the other, `led` by "from" or "between"; None where they are two.

    "From November to February" ends in the following year; "from June to September last year" began in that year too.
    """
    bridge = _BRIDGE.fullmatch(text, first.core.end, last.core.start)
    points = first.core.relation == "in" and last.core.relation == "in" and first.core.precision == last.core.precision
    if bridge is None or not points or not (led or bridge["through"]):
        return None
    if last.core.floating and first.core.when.start and (first.seen.ahead or not first.core.floating):
        last = _again(last, first.core.when.start, ahead=True)
    elif first.core.floating and last.core.when.end:
        first = _again(first, last.core.when.end - timedelta(1), ahead=False)
    start, end = first.core.when.start, last.core.when.end
    return Span(start, end) if start is not None and end is not None and start < end else None


def _again(found: Found, day: date, *, ahead: bool) -> Found:
    """The same words seen from another day."""
    core = found.read(found.match, Seen(day, ahead))
    return found if core is None else found._replace(core=core)
