"""kill -9 of a writing process at random moments: what was acknowledged is there, and nothing is half there."""

import multiprocessing
import random
from pathlib import Path

import pytest

from kg_assets import journal
from resources.sqlite.connection import MEMORY_SCHEMA, connect
from tests.faults.processes import check, open_ana, write_for_ever


@pytest.mark.faults
def test_a_writer_killed_at_twenty_random_moments_loses_nothing(tmp_path: Path) -> None:
    spawn = multiprocessing.get_context("spawn")
    moments = random.Random(20)
    acknowledged = 0
    for _ in range(20):
        acknowledged = _write_and_kill(spawn, tmp_path, moments.uniform(0, 0.2)) or acknowledged
        stores, memory = open_ana(tmp_path)
        check(memory, acknowledged)
        assert journal.first_broken(memory.ledger.journal_after(0, 100_000)) is None
        assert [u.seq for u in memory.ledger.utterances_after(0, 100_000)] == [*range(1, memory.ledger.head().seq + 1)]
        # The mark is made before the commit, so whatever waits is known without a sweep.
        assert [work.memories for work in stores.work(["batch"])] == [(memory.info.id,)]
        witnessed = stores.witnessed_head(memory.info.id)
        assert witnessed is not None
        assert memory.ledger.journal([witnessed[0]])[0].hash == witnessed[1]
        file = connect(tmp_path / "memories" / f"{memory.info.id}.db", MEMORY_SCHEMA)
        assert file.pragma("integrity_check") == "ok"
        assert file.execute("PRAGMA foreign_key_check").fetchall() == []
        for each in (file, memory, stores):
            each.close()
    assert acknowledged > 100


def _write_and_kill(spawn: multiprocessing.context.SpawnContext, data_dir: Path, seconds: float) -> int:
    """The last seq that the writer acknowledged before it was killed."""
    reading, writing = spawn.Pipe(duplex=False)
    process = spawn.Process(target=write_for_ever, args=(data_dir, writing))
    process.start()
    writing.close()
    first = reading.recv()  # it runs; now any moment is a moment of its loop
    process.join(seconds)
    process.kill()
    process.join()
    last = first
    while True:
        try:
            last = reading.recv()
        except EOFError:
            return int(last)
