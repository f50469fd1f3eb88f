"""What the contracts look at, as columns: numbers, ids and whether something holds; never a word that anyone said."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from kg_assets.graph.versions import current
from kg_assets.model import Assertion, Fact, Item, Mention, Utterance
from kg_assets.ports import Memory
from kg_assets.utterances.sealing import hash_of

Columns = dict[str, list[Any]]
CHUNK = 2000
TOKEN_BYTES = 64  # one int8 vector of a token


def columns(rows: Sequence[dict[str, Any]]) -> Columns:
    return {name: [row[name] for row in rows] for name in (rows[0] if rows else {})}


def utterances(memory: Memory) -> Iterator[list[Utterance]]:
    """All utterances in chunks, oldest first."""
    seq = 0
    while rows := memory.ledger.utterances_after(seq, CHUNK):
        yield rows
        seq = rows[-1].seq


def current_facts(memory: Memory) -> Iterator[list[Fact]]:
    """All that is believed now, in chunks by version id."""
    return current(memory.graph, CHUNK)


def utterance_rows(memory: Memory) -> Iterator[Columns]:
    for rows in utterances(memory):
        yield columns(
            [
                {
                    "id": row.id,
                    "seq": row.seq,
                    "role": row.role,
                    "characters": len(row.text.strip()),
                    "speaker_characters": len(row.speaker.strip()),
                    "recorded_at": row.recorded_at,
                    "matches_its_hash": hash_of(row) == row.content_hash,
                }
                for row in rows
            ]
        )


def score_rows(memory: Memory) -> Iterator[Columns]:
    """One row an utterance; score -1 and an empty route where there is none."""
    for rows in utterances(memory):
        scores = {score.seq: score for score in memory.ledger.novelty([row.seq for row in rows])}
        found = [(row, scores.get(row.seq)) for row in rows]
        yield columns(
            [
                {
                    "id": row.id,
                    "score": score.score if score else -1.0,
                    "route": score.route if score else "",
                    "parts_add_up": score is not None and abs(sum(score.parts.values()) - score.score) <= 0.5,
                    "contradicts": bool(score and score.conflicts),
                }
                for row, score in found
            ]
        )


def assertion_rows(memory: Memory) -> Iterator[Columns]:
    for rows in utterances(memory):
        texts = {row.id: row for row in rows}
        assertions = memory.ledger.assertions_of_utterances([row.seq for row in rows])
        yield columns([_assertion_row(each, texts.get(each.utterance_id)) for each in assertions])


def _assertion_row(each: Assertion, utterance: Utterance | None) -> dict[str, Any]:
    ends = [end for end in (each.subject, each.object) if isinstance(end, Mention)]
    spans = [each.span, *(end.span for end in ends)]
    return {
        "id": each.id,
        "utterance_is_there": utterance is not None and utterance.seq == each.seq,
        "spans_lie_in_the_text": utterance is not None and all(inside(span, utterance.text) for span in spans),
        "said_when_the_utterance_was": utterance is not None and utterance.said_at == each.said_at,
        "interval_is_not_empty": not_empty(each.valid_from, each.valid_to),
        "confidence": each.confidence,
        "polarity": each.polarity,
        "mentions_have_keys": all(end.key for end in ends),
    }


def inside(span: tuple[int, int] | None, text: str) -> bool:
    return span is None or 0 <= span[0] < span[1] <= len(text)


def not_empty(valid_from: int | None, valid_to: int | None) -> bool:
    return valid_from is None or valid_to is None or valid_from < valid_to


def fact_rows(memory: Memory) -> Iterator[Columns]:
    for facts in current_facts(memory):
        evidence = {id_ for fact in facts for id_ in fact.belief.assertions}
        there = {each.id: each.utterance_id for each in memory.ledger.assertions(sorted(evidence))}
        yield columns([_fact_row(fact, there) for fact in facts])


def _fact_row(fact: Fact, there: dict[str, str]) -> dict[str, Any]:
    belief = fact.belief
    return {
        "id": fact.version_id,
        "support": len(belief.assertions),
        "evidence_is_there": all(id_ in there for id_ in belief.assertions),
        "evidence_is_of_its_utterances": {there.get(id_) for id_ in belief.assertions} == set(belief.utterances),
        "interval_is_not_empty": not_empty(belief.valid_from, belief.valid_to),
        "confidence": belief.confidence,
        "journaled": fact.opened_by > 0,
    }


def item_rows(memory: Memory, dim: int) -> Iterator[Columns]:
    waiting = set(memory.ledger.pending("index", ("immediate", "batch", "log")))
    items = iter(memory.ledger.items_after(0))
    while chunk := list(islice(items, CHUNK)):
        yield columns([_item_row(item, dim, waiting) for item in chunk])


def _item_row(item: Item, dim: int, waiting: set[int]) -> dict[str, Any]:
    tokens, ids = len(item.tokens), len(item.token_ids)
    return {
        "id": item.id,
        "pooled_is_whole": len(item.pooled) == 2 * dim,
        "tokens_are_whole": tokens % TOKEN_BYTES == 0 and tokens // TOKEN_BYTES == ids // 4,
        "provisional_while_it_waits": not item.provisional or item.seq in waiting,
    }
