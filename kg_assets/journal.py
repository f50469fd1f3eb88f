"""The hash chain over every change of one memory.

hash = SHA-256(header ‖ SHA-256(salt ‖ payload)), where the header holds the previous hash. So erasing a payload and its
salt leaves the chain whole, and nobody can confirm an erased payload by guessing.
"""

import hashlib
import secrets
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

from kg_assets.identity import canonical_json
from kg_assets.model import Assertion, Change, Item, JournalEntry, Micros, NoveltyScore, Origin, Utterance
from kg_assets.ports import Clock, Ledger

GENESIS = "0" * 64
SALT_BYTES = 16


def fresh_salt() -> bytes:
    return secrets.token_bytes(SALT_BYTES)


def instant(ledger: Ledger, clock: Clock) -> Micros:
    """The recorded time of one transaction: never before, nor equal to, the one before it.

    To be asked for once, inside the transaction. The write lock is held there, so nobody can commit an earlier time
    afterwards, and what was read as of any recorded time up to the head's stays as it was. A clock that was set back
    counts on from the last entry.
    """
    return max(clock(), ledger.head().recorded_at + 1)


def header_hash(entry: JournalEntry) -> str:
    """The hash that the entry must carry, from its header fields and payload hash."""
    header = [
        entry.seq,
        entry.op,
        entry.recorded_at,
        entry.actor,
        entry.cause,
        entry.run_id,
        entry.code_version,
        entry.payload_hash,
        entry.prev_hash,
    ]
    return hashlib.sha256(canonical_json(header)).hexdigest()


def payload_hash(salt: bytes, payload: bytes) -> str:
    return hashlib.sha256(salt + payload).hexdigest()


def row_hash(row: msgspec.Struct) -> str:
    """SHA-256 of one row, for a payload to tell what was written; `verify` reads it back."""
    return hashlib.sha256(canonical_json(row)).hexdigest()


def content_root(rows: Iterable[msgspec.Struct]) -> str:
    """One hash over rows in their order."""
    return hashlib.sha256("".join(map(row_hash, rows)).encode()).hexdigest()


def item_hashes(items: Iterable[Item]) -> dict[str, str]:
    """Item id → hash of its row, vectors and all, for `items` of the payload that tells of writing them.

    Whether it is retired follows from what is believed, and the revision from the commit: they are left out.
    """
    return {each.id: row_hash(msgspec.structs.replace(each, retired=False, revision=0)) for each in items}


def remembered(utterance: Utterance, novelty: NoveltyScore, items: Iterable[Item] = ()) -> Change:
    """One utterance was appended with this score and these items. The payload holds `content_hash`, never the text."""
    payload = {"id": utterance.id, "seq": utterance.seq, "content_hash": utterance.content_hash}
    scored = {"score": novelty.score, "route": novelty.route, "novelty": row_hash(novelty)}
    return Change(op="remember", payload={**payload, **scored, "items": item_hashes(items)})


def new_assertions(ledger: Ledger, assertions: Iterable[Assertion]) -> dict[str, Any]:
    """The part of an `extract` payload that tells which assertions it adds; to be asked for before they are added."""
    read = {each.id: each for each in assertions}
    known = {each.id for each in ledger.assertions(list(read))}
    new = [each for each in read.values() if each.id not in known]
    return {"assertions": [each.id for each in new], "content_root": content_root(new)}


def assertions_added(entry: JournalEntry) -> list[str]:
    """Ids of the assertions that this entry told of; none where it told of none, or its payload was erased."""
    if entry.op != "extract" or entry.payload is None:
        return []
    return list(msgspec.json.decode(entry.payload).get("assertions", ()))


def record(
    ledger: Ledger, changes: Iterable[Change], *, origin: Origin, at: Micros, salt: Callable[[], bytes] = fresh_salt
) -> list[JournalEntry]:
    """Append changes to the chain, inside the caller's transaction. `at` comes from `instant`."""
    head = ledger.head()
    seq, previous = head.journal_seq, head.journal_hash
    entries = []
    for change in changes:
        seq += 1
        secret, payload = salt(), canonical_json(change.payload)
        entry = JournalEntry(
            seq=seq,
            op=change.op,
            recorded_at=at,
            actor=origin.actor,
            cause=origin.cause,
            run_id=origin.run_id,
            code_version=origin.code_version,
            payload=payload,
            salt=secret,
            payload_hash=payload_hash(secret, payload),
            prev_hash=previous,
            hash="",
        )
        previous = header_hash(entry)
        entries.append(msgspec.structs.replace(entry, hash=previous))
    ledger.add_journal(entries)
    return entries


def first_broken(
    entries: Sequence[JournalEntry],
    *,
    after_hash: str = GENESIS,
    after_seq: int = 0,
    erased: Callable[[JournalEntry], bool] = lambda _: False,
) -> str | None:
    """Check a run of entries that follows `after_seq`; None, or a sentence naming the first broken entry.

    `erased` says of an entry without its payload whether an erasure justifies that.
    """
    previous, expected = after_hash, after_seq + 1
    for entry in entries:
        place = f"journal entry {entry.seq}"
        if entry.seq != expected:
            return f"{place}: expected entry {expected} here; an entry was removed, added or moved"
        if entry.prev_hash != previous:
            return f"{place}: does not follow the entry before it (its prev_hash differs)"
        if entry.payload is None or entry.salt is None:
            if not erased(entry):
                return f"{place}: its payload is missing and no erasure says so"
        elif payload_hash(entry.salt, entry.payload) != entry.payload_hash:
            return f"{place}: its payload was altered"
        if header_hash(entry) != entry.hash:
            return f"{place}: its header was altered"
        previous, expected = entry.hash, expected + 1
    return None
