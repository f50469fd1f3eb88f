"""Checking the hash chain of memories in chunks, from the first entry to the head, and what it sealed."""

import msgspec

from kg_assets.journal import GENESIS, first_broken
from kg_assets.model import JournalEntry, MemoryInfo
from kg_assets.ports import Memory
from kg_assets.utterances.sealing import chunk_root, hash_of
from palimpsest.home import Home
from palimpsest.progress import Progress

CHUNK = 1000


class VerifiedMemory(msgspec.Struct, frozen=True, kw_only=True):
    """`broken` names the first entry that does not hold; None where all do."""

    user: str
    entries: int
    head: str
    broken: str | None


class Seal(msgspec.Struct, frozen=True):
    """The payload of a `seal` entry: which utterances, and a hash over their content."""

    first: int
    last: int
    count: int
    content_root: str


class Verification(msgspec.Struct, frozen=True):
    whole: bool
    memories: list[VerifiedMemory]


def verify_memories(home: Home, user: str | None) -> Verification:
    """One memory, or all of this home."""
    infos = [home.info(user)] if user else home.stores.memories()
    with Progress("verifying", total=lambda: len(infos)) as progress:
        checked = []
        for info in infos:
            checked.append(verify_memory(home, info))
            progress.advance(1)
    return Verification(not any(each.broken for each in checked), checked)


def verify_memory(home: Home, info: MemoryInfo) -> VerifiedMemory:
    with home.opened(info) as memory:
        seq, head, broken = walk(memory)
    return VerifiedMemory(user=info.name, entries=seq, head=head, broken=broken or cut(home, info, seq, head))


def walk(memory: Memory) -> tuple[int, str, str | None]:
    """(entries that hold, hash of the last of them, what is wrong after it)."""
    seq, head = 0, GENESIS
    while entries := memory.ledger.journal_after(seq, CHUNK):
        for entry in entries:
            broken = first_broken([entry], after_hash=head, after_seq=seq) or unsealed(memory, entry)
            if broken:
                return seq, head, broken
            seq, head = entry.seq, entry.hash
    standing = memory.ledger.head()
    if (standing.journal_seq, standing.journal_hash) != (seq, head):
        told = f"the memory's head tells of {standing.journal_seq} entries; the rest was removed or replaced"
        return seq, head, f"journal entry {seq + 1}: {told}"
    return seq, head, None


def unsealed(memory: Memory, entry: JournalEntry) -> str | None:
    """None where the utterances that this entry sealed are those that are stored; else the first that is not."""
    if entry.op != "seal":
        return None
    seal = msgspec.json.decode(entry.payload or b"", type=Seal)
    place = f"journal entry {entry.seq}"
    seqs = range(seal.first, seal.last + 1)
    stored = memory.ledger.utterances(seqs)
    if len(stored) != seal.count:
        missing = sorted(set(seqs) - {each.seq for each in stored})
        return f"{place}: sealed {seal.count} utterances, {len(stored)} are there; missing are {missing[:5]}"
    hashes = [hash_of(each) for each in stored]
    for each, found in zip(stored, hashes, strict=True):
        if found != each.content_hash:
            return f"{place}: utterance {each.seq} was altered after it was sealed"
    if chunk_root(hashes) != seal.content_root:
        return f"{place}: utterances {seal.first} to {seal.last} are not those that were sealed"
    return None


def cut(home: Home, info: MemoryInfo, seq: int, head: str) -> str | None:
    """The control file noted how far the journal reached: a shorter one lost its end together with its head."""
    noted = home.stores.witnessed_head(info.id)
    if noted is None or noted[0] < seq or noted == (seq, head):
        return None
    if noted[0] > seq:
        return f"journal entry {seq + 1}: the control file saw {noted[0]} entries; the rest was removed"
    return f"journal entry {seq}: is not the one that the control file saw; the journal was replaced"
