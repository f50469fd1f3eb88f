"""What a memory knows, as far as the utterances at hand touch it: point look-ups only.

So the cost grows with what is said and never with what is remembered.
"""

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from kg_assets.model import Draft, Entity, Fact, Micros
from kg_assets.novelty.claims import Claim
from kg_assets.novelty.nearness import Heard, Nearness, Spoken, heard, nearest
from kg_assets.novelty.reading import Reading
from kg_assets.ports import PLACES, Memory
from kg_assets.text.ontology import Ontology
from kg_assets.text.tokens import terms

SMOOTHING = 0.5  # Lidstone's: as if every term had been said half a time more
UNSAID = 1000  # and as if that many terms were still to come
NEAR = 6  # known turns that share the most telling terms are held against an utterance
KEPT = 64  # dimensions of a stored token vector
RECENT = 32  # turns, after which a conversation is no longer young
PAUSE = 6 * 3600 * 1_000_000  # microseconds, after which it is a new one, for clients that keep one session for ever
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


Turns = Callable[[Sequence[int]], Mapping[int, Heard]]
SaidLately = Callable[[str, int, Micros, int], int]  # as `ports.Ledger.said_lately`


def no_turns(_seqs: Sequence[int]) -> Mapping[int, Heard]:
    return {}


def nothing_lately(_session: str, _seq: int, _since: Micros, _most: int) -> int:
    return 0


class Known:
    """The snapshot that a batch of readings is judged by. Within the batch it moves on: `add` what was judged.

    `keys` are those normal forms at hand that the memory has heard of, `entities` those that it resolved, `held` the
    facts that compete with a claim at the time of its utterance. `places` are the last utterances that said a term,
    and `turns` looks up what they hold. `said_lately` counts the turns just before one in its session.
    """

    def __init__(
        self,
        terms: TermStatistics,
        keys: frozenset[str],
        entities: Mapping[str, Entity],
        held: Mapping[tuple[Claim, Micros], tuple[Fact, ...]],
        places: Mapping[str, tuple[int, ...]],
        turns: Turns,
        said_lately: SaidLately,
    ) -> None:
        self.terms = terms
        self._keys, self._entities, self._held = keys, entities, held
        self._places, self._turns = dict(places), turns
        self._said_lately = said_lately
        self._seen: dict[int, Heard] = {}
        self._added: list[Draft] = []

    def add(self, reading: Reading, spoken: Spoken, seq: int) -> None:
        """From now on this was said, as `seq`."""
        self.terms.add(reading.counts)
        self._seen[seq] = spoken.heard
        self._added.append(reading.draft)
        for term in reading.counts:
            self._places[term] = (*self._places.get(term, ()), seq)[-PLACES:]

    def before(self, draft: Draft, seq: int) -> int:
        """Turns of its session that were said in the hours before; at most `RECENT`."""
        since = draft.said_at - PAUSE
        added = sum(each.session == draft.session and each.said_at >= since for each in self._added[-RECENT:])
        return min(self._said_lately(draft.session, seq, since, RECENT) + added, RECENT)

    def nearest(self, reading: Reading, spoken: Spoken, *, but: int = 0) -> Nearness:
        """The nearest of the turns that share the most telling terms with what is told; `but` is its own seq."""
        shared: dict[int, float] = {}
        for term in sorted({term for sentence in reading.told for term in sentence.content}):
            for seq in self._places.get(term, ()):
                shared[seq] = shared.get(seq, 0.0) + self.terms.bits(term)
        shared.pop(but, None)
        seqs = sorted(shared, key=lambda seq: (-shared[seq], -seq))[:NEAR]
        if missing := [seq for seq in seqs if seq not in self._seen]:
            self._seen.update(self._turns(missing))
        return nearest(spoken, [(seq, self._seen[seq]) for seq in seqs if seq in self._seen])

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


def blank() -> Known:
    """What a memory knows before anything was said."""
    return Known(TermStatistics({}, 0, 0), frozenset(), {}, {}, {}, no_turns, nothing_lately)


def known_of(memory: Memory, readings: Sequence[Reading], ontology: Ontology, index_version: str) -> Known:
    """What the memory knows of all that these readings touch. Call it inside the transaction that appends them.

    Turns that another encoder than that of `index_version` has read are not held against anything.
    """
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
        places=memory.ledger.term_places(
            {term for reading in readings for sentence in reading.told for term in sentence.content}
        ),
        turns=lambda seqs: _turns(memory, seqs, index_version),
        said_lately=memory.ledger.said_lately,
    )


def _turns(memory: Memory, seqs: Sequence[int], index_version: str) -> dict[int, Heard]:
    ids = [utterance.id for utterance in memory.ledger.utterances(seqs)]
    return {
        item.seq: heard(np.frombuffer(item.tokens, dtype=np.int8).reshape(-1, KEPT), item.text)
        for item in memory.ledger.items(ids)
        if item.index_version == index_version
    }


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
