"""What a threshold of novelty would drop or defer, against what would have been missed.

Of utterances that were read (what still waits tells nothing yet): which of them led to assertions, and which facts
believed now rest on nothing else. Counts only.
"""

from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import get_args

import msgspec

from kg_assets.model import Route
from kg_assets.ports import Memory, Stores
from kg_assets.shards import seen_in_each

BINS = 101  # by whole points; the last, which is below no threshold, holds 100 and what has no score
CHUNK = 500


class Tally(msgspec.Struct, frozen=True, kw_only=True):
    """Counts by score, each of `BINS`. A fact stands at the highest score of the utterances that it rests on."""

    utterances: tuple[int, ...]
    telling: tuple[int, ...]  # those that led to assertions
    facts: tuple[int, ...]  # versions believed now
    waiting: int  # not read yet, and not counted
    memories: int = 1
    unread: int = 0  # memories that could not be opened


class Point(msgspec.Struct, frozen=True, kw_only=True):
    """With this least score: the shares that lie below it, 0 to 1."""

    threshold: int
    utterances: float
    telling: float
    facts: float


def tally(memory: Memory) -> Tally:
    with memory.snapshot():
        waiting = set(memory.ledger.pending("extract", get_args(Route)))
        utterances, telling, facts = [0] * BINS, [0] * BINS, [0] * BINS
        scores: dict[str, int] = {}
        after = 0
        while rows := memory.ledger.utterances_after(after, CHUNK):
            after = rows[-1].seq
            seqs = [row.seq for row in rows]
            found = {each.seq: min(BINS - 1, int(each.score)) for each in memory.ledger.novelty(seqs)}
            told = {each.seq for each in memory.ledger.assertions_of_utterances(seqs)}
            for row in rows:
                score = scores[row.id] = found.get(row.seq, BINS - 1)
                if row.seq not in waiting:
                    utterances[score] += 1
                    telling[score] += row.seq in told
        for sources in believed(memory):
            facts[max((scores.get(each, BINS - 1) for each in sources), default=BINS - 1)] += 1
    return Tally(utterances=tuple(utterances), telling=tuple(telling), facts=tuple(facts), waiting=len(waiting))


def believed(memory: Memory) -> Iterable[tuple[str, ...]]:
    """The utterances of each version that is believed now."""
    after = ""
    while page := memory.graph.facts(valid_at=None, known_at=None, limit=CHUNK, after=after):
        yield from (fact.belief.utterances for fact in page)
        after = page[-1].version_id


def tally_all(stores: Stores) -> Tally:
    """Over all memories; one that cannot be read is counted as such and does not hide the others."""
    total = Tally(utterances=(0,) * BINS, telling=(0,) * BINS, facts=(0,) * BINS, waiting=0, memories=0)
    for found in seen_in_each(stores, tally):
        if found is None:
            total = msgspec.structs.replace(total, memories=total.memories + 1, unread=total.unread + 1)
        else:
            total = added(total, found)
    return total


def added(one: Tally, other: Tally) -> Tally:
    return Tally(
        utterances=tuple(map(sum, zip(one.utterances, other.utterances, strict=True))),
        telling=tuple(map(sum, zip(one.telling, other.telling, strict=True))),
        facts=tuple(map(sum, zip(one.facts, other.facts, strict=True))),
        waiting=one.waiting + other.waiting,
        memories=one.memories + other.memories,
        unread=one.unread + other.unread,
    )


def curve(counts: Tally) -> list[Point]:
    """For each threshold from 0 to 100."""
    below = (shares_below(each) for each in (counts.utterances, counts.telling, counts.facts))
    return [
        Point(threshold=threshold, utterances=utterances, telling=telling, facts=facts)
        for threshold, (utterances, telling, facts) in enumerate(zip(*below, strict=True))
    ]


def shares_below(counts: Sequence[int]) -> list[float]:
    total = sum(counts) or 1
    return [round(each / total, 4) for each in accumulate(counts[:-1], initial=0)]
