"""From features to a score of 0 to 100, and from the score to a route. Fixed weights, chosen by judgement, not fitted.

    part         most   how it fills
    relation       80   70 for a new statement that leaves room for one value (home, job, name), 62 for another new
                        statement; else up to 40 for what is told, 40 · (1 − e^(−words / 4)), where words outside the
                        first person count half; and 10 more where a time is named
    entity          8   8 · (1 − 2^(−n)) for n names never heard
    surprise        6   6 · (1 − e^(−bits / 60)) for the surprisal of what is told
    linguistic      6   6 · the share of terms never said

The parts add up to the score. Questions tell nothing. What the assistant says counts half: it is no evidence of the
person's own. A contradiction of a current fact lifts the score to at least 70, and then `contradiction` is a part too.
"""

import math

import msgspec

from kg_assets.model import NoveltyScore, Route
from kg_assets.novelty.features import Features, features
from kg_assets.novelty.known import Known
from kg_assets.novelty.reading import Reading

VERSION = "novelty-fixed-1"

FUNCTIONAL = 70.0
STATEMENT = 62.0
TOLD = 40.0
TOLD_WORDS = 4.0
OF_OTHERS = 0.5
DATED = 10.0
ENTITY = 8.0
SURPRISE = 6.0
SURPRISE_BITS = 60.0
LINGUISTIC = 6.0
ASSISTANT = 0.5
CONTRADICTION = 70.0


class Thresholds(msgspec.Struct, frozen=True, kw_only=True):
    """The least score of each route; below `batch` an utterance waits in the log for the nightly pass."""

    immediate: float = 70.0
    batch: float = 30.0


def score(reading: Reading, known: Known, thresholds: Thresholds, *, seq: int, cap_at_batch: bool) -> NoveltyScore:
    """The score of one utterance. `cap_at_batch` keeps an import off the immediate path; the score is unchanged."""
    found = features(reading, known)
    parts = parts_of(found)
    total = sum(parts.values())
    if found.conflicts and total < CONTRADICTION:
        parts["contradiction"] = CONTRADICTION - total
        total = CONTRADICTION
    total = round(total, 1)
    return NoveltyScore(
        seq=seq,
        score=total,
        route=route_of(total, thresholds, cap_at_batch=cap_at_batch),
        parts={name: round(points, 1) for name, points in parts.items()},
        features={name: float(value) for name, value in msgspec.structs.asdict(found).items()},
        conflicts=known.conflicts(reading),
        version=VERSION,
    )


def parts_of(found: Features) -> dict[str, float]:
    """Points of each part, by the table above."""
    words = found.own_content + OF_OTHERS * (found.content - found.own_content)
    relation = TOLD * filled(words, TOLD_WORDS)
    if found.new_statements:
        relation = FUNCTIONAL if found.new_functional else STATEMENT
    parts = {
        "entity": ENTITY * (1 - 2.0**-found.new_entities),
        "relation": relation + (DATED if found.content and found.times else 0.0),
        "linguistic": LINGUISTIC * found.new_share,
        "surprise": SURPRISE * filled(found.bits, SURPRISE_BITS),
    }
    return {name: points * ASSISTANT for name, points in parts.items()} if found.assistant else parts


def filled(amount: float, scale: float) -> float:
    """From 0 towards 1; 63 % at `scale`."""
    return 1 - math.exp(-amount / scale)


def route_of(total: float, thresholds: Thresholds, *, cap_at_batch: bool) -> Route:
    if total >= thresholds.immediate and not cap_at_batch:
        return "immediate"
    return "batch" if total >= thresholds.batch else "log"
