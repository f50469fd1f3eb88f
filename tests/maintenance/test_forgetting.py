"""Erasing utterances and sessions: no byte of them stays, all that stays can be checked, and a crash leaves no half."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import apsw
import msgspec
import pytest

from kg_assets.errors import InvalidInput, LeaseLost, NotFound, NotReady
from kg_assets.graph.belief import derive_pending
from kg_assets.graph.state import state_hash
from kg_assets.maintenance.checking_exports import checked_export
from kg_assets.maintenance.checkpoint import check as check_against
from kg_assets.maintenance.checkpoint import take
from kg_assets.maintenance.erasure import sound
from kg_assets.maintenance.export import exported
from kg_assets.maintenance.forgetting import erase_utterances
from kg_assets.maintenance.selecting import said
from kg_assets.model import Decision, Utterance
from kg_assets.payloads import ERASE, RESTATE, Erasure, History
from kg_assets.ports import Memory
from kg_assets.recall.read_model import ReadModels
from kg_assets.shards import LEASE_SECONDS
from kg_assets.text.ontology import load_ontology
from kg_assets.triples.backlog import extract_pending
from kg_assets.triples.extraction import build_extractor
from quality.trail import walk
from resources.checkpoints import CheckpointFolder
from resources.embedder import build_embedder
from resources.sqlite import SqliteStores
from tests.maintenance.telling import ALL, NOW, ORIGIN, clock, erase, erase_sessions, how, process, say

SAID = [
    ("I live in Porto.", "s1"),
    ("I moved to Quarkington in May 2026.", "s1"),  # u2
    ("I like the food there.", "s1"),
    ("My sister Zebedea works at Acme.", "s2"),  # u4
    ("She lives in Braga.", "s2"),
    ("I like jazz.", "s2"),
    ("I like pizza.", "s3"),
]


@pytest.fixture
def folder(tmp_path: Path) -> CheckpointFolder:
    (tmp_path / "keys").mkdir()
    folder = CheckpointFolder(tmp_path, {})
    folder.signing()
    return folder


@pytest.fixture
def stores(tmp_path: Path) -> Iterator[SqliteStores]:
    stores = SqliteStores(tmp_path / "data", b"secret" * 8, clock=clock)
    yield stores
    stores.close()


@pytest.fixture
def memory(stores: SqliteStores) -> Iterator[Memory]:
    memory = stores.open(stores.create("test", "ana", now=NOW).id)
    for day, (text, session) in enumerate(SAID, start=1):
        say(memory, text, day, session=session)
        process(memory)
    yield memory
    memory.close()


def holding(folder: Path, words: str) -> list[str]:
    """Files with these words in any case, as grep finds them."""
    done = subprocess.run(["grep", "-rail", words, str(folder)], capture_output=True, text=True, check=False)
    return done.stdout.splitlines()


def texts(memory: Memory) -> set[str]:
    facts = memory.graph.facts(valid_at=None, known_at=None, limit=100)
    return {item.text for item in memory.ledger.items([fact.version_id for fact in facts])}


def test_no_byte_of_an_erased_utterance_stays_in_any_file(
    stores: SqliteStores, memory: Memory, tmp_path: Path, folder: CheckpointFolder
) -> None:
    hashed = memory.ledger.utterances([2])[0].content_hash
    for trace in ("quarkington", hashed):
        assert holding(tmp_path, trace) != []
    done = erase(stores, memory, "u2", sign=folder.sign)
    for trace in ("quarkington", hashed):
        assert holding(tmp_path, trace) == []
    assert done.scrubbed
    process(memory)
    assert holding(tmp_path, "quarkington") == []
    assert walk(memory, verify=folder.verifies).broken is None
    assert "user lives in Porto." in " ".join(texts(memory)).replace("Ana", "user")


def test_a_session_goes_whole_and_the_others_stay(stores: SqliteStores, memory: Memory, tmp_path: Path) -> None:
    done = erase_sessions(stores, memory, ["s2"])
    assert (done.certificate.scope, done.certificate.erased.utterances, done.reread) == ("session", 3, 0)
    for trace in ("zebedea", "acme", "braga", "jazz"):
        assert holding(tmp_path, trace) == []
    assert [turn.id for turn in memory.ledger.utterances_after(0, 9)] == ["u1", "u2", "u3", "u7"]
    assert walk(memory).broken is None
    process(memory)
    assert walk(memory).broken is None
    assert any("pizza" in text for text in texts(memory))


def test_what_was_believed_of_other_things_then_is_still_told(stores: SqliteStores, memory: Memory) -> None:
    times = [entry.recorded_at for entry in memory.ledger.journal_after(0, 1000)]

    def believed(known_at: int) -> set[str]:
        facts = memory.graph.facts(valid_at=None, known_at=known_at, limit=100)
        return {f"{fact.belief.predicate} {fact.belief.object_key}" for fact in facts}

    past = [believed(at) for at in times]
    erase(stores, memory, "u2")
    for at, before in zip(times, past, strict=True):
        lost = before - believed(at)
        assert {each for each in lost if "quarkington" not in each} <= {"lives_in porto"}
    assert "likes jazz" in believed(times[-1])


def test_the_certificate_needs_the_public_key_alone_and_is_in_the_journal(
    stores: SqliteStores, memory: Memory, folder: CheckpointFolder
) -> None:
    certificate = erase(stores, memory, "u2", "u4", sign=folder.sign).certificate
    assert sound(certificate, folder.verifies)
    assert (certificate.scope, certificate.erased.utterances) == ("utterances", 2)
    assert certificate.erased.fact_versions > 1
    assert not sound(msgspec.structs.replace(certificate, erased_at=1), folder.verifies)
    (entry,) = [each for each in memory.ledger.journal_after(0, 1000) if each.op == ERASE]
    told = msgspec.json.decode(entry.payload or b"", type=Erasure)
    assert told.certificate == msgspec.to_builtins(certificate)
    missing = [(each.seq, each.hash) for each in memory.ledger.journal_after(0, 1000) if each.payload is None]
    assert [tuple(each) for each in told.dropped] == missing


def test_an_erasure_that_nobody_signed_is_found(stores: SqliteStores, memory: Memory, folder: CheckpointFolder) -> None:
    erase(stores, memory, "u2", sign=lambda _: b"forged")
    assert walk(memory).broken is None
    assert "signed with another key" in (walk(memory, verify=folder.verifies).broken or "")


@pytest.mark.parametrize(
    ("sql", "told"),
    [
        ("DELETE FROM journal_payloads WHERE seq = (SELECT max(seq) - 3 FROM journal)", "missing and no erasure says"),
        ("DELETE FROM journal_payloads WHERE seq = (SELECT seq FROM journal WHERE op = 'erase')", "no erasure says so"),
        ("DELETE FROM journal_payloads WHERE seq = (SELECT seq FROM journal WHERE op = 'restate')", "no erasure says"),
        ("DELETE FROM utterances WHERE seq = 3", "utterance 3, which it appended, is gone"),
        (
            "INSERT INTO utterances SELECT 2, 'x', session, speaker, role, 'Forged.', said_at, salience, tags,"
            " metadata, recorded_at, content_hash, scored FROM utterances WHERE seq = 3",
            "sealed 0 utterances|utterances are stored, the journal tells of",
        ),
        ("DELETE FROM facts WHERE version_id = (SELECT min(version_id) FROM facts)", "is gone"),
        ("UPDATE slots SET hash = 'x'", "hashes of slots"),
        ("DELETE FROM items WHERE kind = 'utterance' AND seq = 7", "item of utterance 7 is gone"),
    ],
)
def test_what_was_altered_beside_an_erasure_is_found(
    stores: SqliteStores, memory: Memory, tmp_path: Path, sql: str, told: str
) -> None:
    erase(stores, memory, "u2")
    process(memory)
    assert walk(memory).broken is None
    file = next((tmp_path / "data" / "memories").glob("*.db"))
    connection = apsw.Connection(str(file))
    connection.execute(sql)
    assert connection.changes() > 0
    connection.close()
    assert any(each in (walk(memory).broken or "") for each in told.split("|")), walk(memory).broken


def test_one_may_be_erased_after_the_other(stores: SqliteStores, memory: Memory, tmp_path: Path) -> None:
    """The second takes what the first had restated, and restates the rest again."""
    for utterance_id in ("u2", "u1", "u6", "u5", "u3", "u4", "u7"):
        erase(stores, memory, utterance_id)
        assert walk(memory).broken is None
        process(memory)
        assert walk(memory).broken is None
    assert memory.graph.facts(valid_at=None, known_at=None) == []
    assert memory.graph.all_entities() == []
    assert memory.ledger.item_count() == 0
    assert memory.ledger.term_totals() == (0, 0)
    for trace in ("quarkington", "porto", "zebedea", "jazz", "pizza", "braga"):
        assert holding(tmp_path, trace) == []
    kept = [each for each in History(memory.ledger).told() if each.op in ("remember", "resolve", "restate")]
    assert kept == []


def test_what_waits_to_be_read_can_be_erased_and_is_never_read(stores: SqliteStores, memory: Memory) -> None:
    say(memory, "I work at Quarkington Mills.", 8)
    before = state_hash(memory)
    erase(stores, memory, "u8")
    process(memory)
    assert state_hash(memory) == before
    assert walk(memory).broken is None


def test_an_erased_id_may_be_said_again_and_is_new(stores: SqliteStores, memory: Memory) -> None:
    erase(stores, memory, "u7")
    say(memory, "Something else.", 7)
    (turn,) = memory.ledger.utterances_after(7, 9)
    assert (turn.id, turn.seq, turn.text) == ("u7", 8, "Something else.")
    assert walk(memory).broken is None


def test_neighbours_are_embedded_alone_at_once_and_in_their_new_windows_later(
    stores: SqliteStores, memory: Memory
) -> None:
    def alone() -> list[bool]:
        return [item.provisional for item in memory.ledger.items(["u1", "u3", "u4"])]

    assert alone() == [False, False, False]
    erase(stores, memory, "u2")
    assert alone() == [True, True, False]
    assert memory.ledger.pending("index", ALL) == [1, 3]
    process(memory)
    assert alone() == [False, False, False]


def test_a_read_model_that_is_open_forgets_at_once(stores: SqliteStores, memory: Memory) -> None:
    models = ReadModels(build_embedder("hashing"))
    past = memory.ledger.head().recorded_at - 1
    for known_at in (None, past):
        assert any("Quarkington" in item.text for item in models.at(memory, known_at).items)
    erase(stores, memory, "u2")
    for known_at in (None, past):
        model = models.at(memory, known_at)
        assert not any("Quarkington" in item.text for item in model.items)
        assert len(model) > 5


def test_nothing_is_erased_of_what_is_not_there(stores: SqliteStores, memory: Memory) -> None:
    head = memory.ledger.head()
    with pytest.raises(NotFound, match="u99"):
        erase(stores, memory, "u1", "u99")
    with pytest.raises(NotFound, match="s99"):
        erase_sessions(stores, memory, ["s99"])
    assert memory.ledger.head() == head


def test_a_run_keeps_an_erasure_waiting_and_an_erasure_fences_a_run(stores: SqliteStores, memory: Memory) -> None:
    say(memory, "I work at Quarkington Mills.", 8)
    lease = stores.lease(memory.info.id, holder="run", now=NOW, seconds=60)
    assert lease is not None
    with pytest.raises(NotReady, match="erase it again"):
        erase(stores, memory, "u8")
    run = stores.open(memory.info.id, lease)
    extract_pending(run, build_extractor(("rules",)), routes=ALL, origin=ORIGIN, clock=clock)
    stores.release(lease)
    erase(stores, memory, "u8")
    with pytest.raises(LeaseLost):
        derive_pending(run, load_ontology(), routes=ALL, origin=ORIGIN, clock=clock)
    run.close()
    assert memory.ledger.assertions_of_utterances([8]) == []


def test_an_erasure_that_ended_midway_holds_a_memory_no_longer_than_a_run_would(
    stores: SqliteStores, memory: Memory
) -> None:
    later = NOW + int((LEASE_SECONDS + 1) * 1_000_000)

    def choose(opened: Memory) -> list[Utterance]:
        stores.lease(memory.info.id, holder="run", now=later, seconds=60)
        return said(opened, ["u2"])

    with pytest.raises(LeaseLost):
        erase_utterances(stores, memory.info.id, choose, how=how(), holder="eraser")
    assert memory.ledger.utterance("u2") is not None
    assert walk(memory).broken is None


def test_a_crash_before_the_file_is_written_anew_is_made_up_for_by_the_next_sweep(
    stores: SqliteStores, memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def power_cut(*_: object) -> bool:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(SqliteStores, "scrub", power_cut)
        with pytest.raises(KeyboardInterrupt):
            erase(stores, memory, "u2")
    assert memory.ledger.utterance("u2") is None
    assert holding(tmp_path, "quarkington") != []
    SqliteStores(tmp_path / "data", b"secret" * 8, clock=clock).sweep()
    assert holding(tmp_path, "quarkington") == []


def test_a_reader_of_an_older_state_leaves_the_scrubbing_to_the_next_sweep(
    stores: SqliteStores, memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("resources.sqlite.connection.BUSY_SECONDS", 0.05)
    with memory.snapshot():
        assert memory.ledger.utterance("u2") is not None
        assert not erase(stores, memory, "u2").scrubbed
    stores.sweep()
    assert holding(tmp_path, "quarkington") == []


def test_a_crash_inside_the_transaction_leaves_everything(stores: SqliteStores, memory: Memory) -> None:
    before = state_hash(memory), memory.ledger.head()
    with pytest.raises(RuntimeError, match="no signature"):
        erase(stores, memory, "u2", sign=unable)
    assert (state_hash(memory), memory.ledger.head()) == before
    assert walk(memory).broken is None


def unable(_: bytes) -> bytes:
    raise RuntimeError("no signature")


def test_a_checkpoint_from_before_goes_on_over_an_erasure(
    stores: SqliteStores, memory: Memory, folder: CheckpointFolder
) -> None:
    checkpoint = take(stores, now=NOW, previous="", sign=folder.sign)
    erase(stores, memory, "u2", "u7")
    process(memory)
    assert check_against(checkpoint, stores, folder.verifies) == []


def test_an_export_afterwards_is_whole_and_holds_nothing_of_it(stores: SqliteStores, memory: Memory) -> None:
    erase(stores, memory, "u2")
    process(memory)
    erase(stores, memory, "u5")
    lines = list(exported(memory, now=NOW))
    text = msgspec.json.encode(lines).decode().casefold()
    assert "quarkington" not in text
    assert "braga" not in text
    assert checked_export(lines)["utterances"] == 5
    silent = [{**each, "payload": None, "salt": None} if each.get("op") == RESTATE else each for each in lines]
    with pytest.raises(InvalidInput, match="no erasure says so"):
        checked_export(silent)


def test_decisions_that_name_erased_evidence_go(stores: SqliteStores, memory: Memory, tmp_path: Path) -> None:
    def decisions() -> list[Decision]:
        slots = {fact.belief.slot for fact in memory.graph.changed_facts(after_journal_seq=0, limit=1000)}
        return [each for slot in slots for each in memory.ledger.decisions(slot)]

    gone = {each.id for each in memory.ledger.assertions_of_utterances([2])}
    assert any(gone & {each.winner, *each.losers} for each in decisions())
    erase(stores, memory, "u2")
    assert not any(gone & {each.winner, *each.losers} for each in decisions())
    for assertion_id in gone:
        assert holding(tmp_path, assertion_id) == []
