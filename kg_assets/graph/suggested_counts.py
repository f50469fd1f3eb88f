"""How many pairs of entities wait for a person's word, over all memories. Counts only: no name leaves a memory."""

from collections import Counter

import msgspec

from kg_assets.graph.suggesting import MOST, undecided, weighed
from kg_assets.ports import Memory, Stores
from kg_assets.shards import seen_in_each
from kg_assets.text.ontology import Ontology


class Suggested(msgspec.Struct, frozen=True, kw_only=True):
    """`by_score`: tenth of the score (5 is 0.5 to 0.6) → pairs. `full`: memories with more pairs than are looked at."""

    memories: int = 0
    unread: int = 0
    entities: int = 0
    by_score: dict[int, int] = {}
    full: int = 0

    @property
    def pairs(self) -> int:
        return sum(self.by_score.values())


def suggested(memory: Memory, ontology: Ontology) -> Suggested:
    with memory.snapshot():
        waiting = undecided(memory)
        found = weighed(memory, ontology, waiting, waiting.pairs[:MOST])
    scores = Counter(each.score // 100 for each in found)
    return Suggested(
        memories=1,
        entities=len(waiting.entities),
        by_score=dict(sorted(scores.items())),
        full=len(found) == MOST,
    )


def suggested_everywhere(stores: Stores, ontology: Ontology) -> Suggested:
    """One that cannot be read is counted as such and does not hide the others."""
    total = Suggested()
    for found in seen_in_each(stores, lambda memory: suggested(memory, ontology)):
        total = added(total, found or Suggested(memories=1, unread=1))
    return total


def added(one: Suggested, other: Suggested) -> Suggested:
    return Suggested(
        memories=one.memories + other.memories,
        unread=one.unread + other.unread,
        entities=one.entities + other.entities,
        by_score=dict(sorted((Counter(one.by_score) + Counter(other.by_score)).items())),
        full=one.full + other.full,
    )
