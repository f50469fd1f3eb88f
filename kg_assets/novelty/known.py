"""What a memory knows, as far as the utterances at hand touch it: point look-ups only.

So the cost grows with what is said and never with what is remembered.
"""

import math
from collections.abc import Mapping, Sequence

from kg_assets.model import Entity, Fact, Micros
from kg_assets.novelty.claims import Claim
from kg_assets.novelty.reading import Reading
from kg_assets.ports import Memory
from kg_assets.text.ontology import Ontology
from kg_assets.text.tokens import terms

SMOOTHING = 0.5  # Lidstone's: as if every term had been said half a time more
UNSAID = 1000  # and as if that many terms were still to come
RIVALS = 100  # facts read for one claim; a slot that holds more is multi-valued and read by object


class TermStatistics:
    """How often each of the terms at hand was said in a memory; `add` moves on as utterances are appended.

    Holds the terms that it was made for, not those of the whole memory, and is exact for these.
    """

    def __init__(self, counts: Mapping[str, int], tokens: int, distinct: int) -> None:
        self._counts = dict(counts)
        self._tokens, self._distinct = tokens, distinct

    def add(self, counts: Mapping[str, int]) -> None:
        for term, count in counts.items():
            self._distinct += term not in self._counts
            self._counts[term] = self._counts.get(term, 0) + count
            self._tokens += count

    def remove(self, counts: Mapping[str, int]) -> None:
        for term, count in counts.items():
            had = self._counts.pop(term, 0)
            if had > count:
                self._counts[term] = had - count
            self._distinct -= 0 < had <= count
            self._tokens -= min(had, count)

    def said(self, term: str) -> bool:
        return term in self._counts

    def bits(self, term: str) -> float:
        """Surprisal, -log2 p with p = (count + s) / (tokens + s · (distinct + unsaid)): Lidstone's estimate."""
        seen = self._counts.get(term, 0) + SMOOTHING
        return math.log2((self._tokens + SMOOTHING * (self._distinct + UNSAID)) / seen)


class Known:
    """The snapshot that a batch of readings is judged by. Only `terms` moves on within the batch.

    `keys` are those normal forms at hand that the memory has heard of, `entities` those that it resolved, `held` the
    facts that compete with a claim at the time of its utterance.
    """

    def __init__(
        self,
        terms: TermStatistics,
        keys: frozenset[str],
        entities: Mapping[str, Entity],
        held: Mapping[tuple[Claim, Micros], tuple[Fact, ...]],
    ) -> None:
        self.terms = terms
        self._keys, self._entities, self._held = keys, entities, held

    def new_entities(self, reading: Reading) -> tuple[str, ...]:
        """Normal forms of names and objects that were never told before."""
        names = {name for sentence in reading.told for name in sentence.names}
        objects = {claim.object_key for claim in reading.claims if claim.literal is None}
        return tuple(sorted(key for key in names | objects if self._unheard(key)))

    def _unheard(self, key: str) -> bool:
        """Not mentioned in evidence, and with a word in it that was never said (evidence comes after the append)."""
        name = key.rpartition("'s ")[2]  # of "ana's sister" only the sister can be new
        return key not in self._keys and any(not self.terms.said(term) for term in terms(name))

    def is_new(self, claim: Claim, said_at: Micros) -> bool:
        """Whether no current fact says the same; a denial is new where the memory holds no such thing."""
        return not any(self._same(fact, claim) for fact in self._held.get((claim, said_at), ()))

    def conflicts(self, reading: Reading) -> tuple[str, ...]:
        """Ids of the current facts that this reading contradicts, sorted."""
        said_at = reading.draft.said_at
        return tuple(
            sorted(
                {
                    fact.id
                    for claim in reading.claims
                    for fact in self._held.get((claim, said_at), ())
                    if self._contradicts(claim, fact)
                }
            )
        )

    def _contradicts(self, claim: Claim, fact: Fact) -> bool:
        if claim.denied:
            return self._same(fact, claim)
        if claim.past:
            return False
        if claim.functional:
            return not self._same(fact, claim)
        return fact.belief.predicate != claim.predicate and self._same_object(fact, claim)

    def _same(self, fact: Fact, claim: Claim) -> bool:
        return fact.belief.predicate == claim.predicate and self._same_object(fact, claim)

    def _same_object(self, fact: Fact, claim: Claim) -> bool:
        if claim.literal is not None:
            return fact.belief.value == claim.literal
        entity = self._entities.get(claim.object_key)
        return entity is not None and entity.id == fact.belief.object_id


def known_of(memory: Memory, readings: Sequence[Reading], ontology: Ontology) -> Known:
    """What the memory knows of all that these readings touch. Call it inside the transaction that appends them."""
    counts = memory.ledger.term_counts({term for reading in readings for term in reading.counts})
    claims = [(claim, reading.draft.said_at) for reading in readings for claim in reading.claims]
    keys = {name for reading in readings for sentence in reading.told for name in sentence.names}
    keys |= {key for claim, _ in claims for key in (claim.subject_key, claim.object_key) if key}
    entities = memory.graph.entities_by_key(sorted(keys))
    return Known(
        terms=TermStatistics(counts, *memory.ledger.term_totals()),
        keys=frozenset(memory.ledger.known_keys(keys) | set(entities)),
        entities=entities,
        held={place: _rivals(memory, *place, entities, ontology) for place in dict.fromkeys(claims)},
    )


def _rivals(
    memory: Memory, claim: Claim, said_at: Micros, entities: Mapping[str, Entity], ontology: Ontology
) -> tuple[Fact, ...]:
    """Facts of the claim's slot that hold when it is said: all of them, or those on its object where many may."""
    subject = entities.get(claim.subject_key)
    if subject is None:
        return ()
    objects: list[str] | None = None
    if not claim.functional and claim.literal is None:
        if claim.object_key not in entities:
            return ()
        objects = [entities[claim.object_key].id]
    return tuple(
        memory.graph.facts(
            valid_at=None if claim.past else said_at,
            known_at=None,
            subjects=[subject.id],
            predicates=ontology.group_members(claim.slot_name) or (claim.predicate,),
            objects=objects,
            limit=RIVALS,
        )
    )
