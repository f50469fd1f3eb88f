"""Remembering: what was said becomes durable, scored and retrievable in one transaction.

No model reads it here but the encoder, and that before the transaction. What waits is extraction and belief.
"""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from kg_assets.errors import Conflict
from kg_assets.index.quantise import packed
from kg_assets.index.windows import encode_alone
from kg_assets.journal import instant, record, remembered
from kg_assets.model import Draft, Encoded, Item, Micros, NoveltyScore, Origin, Utterance
from kg_assets.novelty.backlog import score_stored
from kg_assets.novelty.known import known_of
from kg_assets.novelty.nearness import Spoken, spoken
from kg_assets.novelty.reading import Reading, read
from kg_assets.novelty.scoring import Thresholds, score
from kg_assets.ports import Clock, Embedder, Memory
from kg_assets.text.ontology import Ontology
from kg_assets.utterances.sealing import hash_of

UTTERANCE, DOCUMENT = "utterance", "document"


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one draft. `repeated`: it was there already, with this score."""

    id: str
    seq: int
    novelty: NoveltyScore
    repeated: bool


class _Prepared(msgspec.Struct, frozen=True):
    reading: Reading
    spoken: Spoken
    vectors: tuple[bytes, bytes, bytes]  # as `packed` gives them


_Row = tuple[Utterance, NoveltyScore, Mapping[str, int]]


def remember(
    memory: Memory,
    drafts: Sequence[Draft],
    *,
    embedder: Embedder,
    ontology: Ontology,
    thresholds: Thresholds,
    origin: Origin,
    clock: Clock,
    cap_at_batch: bool,
) -> list[Receipt]:
    """Append drafts; receipts stand in their order. A draft that is there already changes nothing.

    Raises `Conflict` where an id is taken by other content, and then nothing of the call is written.
    """
    wanted = _each_once(drafts)
    fresh = [draft for draft in wanted.values() if _stored(memory, draft) is None]
    prepared = _prepare(memory, fresh, embedder, ontology)
    with memory.transaction():
        # Looked up again: between the two, another process may have appended some of them, or erased some.
        stored = {draft.id: found for draft in wanted.values() if (found := _stored(memory, draft))}
        missing = [draft for draft in wanted.values() if draft.id not in stored]
        prepared |= _prepare(memory, [draft for draft in missing if draft.id not in prepared], embedder, ontology)
        at = instant(memory.ledger, clock)
        new = [prepared[draft.id] for draft in missing]
        rows = _rows(memory, new, embedder.version, ontology, thresholds, at, cap_at_batch=cap_at_batch)
        memory.ledger.append(rows)
        items = [
            utterance_item(row, prepared[row.id].vectors, embedder.version, provisional=True) for row, _, _ in rows
        ]
        memory.ledger.put_items(items)
        told = [remembered(row, novelty, [item]) for (row, novelty, _), item in zip(rows, items, strict=True)]
        record(memory.ledger, told, origin=origin, at=at)
        novelty = {row.id: novelty for row, novelty, _ in rows}
        novelty |= _scores(memory, stored, embedder, ontology, thresholds, origin=origin, at=at)
    return list(_receipts(drafts, novelty, set(stored)))


def _each_once(drafts: Iterable[Draft]) -> dict[str, Draft]:
    found: dict[str, Draft] = {}
    for draft in drafts:
        if hash_of(found.setdefault(draft.id, draft)) != hash_of(draft):
            raise Conflict(f"id {draft.id!r} stands twice in one call with different content; give each its own id")
    return found


def _stored(memory: Memory, draft: Draft) -> Utterance | None:
    """The utterance with this draft's id, if there is one. Raises `Conflict` where it says something else."""
    found = memory.ledger.utterance(draft.id)
    if found is not None and found.content_hash != hash_of(draft):
        raise Conflict(
            f"id {draft.id!r} is taken by an utterance with other content; send this one under another id, or without"
        )
    return found


def _prepare(memory: Memory, drafts: Sequence[Draft], embedder: Embedder, ontology: Ontology) -> dict[str, _Prepared]:
    """What needs no look at the memory and takes most of the time: reading and encoding."""
    encoded = encode_alone(drafts, embedder) if drafts else []
    return {
        draft.id: _prepared(memory, draft, each, embedder, ontology)
        for draft, each in zip(drafts, encoded, strict=True)
    }


def _prepared(memory: Memory, draft: Draft, encoded: Encoded, embedder: Embedder, ontology: Ontology) -> _Prepared:
    reading = read(draft, ontology, multi_speaker=memory.info.multi_speaker)
    return _Prepared(reading, spoken(reading, encoded, embedder.projection), packed(encoded, embedder.projection))


def _rows(
    memory: Memory,
    prepared: Sequence[_Prepared],
    index_version: str,
    ontology: Ontology,
    thresholds: Thresholds,
    at: Micros,
    *,
    cap_at_batch: bool,
) -> list[_Row]:
    """Utterances with their places and scores; each is scored as if those before it had been appended already."""
    if not prepared:
        return []
    known = known_of(memory, [each.reading for each in prepared], ontology, index_version)
    rows: list[_Row] = []
    for seq, each in enumerate(prepared, start=memory.ledger.head().seq + 1):
        draft = each.reading.draft
        utterance = Utterance(**msgspec.structs.asdict(draft), seq=seq, recorded_at=at, content_hash=hash_of(draft))
        novelty = score(each.reading, each.spoken, known, thresholds, seq=seq, cap_at_batch=cap_at_batch)
        # The statistics are of the person's own language.
        rows.append((utterance, novelty, {} if draft.is_document else each.reading.counts))
        if not draft.is_document:
            known.add(each.reading, each.spoken, seq)
    return rows


def utterance_item(
    utterance: Utterance, vectors: tuple[bytes, bytes, bytes], index_version: str, *, provisional: bool
) -> Item:
    """What recall finds of a turn. `provisional`: encoded alone, to be replaced when its window is encoded."""
    pooled, tokens, token_ids = vectors
    return Item(
        id=utterance.id,
        kind=DOCUMENT if utterance.is_document else UTTERANCE,
        ref=utterance.id,
        seq=utterance.seq,
        text=utterance.text,
        session=utterance.session,
        speaker=utterance.speaker,
        said_at=utterance.said_at,
        pooled=pooled,
        tokens=tokens,
        token_ids=token_ids,
        provisional=provisional,
        index_version=index_version,
        salience=utterance.salience,
        metadata=utterance.metadata,
    )


def _scores(
    memory: Memory,
    stored: Mapping[str, Utterance],
    embedder: Embedder,
    ontology: Ontology,
    thresholds: Thresholds,
    *,
    origin: Origin,
    at: Micros,
) -> dict[str, NoveltyScore]:
    """The scores that repeated utterances got when they came; one that has none (an import) is scored now."""
    by_seq = {row.seq: row for row in stored.values()}
    found = memory.ledger.novelty(list(by_seq))
    lacking = [by_seq[seq] for seq in sorted(set(by_seq) - {each.seq for each in found})]
    if lacking:
        found += score_stored(
            memory, lacking, embedder=embedder, ontology=ontology, thresholds=thresholds, origin=origin, at=at
        )
    return {by_seq[each.seq].id: each for each in found}


def _receipts(drafts: Sequence[Draft], novelty: Mapping[str, NoveltyScore], stored: set[str]) -> Iterable[Receipt]:
    seen = set(stored)
    for draft in drafts:
        score_of = novelty[draft.id]
        yield Receipt(id=draft.id, seq=score_of.seq, novelty=score_of, repeated=draft.id in seen)
        seen.add(draft.id)
