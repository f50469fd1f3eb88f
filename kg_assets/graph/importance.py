"""How much an entity matters: how often, where and how lately it was spoken of, and how much is believed of it.

    importance = 0.3 × frequency + 0.7 × recency
    frequency  = the mean of m / (m + 10), s / (s + 3) and f / (f + 10)
    recency    = exp(−0.002 × days since it was last spoken of)

for m utterances, s conversations and f facts believed now: half of each share is reached at 10, 3 and 10. A function of
the evidence and of the time that is asked about: nothing is counted up by reading, and what is erased counts no more.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence

import msgspec

from kg_assets.graph.sources import Sources
from kg_assets.model import SAME_AS, Assertion, Entity, Fact, Mention, Micros
from kg_assets.triples.asserting import SESSION
from kg_assets.utterances.context import ASSERTED

FREQUENCY, RECENCY = 0.3, 0.7
HALF_MENTIONS, HALF_SESSIONS, HALF_FACTS = 10, 3, 10
PER_DAY = 0.002
DAY: Micros = 86_400_000_000
EVERY_FACT = 1_000_000


class Weight(msgspec.Struct, frozen=True, kw_only=True):
    """`mentions`: utterances from which something was read of it; `sessions`: of conversations; `last_said_at`: of the
    latest; `facts`: believed now, at either end."""

    mentions: int = 0
    sessions: int = 0
    facts: int = 0
    last_said_at: Micros | None = None

    def importance(self, now: Micros) -> int:
        """In thousandths; 0 where nothing was ever said of it."""
        if self.last_said_at is None:
            return 0
        shares = (
            share(self.mentions, HALF_MENTIONS),
            share(self.sessions, HALF_SESSIONS),
            share(self.facts, HALF_FACTS),
        )
        recency = math.exp(-PER_DAY * max(0, now - self.last_said_at) / DAY)
        return round(1000 * (FREQUENCY * sum(shares) / len(shares) + RECENCY * recency))


def share(count: int, half: int) -> float:
    return count / (count + half)


def weights(memory: Sources, entities: Sequence[Entity]) -> dict[str, Weight]:
    """By id. To be called inside a snapshot."""
    place = {key: each.id for each in entities for key in (each.key, *each.aliases)}
    told: dict[str, set[int]] = defaultdict(set)
    for assertion in memory.ledger.assertions_about(sorted(place)):
        if not joins_by_hand(assertion):
            for end in (assertion.subject, assertion.object):
                if isinstance(end, Mention) and end.key in place:
                    told[place[end.key]].add(assertion.seq)
    spoken = {each.seq: each for each in memory.ledger.utterances(sorted(set().union(*told.values())))}
    facts = degrees(facts_of(memory, [each.id for each in entities]))
    found = {}
    for each in entities:
        said = [spoken[seq] for seq in told[each.id] if seq in spoken]
        found[each.id] = Weight(
            mentions=len(said),
            sessions=len({utterance.session for utterance in said} - {SESSION}),
            facts=facts.get(each.id, 0),
            last_said_at=max((utterance.said_at for utterance in said), default=None),
        )
    return found


def joins_by_hand(assertion: Assertion) -> bool:
    """What a curator says of two names is no talk of whom they name."""
    return assertion.predicate == SAME_AS and assertion.extractor == ASSERTED


def facts_of(memory: Sources, ids: Sequence[str]) -> Iterable[Fact]:
    """Each once, believed now, of whatever valid time."""
    if not ids:
        return []
    rows = memory.graph.facts(valid_at=None, known_at=None, subjects=ids, limit=EVERY_FACT)
    rows += memory.graph.facts(valid_at=None, known_at=None, objects=ids, limit=EVERY_FACT)
    return {each.version_id: each for each in rows}.values()


def degrees(facts: Iterable[Fact]) -> dict[str, int]:
    """How many statements have each entity at an end: one, however many its intervals, and from whichever end."""
    found: dict[str, set[tuple[str, frozenset[str]]]] = defaultdict(set)
    for fact in facts:
        belief = fact.belief
        statement = (belief.predicate, frozenset((belief.subject_id, belief.object_id or belief.object_key)))
        for end in (belief.subject_id, belief.object_id):
            if end is not None:
                found[end].add(statement)
    return {end: len(statements) for end, statements in found.items()}
