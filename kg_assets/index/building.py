"""Building the index: turns encoded in their windows replace the provisional ones, facts come and go with belief.

The item of a fact that is believed no more is retired, not deleted: recall as of a time when it was believed finds it.
An item speaks of entities by their names, so those of a renamed entity's facts are written anew. Facts of a generation
that does not serve have their items too, retired until it does.

Encoding happens outside the transactions. What a transaction writes and what it takes off the queue, or how far its
cursor moves, commit together: a crash costs the encoding of one chunk, and a second run changes nothing.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

import msgspec

from kg_assets.graph.versions import current, touched_by
from kg_assets.graph.wording import sentence, wording_version
from kg_assets.index.quantise import packed
from kg_assets.index.remember import utterance_item
from kg_assets.index.windows import BLOCK, encode_turns
from kg_assets.journal import instant, item_hashes, record
from kg_assets.model import Change, Entity, EntityChange, Fact, Item, Origin, Route, Utterance
from kg_assets.ports import Clock, Embedder, Memory
from kg_assets.text.ontology import Ontology

ROUTES: tuple[Route, ...] = ("immediate", "batch", "log")
CHUNK = 256  # turns or facts that are encoded and committed together
CURSOR = "index.journal_seq"  # the journal entry up to which changed facts are in the index
VERSION = "index.version"  # the encoder that wrote the index
FACT, RESOLVE = "fact", "resolve"
ENTRIES = 1000  # rows that are read at once


class IndexReport(msgspec.Struct, frozen=True, kw_only=True):
    """What one call wrote: turns in their windows, facts, and retired items of facts that are believed no more."""

    utterances: int
    facts: int
    retired: int
    index_version: str


def index_pending(
    memory: Memory, embedder: Embedder, ontology: Ontology, *, origin: Origin, clock: Clock, chunk: int = CHUNK
) -> IndexReport:
    """Bring the index up to the log and to belief. With another encoder than last time everything is encoded again."""
    _renew(memory, embedder)
    turns = 0
    for blocks in _waiting_blocks(memory, chunk):
        turns += _write_turns(memory, blocks, embedder, origin, clock)
    facts, retired = follow_belief(memory, embedder, ontology, origin=origin, clock=clock, chunk=chunk)
    return IndexReport(utterances=turns, facts=facts, retired=retired, index_version=embedder.version)


def _renew(memory: Memory, embedder: Embedder) -> None:
    """Queue everything where another encoder wrote the index: vectors of two encoders cannot be compared."""
    written_by = memory.value(VERSION)
    if written_by == embedder.version:
        return
    with memory.transaction():
        memory.set_value(VERSION, embedder.version)
        if written_by is not None:
            memory.ledger.enqueue("index", range(1, memory.ledger.head().seq + 1))
            memory.set_value(CURSOR, "0")


# ------------------------------------------------------------------------------------------------------- turns


class _Block(msgspec.Struct, frozen=True):
    """Turns of one window block by position, and their session up to the last turn known."""

    session: tuple[Utterance, ...]
    positions: range

    @property
    def turns(self) -> tuple[Utterance, ...]:
        return self.session[self.positions.start : self.positions.stop]


def _waiting_blocks(memory: Memory, chunk: int) -> Iterator[list[_Block]]:
    """Blocks with a turn that waits, whole, in portions of about `chunk` turns; each session is read once."""
    waiting = set(memory.ledger.pending("index", ROUTES))
    portion: list[_Block] = []
    size = 0
    for seq in sorted(waiting):
        if seq not in waiting:
            continue
        for block in _blocks_of(memory, seq, waiting):
            waiting -= {turn.seq for turn in block.turns}
            portion.append(block)
            size += len(block.positions)
            if size >= chunk:
                yield portion
                portion, size = [], 0
        waiting.discard(seq)
    if portion:
        yield portion


def _blocks_of(memory: Memory, seq: int, waiting: set[int]) -> Iterator[_Block]:
    """The blocks of this utterance's session that hold a turn that waits."""
    for found in memory.ledger.utterances([seq]):
        session = tuple(memory.ledger.session_turns(found.session))
        for number in sorted({position // BLOCK for position, turn in enumerate(session) if turn.seq in waiting}):
            yield _Block(session, range(number * BLOCK, min((number + 1) * BLOCK, len(session))))


def _write_turns(memory: Memory, blocks: Sequence[_Block], embedder: Embedder, origin: Origin, clock: Clock) -> int:
    """Encode whole blocks and put them in place of what was there; returns the number of turns."""
    items: list[Item] = []
    for session, positions in _by_session(blocks):
        encoded = encode_turns(session, positions, embedder)
        items += [
            utterance_item(
                session[position],
                packed(encoded[position], embedder.projection),
                embedder.version,
                provisional=False,
            )
            for position in positions
        ]
    seqs = [item.seq for item in items]
    with memory.transaction():
        if len(memory.ledger.utterances(seqs)) < len(seqs):
            return 0  # one was erased meanwhile, and its words are in the vectors of its neighbours
        memory.ledger.put_items(items)
        memory.ledger.done("index", seqs)
        _journal(memory, items, {"index_version": embedder.version, "utterances": len(items)}, origin, clock)
    return len(items)


def _by_session(blocks: Sequence[_Block]) -> Iterator[tuple[tuple[Utterance, ...], list[int]]]:
    for _, group in groupby(blocks, key=lambda block: id(block.session)):  # equality would walk whole sessions
        together = list(group)
        yield together[0].session, [position for block in together for position in block.positions]


# ------------------------------------------------------------------------------------------------------- facts


def _cursor(memory: Memory) -> int:
    return int(memory.value(CURSOR) or 0)


def follow_belief(
    memory: Memory, embedder: Embedder, ontology: Ontology, *, origin: Origin, clock: Clock, chunk: int = CHUNK
) -> tuple[int, int]:
    """Bring the items of facts up to the end of the journal; returns how many were written, and how many retired."""
    facts = retired = 0

    def write(found: Sequence[Fact], upto: int | None = None) -> None:
        nonlocal facts, retired
        items = _fact_items(memory, found, embedder, ontology)
        gone = sum(item.retired for item in items)
        facts, retired = facts + len(items) - gone, retired + gone
        with memory.transaction():
            if items:
                memory.ledger.put_items(items)
                written = {"facts": len(items) - gone, "retired": gone, "wording": wording_version(ontology)}
                payload = {"index_version": embedder.version, **written}
                _journal(memory, items, payload, origin, clock)
            if upto is not None:
                memory.set_value(CURSOR, str(upto))

    while (cursor := _cursor(memory)) < (head := memory.ledger.head().journal_seq):
        # Names first: the journal tells them for as long as the cursor has not moved.
        for stale in _renamed(memory, ontology, cursor, head) if cursor else ():
            write(stale)
        while changed := _changed(memory, head, chunk):
            write(changed, max(map(touched_by, changed)))
        write([], head)
    return facts, retired


def exchange_items(memory: Memory, served: int, serves: int) -> None:
    """Retire the items of one generation's facts and bring back the other's; inside the transaction of the flip."""
    for generation, retired in ((served, True), (serves, False)):
        for facts in current(memory.graph.of(generation), CHUNK):
            memory.ledger.retire_items([fact.version_id for fact in facts], retired=retired)


def _changed(memory: Memory, head: int, chunk: int) -> list[Fact]:
    """Versions that the journal opened or closed after the cursor, and not after `head`."""
    found = memory.graph.changed_facts(after_journal_seq=_cursor(memory), limit=chunk)
    return [fact for fact in found if touched_by(fact) <= head]


def _renamed(memory: Memory, ontology: Ontology, cursor: int, head: int) -> Iterator[list[Fact]]:
    """Facts whose items speak of an entity by another name than it has since the journal after `cursor`."""
    for generation, put in _entities_put(memory, cursor, head).items():
        graph = memory.graph.of(generation)
        for ends in ({"subjects": put}, {"objects": put}):
            after = ""
            while rows := graph.facts(valid_at=None, known_at=None, **ends, limit=CHUNK, after=after):
                after = rows[-1].version_id
                written = {item.id: item.text for item in memory.ledger.items([fact.version_id for fact in rows])}
                texts = _texts(memory, rows, ontology)
                stale = [
                    fact
                    for fact, text in zip(rows, texts, strict=True)
                    if written.get(fact.version_id, text) != text  # one that is not written yet waits for its own turn
                ]
                if stale:
                    yield stale


def _entities_put(memory: Memory, cursor: int, head: int) -> dict[int, list[str]]:
    """Ids of the entities that the journal put after `cursor`, by generation."""
    found: dict[int, set[str]] = defaultdict(set)
    while cursor < head and (entries := memory.ledger.journal_after(cursor, ENTRIES)):
        cursor = entries[-1].seq
        for entry in entries:
            if entry.op == RESOLVE and entry.payload is not None:
                change = msgspec.json.decode(entry.payload, type=EntityChange)
                found[change.generation].update(entity.id for entity in change.put)
    return {generation: sorted(ids) for generation, ids in found.items()}


def _texts(memory: Memory, facts: Sequence[Fact], ontology: Ontology) -> list[str]:
    entities = entities_of(memory, facts)
    return [sentence(fact, entities[fact.generation], ontology) for fact in facts]


def entities_of(memory: Memory, facts: Sequence[Fact]) -> dict[int, dict[str, Entity]]:
    """By generation, then by id."""
    found: dict[int, dict[str, Entity]] = {}
    for generation in sorted({fact.generation for fact in facts}):
        beliefs = [fact.belief for fact in facts if fact.generation == generation]
        ends = {end for belief in beliefs for end in (belief.subject_id, belief.object_id) if end}
        found[generation] = {entity.id: entity for entity in memory.graph.of(generation).entities(sorted(ends))}
    return found


def _fact_items(memory: Memory, facts: Sequence[Fact], embedder: Embedder, ontology: Ontology) -> list[Item]:
    """What is believed no more keeps its item of then, where it has one of this encoder."""
    ended = [fact.version_id for fact in facts if fact.recorded_to is not None]
    kept = {item.id: item for item in memory.ledger.items(ended) if item.index_version == embedder.version}
    facts = [fact for fact in facts if fact.version_id not in kept]
    entities, texts, serving = entities_of(memory, facts), _texts(memory, facts, ontology), memory.graph.generation
    different = list(dict.fromkeys(texts))  # the versions of a statement mostly read alike
    encoded = embedder.encode(different) if different else []
    vectors = {text: packed(each, embedder.projection) for text, each in zip(different, encoded, strict=True)}
    return [msgspec.structs.replace(item, retired=True) for item in kept.values()] + [
        _fact_item(
            memory,
            fact,
            text,
            entities[fact.generation],
            vectors[text],
            embedder.version,
            retired=fact.recorded_to is not None or fact.generation != serving,
        )
        for fact, text in zip(facts, texts, strict=True)
    ]


def _fact_item(
    memory: Memory,
    fact: Fact,
    text: str,
    entities: Mapping[str, Entity],
    vectors: tuple[bytes, bytes, bytes],
    index_version: str,
    *,
    retired: bool,
) -> Item:
    """A fact stands where its latest evidence does, and in no session."""
    belief = fact.belief
    evidence = memory.ledger.assertions(belief.assertions)
    latest = max(((each.said_at, each.seq) for each in evidence), default=(fact.recorded_from, 0))
    pooled, tokens, token_ids = vectors
    return Item(
        id=fact.version_id,
        kind=FACT,
        ref=fact.id,
        seq=latest[1],
        text=text,
        session="",
        speaker=entities[belief.subject_id].name if belief.subject_id in entities else belief.subject_key,
        said_at=latest[0],
        pooled=pooled,
        tokens=tokens,
        token_ids=token_ids,
        provisional=False,
        index_version=index_version,
        retired=retired,
    )


def _journal(memory: Memory, items: Sequence[Item], payload: dict[str, Any], origin: Origin, clock: Clock) -> None:
    change = Change(op="index", payload={**payload, "items": item_hashes(items)})
    record(memory.ledger, [change], origin=origin, at=instant(memory.ledger, clock))
