"""A thousand memories, each altered in one place that chance picks: `verify` finds and places each."""

import random
import shutil
from collections import Counter
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from kg_assets.maintenance import checkpoint
from kg_assets.model import MemoryInfo
from palimpsest.command_line import main
from palimpsest.home import Home
from palimpsest.verification import verify_memory
from resources.checkpoints import CheckpointFolder
from resources.settings import load_settings
from resources.sqlite import SqliteStores
from tests.quality.conversation import NOW, converse
from tests.quality.mutations import KEYS, Raw, Row, Unchanged, kinds, mutate

TRIED = 1_000
JOURNAL_WEIGHT = 4  # ways to alter the journal itself are tried more often


class SqliteTables:
    """The file of a memory, opened as any SQLite client would."""

    raw = True

    def __init__(self, file: Path) -> None:
        self._connection = apsw.Connection(str(file))
        self._connection.execute("PRAGMA foreign_keys = OFF")

    def rows(self, table: str) -> list[Row]:
        names = [name for name, *_ in self._connection.execute(f"SELECT name FROM pragma_table_info('{table}')")]
        sql = f"SELECT {', '.join(names)} FROM {table} ORDER BY {', '.join(KEYS[table])}"
        return [dict(zip(names, row, strict=True)) for row in self._connection.execute(sql)]

    def change(self, table: str, row: Row, column: str, value: object) -> None:
        mark, bound = ("CAST(? AS TEXT)", value.octets) if isinstance(value, Raw) else ("?", value)
        where, key = self._of(table, row)
        self._run(f"UPDATE {table} SET {column} = {mark} WHERE {where}", (bound, *key))

    def remove(self, table: str, row: Row) -> None:
        where, key = self._of(table, row)
        self._run(f"DELETE FROM {table} WHERE {where}", key)

    def add(self, table: str, row: Row) -> None:
        marks = ", ".join("?" * len(row))
        self._run(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})", tuple(row.values()))

    def end_at(self, journal_seq: int, journal_hash: str, recorded_at: int) -> None:
        sql = "UPDATE state SET journal_seq = ?, journal_hash = ?, recorded_at = ?"
        self._run(sql, (journal_seq, journal_hash, recorded_at))

    def close(self) -> None:
        self._connection.close()

    def _of(self, table: str, row: Row) -> tuple[str, tuple[object, ...]]:
        return " AND ".join(f"{name} = ?" for name in KEYS[table]), tuple(row[name] for name in KEYS[table])

    def _run(self, sql: str, bindings: tuple[object, ...]) -> None:
        try:
            self._connection.execute(sql, bindings)
        except apsw.ConstraintError as ex:
            raise Unchanged from ex
        assert self._connection.changes() == 1


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, MemoryInfo]:
    """A home with one memory."""
    folder = tmp_path_factory.mktemp("mutations") / "home"
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("PALIMPSEST_HOME", str(folder))
        assert main(["init", "--quiet"]) == 0
    with closing(opened(folder).stores) as stores:
        info = stores.create("test", "ana", now=NOW)
        with closing(stores.open(info.id)) as memory:
            converse(memory)
    return folder, info


def opened(folder: Path) -> Home:
    settings = load_settings(folder, {})
    clock = lambda: NOW  # noqa: E731
    return Home(settings, SqliteStores(settings.data_dir, settings.secret, clock), clock)


def file_of(folder: Path, info: MemoryInfo) -> Path:
    return load_settings(folder, {}).data_dir / "memories" / f"{info.id}.db"


def test_what_nobody_altered_is_whole(made: tuple[Path, MemoryInfo]) -> None:
    folder, info = made
    home = opened(folder)
    with closing(home.stores):
        assert verify_memory(home, info).broken is None


@pytest.mark.faults
def test_of_a_thousand_mutations_a_thousand_are_found_and_placed(
    made: tuple[Path, MemoryInfo], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, info = made
    tried: Counter[str] = Counter()
    found: Counter[str] = Counter()
    missed = []
    schedule = kinds(JOURNAL_WEIGHT)
    for number in range(TRIED):
        copy = tmp_path / "copy"
        shutil.copytree(folder, copy)
        with closing(SqliteTables(file_of(copy, info))) as tables:
            mutation = mutate(schedule[number % len(schedule)], tables, random.Random(number))
        home = opened(copy)
        with closing(home.stores):
            broken = verify_memory(home, info).broken
        shutil.rmtree(copy)
        tried[mutation.kind] += 1
        if broken and any(name in broken for name in mutation.names):
            found[mutation.kind] += 1
        else:
            missed.append(f"{number}: {mutation.kind}, {mutation.what}: {broken}")
    with capsys.disabled():
        print(f"\n{'tried':>7} {'found':>7}")
        for kind in sorted(tried):
            print(f"{tried[kind]:7} {found[kind]:7}  {kind}")
        print(f"{tried.total():7} {found.total():7}")
    assert not missed
    assert tried.total() == TRIED
    assert len(tried) == len(set(schedule))


def test_a_chain_hashed_anew_together_with_its_witness_is_found_by_a_checkpoint(
    made: tuple[Path, MemoryInfo], tmp_path: Path
) -> None:
    folder, info = made
    for number, kind in enumerate(("the chain rewritten and hashed anew", "the tail cut with the head") * 3):
        copy = tmp_path / str(number)
        shutil.copytree(folder, copy)
        home, folder_of = opened(copy), CheckpointFolder(copy, {})
        with closing(home.stores):
            taken, _ = checkpoint.keep(home.stores, folder_of, now=NOW)
        with closing(SqliteTables(file_of(copy, info))) as tables:
            mutate(kind, tables, random.Random(number))
            (last,) = tables.rows("journal")[-1:]
        witness = apsw.Connection(str(home.settings.data_dir / "control.db"))
        witness.execute("UPDATE heads SET journal_seq = ?, journal_hash = ?", (last["seq"], last["hash"]))
        witness.close()
        home = opened(copy)
        with closing(home.stores):
            (finding,) = checkpoint.check(taken, home.stores, folder_of.verifies)
        assert finding.memory_id == info.id
        assert f"journal entry {taken.leaves[0].journal_seq} is " in finding.message
