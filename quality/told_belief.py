"""What the journal tells of belief, held against the rows: entities, fact versions, decisions and slot hashes."""

import hashlib
from collections.abc import Iterator, Sequence
from itertools import groupby

import msgspec

from kg_assets.identity import canonical_json
from kg_assets.model import Decision, Entity, EntityChange, Fact, JournalEntry, SlotChange
from kg_assets.ports import Memory
from quality.told_evidence import UNREADABLE, read

PAGE = 1000
BEFORE_ALL = -(2**62)  # below every journal entry that a forged row can name


class ToldBelief:
    """Goes through the journal with `fetch` for each chunk and `differs` for each entry of it, then `left_over`."""

    def __init__(self, memory: Memory, page: int = PAGE) -> None:
        self.memory = memory
        self.touched = Touched(memory, page)
        self.entities: dict[str, Entity] = {}
        self.names: dict[str, dict[str, Entity]] = {}  # entity → each name it ever had → the entity when it had it
        self.slots: dict[str, tuple[str, bytes]] = {}  # slot → (hash of its belief, digest of its decisions)
        self._changes: dict[int, SlotChange] = {}
        self._versions: dict[str, Fact] = {}

    def fetch(self, entries: Sequence[JournalEntry]) -> None:
        """The versions that a chunk opened. A change of a slot is told by what it holds, whatever its operation."""
        self._changes = {each.seq: change for each in entries if (change := read(each, SlotChange))}
        opened = [fact.version_id for change in self._changes.values() for fact in change.opened]
        self._versions = {each.version_id: each for each in self.memory.graph.fact_versions(opened)}

    def differs(self, entry: JournalEntry) -> str | None:
        """What the rows of this entry are not; None where they are as it tells, or it tells of none."""
        rows = self.touched.upto(entry.seq)
        if entry.seq in self._changes:
            return self._slot_differs(entry, self._changes[entry.seq], rows)
        if rows:
            return f"fact version {rows[0].version_id} names it, and it tells of none"
        if entry.op == "resolve":
            resolved = read(entry, EntityChange)
            if resolved is None:
                return UNREADABLE
            for dropped in resolved.dropped:
                self.entities.pop(dropped, None)
            for each in resolved.put:
                self.entities[each.id] = each
                self.names.setdefault(each.id, {})[each.name] = each
        return None

    def left_over(self) -> str | None:
        """Rows that no entry told of, and what stands at the end."""
        if rows := self.touched.upto(2**62):
            return f"fact version {rows[0].version_id} names a journal entry that is not there"
        for slot, (_, digest) in self.slots.items():
            if digest_of(b"", self.memory.ledger.decisions(slot)) != digest:
                return f"the decisions about slot {slot} are not those of the journal"
        if sorted(found for found, _ in self.slots.values() if found) != sorted(self.memory.graph.slot_hashes()):
            return "the stored hashes of slots are not those of the journal"
        return self._entities_differ()

    def _slot_differs(self, entry: JournalEntry, change: SlotChange, rows: Sequence[Fact]) -> str | None:
        opened = {each.version_id: each for each in change.opened}
        for version_id, told in opened.items():
            stored = self._versions.get(version_id)
            if stored is None:
                return f"fact version {version_id}, which it opened, is gone"
            if msgspec.structs.replace(stored, recorded_to=None, closed_by=None) != told:
                return f"fact version {version_id}, which it opened, was altered"
        for row in rows:
            open_still = row.version_id in opened and (row.closed_by, row.recorded_to) == (None, None)
            closed_now = row.version_id in change.closed and row.recorded_to == entry.recorded_at
            if not open_still and not (closed_now and row.closed_by == entry.seq):
                return f"fact version {row.version_id} names it, and it tells otherwise"
        closed = {row.version_id for row in rows if row.closed_by == entry.seq}
        if missing := sorted(set(change.closed) - closed):
            return f"fact version {missing[0]}, which it closed, is not closed"
        before = self.slots[change.slot][1] if change.slot in self.slots else b""
        self.slots[change.slot] = (change.slot_hash, digest_of(before, change.decisions))
        return None

    def _entities_differ(self) -> str | None:
        stored = self.memory.graph.all_entities()
        for entity in stored:
            if self.entities.get(entity.id) != entity:
                return f"entity {entity.id} is not what the journal made it"
        if missing := sorted(set(self.entities) - {each.id for each in stored}):
            return f"entity {missing[0]} is gone"
        for start in range(0, len(stored), PAGE):
            page = stored[start : start + PAGE]
            leads_to = {key: entity.id for entity in page for key in (entity.key, *entity.aliases)}
            found = {key: entity.id for key, entity in self.memory.graph.entities_by_key(sorted(leads_to)).items()}
            if found != leads_to:
                return "the names of entities do not lead where the journal led them"
        return None


class Touched:
    """All fact versions, each under the last journal entry that touched it; read in pages."""

    def __init__(self, memory: Memory, page: int = PAGE) -> None:
        self._groups = groupby(versions(memory, page), key=touch)
        self._next = self._following()

    def upto(self, seq: int) -> list[Fact]:
        """Versions touched last by entries up to this one, without those that were given before."""
        found: list[Fact] = []
        while self._next and self._next[0] <= seq:
            found += self._next[1]
            self._next = self._following()
        return found

    def _following(self) -> tuple[int, list[Fact]] | None:
        for seq, rows in self._groups:
            return seq, list(rows)
        return None


def versions(memory: Memory, page: int = PAGE) -> Iterator[Fact]:
    after = BEFORE_ALL
    while rows := memory.graph.changed_facts(after_journal_seq=after, limit=page):
        yield from rows
        after = touch(rows[-1])


def touch(fact: Fact) -> int:
    return fact.opened_by if fact.closed_by is None else fact.closed_by


def digest_of(before: bytes, decisions: Sequence[Decision]) -> bytes:
    """One digest over the decisions of a slot, however many changes brought them."""
    for each in sorted({each.id: each for each in decisions}.values(), key=lambda each: (each.journal_seq, each.id)):
        before = hashlib.sha256(before + canonical_json(each)).digest()
    return before
