"""Sealing: what was appended is read back, its hash checked, and the chunk's hash written into the journal.

The journal's chain then covers the content of each utterance, so that a later change of one can be shown.
"""

import hashlib
from collections.abc import Sequence

import msgspec

from kg_assets.errors import Corrupt
from kg_assets.identity import content_hash
from kg_assets.journal import instant, record
from kg_assets.model import Change, Draft, Origin, Route, Utterance
from kg_assets.ports import Clock, Memory

ROUTES: tuple[Route, ...] = ("immediate", "batch", "log")
CHUNK = 500  # utterances a transaction; short, so that an append never waits long


class SealReport(msgspec.Struct, frozen=True, kw_only=True):
    """What one call sealed: how many, from which seq to which (0 where none).

    Shown with the run, so no hash over what was said is in it; that is in the journal.
    """

    utterances: int
    first: int
    last: int


def hash_of(draft: Draft) -> str:
    """SHA-256 of what was said and how it was handed in; the place in the log and the time of arrival are not in it."""
    return content_hash(
        *(draft.id, draft.session, draft.speaker, draft.role, draft.text, draft.said_at),
        *(draft.salience, draft.tags, draft.metadata),
    )


def seal_pending(memory: Memory, *, origin: Origin, clock: Clock, chunk: int = CHUNK) -> SealReport:
    """Check and journal every utterance that waits for its seal. Raises `Corrupt` where one was altered or is gone."""
    ledger = memory.ledger
    count, first, last = 0, 0, 0
    while True:
        with memory.transaction():
            seqs = ledger.pending("seal", ROUTES, chunk)
            if not seqs:
                break
            hashes = [_verified(utterance) for utterance in _rows(memory, seqs)]
            payload = {"first": seqs[0], "last": seqs[-1], "count": len(seqs), "content_root": chunk_root(hashes)}
            record(ledger, [Change(op="seal", payload=payload)], origin=origin, at=instant(ledger, clock))
            ledger.done("seal", seqs)
        count, first, last = count + len(seqs), first or seqs[0], seqs[-1]
    return SealReport(utterances=count, first=first, last=last)


def chunk_root(hashes: Sequence[str]) -> str:
    """One hash over the content hashes of a chunk, in the order of the log."""
    return hashlib.sha256("".join(hashes).encode()).hexdigest()


def _rows(memory: Memory, seqs: Sequence[int]) -> list[Utterance]:
    rows = memory.ledger.utterances(seqs)
    if len(rows) < len(seqs):
        missing = min(set(seqs) - {row.seq for row in rows})
        raise Corrupt(f"utterance {missing} waits for its seal but is gone; restore this memory from a snapshot")
    return rows


def _verified(utterance: Utterance) -> str:
    if hash_of(utterance) != utterance.content_hash:
        raise Corrupt(
            f"utterance {utterance.seq}: its content does not match its hash, so it was altered after it was stored; "
            "restore this memory from a snapshot"
        )
    return utterance.content_hash
