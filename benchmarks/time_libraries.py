"""Well-kept libraries on the same time expressions, and our own reading of one library's corpus. JSON lines.

    python -m venv /tmp/times && /tmp/times/bin/pip install dateparser parsedatetime timefhuman ctparse \
        recognizers-text-date-time "emoji<1"
    PYTHONPATH=. /tmp/times/bin/python benchmarks/time_libraries.py

Reads `tests/text/time_expressions.txt` and the second set beside it. Most libraries give a point and no interval, so
the measure is a generous one: each is given the expression alone, and it is right where any point it offers lies inside
an interval that the file allows ("since 2019": inside 2019). Ours reads the whole sentence and is measured in the same
way. The corpus is that of ctparse (MIT), its English texts whose meaning names a year, by exact days. What is not
installed is left out.
"""

import importlib
import json
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import date, datetime, timedelta
from typing import Any

from benchmarks.time_expressions import _BEFORE_CHRIST, _DAY, _EPOCH, FILE, Case, Meant, cases, overlapping
from kg_assets.text.instants import parse_instant
from kg_assets.text.times import find_times

NOW = datetime(2026, 3, 11, 10, 30)  # noqa: DTZ001 (the libraries want it without a zone)
_DAYS = {"year": 366, "month": 31, "day": 1, "instant": 1, "unknown": 3660}
_GERMAN_WORDS = (
    "heute morgen gestern vorgestern uebermorgen uhr um am bis von vom zum nach vor ab ende des der die das den dem "
    "und oder als montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag januar februar mai juni juli "
    "oktober dezember nacht abend abends mittag mittags nachmittag vormittag frueh spaet zwischen ersten woche tag "
    "tage tagen naechte jahr jahre monat halb viertel jetzt genau di mi do so kommenden dieser diese zwei drei stunden "
    "minuten frei"
)
_GERMAN = re.compile(rf"[äöüß]|\b(?:{'|'.join(_GERMAN_WORDS.split())})\b", re.IGNORECASE)


def main() -> None:
    for file in (FILE, FILE.with_name("time_expressions_second.txt")):
        known = [(case, list(allowed(case))) for case in cases(file)]
        print(json.dumps({"set": file.name}))
        measure("palimpsest", known, lambda case: [first_day(each) for each in overlapping(case)])
        compare(known)
    with suppress(ImportError):
        corpus()


def compare(known: list[tuple[Case, list[tuple[int, int]]]]) -> None:
    for name, points in LIBRARIES.items():
        with suppress(ImportError):
            read = points()
            measure(name, known, lambda case, read=read: offered(read, case.text[slice(*case.span)]))  # type: ignore[misc]


def measure(name: str, known: list[tuple[Case, list[tuple[int, int]]]], read: Callable[[Case], list[int]]) -> None:
    right = silent = undated = claimed = 0
    for case, spans in known:
        days = read(case)
        if not spans:
            undated, claimed = undated + 1, claimed + bool(days)
        elif any(start <= day < end for day in days for start, end in spans) or (not days and may_be_silent(case)):
            right += 1
        else:
            silent += not days
    dated = len(known) - undated
    fields = {"dated": dated, "inside": right, "nothing": silent, "elsewhere": dated - right - silent}
    print(json.dumps({"measure": name, **fields, "undated": undated, "dated_though_undated": claimed}))


def may_be_silent(case: Case) -> bool:
    return any(isinstance(each, str) for each in case.expected)


