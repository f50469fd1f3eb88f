"""The patterns of time expressions, each with the function that reads what it found. Standard library only.

Every pattern is bounded, so that reading is linear in the text. `~` in a pattern stands for the space between words.
"""

import re
from collections.abc import Callable

from kg_assets.text import time_days, time_spans
from kg_assets.text.time_cores import Core, Seen
from kg_assets.text.time_words import (
    COUNT,
    DAY,
    DECADE_NAMES,
    FAR,
    HOLIDAY,
    MONTH,
    OF_YEAR,
    ORDINAL,
    PART_OF_DAY,
    SEASON,
    SHORT_DAY,
    UNIT,
    WEEKDAY,
    WHICH,
    YEAR,
)

Reader = Callable[[re.Match[str], Seen], Core | None]

_TO = r"[ \t]?(?:-|–|to|until|till|and)[ \t]?"
_NO_MEASURE = r"(?![:%]|[.,][0-9])"
_ENDS = (
    r"(?=[ \t]*(?:$|[.,;:!?)\n]|(?:of|at|for|in|to|and|with|but|or|because|from|until|by|when|if|so|i|we|he|she)\b))"
)


def _pattern(*parts: str) -> re.Pattern[str]:
    """`~` stands for the space between two words."""
    return re.compile("".join(parts).replace("~", r"[ \t]{1,3}"), re.IGNORECASE)


_FIRST_TO_FOURTH = "first|second|third|fourth|1st|2nd|3rd|4th"
_EVERY = rf"(?:{WEEKDAY}|day|week|weekend|month|year|morning|evening|night|{SEASON}|{MONTH})"

