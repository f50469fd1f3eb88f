"""What a pattern of time expressions finds, and where it is seen from. Standard library only.

A reader gets the match and where it is seen from. What names no year of its own ("March", "Tuesday", "the 3rd") is
`floating`: it can be read again inside a period that stands beside it ("March last year", "Tuesday last week").
"""

import re
from datetime import date
from typing import Literal, NamedTuple

from kg_assets.text.periods import Span
from kg_assets.text.time_words import LAST, NEXT, year_number

Precision = Literal["instant", "day", "month", "year", "unknown"]


class Core(NamedTuple):
    """What one pattern found, before the words in front of it are read."""

    start: int
    end: int
    when: Span
    precision: Precision
    relation: Literal["in", "range", "for", "every"] = "in"
    floating: bool = False  # names no year of its own


class Seen(NamedTuple):
    """Where an expression is seen from: the day, whether its sentence looks ahead, and when in the day it was said.

    `inside`: the day is the first of a period in which it must lie.
    """

    today: date
    ahead: bool
    hour: int = 12
    inside: bool = False


def word_of(found: re.Match[str], group: str) -> str:
    """What a group found, in small letters; empty where the pattern has no such group."""
    return " ".join((found.groupdict().get(group) or "").casefold().split())


def direction(found: re.Match[str], seen: Seen) -> bool:
    """Back for "last", ahead for "next"; "this" or nothing leaves it to the tense."""
    which = word_of(found, "which")
    return True if which in NEXT else False if which in LAST else seen.ahead


def year_of(found: re.Match[str], seen: Seen) -> int | None:
    year = word_of(found, "year")
    return year_number(year, seen.today) if year else None
