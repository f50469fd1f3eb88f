"""What the journal tells of belief, held against the rows: entities, fact versions, decisions and slot hashes."""

import hashlib
from collections.abc import Sequence
from itertools import groupby

import msgspec

from kg_assets.graph.generations import dropped_generations
from kg_assets.graph.versions import PAGE, touched_by, versions
from kg_assets.identity import canonical_json
from kg_assets.model import FIRST_GENERATION, Decision, Drop, EntityChange, Fact, Flip, JournalEntry, SlotChange
from kg_assets.ports import Memory
from quality.told_entities import ToldEntities
from quality.told_evidence import UNREADABLE, read


class ToldBelief:
    """Goes through the journal with `fetch` for each chunk and `differs` for each entry of it, then `left_over`."""

    def __init__(self, memory: Memory, page: int = PAGE) -> None:
        self.memory = memory
        self.touched = Touched(memory, page)
        self.entities = ToldEntities(memory)
        self.hashes: dict[int, dict[str, str]] = {}  # generation → slot → hash of its belief
        self.decisions: dict[str, bytes] = {}  # slot → digest of its decisions
        self.without = dropped_generations(memory)  # as the memory says; held against the journal at the end
        self.drops: set[int] = set()
        self.gone: list[str] = []  # versions that went with their generation
        self.flips: list[tuple[int, int, int]] = []  # (generation, recorded at, journal seq)
        self._changes: dict[int, SlotChange] = {}
        self._versions: dict[str, Fact] = {}

    def fetch(self, entries: Sequence[JournalEntry]) -> None:
        """The versions that a chunk opened. A change of a slot is told by what it holds, whatever its operation."""
        self._changes = {each.seq: change for each in entries if (change := read(each, SlotChange))}
        kept = [change for change in self._changes.values() if change.generation not in self.without]
        opened = [fact.version_id for change in kept for fact in change.opened]
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
            if resolved.generation not in self.without:
                self.entities.note(entry, resolved)
        if entry.op == "drop":
            dropped = read(entry, Drop)
            if dropped is None:
                return UNREADABLE
            self.drops.add(dropped.drops)
        if entry.op == "flip":
            flip = read(entry, Flip)
            if flip is None:
                return UNREADABLE
            self.flips.append((flip.serves, entry.recorded_at, entry.seq))
        return None

    def left_over(self) -> str | None:
        """Rows that no entry told of, and what stands at the end."""
        if rows := self.touched.upto(2**62):
            return f"fact version {rows[0].version_id} names a journal entry that is not there"
        for slot, digest in self.decisions.items():
            if digest_of(b"", self.memory.ledger.decisions(slot)) != digest:
                return f"the decisions about slot {slot} are not those of the journal"
        served = [(each.generation, each.recorded_from, each.flipped_by) for each in self.memory.graph.served()]
        if served != [(FIRST_GENERATION, None, None), *self.flips]:
            return "which generation served when is not what the journal tells"
        if self.memory.graph.generation != served[-1][0]:
            return "the memory's head tells of another generation than the last flip"
        if self.drops != self.without:
            return "which generations were dropped is not what the journal tells"
        for generation in sorted({FIRST_GENERATION, *self.entities.states, *self.hashes, *self.drops}):
            graph = self.memory.graph.of(generation)
            told = self.hashes.get(generation, {})
            if sorted(filter(None, told.values())) != sorted(graph.slot_hashes()):
                return "the stored hashes of slots are not those of the journal"
            if wrong := self.entities.left_over(generation):
                return wrong
        return None

    def _slot_differs(self, entry: JournalEntry, change: SlotChange, rows: Sequence[Fact]) -> str | None:
        if change.generation in self.without:
            self.gone += [each.version_id for each in change.opened]
            self.decisions[change.slot] = digest_of(self.decisions.get(change.slot, b""), change.decisions)
            if rows:
                return f"fact version {rows[0].version_id} is there, and its generation was dropped"
            return None
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
        self.decisions[change.slot] = digest_of(self.decisions.get(change.slot, b""), change.decisions)
        self.hashes.setdefault(change.generation, {})[change.slot] = change.slot_hash
        return None


class Touched:
    """All fact versions, each under the last journal entry that touched it; read in pages."""

    def __init__(self, memory: Memory, page: int = PAGE) -> None:
        self._groups = groupby(versions(memory.graph, page), key=touched_by)
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


def digest_of(before: bytes, decisions: Sequence[Decision]) -> bytes:
    """One digest over the decisions of a slot, however many changes brought them."""
    for each in sorted({each.id: each for each in decisions}.values(), key=lambda each: (each.journal_seq, each.id)):
        before = hashlib.sha256(before + canonical_json(each)).digest()
    return before
