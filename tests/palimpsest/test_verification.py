"""verify: an unbroken chain passes, and each way of tampering is found and placed."""

from pathlib import Path

import apsw
import msgspec
import pytest

from kg_assets import journal
from kg_assets.model import Change, Draft, NoveltyScore, Origin, Utterance
from kg_assets.utterances.sealing import hash_of, seal_pending
from resources.clock import system_clock
from resources.settings import DEV_ISSUER, load_settings
from resources.sqlite.stores import SqliteStores
from tests.palimpsest.conftest import Command, Done

ENTRIES = 2500  # more than two chunks of the walk


@pytest.fixture
def file(palimpsest: Command, home: Path) -> Path:
    """The file of ana's memory, whose journal holds some entries."""
    palimpsest("init")
    settings = load_settings(home, {})
    stores = SqliteStores(settings.data_dir, settings.secret, system_clock)
    info = stores.create(DEV_ISSUER, "ana", now=system_clock())
    memory = stores.open(info.id)
    changes = [Change(op="test", payload={"n": number}) for number in range(ENTRIES)]
    with memory.transaction():
        journal.record(memory.ledger, changes, origin=Origin(actor="test", cause="test"), at=system_clock())
    with memory.transaction():
        memory.ledger.append([(spoken(seq), scored(seq), {}) for seq in (1, 2, 3)])
    seal_pending(memory, origin=Origin(actor="test", cause="test"), clock=system_clock)
    memory.close()
    stores.close()
    return settings.data_dir / "memories" / f"{info.id}.db"


def spoken(seq: int) -> Utterance:
    draft = Draft(id=f"u{seq}", session="s", speaker="Ana", role="user", text=f"I said {seq}.", said_at=seq)
    fields = {name: getattr(draft, name) for name in Draft.__struct_fields__}
    return Utterance(**fields, seq=seq, recorded_at=seq, content_hash=hash_of(draft))


def scored(seq: int) -> NoveltyScore:
    return NoveltyScore(seq=seq, score=50.0, route="batch", parts={}, features={}, conflicts=(), version="test")


def tamper(file: Path, sql: str) -> None:
    connection = apsw.Connection(str(file))
    connection.execute(sql)
    assert connection.changes() > 0
    connection.close()


def test_an_unbroken_chain_passes(palimpsest: Command, file: Path) -> None:
    assert file.exists()
    done = palimpsest("verify", "--user", "ana", "--json")
    assert done.code == 0
    assert done.json["whole"] is True
    (memory,) = done.json["memories"]
    assert (memory["user"], memory["entries"], memory["broken"]) == ("ana", ENTRIES + 1, None)
    assert palimpsest("verify").code == 0


@pytest.mark.parametrize(
    ("sql", "entry", "whole"),
    [
        ("UPDATE journal_payloads SET payload = CAST('{\"n\":7}' AS BLOB) WHERE seq = 1700", 1700, 1699),
        ("UPDATE journal SET recorded_at = recorded_at + 1 WHERE seq = 3", 3, 2),
        ("UPDATE journal SET actor = 'somebody' WHERE seq = 2100", 2100, 2099),
        ("DELETE FROM journal_payloads WHERE seq = 12", 12, 11),
        ("DELETE FROM journal WHERE seq = 1000", 1001, 999),
        ("DELETE FROM journal WHERE seq > 2400", 2401, 2400),
        ("UPDATE journal SET seq = 9999 WHERE seq = 2500", 2501, 2499),
        ("UPDATE utterances SET text = 'I said so.' WHERE seq = 2", 2501, 2500),
        ("DELETE FROM utterances WHERE seq = 3", 2501, 2500),
        ("DELETE FROM journal", 1, 0),
    ],
)
def test_tampering_is_found_at_the_first_broken_entry(
    palimpsest: Command, file: Path, sql: str, entry: int, whole: int
) -> None:
    tamper(file, sql)
    done = palimpsest("verify", "--json")
    assert done.code == 1
    assert done.json["whole"] is False
    assert done.json["memories"][0]["entries"] == whole
    assert done.json["memories"][0]["broken"].startswith(f"journal entry {entry}:")
    assert f"journal entry {entry}:" in palimpsest("verify").out


