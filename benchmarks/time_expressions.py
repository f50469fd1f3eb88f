"""Time expressions in sentences: is the interval the one a person takes it for. One JSON line a measure.

    python benchmarks/time_expressions.py [--show missed|wrong|precision] [--file FILE]

Reads `tests/text/time_expressions.txt`, which explains its notation; each sentence was said on 11 March 2026 at 10:30.
`exact`: an expression that overlaps the one in brackets stands for an interval that the file allows, `none` for none (a
repetition has no interval and counts as none). `coarse`: the interval holds the one that is expected. `missed`: nothing
is read; `wrong`: something else is. `precision`: of the exact ones, the part whose precision is that of the file,
or the next coarser one where the interval is no whole day, month or year (a week, a season). "past" is met by nothing,
or by what ends before it was said.
"""

import argparse
import json
from collections import Counter, defaultdict
from datetime import date, timedelta
from pathlib import Path
from typing import NamedTuple

from kg_assets.text.instants import parse_instant
from kg_assets.text.times import TimeExpression, find_times

FILE = Path(__file__).resolve().parents[1] / "tests" / "text" / "time_expressions.txt"
SAID = parse_instant("2026-03-11T10:30:00Z")
_EPOCH, _DAY = date(1970, 1, 1).toordinal(), 86_400_000_000
_COARSER = {"instant": "day", "day": "month", "month": "year", "year": "unknown"}
_BEFORE_CHRIST = -(10**18)  # no calendar of the standard library holds it; nothing that is read equals it

Bounds = tuple[int | None, int | None]


class Meant(NamedTuple):
    bounds: Bounds
    precision: str
    is_whole: bool  # one whole day, month or year


class Case(NamedTuple):
    kind: str
    text: str
    span: tuple[int, int]
    expected: tuple[Meant | str, ...]  # or "none", "past"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--show", default="", choices=("", "missed", "wrong", "coarse", "precision"))
    options.add_argument("--file", type=Path, default=FILE)
    chosen = options.parse_args()
    outcomes: dict[str, Counter[str]] = defaultdict(Counter)
    for case in cases(chosen.file):
        found = overlapping(case)
        outcome, precise = judge(case, found)
        outcomes[case.kind][outcome] += 1
        outcomes[case.kind]["precise"] += precise
        if chosen.show == outcome or (chosen.show == "precision" and outcome == "exact" and not precise):
            print(f"{case.text} [{case.text[slice(*case.span)]}] {[written(each) for each in found]}")
    total: Counter[str] = sum(outcomes.values(), Counter())
    print(json.dumps({"measure": "time expressions", **summed(total)}))
    for kind, counted in outcomes.items():
        print(json.dumps({"measure": f"time expressions: {kind}", **summed(counted)}))


def summed(counted: Counter[str]) -> dict[str, float]:
    names = ("exact", "coarse", "missed", "wrong")
    cases_of = sum(counted[each] for each in names)
    return {
        "cases": cases_of,
        **{each: counted[each] for each in names},
        "exact_part": round(counted["exact"] / cases_of, 4),
        "precision": round(counted["precise"] / max(1, counted["exact"]), 4),
    }


def cases(file: Path = FILE) -> list[Case]:
    kind, read = "", []
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith("#") or not line:
            continue
        if line.startswith("[") and line.endswith("]"):
            kind = line[1:-1]
            continue
        marked, _, expected = line.rpartition(" = ")
        start, end = marked.index("["), marked.index("]") - 1
        text = marked.replace("[", "", 1).replace("]", "", 1)
        read.append(Case(kind, text, (start, end), tuple(meant(each.strip()) for each in expected.split(" or "))))
    return read


def meant(notation: str) -> Meant | str:
    if notation in ("none", "past"):
        return notation
    bounds, _, precision = (part.strip() for part in notation.partition("@"))
    first, apart, last = bounds.partition("..")
    if not apart:
        (start, unit), end = edge(first), following(first)
        return Meant((start, end), precision or unit, True)
    edges = [edge(each) for each in (first, last) if each]
    start = edge(first)[0] if first else None
    return Meant((start, edge(last)[0] if last else None), precision or edges[0][1], not (first and last))


def edge(notation: str) -> tuple[int, str]:
    """The instant at which a year, month, day or minute starts, and which of these it is."""
    if notation.startswith("-"):
        return _BEFORE_CHRIST, "year"
    if "T" in notation:
        return parse_instant(f"{notation}:00Z"), "instant"
    numbers = [int(each) for each in notation.split("-")]
    return micros(date(*[*numbers, 1, 1][:3])), ("year", "month", "day")[len(numbers) - 1]


def following(notation: str) -> int:
    start, unit = edge(notation)
    if start == _BEFORE_CHRIST or unit == "instant":
        return start + 60_000_000
    day = date.fromordinal(start // _DAY + _EPOCH)
    later = day + timedelta({"day": 1, "month": 31, "year": 366}[unit])
    return micros(later if unit == "day" else later.replace(day=1) if unit == "month" else date(day.year + 1, 1, 1))


def micros(day: date) -> int:
    return (day.toordinal() - _EPOCH) * _DAY


def overlapping(case: Case) -> list[TimeExpression]:
    start, end = case.span
    found = find_times(case.text, SAID)
    return [each for each in found if each.relation != "every" and each.span[0] < end and start < each.span[1]]


def judge(case: Case, found: list[TimeExpression]) -> tuple[str, bool]:
    """What became of a case, and whether its precision is right too."""
    if not found:
        return ("exact", True) if {"none", "past"} & set(case.expected) else ("missed", False)
    if len(found) > 1:
        return "wrong", False
    bounds, precision = (found[0].valid_from, found[0].valid_to), found[0].precision
    intervals = [each for each in case.expected if isinstance(each, Meant)]
    same = [each for each in intervals if each.bounds == bounds]
    if same:
        coarser = [_COARSER.get(each.precision) for each in same if not each.is_whole]
        return "exact", precision in [each.precision for each in same] or precision in coarser
    if "past" in case.expected and bounds[1] is not None and bounds[1] <= SAID:
        return "exact", True
    return ("coarse" if any(holds(bounds, each.bounds) for each in intervals) else "wrong"), False


def holds(outer: Bounds, inner: Bounds) -> bool:
    """Both ends known, and no shorter."""
    if None in outer or None in inner:
        return False
    return outer[0] <= inner[0] and inner[1] <= outer[1]  # type: ignore[operator]


def written(expression: TimeExpression) -> str:
    ends = (expression.valid_from, expression.valid_to)
    first, last = ("" if each is None else str(date.fromordinal(each // _DAY + _EPOCH)) for each in ends)
    return f"{first}..{last} {expression.precision} {expression.relation}"


if __name__ == "__main__":
    main()
