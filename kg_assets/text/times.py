"""Time expressions and the intervals they stand for, seen from when they were said. Standard library only.

Days are UTC days. A week and a season have no precision of their own: each is given the next coarser one, so that the
precision never promises more than was said. Linear in the text.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from kg_assets.text.periods import Span, day_of, midnight, next_year
from kg_assets.text.time_patterns import LEAD, REACH, READERS, Core, Precision, Seen

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
    r"can't wait|looking forward|booked|scheduled|due|appointment)\b|'ll\b|"
    r"(?:\b(?:am|is|are)|'(?:m|re|s)) (?:\w{2,20}ing|in|on)\b",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?\n]")
_BRIDGE = re.compile(r" ?(?:-|–|to|until|till|and|through) ?", re.IGNORECASE)


def find_times(text: str, said_at: int, *, forward: bool | None = None) -> list[TimeExpression]:
    """The time expressions of a text in order, none overlapping.

    `forward` says whether a bare "on Monday" or "in May" lies ahead of `said_at`; None reads it from the words of
    its own sentence. An expression outside the years 1 to 9998 is left out.
    """
    today = day_of(said_at)
    if today is None:
        return []
    cores = []
    for pattern, read in READERS:
        for found in pattern.finditer(text):
            ahead = _looks_forward(text, found.start(), found.end()) if forward is None else forward
            try:
                core = read(found, Seen(today, ahead))
            except (ValueError, OverflowError):  # 31 June, or a year that no calendar holds
                continue
            if core is not None:
                cores.append(core)
    return list(_expressions(text, _apart(cores)))


def _apart(cores: Sequence[Core]) -> list[Core]:
    """Of overlapping ones the first and longest."""
    kept: list[Core] = []
    for core in sorted(cores, key=lambda core: (core.start, -core.end)):
        if not kept or core.start >= kept[-1].end:
            kept.append(core)
    return kept


def _expressions(text: str, cores: Sequence[Core]) -> Iterator[TimeExpression]:
    """Reads the words in front of each: "since", "until", "from … to …"."""
    position = 0
    while position < len(cores):
        core = cores[position]
        position += 1
        lead = LEAD.search(text, max(0, core.start - REACH), core.start)
        start, end, when = (lead.start() if lead else core.start), core.end, core.when
        relation: Relation = "in" if core.relation == "range" else core.relation
        if core.relation == "in" and lead:
            following = cores[position] if position < len(cores) else None
            if lead["from"] and following and _BRIDGE.fullmatch(text, core.end, following.start):
                when, end, position = _joined(when, following.when), following.end, position + 1
            elif lead["since"] or lead["from"]:
                relation, when = "since", Span(when.start, None)
            elif lead["until"]:
                relation, when = "until", Span(None, when.end)
        yield TimeExpression((start, end), midnight(when.start), midnight(when.end), core.precision, relation)


def _joined(first: Span, last: Span) -> Span:
    """From one to the other; "between November and February" ends in the following year."""
    assert first.start is not None
    assert last.end is not None
    return Span(first.start, last.end if last.end > first.start else next_year(last.end))


def _looks_forward(text: str, start: int, end: int) -> bool:
    opening = max(0, start - 120)
    for stop in _SENTENCE_END.finditer(text, opening, start):
        opening = stop.end()
    closing = _SENTENCE_END.search(text, end, end + 60)
    return _FORWARD.search(text, opening, closing.start() if closing else min(len(text), end + 60)) is not None
