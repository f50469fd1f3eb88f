"""Words of time expressions, and the pieces of patterns that find them. Standard library only."""

import re
from datetime import date

MONTH_NAMES = "january february march april may june july august september october november december"
WEEKDAY_NAMES = "monday tuesday wednesday thursday friday saturday sunday"
NUMBER_NAMES = "zero one two three four five six seven eight nine ten eleven twelve"
MONTHS, WEEKDAYS = MONTH_NAMES.split(), WEEKDAY_NAMES.split()
NUMBERS = {word: number for number, word in enumerate(NUMBER_NAMES.split())} | {
    "a": 1,
    "an": 1,
    "a couple of": 2,
    "couple of": 2,
    "a couple": 2,
    "a few": 3,
    "few": 3,
    "fifteen": 15,
    "twenty": 20,
    "thirty": 30,
}
DECADE_WORDS = "twenties thirties forties fifties sixties seventies eighties nineties"
DECADES = {word: 10 * number for number, word in enumerate(DECADE_WORDS.split(), 2)}
DECADE_NAMES = "|".join(DECADES)
HOLIDAYS = {
    "new year's": (1, 1),
    "new year's day": (1, 1),
    "valentine's day": (2, 14),
    "halloween": (10, 31),
    "christmas eve": (12, 24),
    "christmas day": (12, 25),
    "christmas": (12, 25),
    "xmas": (12, 25),
    "new year's eve": (12, 31),
}
HOLIDAY = (
    "(?:new~year['’]s(?:~(?:day|eve))?|valentine['’]s~day|halloween|christmas(?:~(?:eve|day))?|xmas|thanksgiving|good~friday|"
    "easter(?:~(?:sunday|monday))?)"
)

MONTH = (
    "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    "nov(?:ember)?|dec(?:ember)?)\\b"
)
WEEKDAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"
SHORT_DAY = "(?:mon|tues?|wed|thurs?|thu|fri|sat|sun)"
YEAR = "(?:1[89]|20)[0-9]{2}"
DAY = "(?:3[01]|[12][0-9]|0?[1-9])(?:st|nd|rd|th)?"
ORDINAL_NAMES = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth"
)
ORDINALS = {word: number for number, word in enumerate(ORDINAL_NAMES.split(), 1)}
ORDINALS |= {f"twenty-{word}": 20 + number for word, number in list(ORDINALS.items())[:9]}
ORDINALS |= {"thirtieth": 30, "thirty-first": 31}
ORDINAL = "(?:" + "|".join(word.replace("-", "[- ]") for word in sorted(ORDINALS, reverse=True)) + ")"
COUNT = (
    "(?:[0-9]{1,4}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|"
    "(?:a )?couple(?: of)?|a few)"
)
UNIT = "(?:day|week|fortnight|month|year|decade)s?"
# Some way off: "two weeks", "a year and a half", "half a year", "half an hour".
FAR = (
    rf"(?:(?P<count>{COUNT})~(?P<unit>{UNIT}|(?:minute|hour)s?)(?P<half>~and~a~half)?|"
    r"half~an?~(?P<half_of>year|hour))"
)
SEASON = "(?:spring|summer|autumn|fall|winter)"
LAST, NEXT = frozenset({"last", "past", "this past", "previous"}), frozenset({"next", "coming", "this coming"})
WHICH = "(?:this past|this coming|last|past|previous|this|next|coming)"
OF_YEAR = rf"(?:\.?,?~(?:of~)?(?P<year>{YEAR}\b|['’][0-9]{{2}}\b(?!s)))?"
PART_OF_DAY = r"(?:~(?:morning|afternoon|evening|night)\b)?"
LEAD = re.compile(
    r"\b(?:(?P<since>(?:ever )?since|starting(?: from)?|as of|after)|(?P<until>(?:up )?until|till|up to)|"
    r"(?P<before>before|prior to)|(?P<from>from|between)|on|in|at|by|during|throughout|over|around|about|"
    r"back in|early in|late in)"
    r"(?: (?:the|about|around|early|mid|late|mid-|end of|beginning of|start of|the end of|the start of)){0,2}[ -]$"
    r"|\b(?:early|mid|late)[ -]$",
    re.IGNORECASE,
)
REACH = 32  # characters in front of an expression that can belong to it
NEAR_STEPS = (
    ("the day before", -2),
    ("the day after", 2),
    ("last", -1),
    ("yesterday", -1),
    ("tomorrow", 1),
    ("to", 0),
    ("this", 0),
)


def day_number(word: str) -> int:
    """1 to 31 from "1", "1st", "first", "twenty-first"."""
    word = "-".join(word.casefold().split())
    return ORDINALS[word] if word in ORDINALS else int(word.rstrip("stndrh"))


def count_of(word: str) -> int:
    word = " ".join(word.casefold().split())
    return int(word) if word.isdigit() else NUMBERS[word]


def month_number(word: str) -> int:
    return next(number for number, name in enumerate(MONTHS, 1) if name.startswith(word[:3].casefold()))


def year_number(word: str, today: date) -> int:
    """1985 from "1985" and from "'85" or "85": the last such year that has begun."""
    if len(word) == 4:
        return int(word)
    year = today.year // 100 * 100 + int(word[-2:])
    return year if year <= today.year else year - 100
