"""Sets of utterances by number, as runs: what was read is mostly all from the first to the last."""

import sys
from bisect import bisect_right
from collections.abc import Iterable, Iterator

Spans = tuple[tuple[int, int], ...]  # first and last of each run, ascending


def within(spans: Spans, seq: int) -> bool:
    place = bisect_right(spans, (seq, sys.maxsize))
    return place > 0 and seq <= spans[place - 1][1]


def without(spans: Spans, seqs: Iterable[int]) -> Spans:
    left = list(spans)
    for seq in sorted(set(seqs)):
        place = bisect_right(left, (seq, sys.maxsize)) - 1
        if place >= 0 and seq <= left[place][1]:
            first, last = left.pop(place)
            left[place:place] = [each for each in ((first, seq - 1), (seq + 1, last)) if each[0] <= each[1]]
    return tuple(left)


def seqs_in(spans: Spans) -> Iterator[int]:
    for first, last in spans:
        yield from range(first, last + 1)


def size(spans: Spans) -> int:
    return sum(last - first + 1 for first, last in spans)


def spans_of(seqs: Iterable[int]) -> Spans:
    found: list[tuple[int, int]] = []
    for seq in sorted(set(seqs)):
        if found and found[-1][1] == seq - 1:
            found[-1] = (found[-1][0], seq)
        else:
            found.append((seq, seq))
    return tuple(found)
