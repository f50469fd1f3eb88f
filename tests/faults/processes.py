"""What the processes of the fault tests do; importable, because they are spawned."""

from multiprocessing.connection import Connection
from multiprocessing.sharedctypes import Synchronized
from pathlib import Path

from kg_assets import journal
from kg_assets.model import Change, Origin
from kg_assets.ports import Memory
from resources.clock import system_clock
from resources.sqlite import SqliteMemory, SqliteStores
from tests.conformance.samples import assertion, fact, item, score, slot_change, utterance

ROWS = 3  # utterances of one transaction


def open_ana(data_dir: Path) -> tuple[SqliteStores, SqliteMemory]:
    stores = SqliteStores(data_dir, b"secret", system_clock)
    return stores, stores.open(stores.create("tests", "ana", now=0).id)


def write_once(memory: Memory) -> int:
    """One transaction over everything: utterances, evidence, journal, a fact and an item. Returns the last seq."""
    with memory.transaction():
        first = memory.ledger.head().seq + 1
        seqs = range(first, first + ROWS)
        memory.ledger.append([(utterance(seq), score(seq), {"tea": 1}) for seq in seqs])
        memory.ledger.add_assertions([assertion(f"a{first}", seq=first)])
        at = journal.instant(memory.ledger, system_clock)
        origin = Origin(actor="tests", cause="a fault test")
        change = Change(op="remember", payload={"seqs": list(seqs)})
        (entry,) = journal.record(memory.ledger, [change], origin=origin, at=at)
        known = memory.graph.slot("slot-1")
        opened = fact(f"v{first}", recorded_from=at, opened_by=entry.seq, utterances=(f"u{first}",))
        written = slot_change([opened], [each.version_id for each in known], slot_hash=f"h{first}")
        memory.graph.apply(written, recorded_at=at, journal_seq=entry.seq)
        memory.ledger.put_items([item(f"i{seq}", seq=seq) for seq in seqs])
    return seqs[-1]


def check(memory: Memory, at_least: int) -> None:
    """All that was acknowledged is there, and the parts agree with each other."""
    with memory.snapshot():
        head = memory.ledger.head()
        assert head.seq >= at_least, f"stale: sees {head.seq}, acknowledged was {at_least}"
        assert head.seq % ROWS == 0
        assert head.journal_seq == head.revision == head.seq // ROWS
        assert memory.ledger.term_totals()[0] == head.seq
        if not head.seq:
            return
        last = head.seq - ROWS + 1
        assert [u.seq for u in memory.ledger.utterances_after(last - 1, 9)] == [*range(last, head.seq + 1)]
        assert [each.version_id for each in memory.graph.facts(valid_at=None, known_at=None)] == [f"v{last}"]
        assert [each.id for each in memory.ledger.items_after(head.revision - 1)] == sorted(
            f"i{seq}" for seq in range(last, head.seq + 1)
        )
        (entry,) = memory.ledger.journal_after(head.journal_seq - 1, 2)
        assert entry.hash == head.journal_hash


def write_many(data_dir: Path, times: int, acknowledged: "Synchronized[int]") -> None:
    _, memory = open_ana(data_dir)
    for _ in range(times):
        seq = write_once(memory)
        with acknowledged:
            acknowledged.value = max(acknowledged.value, seq)
    memory.close()


def read_until(data_dir: Path, last: int, acknowledged: "Synchronized[int]") -> None:
    """Read what was acknowledged, then look: it must be there. Half of the time through a fresh connection."""
    stores, memory = open_ana(data_dir)
    reads, seen = 0, 0
    while seen < last:
        seen = acknowledged.value
        check(memory, seen)
        reads += 1
        if reads % 2:
            memory.close()
            memory = stores.open(memory.info.id)
    memory.close()


def write_for_ever(data_dir: Path, acknowledge: Connection) -> None:
    """Sends each last seq once its commit returned, until killed."""
    _, memory = open_ana(data_dir)
    while True:
        acknowledge.send(write_once(memory))
