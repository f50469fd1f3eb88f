"""One memory as lines of JSON: everything that is kept of a person, readable without this program.

Lines, told apart by `kind`: one `header`; each `utterance` with the `assertion`s that were read from it; each `entity`
as it is now; each version of each `fact`; each `journal` entry with its payload, so that the hash chain can be checked;
one `end` with the number of lines, by which a cut file is told. Vectors are left out: they are made again from the
texts.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import msgspec

from kg_assets.graph.importance import Weight, weights
from kg_assets.graph.sources import in_service
from kg_assets.model import Assertion, Entity, Fact, JournalEntry, Literal, Mention, Micros, NoveltyScore, Utterance
from kg_assets.ports import Memory
from kg_assets.text.instants import format_instant

FORMAT = "palimpsest-export/1"
CHUNK = 500

Line = dict[str, Any]


def exported(memory: Memory, *, now: Micros) -> Iterator[Line]:
    """All lines, of one state of the memory; a writer beside it is neither seen nor kept waiting."""
    with memory.snapshot():
        lines = 0
        for line in _lines(memory, now):
            lines += 1
            yield line
        yield {"kind": "end", "lines": lines + 1}


def _lines(memory: Memory, now: Micros) -> Iterator[Line]:
    head = memory.ledger.head()
    yield {
        "kind": "header",
        "format": FORMAT,
        "name": memory.info.name,
        "multi_speaker": memory.info.multi_speaker,
        "exported_at": format_instant(now),
        "utterances": memory.ledger.utterance_count(),
        "journal_entries": head.journal_seq,
        "journal_head": head.journal_hash,
    }
    yield from _evidence(memory)
    yield from _entities(memory, now)
    yield from _belief(memory)
    seq = 0
    while entries := memory.ledger.journal_after(seq, CHUNK):
        yield from map(journal_line, entries)
        seq = entries[-1].seq


def _evidence(memory: Memory) -> Iterator[Line]:
    seq = 0
    while utterances := memory.ledger.utterances_after(seq, CHUNK):
        seqs = [each.seq for each in utterances]
        scores = {each.seq: each for each in memory.ledger.novelty(seqs)}
        read: dict[int, list[Assertion]] = defaultdict(list)
        for assertion in memory.ledger.assertions_of_utterances(seqs):
            read[assertion.seq].append(assertion)
        for each in utterances:
            yield utterance_line(each, scores.get(each.seq))
            yield from map(assertion_line, sorted(read[each.seq], key=lambda assertion: assertion.id))
        seq = seqs[-1]


def _entities(memory: Memory, now: Micros) -> Iterator[Line]:
    entities = memory.graph.all_entities()
    for start in range(0, len(entities), CHUNK):
        some = entities[start : start + CHUNK]
        found = weights(in_service(memory), some)
        yield from (entity_line(each, found[each.id], now) for each in some)


def _belief(memory: Memory) -> Iterator[Line]:
    seq = 0
    while facts := memory.graph.changed_facts(after_journal_seq=seq, limit=CHUNK):
        ids = {each.belief.subject_id for each in facts} | {each.belief.object_id or "" for each in facts}
        entities = {entity.id: entity for entity in memory.graph.entities(sorted(ids - {""}))}
        yield from (fact_line(each, entities) for each in facts)
        seq = facts[-1].closed_by or facts[-1].opened_by


# --------------------------------------------------------------------------------------------------------- lines


def utterance_line(utterance: Utterance, novelty: NoveltyScore | None) -> Line:
    """The fields that `POST /v1/utterances` takes, and what was added when it was appended."""
    return {
        "kind": "utterance",
        "id": utterance.id,
        "session": utterance.session,
        "speaker": utterance.speaker,
        "role": utterance.role,
        "text": utterance.text,
        "said_at": format_instant(utterance.said_at),
        "salience": utterance.salience,
        "tags": list(utterance.tags),
        "metadata": utterance.metadata,
        "seq": utterance.seq,
        "recorded_at": format_instant(utterance.recorded_at),
        "content_hash": utterance.content_hash,
        "novelty": None if novelty is None else {"score": novelty.score, "route": novelty.route},
    }


def assertion_line(assertion: Assertion) -> Line:
    return {
        "kind": "assertion",
        "id": assertion.id,
        "utterance": assertion.utterance_id,
        "subject": assertion.subject.surface,
        "subject_key": assertion.subject.key,
        "predicate": assertion.predicate,
        "object": _object(assertion.object),
        "polarity": assertion.polarity,
        "valid_from": _instant(assertion.valid_from),
        "valid_to": _instant(assertion.valid_to),
        "start_known": assertion.start_known,
        "precision": assertion.precision,
        "confidence": assertion.confidence / 1000,
        "authority": assertion.authority,
        "span": assertion.span,
        "extractor": assertion.extractor,
        "extractor_version": assertion.extractor_version,
        "run_id": assertion.run_id,
    }


def entity_line(entity: Entity, weight: Weight, now: Micros) -> Line:
    """`aliases` are normal forms; `importance` is as of the export."""
    return {
        "kind": "entity",
        "id": entity.id,
        "name": entity.name,
        "type": entity.type,
        "aliases": list(entity.aliases),
        "importance": weight.importance(now) / 1000,
        "mentions": weight.mentions,
        "sessions": weight.sessions,
        "facts": weight.facts,
        "last_said_at": _instant(weight.last_said_at),
    }


def fact_line(fact: Fact, entities: dict[str, Entity]) -> Line:
    belief = fact.belief
    subject, target = entities.get(belief.subject_id), entities.get(belief.object_id or "")
    return {
        "kind": "fact",
        "id": fact.id,
        "version_id": fact.version_id,
        "subject": subject.name if subject else belief.subject_key,
        "predicate": belief.predicate,
        "object": _object(belief.value) if belief.value else (target.name if target else belief.object_key),
        "valid_from": _instant(belief.valid_from),
        "valid_to": _instant(belief.valid_to),
        "precision": belief.precision,
        "recorded_from": _instant(fact.recorded_from),
        "recorded_to": _instant(fact.recorded_to),
        "confidence": belief.confidence / 1000,
        "authority": belief.authority,
        "utterances": sorted(belief.utterances),
        "opened_by": fact.opened_by,
        "closed_by": fact.closed_by,
    }


def journal_line(entry: JournalEntry) -> Line:
    payload = None if entry.payload is None else msgspec.json.decode(entry.payload)
    return {
        "kind": "journal",
        "seq": entry.seq,
        "op": entry.op,
        "recorded_at": format_instant(entry.recorded_at),
        "actor": entry.actor,
        "cause": entry.cause,
        "run_id": entry.run_id,
        "code_version": entry.code_version,
        "payload": payload,
        "salt": None if entry.salt is None else entry.salt.hex(),
        "payload_hash": entry.payload_hash,
        "prev_hash": entry.prev_hash,
        "hash": entry.hash,
    }


def _object(value: Mention | Literal) -> str | Line:
    return value.surface if isinstance(value, Mention) else {"value": value.value, "type": value.type}


def _instant(micros: Micros | None) -> str | None:
    return None if micros is None else format_instant(micros)
