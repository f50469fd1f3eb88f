"""Whether a memory is what its journal tells: every entry in its place, and every row as the entries made it.

One pass over the journal in chunks. Utterances and scores are held against `remember`, `score` and `seal`, assertions
against `extract`, entities against `resolve`, fact versions, decisions and slot hashes against the changes of slots.
What went with an erasure is not held against anything; a missing payload that no erasure names is an alteration.
Then what was made of them: what recall finds and quotes, which facts an utterance supports, and the counts of mentions.
What is only derived for speed is not covered: term counts and the queue. Held in memory beside a chunk: the hash of
each slot and item, the entities, the support of facts, and the count of each mention.
"""

from collections.abc import Callable, Sequence

import msgspec

from kg_assets.errors import Corrupt
from kg_assets.journal import GENESIS, first_broken
from kg_assets.maintenance.erasure import Verify
from kg_assets.model import JournalEntry, Micros
from kg_assets.ports import Memory
from kg_assets.text.ontology import Ontology, load_ontology
from quality.told_belief import ToldBelief
from quality.told_erasures import ToldErasures
from quality.told_evidence import ToldEvidence
from quality.told_items import ToldItems
from quality.told_support import support_differs

CHUNK = 500


class Walked(msgspec.Struct, frozen=True, kw_only=True):
    """How many entries hold, the hash of the last of them, and what is wrong after it (None: nothing)."""

    entries: int
    head: str
    broken: str | None


def walk(
    memory: Memory,
    witness: tuple[int, str] | None = None,
    verify: Verify | None = None,
    ontology: Ontology | None = None,
) -> Walked:
    """From the first entry to the head, all of one state of the memory.

    `witness` is (seq, hash) of an entry as it was noted outside the journal, read before this call. With `verify`, the
    signatures of erasures are checked too. `ontology` words the facts (None: the one that ships).
    """
    declared = ontology or load_ontology()
    with memory.snapshot():
        try:
            return _Walk(memory, witness, verify, declared).to_the_head(CHUNK)
        except Corrupt:  # a row that cannot be read at all: again entry by entry, to tell where
            return _Walk(memory, witness, verify, declared).to_the_row_that_cannot_be_read()


class _Walk:
    """One way through the journal: `seq` and `head` are of the last entry that holds."""

    def __init__(
        self, memory: Memory, witness: tuple[int, str] | None, verify: Verify | None, ontology: Ontology
    ) -> None:
        self.memory, self.witness, self.erasures = memory, witness, ToldErasures(memory, verify)
        self.ontology = ontology
        self.seq, self.head, self.recorded_at, self.ended = 0, GENESIS, 0, False

    def to_the_head(self, chunk: int) -> Walked:
        memory, witness, erasures = self.memory, self.witness, self.erasures
        evidence, belief, items = ToldEvidence(memory), ToldBelief(memory, chunk), ToldItems(memory, self.ontology)
        while entries := memory.ledger.journal_after(self.seq, chunk):
            sound, broken = sound_part(entries, self.seq, self.head, witness, erasures.justify)
            told = [erasures.told(entry) for entry in sound]
            evidence.fetch(told)
            belief.fetch(told)
            for entry in told:
                differs = erasures.differs(entry) or evidence.differs(entry) or belief.differs(entry)
                if differs:
                    return self.ends(erasures.unjustified() or f"journal entry {entry.seq}: {differs}")
                items.note(entry)
                self.seq, self.head, self.recorded_at = entry.seq, entry.hash, entry.recorded_at
            if broken:
                return self.ends(broken)
        self.ended = True
        return self.ends(
            cut(memory, self.seq, self.head, self.recorded_at, witness)
            or evidence.left_over()
            or belief.left_over()
            or support_differs(memory)
            or items.left_over(belief.entities.names, belief.gone)
        )

    def to_the_row_that_cannot_be_read(self) -> Walked:
        try:
            return self.to_the_head(1)
        except Corrupt as ex:
            # A fact version is read when the entry before it was gone through.
            return self.ends(str(ex) if self.ended else f"journal entry {self.seq + 1}: {ex}")

    def ends(self, broken: str | None) -> Walked:
        return Walked(entries=self.seq, head=self.head, broken=broken)


def sound_part(
    entries: Sequence[JournalEntry],
    seq: int,
    head: str,
    witness: tuple[int, str] | None,
    erased: Callable[[JournalEntry], bool],
) -> tuple[Sequence[JournalEntry], str | None]:
    """The entries up to the first that does not hold, and what is wrong with that one."""
    for place, entry in enumerate(entries):
        broken = first_broken([entry], after_hash=head, after_seq=seq, erased=erased)
        if not broken and witness and entry.seq == witness[0] and entry.hash != witness[1]:
            broken = f"journal entry {entry.seq}: is not the one that was witnessed; the journal was replaced"
        if broken:
            return entries[:place], broken
        seq, head = entry.seq, entry.hash
    return entries, None


def cut(memory: Memory, seq: int, head: str, recorded_at: Micros, witness: tuple[int, str] | None) -> str | None:
    """Whether entries are missing at the end, or the head tells otherwise."""
    standing = memory.ledger.head()
    if (standing.journal_seq, standing.journal_hash) != (seq, head):
        told = f"the memory's head tells of {standing.journal_seq} entries; the rest was removed or replaced"
        return f"journal entry {seq + 1}: {told}"
    if witness and witness[0] > seq:
        return f"journal entry {seq + 1}: {witness[0]} entries were witnessed; the rest was removed"
    if standing.recorded_at != recorded_at:
        return f"journal entry {seq}: the memory's head tells of another recorded time"
    return None
