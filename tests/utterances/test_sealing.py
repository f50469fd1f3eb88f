from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from kg_assets.errors import Corrupt
from kg_assets.journal import first_broken
from kg_assets.model import NoveltyScore, Origin, Utterance
from kg_assets.ports import Memory
from kg_assets.utterances.intake import check
from kg_assets.utterances.sealing import chunk_root, hash_of, seal_pending
from resources.sqlite import SqliteStores

NOW = 1_780_000_000_000_000
ORIGIN = Origin(actor="asset", cause="utterances", run_id="run-1")


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    stores = SqliteStores(tmp_path, b"secret", clock=lambda: NOW)
    opened = stores.open(stores.create("test", "ana", now=NOW).id)
    yield opened
    opened.close()
    stores.close()


def append(memory: Memory, count: int, *, altered: int = 0) -> list[Utterance]:
    """Utterances 1 … count, the hash of one of them made wrong."""
    rows = []
    for seq in range(memory.ledger.head().seq + 1, memory.ledger.head().seq + count + 1):
        draft = check({"id": f"u{seq}", "text": f"Turn {seq}", "said_at": "2026-05-30T18:04:00Z"}, where="")
        text = "altered" if seq == altered else draft.text
        fields = {**msgspec.structs.asdict(draft), "text": text}
        rows.append(Utterance(**fields, seq=seq, recorded_at=NOW, content_hash=hash_of(draft)))
    with memory.transaction():
        memory.ledger.append([(row, scored(row.seq), {"turn": 1}) for row in rows])
    return rows


def scored(seq: int) -> NoveltyScore:
    return NoveltyScore(seq=seq, score=1.0, route="log", parts={}, features={}, conflicts=(), version="test")


def test_each_chunk_is_journaled_with_its_hash(memory: Memory) -> None:
    hashes = [row.content_hash for row in append(memory, 5)]
    report = seal_pending(memory, origin=ORIGIN, clock=lambda: NOW, chunk=3)
    assert (report.utterances, report.first, report.last) == (5, 1, 5)
    entries = memory.ledger.journal_after(0, 10)
    assert [msgspec.json.decode(entry.payload or b"") for entry in entries] == [
        {"first": 1, "last": 3, "count": 3, "content_root": chunk_root(hashes[:3])},
        {"first": 4, "last": 5, "count": 2, "content_root": chunk_root(hashes[3:])},
    ]
    assert {(entry.op, entry.actor, entry.run_id) for entry in entries} == {("seal", "asset", "run-1")}
    assert first_broken(entries) is None


def test_what_is_sealed_is_not_sealed_again(memory: Memory) -> None:
    append(memory, 2)
    first = seal_pending(memory, origin=ORIGIN, clock=lambda: NOW)
    head = memory.ledger.head()
    again = seal_pending(memory, origin=ORIGIN, clock=lambda: NOW)
    assert (again.utterances, again.first, again.last) == (0, 0, 0)
    assert memory.ledger.head() == head
    append(memory, 1)
    assert seal_pending(memory, origin=ORIGIN, clock=lambda: NOW).first == first.last + 1


def test_an_altered_utterance_stops_the_seal_of_its_chunk(memory: Memory) -> None:
    append(memory, 4, altered=3)
    with pytest.raises(Corrupt, match="utterance 3: its content does not match its hash"):
        seal_pending(memory, origin=ORIGIN, clock=lambda: NOW, chunk=2)
    assert [entry.op for entry in memory.ledger.journal_after(0, 10)] == ["seal"]
    assert memory.ledger.pending("seal", ["log"]) == [3, 4]


def test_the_hash_covers_all_that_was_handed_in(memory: Memory) -> None:
    row = append(memory, 1)[0]
    changes = {
        **{"id": "x", "session": "x", "speaker": "x", "role": "other", "text": "x", "said_at": 1, "salience": 2.0},
        **{"tags": ("x",), "metadata": {"x": 1}},
    }
    hashes = {hash_of(msgspec.structs.replace(row, **{name: value})) for name, value in changes.items()}
    assert len(hashes | {hash_of(row)}) == len(changes) + 1
    stored = memory.ledger.utterance("u1")
    assert stored is not None
    assert hash_of(msgspec.structs.replace(stored, seq=9, recorded_at=9)) == row.content_hash
