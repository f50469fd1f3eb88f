"""From features to a score of 0 to 100, and from the score to a route. The weights are fitted (`weights.json`).

    worth      the calibrated chance that something worth remembering is told: a logistic model over `evidence`
    same       how surely the nearest known turn says the same (`relation.py`)
    score      100 · worth · (1 - same)^4

What the assistant says counts half: it is no evidence of the person's own. Where every statement is believed already
the utterance is taken as repeated; where one is new, and of something that the nearest turn does not name, as not.
A contradiction of a current fact lifts the score to at least 70, and then `contradiction` is a part too.

Each score explains itself. Points of a feature are what it adds on the way from an utterance that tells nothing to
this one: integrated gradients (Sundararajan et al. 2017), which for one logistic function are its share of the
distance on the inside. The parts are sums of these points; both add up to the score.
"""

import math

import msgspec

from kg_assets.model import NoveltyScore, Route
from kg_assets.novelty.features import Features, features, shown
from kg_assets.novelty.known import Known
from kg_assets.novelty.nearness import Spoken
from kg_assets.novelty.reading import Reading
from kg_assets.novelty.relation import UNRELATED, Relation, relation
from kg_assets.novelty.weights import Weights, default_weights

VERSION = "novelty-trained-6"  # of features and weights together; weights.json carries it

TOLD_WORDS = 4.0
OF_OTHERS = 0.5
SURPRISE_BITS = 60.0
LEAST_RATE = 0.05
OPENING = 8.0  # turns, after which what is told early counts half: people come with their news, and then go on about it
ASSISTANT = 0.5
SHARP = 4  # power of the chance of something else; SICK, neutral over entailed: AUC 0.881 with 3, 0.884 with 4
DENIAL = 3  # power of the chance of the opposite
BELIEVED = 0.5  # how surely a statement that is believed already is nothing new
CONTRADICTION = 70.0
POINTS = "points."  # before the name of a feature in the stored features: what it added to the score

PARTS: dict[str, tuple[str, ...]] = {
    "entity": ("entity",),
    "relation": ("told", "statement", "single_valued", "dated", "numbered", "expected"),
    "linguistic": ("new_share", "unsaid", "opening"),
    "surprise": ("surprise", "told_bits", "opposed"),
}
EVIDENCE = tuple(name for names in PARTS.values() for name in names)


class Thresholds(msgspec.Struct, frozen=True, kw_only=True):
    """The least score of each route; below `batch` an utterance waits in the log for the nightly pass."""

    immediate: float = 70.0
    batch: float = 30.0


def score(
    reading: Reading, spoken: Spoken, known: Known, thresholds: Thresholds, *, seq: int, cap_at_batch: bool
) -> NoveltyScore:
    """The score of one utterance. `cap_at_batch` keeps an import off the immediate path; the score is unchanged."""
    weights = default_weights()
    found = features(reading, spoken, known, weights, seq=seq)
    points = explained(found, weights)
    total = round(sum(points.values()), 1)
    lifted = points.get("contradiction", 0.0)
    parts = {part: sum(points[name] for name in names) for part, names in PARTS.items()}
    whole = sum(parts.values())  # what was repeated or the assistant's is taken from all parts alike
    shrink = (total - lifted) / whole if whole else 0.0
    parts = {name: each * shrink for name, each in parts.items()} | ({"contradiction": lifted} if lifted else {})
    return NoveltyScore(
        seq=seq,
        score=total,
        route=route_of(total, thresholds, cap_at_batch=cap_at_batch),
        parts={name: round(each, 1) for name, each in parts.items()},
        features={
            **shown(found),
            **{f"{POINTS}{name}": round(value, 2) for name, value in points.items() if round(value, 2)},
        },
        conflicts=known.conflicts(reading),
        version=weights.version,
    )


def evidence(found: Features, near: Relation = UNRELATED) -> dict[str, float]:
    """What speaks for remembering, each 0 where nothing is told."""
    words = found.own_content + OF_OTHERS * (found.content - found.own_content)
    read = float(found.new_statements > 0)  # what the patterns read counts as told, however few its words
    told = max(read, filled(words, TOLD_WORDS))
    return {
        "entity": 1 - 2.0**-found.new_entities,
        "told": told,
        "statement": read,
        "single_valued": float(found.new_functional > 0),
        "dated": float(found.times > 0 and found.content > 0),
        "numbered": float(found.numbers > 0),
        "expected": math.log1p(max(found.expected, float(found.new_statements)) / LEAST_RATE),
        "new_share": found.new_share,
        "unsaid": math.log1p(found.unsaid),
        "opening": told * 2 ** (-found.before / OPENING),
        "opposed": near.opposite**DENIAL,
        "surprise": filled(found.bits, SURPRISE_BITS),
        "told_bits": math.log1p(found.told_bits),
    }


def explained(found: Features, weights: Weights) -> dict[str, float]:
    """Points by feature, and what takes from them or adds to them as a whole; their sum is the score."""
    near = nearest_is(found, weights)
    given = {name: weights.worth[name] * value for name, value in evidence(found, near).items()}
    distance = sum(given.values())
    total = 100 * worth(distance, weights)
    points = {name: total * value / distance if distance else 0.0 for name, value in given.items()}
    if found.assistant:
        points["assistant"] = -(1 - ASSISTANT) * total
        total *= ASSISTANT
    points["repeated"] = ((1 - max(near.same, believed(found))) ** SHARP - 1) * total
    total += points["repeated"]
    if found.conflicts and total < CONTRADICTION:
        points["contradiction"] = CONTRADICTION - total
    return points


def worth(distance: float, weights: Weights) -> float:
    """The calibrated chance, less that of an utterance that tells nothing, on the scale of 0 to 1."""
    slope, offset = weights.calibration["slope"], weights.calibration["offset"]
    nothing = logistic(slope * weights.worth["bias"] + offset)
    chance = logistic(slope * (weights.worth["bias"] + distance) + offset)
    return (chance - nothing) / (1 - nothing)


def believed(found: Features) -> float:
    """How surely nothing new is stated, by what is believed already."""
    return BELIEVED if found.statements and not found.new_statements and not found.conflicts else 0.0


def nearest_is(found: Features, weights: Weights) -> Relation:
    """Nothing near is nothing repeated, and nothing denied. Who states something of a new name repeats nothing."""
    if not found.nearest:
        return UNRELATED
    near = relation(found.alignment, weights.same, weights.opposite)
    return msgspec.structs.replace(near, same=0.0) if found.stated_anew else near


def logistic(amount: float) -> float:
    return 1 / (1 + math.exp(-amount))


def filled(amount: float, scale: float) -> float:
    """From 0 towards 1; 63 % at `scale`."""
    return 1 - math.exp(-amount / scale)


def route_of(total: float, thresholds: Thresholds, *, cap_at_batch: bool) -> Route:
    if total >= thresholds.immediate and not cap_at_batch:
        return "immediate"
    return "batch" if total >= thresholds.batch else "log"
