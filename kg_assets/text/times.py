"""Time expressions and the intervals they stand for, seen from when they were said. Standard library only.

Days are UTC days. A week and a season have no precision of their own: each is given the next coarser one, so that the
precision never promises more than was said. Linear in the text.
"""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from kg_assets.text.lexicon import VERBS
from kg_assets.text.periods import DAY_MICROS, Span, day_of, midnight
from kg_assets.text.time_cores import Precision, Seen
from kg_assets.text.time_joins import Found, apart, bridged, joined, moved
from kg_assets.text.time_patterns import READERS
from kg_assets.text.time_words import LEAD, REACH

Relation = Literal["in", "since", "until", "for", "every"]


class TimeExpression(NamedTuple):
    """`span` in the text; `[valid_from, valid_to)` in microseconds UTC, None unbounded.

    relation  in     a day, a month, a year          since  open to the right       until  open to the left
              for    a duration up to `said_at` (only with a perfect tense: "have lived there for two years")
              every  a repetition, which is no point in time; both bounds None
    """

    span: tuple[int, int]
    valid_from: int | None
    valid_to: int | None
    precision: Precision
    relation: Relation


_FORWARD = re.compile(
    r"\b(?:will|won't|shall|gonna|going to|plans?|planning|planned|upcoming|coming up|next|tomorrow|soon|hope|hoping|"
    r"can't wait|looking forward|booked|scheduled|due|appointment|deadline|must|arrives?|ends?|expires?|opens|closes|"
    r"(?:has|have|needs?) to)\b|'ll\b|(?:\b(?:am|is|are)|'(?:m|re|s)) (?:\w{2,20}ing|in|on)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"(?<![0-9][ ])(?<![0-9])['’]?[^\W\d_]+")  # not the "am" of "3 am"
_PAST = frozenset({"was", "were", "had", "did", "didn", "been", "ve", "last", "ago"})
_PRESENT = frozenset({"am", "is", "are", "'m", "'re", "'s"})
_SENTENCE_END = re.compile(r"[.!?\n]")


def find_times(text: str, said_at: int, *, forward: bool | None = None) -> list[TimeExpression]:
    """The time expressions of a text in order, none overlapping.

    `forward` says whether a bare "on Monday" or "in May" lies ahead of `said_at`; None reads it from the words of
    its own sentence. An expression outside the years 1 to 9998 is left out.
    """
    today = day_of(said_at)
    if today is None:
        return []
    hour = said_at % DAY_MICROS * 24 // DAY_MICROS
    found: list[Found] = []
    for pattern, read in READERS:
        for match in pattern.finditer(text):
            ahead = _looks_forward(text, match.start(), match.end()) if forward is None else forward
            seen = Seen(today, ahead, hour)
            try:
                core = read(match, seen)
            except (ValueError, OverflowError):  # 31 June, or a year that no calendar holds
                continue
            if core is not None:
                found.append(Found(core, match, read, seen))
    return list(_expressions(text, moved(text, joined(text, apart(found)))))


def _expressions(text: str, found: list[Found]) -> Iterator[TimeExpression]:
    """Reads the words in front of each: "since", "until", "before", "from … to …"."""
    position = 0
    while position < len(found):
        core = found[position].core
        position += 1
        lead = LEAD.search(text, max(0, core.start - REACH), core.start)
        start, end, when = (lead.start() if lead else core.start), core.end, core.when
        relation: Relation = "in" if core.relation == "range" else core.relation
        following = found[position] if position < len(found) else None
        whole = bridged(text, found[position - 1], following, led=bool(lead and lead["from"])) if following else None
        if whole and following:
            when, end, position = whole, following.core.end, position + 1
        elif core.relation == "in" and lead:
            if lead["since"] or lead["from"]:
                after = lead["since"] is not None and lead["since"].casefold() == "after"
                relation, when = "since", Span(when.end if after else when.start, None)
            elif lead["until"] or lead["before"]:
                relation, when = "until", Span(None, when.start if lead["before"] else when.end)
        yield TimeExpression((start, end), midnight(when.start), midnight(when.end), core.precision, relation)


def _looks_forward(text: str, start: int, end: int) -> bool:
    """By a word of what is to come, or a sentence that is told in the present."""
    opening = max(0, start - 120)
    for stop in _SENTENCE_END.finditer(text, opening, start):
        opening = stop.end()
    closing = _SENTENCE_END.search(text, end, end + 60)
    close = closing.start() if closing else min(len(text), end + 60)
    if _FORWARD.search(text, opening, close):
        return True
    words = [*_WORD.findall(text, opening, start), *_WORD.findall(text, end, close)]
    is_present = False
    for word in (each.casefold().replace("’", "'") for each in words):
        verb = VERBS.get(word)
        if word in _PAST or word == "'ve" or word.endswith("ed") or (verb and verb.form in ("past", "participle")):
            return False
        is_present = is_present or word in _PRESENT or (verb is not None and verb.form in ("base", "s"))
    return is_present
