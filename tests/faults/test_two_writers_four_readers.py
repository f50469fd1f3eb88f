"""Several processes over one memory: no error, no stale read, nothing lost."""

import multiprocessing
from ctypes import c_longlong
from pathlib import Path

from kg_assets import journal
from resources.sqlite.connection import MEMORY_SCHEMA, connect
from tests.faults.processes import ROWS, check, open_ana, read_until, write_many

TIMES = 100


def test_two_processes_write_and_four_read_at_once(tmp_path: Path) -> None:
    spawn = multiprocessing.get_context("spawn")
    stores, memory = open_ana(tmp_path)
    acknowledged = spawn.Value(c_longlong, 0)
    last = 2 * TIMES * ROWS
    writers = [spawn.Process(target=write_many, args=(tmp_path, TIMES, acknowledged)) for _ in range(2)]
    readers = [spawn.Process(target=read_until, args=(tmp_path, last, acknowledged)) for _ in range(4)]
    for process in readers + writers:
        process.start()
    for process in writers:
        process.join()
    if any(process.exitcode for process in writers):
        for process in readers:  # they would wait for what is never written
            process.kill()
    for process in readers:
        process.join()
    assert [process.exitcode for process in writers + readers] == [0] * 6  # a child's error is on standard error

    check(memory, last)
    assert [u.seq for u in memory.ledger.utterances_after(0, last + 1)] == [*range(1, last + 1)]
    assert journal.first_broken(memory.ledger.journal_after(0, last)) is None
    assert len(memory.graph.history("fact of v1")) == 1
    (work,) = stores.work(["batch"])
    assert last / 2 < work.waiting["batch"] <= last
    file = connect(tmp_path / "memories" / f"{memory.info.id}.db", MEMORY_SCHEMA)
    assert file.pragma("integrity_check") == "ok"
    file.close()
    memory.close()
    stores.close()