READERS: tuple[tuple[re.Pattern[str], Reader], ...] = (
    # -------------------------------------------------------------------------------------- days of the calendar
    (
        _pattern(r"(?<![0-9-])([0-9]{4})-([0-9]{2})-([0-9]{2})(?:T[0-9]{2}:[0-9]{2}(?::[0-9]{2})?Z?)?(?![0-9-])"),
        time_days.iso,
    ),
    (_pattern(rf"(?<![0-9/])({YEAR})/([01]?[0-9])/([0-3]?[0-9])(?![0-9/])"), time_days.iso),
    (
        _pattern(
            r"(?<![0-9./])(?P<first>[0-9]{1,2})(?P<sign>[./])(?P<second>[0-9]{1,2})(?P=sign)",
            rf"(?P<year>{YEAR}|[0-9]{{2}})(?![0-9/])",
        ),
        time_days.numeric,
    ),
    (
        _pattern(
            rf"\b(?:(?P<which>{WHICH})~)?(?:(?:from|between)~)?(?:the~)?(?P<day>{DAY}|{ORDINAL}~of)",
            rf"(?:{_TO}(?:the~)?(?P<last>{DAY}))?\.?~(?:of~)?(?P<month>{MONTH})",
            OF_YEAR,
        ),
        time_days.month_day,
    ),
    (
        _pattern(
            rf"\b(?:(?P<which>{WHICH})~)?(?P<month>{MONTH})\.?~(?:(?:the~)?(?P<day>{DAY})(?:[-–](?P<last>{DAY}))?(?![0-9])",
            rf"|the~(?P<named>{ORDINAL}))\b",
            OF_YEAR,
        ),
        time_days.month_day,
    ),
    (_pattern(rf"(?<=\bon )the~(?P<day>{DAY.rstrip('?')}|{ORDINAL})\b", _ENDS), time_days.day_alone),
    (_pattern(rf"\b(?:(?P<which>{WHICH})~)?(?P<holiday>{HOLIDAY})\b", OF_YEAR), time_days.holiday),
    (_pattern(rf"\b(?P<weekday>{WEEKDAY}),?~(?:the~)?(?P<day>{DAY.rstrip('?')})\b", _ENDS), time_days.weekday_and_day),
    (
        _pattern(rf"\b(?:(?P<which>{WHICH})~)?(?P<weekday>{WEEKDAY})\b", PART_OF_DAY, r"(?P<later>~week\b)?"),
        time_days.weekday,
    ),
    (
        _pattern(rf"\b(?:the~)?(?P<nth>first|second|third|fourth|last)~(?P<weekday>{WEEKDAY})(?=~(?:of|in)~)"),
        time_days.weekday_of_month,
    ),
    (_pattern(rf"\b(?:(?P<which>{WHICH})|on)~(?P<weekday>{SHORT_DAY})\b", PART_OF_DAY), time_days.weekday),
    (
        _pattern(
            r"\b(?:the~day~before~yesterday|the~day~after~tomorrow|yesterday|today|tonight|tomorrow|last~night|",
            r"this~(?:morning|afternoon|evening))\b",
            PART_OF_DAY,
        ),
        time_days.near,
    ),
    # ---------------------------------------------------------------------------- months, seasons, years and more
    (_pattern(rf"\b(?:(?P<which>{WHICH})~)?(?P<month>{MONTH})", OF_YEAR), time_spans.month_alone),
    (
        _pattern(
            r"\b(?:in|since|until|till|from|by|during|between|of|early|mid|late|year|throughout|before|after|summer)",
            rf"[ -](?:the~year~)?(?P<year>{YEAR}|['’][0-9]{{2}}(?!s))(?:{_TO}(?P<to>{YEAR})|/(?P<short>[0-9]{{2}}))?\b",
            _NO_MEASURE,
        ),
        time_spans.year_alone,
    ),
    (_pattern(r"\bthe~year~(?P<year>1[0-7][0-9]{2})\b"), time_spans.year_alone),
    (
        _pattern(rf"(?<![\w$€£.,/-])(?P<year>{YEAR})[-–](?P<to>{YEAR})\b(?![-/])", _NO_MEASURE),
        time_spans.year_alone,
    ),
    (
        _pattern(
            r"\bthe~(?:(?:early|late|mid)[ -])?(?:'?(?P<decade>(?:1[89]|20)?[0-9]0)'?s|",
            rf"(?P<named>{DECADE_NAMES}))\b",
        ),
        time_spans.decade,
    ),
    (_pattern(rf"\b(?:the~)?(?:(?P<number>{DAY}|{ORDINAL})|last)~century\b"), time_spans.century),
    (_pattern(rf"\b(?:(?P<which>{WHICH})|the|in|since|by|until)~(?P<season>{SEASON})\b", OF_YEAR), time_spans.season),
    (
        _pattern(
            rf"\b(?:q(?P<digit>[1-4])|(?:the~)?(?:(?P<quarter>{_FIRST_TO_FOURTH})~quarter|(?P<half>first|second)~half))\b",
            r"(?=~(?:of~)?(?:[12'’]|last|this|next|the~year))",
            OF_YEAR,
        ),
        time_spans.part_of_year,
    ),
    (_pattern(r"\bweek~(?P<number>[1-5]?[0-9])\b", OF_YEAR), time_spans.week_of_year),
    (_pattern(rf"\b(?:the~)?(?P<which>{WHICH})~(?P<unit>week|month|quarter|year)\b"), time_spans.unit_near),
    (
        _pattern(
            r"\b(?P<which>)(?:end|beginning|start|middle|rest)~of~the~(?P<unit>week|month|quarter|year)\b(?!~before)"
        ),
        time_spans.unit_near,
    ),
    (
        _pattern(r"\bthe~(?P<unit>week|weekend|month|quarter|year)~(?:(?P<back>before~last)|after~next)\b"),
        time_spans.unit_beyond,
    ),
    (_pattern(rf"\bthe~(?P<named>{WEEKDAY}|{SEASON})~before~last\b"), time_spans.named_beyond),
    (_pattern(rf"\b(?P<which>{WHICH}|(?:over|on|at|for)~the)~weekend\b"), time_spans.weekend_near),
    # ---------------------------------------------------------------------------------- distances and repetitions
    (_pattern(r"(?<![0-9.,])\b(?:(?:about|around|almost|over)~)?", FAR, r"~(?:ago|back)\b"), time_spans.ago),
    (
        _pattern(r"\bin~(?:(?:about|around)~)?", FAR, r"(?:'?~time)?\b(?!~(?:ago|back|a~row))"),
        time_spans.from_now,
    ),
    (_pattern(r"\b", FAR, r"(?P<now>~from~now)\b"), time_spans.from_now),
    (
        _pattern(
            r"\b(?:for~(?:(?:almost|about|around|nearly|more~than|over|the)~){0,2}(?:(?:last|past)~)?|",
            r"(?:over|in|during)~the~(?:last|past)~)",
            rf"(?P<count>{COUNT})~(?P<unit>{UNIT})(?P<half>~and~a~half)?(?:~now)?\b(?!~(?:ago|back|old))",
        ),
        time_spans.duration,
    ),
    (
        _pattern(rf"\b(?:in|over|for|within|during)~the~(?:next|coming)~(?P<count>{COUNT})~(?P<unit>{UNIT})\b"),
        time_spans.coming,
    ),
    (
        _pattern(
            rf"\b(?:every|each)~(?:(?:single|other|second)~)?{_EVERY}\b|\b(?:on~)?{WEEKDAY}s\b|\bon~weekends\b|",
            rf"\b(?:on~)?{WEEKDAY}~(?:morning|afternoon|evening|night)s\b|",
            r"\b(?:once|twice|(?:[0-9]|two|three|four|five|a few|few|several)~times)~an?~(?:day|week|month|year)\b",
        ),
        time_spans.repeated,
    ),
)
