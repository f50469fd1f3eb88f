"""Checkpoints: one signed root over all journals, and what it finds later."""

from collections.abc import Callable
from pathlib import Path

import apsw
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg_assets import journal
from kg_assets.errors import InvalidInput, NotReady
from kg_assets.maintenance.checkpoint import Checkpoint, Leaf, check, leaf_hash, merkle_root, read, take, written
from kg_assets.model import Change, Origin
from resources.checkpoints import KEY_VARIABLE, CheckpointFolder
from resources.sqlite import SqliteStores

NOW = 1_000_000
ORIGIN = Origin(actor="test", cause="test")
LEAVES = st.lists(st.builds(Leaf, st.text("abc", min_size=1, max_size=3), st.integers(0, 9), st.text("01", max_size=2)))


@pytest.fixture
def stores(tmp_path: Path) -> SqliteStores:
    """Three memories with 3, 4 and 5 journal entries."""
    stores = SqliteStores(tmp_path / "data", b"secret" * 8, clock=lambda: NOW)
    for number, name in enumerate(("ana", "bo", "cy")):
        write(stores, name, 3 + number)
    return stores


@pytest.fixture
def folder(tmp_path: Path) -> CheckpointFolder:
    (tmp_path / "keys").mkdir()
    return CheckpointFolder(tmp_path, {})


def write(stores: SqliteStores, name: str, entries: int) -> str:
    memory = stores.open(stores.create("test", name, now=NOW).id)
    with memory.transaction():
        changes = [Change(op="test", payload={"n": number}) for number in range(entries)]
        journal.record(memory.ledger, changes, origin=ORIGIN, at=journal.instant(memory.ledger, lambda: NOW))
    memory.close()
    return memory.info.id


def taken(stores: SqliteStores, folder: CheckpointFolder) -> Checkpoint:
    checkpoint = take(stores, now=NOW, previous="", sign=folder.sign)
    folder.add("first", written(checkpoint))
    return checkpoint


def tamper(tmp_path: Path, memory_id: str, sql: str) -> None:
    connection = apsw.Connection(str(tmp_path / "data" / "memories" / f"{memory_id}.db"))
    connection.execute(sql)
    assert connection.changes() > 0
    connection.close()


def test_journals_that_went_on_are_whole(stores: SqliteStores, folder: CheckpointFolder) -> None:
    checkpoint = taken(stores, folder)
    assert sorted(leaf.journal_seq for leaf in checkpoint.leaves) == [3, 4, 5]
    write(stores, "ana", 2)
    write(stores, "new", 2)
    assert check(checkpoint, stores, folder.verifies) == []


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("DELETE FROM journal WHERE seq > 2", "the journal was cut"),
        ("UPDATE journal SET hash = 'other' WHERE seq = 5", "the journal was rewritten"),
    ],
)
def test_a_journal_that_does_not_go_on_is_found(
    stores: SqliteStores, folder: CheckpointFolder, tmp_path: Path, sql: str, words: str
) -> None:
    checkpoint = taken(stores, folder)
    memory_id = stores.memory_id("test", "cy")
    tamper(tmp_path, memory_id, sql)
    (finding,) = check(checkpoint, stores, folder.verifies)
    assert finding.memory_id == memory_id
    assert words in finding.message


def test_a_memory_that_is_gone_is_found(stores: SqliteStores, folder: CheckpointFolder, tmp_path: Path) -> None:
    checkpoint = taken(stores, folder)
    elsewhere = SqliteStores(tmp_path / "other", b"secret" * 8, clock=lambda: NOW)
    assert {each.message for each in check(checkpoint, elsewhere, folder.verifies)} == {"the memory is gone"}


ALTERED: list[Callable[[Checkpoint], Checkpoint]] = [
    lambda each: msgspec.structs.replace(each, taken_at=each.taken_at + 1),
    lambda each: msgspec.structs.replace(each, previous="00"),
    lambda each: msgspec.structs.replace(each, unread=("00",)),
    lambda each: msgspec.structs.replace(each, leaves=each.leaves[1:]),
    lambda each: msgspec.structs.replace(each, leaves=each.leaves[1:], root=merkle_root(each.leaves[1:])),
    lambda each: msgspec.structs.replace(each, signature="zz"),
    lambda each: msgspec.structs.replace(each, signature=""),
]


@pytest.mark.parametrize("alter", ALTERED)
def test_an_altered_checkpoint_is_refused(
    stores: SqliteStores, folder: CheckpointFolder, alter: Callable[[Checkpoint], Checkpoint]
) -> None:
    (finding,) = check(alter(taken(stores, folder)), stores, folder.verifies)
    assert finding.memory_id == ""


def test_another_key_signs_nothing_of_ours(stores: SqliteStores, folder: CheckpointFolder, tmp_path: Path) -> None:
    (tmp_path / "else" / "keys").mkdir(parents=True)
    other = CheckpointFolder(tmp_path / "else", {})
    taken(stores, other)
    forged = take(stores, now=NOW, previous="", sign=other.sign)
    taken(stores, folder)
    assert [each.memory_id for each in check(forged, stores, folder.verifies)] == [""]
    kept = other.folder / "verifying.pem"
    assert check(forged, stores, lambda message, signature: folder.verifies(message, signature, kept)) == []


def test_a_key_that_was_named_is_never_made_anew(tmp_path: Path) -> None:
    folder = CheckpointFolder(tmp_path, {KEY_VARIABLE: str(tmp_path / "vault.pem")})
    with pytest.raises(NotReady, match=r"vault\.pem"):
        folder.sign(b"")


def test_what_was_written_is_read_again(stores: SqliteStores, folder: CheckpointFolder) -> None:
    checkpoint = taken(stores, folder)
    (path,) = folder.files()
    assert read(path.read_bytes(), where=path.name) == checkpoint
    assert path.stat().st_mode & 0o777 == 0o600
    with pytest.raises(InvalidInput, match=r"f\.json"):
        read(b"{}", where="f.json")


@given(LEAVES, LEAVES)
def test_different_leaves_have_different_roots(one: list[Leaf], other: list[Leaf]) -> None:
    assert (merkle_root(one) == merkle_root(other)) == (one == other)


def test_a_node_is_no_leaf() -> None:
    leaf = Leaf("a", 1, "b")
    assert merkle_root([leaf]) == leaf_hash(leaf).hex()
    assert merkle_root([leaf, leaf]) not in (merkle_root([leaf]), merkle_root([leaf, leaf, leaf]))