def test_a_tail_that_was_cut_together_with_the_head_is_found(palimpsest: Command, file: Path) -> None:
    tamper(file, "DELETE FROM journal WHERE seq > 2400")
    connection = apsw.Connection(str(file))
    ((last,),) = connection.execute("SELECT hash FROM journal WHERE seq = 2400").fetchall()
    connection.execute("UPDATE state SET journal_seq = 2400, journal_hash = ?", (last,))
    connection.close()
    done = palimpsest("verify", "--json")
    assert done.code == 1
    assert done.json["memories"][0]["broken"].startswith("journal entry 2401:")


def test_a_journal_that_was_replaced_by_a_longer_one_is_found(palimpsest: Command, file: Path) -> None:
    tamper(
        file.parent.parent / "control.db", "UPDATE heads SET journal_seq = 1700, journal_hash = 'of another journal'"
    )
    done = palimpsest("verify", "--json")
    assert (done.code, done.json["whole"], done.json["signed"]) == (1, False, False)
    assert done.json["memories"][0]["broken"].startswith("journal entry 1700:")


def test_an_utterance_that_was_altered_together_with_its_hash_is_found(palimpsest: Command, file: Path) -> None:
    connection = apsw.Connection(str(file))
    altered = msgspec.structs.replace(spoken(2), text="I said nothing.")
    connection.execute(
        "UPDATE utterances SET text = ?, content_hash = ? WHERE seq = 2", (altered.text, hash_of(altered))
    )
    connection.close()
    done = palimpsest("verify", "--json")
    assert done.code == 1
    assert "utterances 1 to 3 are not those that were sealed" in done.json["memories"][0]["broken"]


def test_forged_words_of_the_index_are_found(palimpsest: Command, home: Path, tmp_path: Path) -> None:
    palimpsest("init")
    said = tmp_path / "said.jsonl"
    said.write_text('{"text": "My bike broke down again.", "said_at": "2026-05-30T18:04:00Z", "speaker": "Ana"}\n')
    assert palimpsest("ingest", said, "--user", "ana").code == 0
    assert palimpsest("verify").code == 0
    (file,) = (home / "data" / "memories").glob("*.db")
    tamper(file, "UPDATE items SET text = replace(text, 'broke down again', 'was stolen by Ben')")
    done = palimpsest("verify", "--user", "ana")
    assert (done.code, "the index item of utterance 1 does not say what the utterance says" in done.out) == (1, True)


def test_a_checkpoint_is_held_against_one_memory_where_a_user_is_named(
    palimpsest: Command, home: Path, tmp_path: Path
) -> None:
    palimpsest("init")
    said = tmp_path / "said.jsonl"
    said.write_text('{"text": "Hello.", "said_at": "2026-05-30T18:04:00Z"}\n')
    palimpsest("ingest", said, "--user", "ana")
    (file,) = (home / "data" / "memories").glob("*.db")
    palimpsest("ingest", said, "--user", "ben")
    taken = palimpsest("checkpoint", "--json").json["file"]
    palimpsest("ingest", said, "--user", "cleo")
    tamper(file, "UPDATE journal SET hash = 'another'")

    def held(*words: str) -> Done:
        return palimpsest("verify", "--checkpoint", taken, "--json", *words)

    assert (held().code, held().json["memories"]) == (1, 2)
    assert [each["user"] for each in held("--user", "ana").json["findings"]] == ["ana"]
    assert (held("--user", "ben").code, held("--user", "ben").json["memories"]) == (0, 1)
    assert "1 journal goes on from" in palimpsest("verify", "--checkpoint", taken, "--user", "ben").out
    assert (held("--user", "cleo").code, "holds no journal of 'cleo'" in held("--user", "cleo").err) == (1, True)