def allowed(case: Case) -> Iterator[tuple[int, int]]:
    """The days, counted from year 1, in which a point may lie."""
    for each in case.expected:
        if not isinstance(each, Meant) or _BEFORE_CHRIST in each.bounds:
            continue
        start, end = each.bounds
        width = _DAYS[each.precision]
        if start is None and end is not None:
            yield end // _DAY + _EPOCH - width, end // _DAY + _EPOCH + width
        elif start is not None:
            first = start // _DAY + _EPOCH
            yield first, first + width if end is None else max(first + 1, end // _DAY + _EPOCH)


def first_day(expression: Any) -> int:
    at = expression.valid_from if expression.valid_from is not None else expression.valid_to - 1
    return int(at // _DAY + _EPOCH)


# ------------------------------------------------------------------------------------------------ the libraries


def offered(read: Callable[[str], list[Any]], words: str) -> list[int]:
    """The days of what a library offers. What it stumbles over counts as nothing."""
    try:
        points = read(words)
    except (ValueError, TypeError, AttributeError, LookupError, ArithmeticError) as ex:
        print(f"{words}: {ex!r}"[:200], file=sys.stderr)
        return []
    return [(each.date() if isinstance(each, datetime) else each).toordinal() for each in points if each]


def dateparser() -> Callable[[str], list[Any]]:
    parse = importlib.import_module("dateparser").parse
    settings = {"RELATIVE_BASE": NOW, "DATE_ORDER": "DMY"}
    return lambda words: [parse(words, languages=["en"], settings=settings)]


def parsedatetime() -> Callable[[str], list[Any]]:
    calendar = importlib.import_module("parsedatetime").Calendar()

    def read(words: str) -> list[Any]:
        point, found = calendar.parseDT(words, NOW)
        return [point] if found else []

    return read


def timefhuman() -> Callable[[str], list[Any]]:
    module = importlib.import_module("timefhuman")

    def read(words: str) -> list[Any]:
        found = module.timefhuman(words, module.tfhConfig(now=NOW))
        while isinstance(found, list | tuple):
            found = found[0] if found else None
        return [found] if isinstance(found, date) else []

    return read


def ctparse() -> Callable[[str], list[Any]]:
    parse = importlib.import_module("ctparse").ctparse

    def read(words: str) -> list[Any]:
        found = parse(words, ts=NOW, timeout=2)
        when = found.resolution if found else None
        ends = [getattr(when, "t_from", None), getattr(when, "t_to", None)]
        points = [each.dt for each in ends if each]
        return points[:1] or ([when.start.dt] if hasattr(when, "start") else [])

    return read


def recognizers() -> Callable[[str], list[Any]]:
    module = importlib.import_module("recognizers_date_time")
    model = module.DateTimeRecognizer(module.Culture.English).get_datetime_model()

    def read(words: str) -> list[Any]:
        values = [each for one in model.parse(words, NOW) for each in (one.resolution or {}).get("values", [])]
        told = [each.get("start") or each.get("value") or each.get("end") or "" for each in values]
        return [datetime.fromisoformat(each[:10]) for each in told if re.match(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", each)]

    return read


LIBRARIES = {
    "dateparser": dateparser,
    "parsedatetime": parsedatetime,
    "timefhuman": timefhuman,
    "ctparse": ctparse,
    "recognizers-text": recognizers,
}


# --------------------------------------------------------------------------------------------- ctparse's corpus


def corpus() -> None:
    rows = [
        *importlib.import_module("ctparse.time.corpus").corpus,
        *importlib.import_module("ctparse.time.auto_corpus").corpus,
    ]
    texts = exact = silent = 0
    for target, said_at, written in rows:
        wanted = interval(target)
        for text in written if wanted else ():
            if _GERMAN.search(text):
                continue
            found = find_times(text, parse_instant(f"{said_at}:00Z"), forward=True)
            texts, silent = texts + 1, silent + (not found)
            exact += [(each.valid_from, each.valid_to) for each in found] == [wanted]
    print(json.dumps({"measure": "corpus of ctparse, English", "texts": texts, "exact": exact, "nothing": silent}))


def interval(target: str) -> tuple[int, int] | None:
    """The days of "Time[]{2018-03-07 X:X (X/X)}" or "Interval[]{… - …}"; None where no year is named."""
    ends = re.findall(r"(?<![0-9:])([0-9]{4})-([0-9X]+)-([0-9X]+) ", target)
    if not ends or len(ends) != target.count("/X)") + len(re.findall(r"/(?!X)\w+\)", target)):
        return None
    first, last = span(*ends[0]), span(*ends[-1])
    return (micros(first[0]), micros(last[1])) if first and last else None


def span(year: str, month: str, day: str) -> tuple[date, date] | None:
    if month == "X":
        return (date(int(year), 1, 1), date(int(year) + 1, 1, 1)) if day == "X" else None
    start = date(int(year), int(month), 1 if day == "X" else int(day))
    return start, start + timedelta(1) if day != "X" else (start + timedelta(31)).replace(day=1)


def micros(day: date) -> int:
    return (day.toordinal() - _EPOCH) * _DAY


if __name__ == "__main__":
    main()
