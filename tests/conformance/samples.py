"""Small values of each noun, with what a test cares about given by name."""

from collections.abc import Sequence
from typing import Any

from kg_assets import journal
from kg_assets.model import (
    Assertion,
    Belief,
    Change,
    Decision,
    Entity,
    Fact,
    Item,
    JournalEntry,
    Literal,
    Mention,
    NoveltyScore,
    Origin,
    Route,
    SlotChange,
    Utterance,
)
from kg_assets.ports import Memory

ORIGIN = Origin(actor="tests", cause="a test", run_id="run-1", code_version="1")


def utterance(seq: int, **more: Any) -> Utterance:
    fields: dict[str, Any] = {
        "id": f"u{seq}",
        "session": "s-1",
        "speaker": "Ana",
        "role": "user",
        "text": f"Sentence {seq}, with ünïcode \U0001f600.",
        "said_at": seq * 10,
        "salience": 0.5,
        "tags": ("a", "b"),
        "metadata": {"nested": {"list": [1, None, "x"]}},
        "seq": seq,
        "recorded_at": 1000 + seq,
        "content_hash": f"hash {seq}",
    }
    return Utterance(**{**fields, **more})


def score(seq: int, route: Route = "batch") -> NoveltyScore:
    return NoveltyScore(
        seq=seq,
        score=45.5,
        route=route,
        parts={"entity": 0.25},
        features={"surprisal": 1.5},
        conflicts=("fact-1",),
        version="v1",
    )


def append(memory: Memory, seqs: Sequence[int], route: Route = "batch", **more: Any) -> None:
    with memory.transaction():
        memory.ledger.append([(utterance(seq, **more), score(seq, route), {}) for seq in seqs])


def mention(key: str, **more: Any) -> Mention:
    return Mention(**{"surface": key.title(), "key": key, "type": "person", "span": (0, len(key)), **more})


def assertion(name: str, seq: int = 1, **more: Any) -> Assertion:
    fields: dict[str, Any] = {
        "id": name,
        "utterance_id": f"u{seq}",
        "seq": seq,
        "said_at": seq * 10,
        "subject": mention("ana"),
        "predicate": "lives_in",
        "object": mention("lisbon", type="place"),
        "polarity": "affirmed",
        "valid_from": 5,
        "valid_to": None,
        "start_known": True,
        "precision": "month",
        "confidence": 900,
        "authority": "user",
        "extractor": "rules",
        "extractor_version": "1",
        "span": (0, 24),
    }
    return Assertion(**{**fields, **more})


def number(value: float) -> Literal:
    return Literal(value=value, type="number")


def fact(version: str, **more: Any) -> Fact:
    """Fields of `Belief` and of `Fact` alike."""
    belief: dict[str, Any] = {
        "subject_id": "e-ana",
        "subject_key": "ana",
        "predicate": "lives_in",
        "slot": "slot-1",
        "object_id": "e-lisbon",
        "object_key": "lisbon",
        "value": None,
        "valid_from": None,
        "valid_to": None,
        "start_known": False,
        "precision": "day",
        "confidence": 940,
        "authority": "user",
        "assertions": ("a1", "a2"),
        "utterances": ("u1",),
    }
    row: dict[str, Any] = {
        "id": f"fact of {version}",
        "version_id": version,
        "generation": 1,
        "recorded_from": 100,
        "recorded_to": None,
        "opened_by": 1,
        "closed_by": None,
        "run_id": "run-1",
    }
    for name, value in more.items():
        (belief if name in belief else row)[name] = value
    return Fact(belief=Belief(**belief), **row)


def slot_change(opened: Sequence[Fact] = (), closed: Sequence[str] = (), **more: Any) -> SlotChange:
    fields: dict[str, Any] = {"slot": "slot-1", "op": "assert", "slot_hash": "h1", "decisions": ()}
    return SlotChange(**{**fields, **more}, opened=tuple(opened), closed=tuple(closed))


def entity(key: str, *aliases: str, **more: Any) -> Entity:
    fields = {"id": f"e-{key}", "key": key, "name": key.title(), "type": "person", "first_seq": 1, "aliases": aliases}
    return Entity(**{**fields, **more})


def decision(name: str, **more: Any) -> Decision:
    fields: dict[str, Any] = {
        "id": name,
        "slot": "slot-1",
        "rule": "latest_valid",
        "policy": "default",
        "winner": "a2",
        "losers": ("a1",),
        "recorded_at": 100,
        "journal_seq": 1,
    }
    return Decision(**{**fields, **more})


def item(name: str, **more: Any) -> Item:
    fields: dict[str, Any] = {
        "id": name,
        "kind": "utterance",
        "ref": "u1",
        "seq": 1,
        "text": "I moved to Lisbon.",
        "session": "s-1",
        "speaker": "Ana",
        "said_at": 10,
        "pooled": b"\x00\x01" * 8,
        "tokens": b"\x7f" * 64,
        "token_ids": b"\x01\x00\x00\x00",
        "provisional": True,
        "index_version": "i1",
        "salience": 0.75,
        "metadata": {"k": ["v"]},
    }
    return Item(**{**fields, **more})


def record(memory: Memory, *ops: str, now: int = 0) -> list[JournalEntry]:
    """Journal entries in a transaction of their own."""
    with memory.transaction():
        at = journal.instant(memory.ledger, lambda: now)
        return journal.record(memory.ledger, [Change(op=op, payload={"op": op}) for op in ops], origin=ORIGIN, at=at)
