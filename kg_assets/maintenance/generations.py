"""Belief derived again from all evidence, beside the one that serves; then the flip, and the way back.

A rebuild holds the memory's lease, so no run derives meanwhile; what is said is appended as always, and what a curator
says is caught up with.
Every step is a transaction of its own and finds done what a crash left behind: the rebuild goes on where it stood.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import chain
from typing import Protocol

import msgspec

from kg_assets import journal
from kg_assets.errors import InvalidInput, NotReady
from kg_assets.graph.belief import derive_chunk, write_entities
from kg_assets.graph.entities import mention_keys
from kg_assets.graph.generations import Again, Made, belief_version, generations, put_generation
from kg_assets.graph.policies import LATEST_VALID, Policy
from kg_assets.graph.renamed import statement_of_today
from kg_assets.graph.slots import touched_slots, write_slots
from kg_assets.graph.soundness import overlapping, twice
from kg_assets.graph.sources import Generation, counted_once, generation_of
from kg_assets.graph.state import slot_hash, state_hash
from kg_assets.graph.versions import current
from kg_assets.index.building import ROUTES, exchange_items, follow_belief
from kg_assets.model import Change, Fact, Flip, Origin
from kg_assets.payloads import Payloads, entries_of
from kg_assets.ports import Clock, Embedder, Memory
from kg_assets.text.ontology import Ontology
from kg_assets.triples.spans import size, within

CHUNK = 500  # utterances, slots or facts of one step
MOST_LOST = 0.2  # of the statements believed so far, that a new generation may give up


class Rebuilt(msgspec.Struct, frozen=True, kw_only=True):
    """What a rebuild made. `lost` and `gained` are statements, against the generation that served when it ended.

    `read_again` utterances were read again for it; `missed` were to be, and were not: a language model among the voters
    had no budget left for them, or did not answer. They count as they were read before, until a rebuild reads them.
    """

    generation: int
    served: int
    facts: int
    lost: int
    gained: int
    flipped: bool
    state_hash: str
    read_again: int = 0
    missed: int = 0


class Circumstances(msgspec.Struct, frozen=True, kw_only=True):
    """What every step needs."""

    ontology: Ontology
    embedder: Embedder
    origin: Origin
    clock: Clock
    policy: Policy = LATEST_VALID


class Reader(Protocol):
    """Reads again what was read before, for a generation: see `AgainReader`."""

    version: str

    def read(
        self,
        memory: Memory,
        generation: int,
        *,
        wanted: Callable[[int], bool],
        note: Callable[[Sequence[int], Collection[int]], None],
        origin: Origin,
        clock: Clock,
    ) -> None: ...


def rebuild(
    memory: Memory,
    at: Circumstances,
    *,
    flip_to_it: bool = True,
    most_lost: float = MOST_LOST,
    reader: Reader | None = None,
) -> Rebuilt:
    """Derive all belief again into a new generation and, where its checks pass, let it serve.

    With a `reader` the evidence is read again first. Raises `NotReady` where nothing could be, and where a check fails:
    the new generation stays beside the old one, to be looked at.
    """
    made = _begin(memory, at, reader.version if reader else "")
    if reader:
        made = _read_again(memory, made, reader, at)
    since = memory.ledger.head().journal_seq  # curators need no lease: what they say from here on is caught up with
    target = generation_of(memory, made.generation)
    _resolve_all(memory, target, at)
    _derive_all(memory, target, at)
    made = msgspec.structs.replace(made, derived=since, whole=True)
    with memory.transaction():
        put_generation(memory, made)
    _catch_up(memory, made, at)
    follow_belief(memory, at.embedder, at.ontology, origin=at.origin, clock=at.clock)
    served = memory.graph.generation
    before, after = (statements(memory, each, at.ontology) for each in (served, made.generation))
    if flip_to_it:
        _check_lost(before, after, most_lost)
        flip(memory, made.generation, at)
    return Rebuilt(
        generation=made.generation,
        served=served,
        facts=len(after),
        lost=len(before - after),
        gained=len(after - before),
        flipped=flip_to_it,
        state_hash=state_hash(target),
        read_again=size(made.again[-1].spans) if reader else 0,
        missed=size(made.again[-1].missed) if reader else 0,
    )


def flip(memory: Memory, generation: int, at: Circumstances) -> None:
    """Let another generation serve, once it has caught up with what came since and holds together.

    Raises `InvalidInput` where there is no such generation, `NotReady` where it is not whole or a check fails.
    """
    made = _made(memory, generation)
    if memory.graph.generation == generation:
        return
    target = generation_of(memory, generation)
    while True:
        made = _catch_up(memory, made, at)
        follow_belief(memory, at.embedder, at.ontology, origin=at.origin, clock=at.clock)
        if faults := found_faults(memory, target, at.ontology):
            raise NotReady(
                f"memory {memory.info.id}: generation {generation} does not serve, because {'; '.join(faults)}. "
                "Rebuild again, or look at it with `palimpsest diff`"
            )
        with memory.transaction():
            if not _missing(memory, made):  # else a curator said something since
                _exchange(memory, memory.graph.generation, generation, at)
                return


def _missing(memory: Memory, made: Made) -> list[int]:
    """Utterances whose evidence is not in this generation; ascending."""
    return sorted({*evidence_since(memory, made.derived), *made.waiting})


def _catch_up(memory: Memory, made: Made, at: Circumstances) -> Made:
    target = generation_of(memory, made.generation)
    with memory.transaction():
        seqs = _missing(memory, made)
        if not seqs:
            return made
        for start in range(0, len(seqs), CHUNK):
            some = seqs[start : start + CHUNK]
            derive_chunk(target, at.ontology, some, origin=at.origin, clock=at.clock, policy=at.policy)
        made = msgspec.structs.replace(made, derived=memory.ledger.head().journal_seq, waiting=())
        put_generation(memory, made)
    return made


def _exchange(memory: Memory, served: int, generation: int, at: Circumstances) -> None:
    change = Flip(serves=generation, served=served)
    instant = journal.instant(memory.ledger, at.clock)
    head, waiting = memory.ledger.head().journal_seq, tuple(memory.ledger.pending("derive", ROUTES))
    old = [each for each in generations(memory) if each.generation == served]
    for each in old or [Made(generation=served, rules="")]:
        put_generation(memory, msgspec.structs.replace(each, derived=head, waiting=waiting))
    exchange_items(memory, served, generation)
    payload = msgspec.to_builtins(change)
    entry = journal.record(memory.ledger, [Change(op="flip", payload=payload)], origin=at.origin, at=instant)[0]
    memory.graph.apply(change, recorded_at=instant, journal_seq=entry.seq)


def _made(memory: Memory, generation: int) -> Made:
    for each in generations(memory):
        if each.generation == generation and each.whole and not each.dropped:
            return each
    whole = [each for each in generations(memory) if each.whole and not each.dropped]
    there = ", ".join(str(each.generation) for each in whole) or "none yet"
    raise InvalidInput(f"there is no whole generation {generation}; there is {there}", where="GENERATION")


# ------------------------------------------------------------------------------------------------------ building


def _begin(memory: Memory, at: Circumstances, reader: str) -> Made:
    """A new generation, or one of the same rules and reader that never served: half built, or kept back by a check."""
    rules = belief_version(at.ontology, at.policy)
    known, served = generations(memory), {each.generation for each in memory.graph.served()}
    inherited = next((each.again for each in known if each.generation == memory.graph.generation), ())
    for each in known:
        built_on = each.again[:-1] if each.reader else each.again
        if (each.rules, each.reader, built_on) == (rules, reader, inherited) and (
            each.generation not in served and not each.dropped
        ):
            made = msgspec.structs.replace(each, whole=False)
            with memory.transaction():
                put_generation(memory, made)
            return made
    numbers = [each.generation for each in known] + [memory.graph.generation]
    number = max(numbers) + 1
    own = (Again(generation=number, extractor=reader),) if reader else ()
    made = Made(generation=number, rules=rules, whole=False, again=(*inherited, *own))
    with memory.transaction():
        put_generation(memory, made)
        told = {"building": made.generation, "rules": rules, **({"reader": reader} if reader else {})}
        change = Change(op="rebuild", payload=told)
        journal.record(memory.ledger, [change], origin=at.origin, at=journal.instant(memory.ledger, at.clock))
    return made


def _read_again(memory: Memory, made: Made, reader: Reader, at: Circumstances) -> Made:
    """With what was read for it. Where the reading that it is built on missed some, those alone are read; one that was
    cut short is gone on with."""
    own, before = made.again[-1], made.again[-2] if len(made.again) > 1 else None
    left = before.missed if before and before.extractor == reader.version else ()

    def wanted(seq: int) -> bool:
        return not own.covers(seq) and (not left or within(left, seq))

    def note(seqs: Sequence[int], missed: Collection[int]) -> None:
        nonlocal made, own
        own = own.read(seqs, missed)
        made = msgspec.structs.replace(made, again=(*made.again[:-1], own))
        put_generation(memory, made)

    reader.read(memory, made.generation, wanted=wanted, note=note, origin=at.origin, clock=at.clock)
    if own.missed and not own.spans:
        raise NotReady(
            f"memory {memory.info.id}: none of {size(own.missed)} utterances was read again, because the "
            "language model has no budget left or does not answer; look at [llm] in settings.toml, then rebuild again"
        )
    return made


def _spans(memory: Memory) -> Iterator[range]:
    """All utterances, in steps: what waits to be derived too, as far as it was read."""
    last = memory.ledger.head().seq
    for start in range(1, last + 1, CHUNK):
        yield range(start, min(start + CHUNK, last + 1))


def _resolve_all(memory: Memory, target: Generation, at: Circumstances) -> None:
    """What a generation that is taken up holds is resolved too: its evidence may count no more."""
    target = counted_once(target)
    held = [{each.key, *each.aliases} for each in target.graph.all_entities()]
    said = (mention_keys(target.ledger.assertions_of_utterances(seqs)) for seqs in _spans(memory))
    for keys in chain(said, (set().union(*held[start : start + CHUNK]) for start in range(0, len(held), CHUNK))):
        with memory.transaction():
            write_entities(target, keys, origin=at.origin, at=journal.instant(memory.ledger, at.clock))


def _derive_all(memory: Memory, target: Generation, at: Circumstances) -> None:
    """Each slot once, after every name leads where it will: so the new generation has no history of its making.

    One that is taken up holds slots already, some of them of entities that have become others since.
    """
    slots: dict[str, tuple[str, str]] = {}
    for facts in current(target.graph):
        held = ((each.belief.slot, each.belief.subject_id) for each in facts)
        slots |= {slot: (subject_id, slot.split("|", 1)[1]) for slot, subject_id in held}
    for seqs in _spans(memory):
        slots |= touched_slots(target, at.ontology, target.ledger.assertions_of_utterances(seqs), set(), set())
    order = sorted(slots)
    for start in range(0, len(order), CHUNK):
        some = {slot: slots[slot] for slot in order[start : start + CHUNK]}
        with memory.transaction():
            instant = journal.instant(memory.ledger, at.clock)
            write_slots(target, at.ontology, some, origin=at.origin, at=instant, policy=at.policy)


def evidence_since(memory: Memory, journal_seq: int) -> list[int]:
    """Utterances that were read, or asserted, by journal entries after this one; ascending."""
    entries = list(entries_of(memory.ledger, journal_seq))
    told = map(Payloads(entries).told, entries)  # with what an erasure left of them
    ids = [each for entry in told for each in journal.assertions_added(entry)]
    return sorted({each.seq for each in memory.ledger.assertions(ids)})


# ------------------------------------------------------------------------------------------------------- checks


def statements(memory: Memory, generation: int, ontology: Ontology) -> set[tuple[str, str, str]]:
    """(subject, predicate, object) of what a generation holds, by their normal forms and the predicates of today: what
    was provisional and is declared since is not lost."""
    return {
        statement_of_today(ontology, fact.belief.subject_key, fact.belief.predicate, fact.belief.object_key)
        for facts in current(memory.graph.of(generation))
        for fact in facts
    }


def _check_lost(before: set[tuple[str, str, str]], after: set[tuple[str, str, str]], most_lost: float) -> None:
    lost = len(before - after)
    if lost > most_lost * len(before):
        raise NotReady(
            f"the new generation gives up {lost} of {len(before)} statements, and at most {most_lost:.0%} may go. "
            "Look at them with `palimpsest diff`; then flip to it by hand, or rebuild with a higher --most-lost"
        )


def found_faults(memory: Memory, target: Generation, ontology: Ontology) -> list[str]:
    """What stands against letting a generation serve, in words without anything of a person."""
    facts = [fact for portion in current(target.graph) for fact in portion]
    faults = []
    if rows := twice(facts):
        faults.append(f"{len(rows)} statements stand twice over one interval")
    if rows := overlapping(facts, ontology):
        faults.append(f"{len(rows)} facts overlap where one value is held at a time")
    if missing := _without_evidence(memory, facts):
        faults.append(f"{missing} facts rest on evidence that is not there")
    slots: dict[str, list[Fact]] = {}
    for fact in facts:
        slots.setdefault(fact.belief.slot, []).append(fact)
    hashes = sorted(slot_hash(each.belief for each in rows) for rows in slots.values())
    if hashes != sorted(target.graph.slot_hashes()):
        faults.append("the hashes stored for its slots are not those of its facts")
    return faults


def _without_evidence(memory: Memory, facts: Sequence[Fact]) -> int:
    missing = 0
    for start in range(0, len(facts), CHUNK):
        portion = facts[start : start + CHUNK]
        needed = sorted({each for fact in portion for each in fact.belief.assertions})
        there = {each.id for each in memory.ledger.assertions(needed)}
        missing += sum(not there.issuperset(fact.belief.assertions) for fact in portion)
    return missing
