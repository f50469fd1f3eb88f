"""From a statement's aspect and time expressions to the interval in which it holds."""

import re
from collections.abc import Sequence
from datetime import date

from kg_assets.model import Micros
from kg_assets.text.clauses import Statement, Value
from kg_assets.text.periods import day_of
from kg_assets.text.times import TimeExpression, find_times
from kg_assets.triples.reading import Interval

_WITH_YEAR = re.compile(r"[0-9]{4}")


class Clock:
    """The time expressions of one text, as seen from when it was said, looking back or ahead.

    What an `unbounded` one (a document) says without a time holds at all times until told otherwise.
    """

    def __init__(self, text: str, said_at: Micros, *, unbounded: bool = False) -> None:
        self.text, self.said_at, self.unbounded = text, said_at, unbounded
        self._found: dict[bool, list[TimeExpression]] = {}

    def expressions(self, spans: Sequence[tuple[int, int]], *, forward: bool) -> list[TimeExpression]:
        if forward not in self._found:
            self._found[forward] = find_times(self.text, self.said_at, forward=forward)
        return [
            each
            for each in self._found[forward]
            if any(each.span[0] < end and start < each.span[1] for start, end in spans)
        ]

    def interval(self, statement: Statement) -> Interval:
        """When the statement holds, by its aspect; see `Statement`."""
        times = self.expressions(statement.times, forward=statement.forward)
        times = [each for each in times if each.relation != "every"]
        if statement.aspect == "timeless":
            return Interval(None, None, start_known=False, precision="unknown")
        if statement.aspect == "happens":
            return self._happening(times)
        if statement.aspect == "held":
            return self._past(times)
        return self._lasting(times, running=statement.aspect == "holds")

    def _happening(self, times: Sequence[TimeExpression]) -> Interval:
        points = [each for each in times if each.relation == "in"]
        if points:
            return Interval(points[0].valid_from, points[0].valid_to, start_known=True, precision=points[0].precision)
        return self._lasting(times, running=False)

    def _past(self, times: Sequence[TimeExpression]) -> Interval:
        """Was so, and is no longer: in the time given, or some time before it was said."""
        for each in times:
            if each.relation == "in":
                return Interval(each.valid_from, each.valid_to, start_known=True, precision=each.precision)
            if each.relation == "until":
                return Interval(None, each.valid_to, start_known=False, precision=each.precision)
        return Interval(None, self.said_at, start_known=False, precision="unknown")

    def _lasting(self, times: Sequence[TimeExpression], *, running: bool) -> Interval:
        """Holds from the time given on. "I work there this summer" ends with the summer; "since" has no end."""
        start = None if self.unbounded else self.said_at
        for each in times:
            if running and each.relation == "until" and each.valid_to is not None and each.valid_to > self.said_at:
                return Interval(start, each.valid_to, start_known=False, precision=each.precision)
            if each.valid_from is None or (each.relation == "for" and not running):
                continue
            end = each.valid_to if running and each.relation == "in" and _covers(each, self.said_at) else None
            return Interval(each.valid_from, end, start_known=True, precision=each.precision)
        return Interval(start, None, start_known=False, precision="unknown")

    def date(self, value: Value, predicate: str) -> tuple[str, str] | None:
        """(predicate, date) of a value that is a time expression: "1990-05-03", "1990-05", "1990", or "05-03"."""
        for each in self.expressions([value.span], forward=False):
            day = day_of(each.valid_from) if each.valid_from is not None and each.relation in ("in", "since") else None
            if day is None:
                continue
            dated = _WITH_YEAR.search(value.text) is not None or predicate == "died_on"
            if predicate == "birthday" or not dated:
                return ("birthday", f"{day:%m-%d}") if each.precision == "day" else None
            return predicate, _written(day, each.precision)
        return None


def _written(day: date, precision: str) -> str:
    return (
        f"{day.year:04}" + (f"-{day:%m}" if precision != "year" else "") + (f"-{day:%d}" if precision == "day" else "")
    )


def _covers(expression: TimeExpression, instant: Micros) -> bool:
    assert expression.valid_from is not None
    return expression.valid_to is not None and expression.valid_from <= instant < expression.valid_to
