"""A checkpoint: one signed Merkle root over the journal heads of all memories at one moment.

Kept outside the deployment, it tells later whether a journal was cut, replaced or rewritten since: who may write every
file here can make another history whole again, but cannot sign another root. Leaves and nodes are hashed apart, as RFC
6962 does, so that no node can be passed off as a leaf.
"""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

import msgspec

from kg_assets.errors import InvalidInput, PalimpsestError
from kg_assets.identity import canonical_json
from kg_assets.maintenance.erasure import held_entry
from kg_assets.model import Micros
from kg_assets.ports import Memory, Stores
from kg_assets.text.instants import format_instant

FORMAT = "palimpsest-checkpoint/1"

Found = TypeVar("Found")
Sign = Callable[[bytes], bytes]
Verify = Callable[[bytes, bytes], bool]  # (message, signature)


class Leaf(msgspec.Struct, frozen=True, order=True):
    """How far a memory's journal reached, and the hash of its last entry; 0 and empty where there is none."""

    memory_id: str
    journal_seq: int
    journal_hash: str


class Checkpoint(msgspec.Struct, frozen=True, kw_only=True):
    """`previous` is the root of the one before, so that checkpoints are a chain too; `unread` could not be opened."""

    format: str
    taken_at: Micros
    previous: str
    leaves: tuple[Leaf, ...]
    unread: tuple[str, ...]
    root: str
    signature: str  # Ed25519, hexadecimal, over `signed_part`


class Finding(msgspec.Struct, frozen=True):
    memory_id: str
    message: str


def take(stores: Stores, *, now: Micros, previous: str, sign: Sign) -> Checkpoint:
    """Of each memory the head that is committed when it is looked at. O(memories)."""
    leaves, unread = [], []
    for info in stores.memories():
        try:
            leaves.append(with_memory(stores, info.id, leaf_of))
        except PalimpsestError:
            unread.append(info.id)
    leaves.sort()
    unsigned = Checkpoint(
        format=FORMAT,
        taken_at=now,
        previous=previous,
        leaves=tuple(leaves),
        unread=tuple(sorted(unread)),
        root=merkle_root(leaves),
        signature="",
    )
    return msgspec.structs.replace(unsigned, signature=sign(signed_part(unsigned)).hex())


class Checkpoints(Protocol):
    """Where checkpoints are kept, and what signs them."""

    def sign(self, message: bytes) -> bytes: ...
    def add(self, name: str, content: bytes) -> Path: ...
    def contents(self) -> Sequence[tuple[str, bytes]]:
        """(file name, content) of each that is kept."""
        ...


def keep(stores: Stores, checkpoints: Checkpoints, *, now: Micros) -> tuple[Checkpoint, Path]:
    """Take one that goes on from the last, and keep it under its moment."""
    before = [read(content, where=name) for name, content in checkpoints.contents()]
    checkpoint = take(stores, now=now, previous=last_root(before), sign=checkpoints.sign)
    return checkpoint, checkpoints.add(format_instant(now).replace(":", ""), written(checkpoint))


def leaf_of(memory: Memory) -> Leaf:
    head = memory.ledger.head()
    return Leaf(memory.info.id, head.journal_seq, head.journal_hash)


def with_memory(stores: Stores, memory_id: str, look: Callable[[Memory], Found]) -> Found:
    memory = stores.open(memory_id)
    try:
        return look(memory)
    finally:
        memory.close()


# -------------------------------------------------------------------------------------------------------- hashes


def signed_part(checkpoint: Checkpoint) -> bytes:
    fields = [checkpoint.format, checkpoint.taken_at, checkpoint.previous, checkpoint.root, list(checkpoint.unread)]
    return canonical_json(fields)


def leaf_hash(leaf: Leaf) -> bytes:
    return hashlib.sha256(b"\0" + canonical_json([leaf.memory_id, leaf.journal_seq, leaf.journal_hash])).digest()


def merkle_root(leaves: Iterable[Leaf]) -> str:
    """Hexadecimal; an odd node at the end of a level goes up as it is. Of nothing: the hash of nothing."""
    level = [leaf_hash(leaf) for leaf in leaves]
    if not level:
        return hashlib.sha256(b"").hexdigest()
    while len(level) > 1:
        pairs = [level[place : place + 2] for place in range(0, len(level), 2)]
        level = [hashlib.sha256(b"\1" + b"".join(pair)).digest() if len(pair) == 2 else pair[0] for pair in pairs]
    return level[0].hex()


# ------------------------------------------------------------------------------------------------------ checking


def check(checkpoint: Checkpoint, stores: Stores, verify: Verify) -> list[Finding]:
    """What of the present does not go on from this checkpoint; empty where everything does."""
    if checkpoint.format != FORMAT or not sound(checkpoint, verify):
        return [Finding("", "the checkpoint itself was altered, or was signed with another key")]
    findings = []
    for leaf in checkpoint.leaves:
        message = changed(leaf, stores)
        if message:
            findings.append((leaf, message))
    kept = stores.erased() if findings else []  # with a certificate that keeps the chain of each
    return [
        Finding(leaf.memory_id, message)
        for leaf, message in findings
        if not held_entry(kept, leaf.journal_seq, leaf.journal_hash)
    ]


def sound(checkpoint: Checkpoint, verify: Verify) -> bool:
    try:
        signature = bytes.fromhex(checkpoint.signature)
    except ValueError:
        return False
    return merkle_root(checkpoint.leaves) == checkpoint.root and verify(signed_part(checkpoint), signature)


def changed(leaf: Leaf, stores: Stores) -> str | None:
    if stores.find(leaf.memory_id) is None:
        return "the memory is gone"
    if leaf.journal_seq == 0:
        return None
    try:
        entries = with_memory(stores, leaf.memory_id, lambda memory: memory.ledger.journal([leaf.journal_seq]))
    except PalimpsestError as ex:
        return f"the memory cannot be read ({type(ex).__name__})"
    if not entries:
        return f"journal entry {leaf.journal_seq} is gone: the journal was cut"
    if entries[0].hash != leaf.journal_hash:
        return f"journal entry {leaf.journal_seq} is another one: the journal was rewritten"
    return None


def written(checkpoint: Checkpoint) -> bytes:
    """As JSON, for its file."""
    return msgspec.json.format(msgspec.json.encode(checkpoint), indent=2) + b"\n"


def read(content: bytes, *, where: str) -> Checkpoint:
    """Raises `InvalidInput`."""
    try:
        return msgspec.json.decode(content, type=Checkpoint)
    except msgspec.DecodeError as ex:
        raise InvalidInput(f"is no checkpoint ({ex}); name a file of the folder checkpoints", where=where) from ex


def last_root(checkpoints: Sequence[Checkpoint]) -> str:
    """The root to go on from; empty where there is none."""
    return max(checkpoints, key=lambda each: each.taken_at).root if checkpoints else ""
