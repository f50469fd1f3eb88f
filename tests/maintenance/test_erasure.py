"""Erasing a memory: nothing of it stays in any file, and what is kept instead can be checked."""

from pathlib import Path

import msgspec
import pytest

from kg_assets import journal
from kg_assets.errors import NotReady
from kg_assets.maintenance.checkpoint import check, take
from kg_assets.maintenance.erasure import Certificate, broken, chain_of, erase_memory, sound
from kg_assets.model import Change, Erased, NoveltyScore, Origin, Utterance
from resources.checkpoints import CheckpointFolder
from resources.sqlite import SqliteStores
from tests.conformance.samples import item

NOW = 1_700_000_000_000_000
SECRETS = (b"Quarkington", b"zebedee")


def clock() -> int:
    return NOW


@pytest.fixture
def folder(tmp_path: Path) -> CheckpointFolder:
    (tmp_path / "keys").mkdir()
    folder = CheckpointFolder(tmp_path, {})
    folder.signing()
    return folder


@pytest.fixture
def stores(tmp_path: Path) -> SqliteStores:
    """Two memories; zebedee's holds a secret in the log and in the journal."""
    stores = SqliteStores(tmp_path / "data", b"secret" * 8, clock=clock)
    for name, text in (("zebedee", "My name is Quarkington."), ("ana", "I like tea.")):
        memory = stores.open(stores.create("test", name, now=NOW).id)
        utterance = Utterance(
            id="u1", session="s", speaker=name, role="user", text=text, said_at=NOW, seq=1, recorded_at=NOW,
            content_hash="",
        )  # fmt: skip
        score = NoveltyScore(seq=1, score=50.0, route="batch", parts={}, features={}, conflicts=(), version="test")
        with memory.transaction():
            memory.ledger.append([(utterance, score, {text.lower(): 1})])
            changes = [Change(op="test", payload={"text": text, "n": n}) for n in range(3)]
            origin = Origin(actor="test", cause="test")
            journal.record(memory.ledger, changes, origin=origin, at=journal.instant(memory.ledger, clock))
        memory.close()
    return stores


def erase(stores: SqliteStores, folder: CheckpointFolder) -> Certificate:
    memory_id = stores.memory_id("test", "zebedee")
    return erase_memory(stores, memory_id, certificate_id="c" * 32, sign=folder.sign, clock=clock, holder="test")


def holding(folder: Path, words: bytes) -> list[str]:
    return [path.name for path in folder.rglob("*") if path.is_file() and words.lower() in path.read_bytes().lower()]


def test_no_byte_of_it_stays_in_any_file(stores: SqliteStores, folder: CheckpointFolder, tmp_path: Path) -> None:
    for secret in SECRETS:
        assert holding(tmp_path, secret) != []
    memory_id = stores.memory_id("test", "zebedee")
    erase(stores, folder)
    for secret in (*SECRETS, memory_id.encode()):
        assert holding(tmp_path, secret) == []
    assert list((tmp_path / "data" / "memories").glob(f"{memory_id}*")) == []
    assert holding(tmp_path, b"I like tea") != []


def test_the_certificate_counts_what_was_there_and_needs_the_public_key_alone(
    stores: SqliteStores, folder: CheckpointFolder
) -> None:
    certificate = erase(stores, folder)
    assert (certificate.erased.utterances, certificate.erased.journal_entries) == (1, 3)
    assert sound(certificate, folder.verifies)
    for altered in (
        msgspec.structs.replace(certificate, erased_at=NOW + 1),
        msgspec.structs.replace(certificate, erased=msgspec.structs.replace(certificate.erased, utterances=0)),
        msgspec.structs.replace(certificate, signature="00" * 64),
        msgspec.structs.replace(certificate, signature="no"),
    ):
        assert not sound(altered, folder.verifies)


def test_the_chain_of_headers_still_holds_and_tells_nothing(stores: SqliteStores, folder: CheckpointFolder) -> None:
    erase(stores, folder)
    (kept,) = stores.erased()
    assert broken(kept, folder.verifies) is None
    assert [entry.payload for entry in chain_of(kept)] == [None] * 3
    other = msgspec.json.encode([msgspec.structs.replace(entry, actor="eve") for entry in chain_of(kept)])
    assert broken(msgspec.structs.replace(kept, chain=other), folder.verifies) is not None


def test_a_checkpoint_from_before_goes_on_over_an_erasure(stores: SqliteStores, folder: CheckpointFolder) -> None:
    checkpoint = take(stores, now=NOW, previous="", sign=folder.sign)
    erase(stores, folder)
    assert check(checkpoint, stores, folder.verifies) == []


def test_a_memory_that_vanished_without_a_certificate_is_found(stores: SqliteStores, folder: CheckpointFolder) -> None:
    checkpoint = take(stores, now=NOW, previous="", sign=folder.sign)
    stores.erase(stores.memory_id("test", "zebedee"), Erased(id="x", erased_at=NOW, certificate=b"{}", chain=b"[]"))
    assert [each.message for each in check(checkpoint, stores, folder.verifies)] == ["the memory is gone"]


def test_nothing_is_erased_while_a_run_works_on_it(stores: SqliteStores, folder: CheckpointFolder) -> None:
    memory_id = stores.memory_id("test", "zebedee")
    assert stores.lease(memory_id, holder="run", now=NOW, seconds=60) is not None
    with pytest.raises(NotReady, match="erase it again"):
        erase(stores, folder)
    assert stores.find(memory_id) is not None


def test_a_crash_after_the_commit_leaves_files_that_the_next_sweep_removes(
    stores: SqliteStores, folder: CheckpointFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def power_cut(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Path, "unlink", power_cut)
        with pytest.raises(KeyboardInterrupt):
            erase(stores, folder)
    assert holding(tmp_path, SECRETS[0]) != []
    assert stores.find(stores.memory_id("test", "zebedee")) is None
    SqliteStores(tmp_path / "data", b"secret" * 8, clock=clock).sweep()
    assert holding(tmp_path, SECRETS[0]) == []


def test_the_certificate_counts_items_of_what_is_believed_no_more(
    stores: SqliteStores, folder: CheckpointFolder
) -> None:
    memory = stores.open(stores.memory_id("test", "zebedee"))
    with memory.transaction():
        memory.ledger.put_items([item("now", kind="fact"), item("before", kind="fact", retired=True)])
    memory.close()
    assert erase(stores, folder).erased.index_items == 2
