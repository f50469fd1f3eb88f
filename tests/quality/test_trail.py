"""The journal against the rows: what a run of all stages wrote is whole, and every way of altering a row is found."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from kg_assets import journal
from kg_assets.graph import wording
from kg_assets.graph.belief import derive_pending
from kg_assets.index.building import index_pending
from kg_assets.index.remember import remember
from kg_assets.model import Change, MemoryInfo, Origin, Route
from kg_assets.novelty.scoring import Thresholds
from kg_assets.ports import Memory
from kg_assets.text.instants import parse_instant
from kg_assets.text.ontology import load_ontology
from kg_assets.triples.asserting import assert_statements, check_statement
from kg_assets.triples.backlog import extract_pending
from kg_assets.triples.extraction import build_extractor
from kg_assets.utterances.intake import check
from kg_assets.utterances.sealing import seal_pending
from quality import told_items, trail
from quality.belief import journal_is_whole
from quality.trail import walk
from resources.embedder import build_embedder
from resources.sqlite import SqliteStores
from tests.conformance import samples

ORIGIN = Origin(actor="test", cause="test", run_id="run-1")
NOW = parse_instant("2026-11-01T00:00:00Z")
ALL: tuple[Route, ...] = ("immediate", "batch", "log")
SAID = [
    ("I live in Porto.", "2026-01-20T10:00:00Z"),
    ("My sister lives in Braga.", "2026-02-01T10:00:00Z"),
    ("I moved to Lisbon in May 2026.", "2026-06-20T10:00:00Z"),
    ("My sister's name is Anna.", "2026-07-01T10:00:00Z"),
    ("I no longer live in Lisbon.", "2026-08-01T10:00:00Z"),
]


def say(memory: Memory, text: str, said_at: str, **more: str) -> None:
    raw = {"text": text, "said_at": said_at, "id": f"at {said_at}", **more}
    remember(
        memory,
        [check(raw, where="")],
        embedder=build_embedder("hashing"),
        ontology=load_ontology(),
        thresholds=Thresholds(),
        origin=ORIGIN,
        clock=lambda: NOW,
        cap_at_batch=False,
    )


def process(memory: Memory) -> None:
    seal_pending(memory, origin=ORIGIN, clock=lambda: NOW)
    extract_pending(memory, build_extractor(("rules",)), routes=ALL, origin=ORIGIN, clock=lambda: NOW)
    derive_pending(memory, load_ontology(), routes=ALL, origin=ORIGIN, clock=lambda: NOW)
    index_pending(memory, build_embedder("hashing"), load_ontology(), origin=ORIGIN, clock=lambda: NOW)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, MemoryInfo]:
    """A memory that was told, read and derived step by step; its last utterance waits for all of that."""
    folder = tmp_path_factory.mktemp("trail")
    stores = SqliteStores(folder, b"secret", clock=lambda: NOW)
    info = stores.create("test", "ana", now=NOW)
    memory = stores.open(info.id)
    for text, said_at in SAID:
        say(memory, text, said_at)
        process(memory)
    stated = check_statement({"subject": "Anna", "predicate": "works_at", "object": "Acme"}, load_ontology(), where="")
    assert_statements(memory, [stated], load_ontology(), clock=lambda: NOW, origin=ORIGIN)
    process(memory)
    say(memory, "I like rice.", "2026-09-01T10:00:00Z")
    memory.close()
    stores.close()
    return folder, info


@pytest.fixture
def file(made: tuple[Path, MemoryInfo], tmp_path: Path) -> Path:
    """A copy of its file, to be altered."""
    folder, info = made
    shutil.copytree(folder, tmp_path / "copy")
    return tmp_path / "copy" / "memories" / f"{info.id}.db"


@pytest.fixture
def memory(made: tuple[Path, MemoryInfo], file: Path) -> Iterator[Memory]:
    stores = SqliteStores(file.parent.parent, b"secret", clock=lambda: NOW)
    opened = stores.open(made[1].id)
    yield opened
    opened.close()
    stores.close()


def tamper(file: Path, sql: str) -> None:
    connection = apsw.Connection(str(file))
    connection.execute(sql)
    assert connection.changes() > 0
    connection.close()


@pytest.mark.parametrize("chunk", [500, 1, 3])
def test_what_the_stages_wrote_is_whole_in_chunks_of_any_size(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, chunk: int
) -> None:
    monkeypatch.setattr(trail, "CHUNK", chunk)
    found = walk(memory)
    assert (found.broken, found.entries) == (None, memory.ledger.head().journal_seq)
    assert {"remember", "seal", "extract", "resolve"} < {each.op for each in memory.ledger.journal_after(0, 1000)}
    assert journal_is_whole(memory, load_ontology()) == []


@pytest.mark.parametrize(
    ("sql", "told"),
    [
        ("UPDATE utterances SET text = 'Forged.' WHERE seq = 7", "utterance 7 was altered"),
        ("UPDATE utterances SET text = 'Forged.', content_hash = 'x' WHERE seq = 7", "utterance 7 was altered"),
        ("UPDATE utterances SET recorded_at = recorded_at - 1 WHERE seq = 7", "utterance 7 was altered"),
        ("DELETE FROM utterances WHERE seq = 7", "utterance 7, which it appended, is gone"),
        (
            "INSERT INTO utterances SELECT 8, 'x', session, speaker, role, 'Forged.', said_at, salience, tags,"
            " metadata, recorded_at, content_hash, scored FROM utterances WHERE seq = 7",
            "utterance 8: no journal entry tells of it",
        ),
        ("UPDATE novelty SET score = 1 WHERE seq = 3", "novelty score of utterance 3"),
        ("DELETE FROM novelty WHERE seq = 3", "novelty score of utterance 3"),
        ("UPDATE assertions SET body = replace(body, 'Lisbon', 'Tokyo')", "assertions are not those"),
        ("DELETE FROM assertions WHERE seq = 3", "is gone"),
        (
            "INSERT INTO assertions SELECT 'forged', utterance_id, 999, said_at, subject_key, predicate, object_key,"
            " body FROM assertions LIMIT 1",
            "assertions are stored, the journal tells of",
        ),
        ("UPDATE facts SET object_key = 'tokyo'", "which it opened, was altered"),
        ("UPDATE facts SET confidence = 10 WHERE recorded_to IS NOT NULL", "which it opened, was altered"),
        ("UPDATE facts SET recorded_from = recorded_from - 1", "which it opened, was altered"),
        ("UPDATE facts SET recorded_to = recorded_to + 1 WHERE recorded_to IS NOT NULL", "names it, and it tells"),
        ("UPDATE facts SET recorded_to = NULL, closed_by = NULL WHERE closed_by IS NOT NULL", "is not closed"),
        (
            "UPDATE facts SET closed_by = opened_by + 1, recorded_to = recorded_from + 1 WHERE closed_by IS NULL",
            "names it, and it tells",
        ),
        ("DELETE FROM facts WHERE closed_by IS NULL", "which it opened, is gone"),
        (
            "UPDATE facts SET version_id = version_id || 'x', closed_by = 9999, recorded_to = 5 WHERE version_id ="
            " (SELECT min(version_id) FROM facts)",
            "which it opened, is gone",
        ),
        ("UPDATE slots SET hash = 'x' WHERE hash <> ''", "hashes of slots"),
        ("UPDATE decisions SET winner = 'x'", "decisions about slot"),
        ("DELETE FROM decisions", "decisions about slot"),
        ("UPDATE entity_states SET name = 'Berta' WHERE name = 'Anna'", "is not what the journal made it"),
        ("DELETE FROM entity_states WHERE name = 'Anna'", "is gone, as journal entry"),
        ("UPDATE entity_states SET recorded_to = recorded_to - 1 WHERE closed_by IS NOT NULL", "is not what"),
        ("UPDATE entity_states SET closed_by = 9999, recorded_to = 1 << 60 WHERE name = 'Anna'", "is not what"),
        ("DELETE FROM entity_names WHERE key = 'lisbon'", "names of entities"),
        ("INSERT INTO flips VALUES (9999, 2, 5)", "which generation served when"),
        ("UPDATE items SET text = replace(text, 'rice', 'meat') WHERE kind = 'utterance'", "item of utterance 7 does"),
        ("UPDATE items SET speaker = 'Ben' WHERE seq = 3 AND kind = 'utterance'", "item of utterance 3 does"),
        ("UPDATE items SET said_at = 1 WHERE seq = 3 AND kind = 'utterance'", "item of utterance 3 does"),
        ("UPDATE items SET session = 'x' WHERE seq = 3 AND kind = 'utterance'", "item of utterance 3 does"),
        ("UPDATE items SET metadata = '{\"x\": 1}' WHERE seq = 3 AND kind = 'utterance'", "item of utterance 3 does"),
        ("UPDATE items SET retired = 1 WHERE seq = 3 AND kind = 'utterance'", "item of utterance 3 does"),
        ("UPDATE items SET kind = 'fact' WHERE seq = 3 AND kind = 'utterance'", "item of utterance 3 does"),
        ("DELETE FROM items WHERE seq = 3 AND kind = 'utterance'", "item of utterance 3 is gone"),
        (
            "UPDATE items SET text = replace(text, 'Braga', 'Tokyo') WHERE kind = 'fact'",
            "does not say what the fact says",
        ),
        (
            "UPDATE items SET text = text || ' It was stolen.' WHERE kind = 'fact' AND retired",
            "does not say what the fact says",
        ),
        ("UPDATE items SET speaker = 'Ben' WHERE kind = 'fact'", "does not say what the fact says"),
        ("UPDATE items SET said_at = said_at + 1 WHERE kind = 'fact'", "does not say what the fact says"),
        ("UPDATE items SET ref = 'x' WHERE kind = 'fact'", "does not say what the fact says"),
        ("UPDATE items SET retired = 0 WHERE kind = 'fact' AND retired", "does not say what the fact says"),
        ("UPDATE items SET retired = 1 WHERE kind = 'fact' AND NOT retired", "does not say what the fact says"),
        ("DELETE FROM items WHERE kind = 'fact' AND retired", "is gone"),
        (
            "INSERT INTO items SELECT 'forged', 'summary', ref, seq, 'Forged.', session, speaker, said_at, pooled,"
            " tokens, token_ids, provisional, index_version, salience, metadata, revision, retired FROM items"
            " WHERE seq = 3 LIMIT 1",
            "index items are stored",
        ),
        ("DELETE FROM mentions", "the count of a name that assertions mention is gone"),
        ("UPDATE mentions SET count = count + 1 WHERE key = 'lisbon'", "how often a name was mentioned"),
        ("UPDATE mentions SET first_seq = 0 WHERE key = 'lisbon'", "how often a name was mentioned"),
    ],
)
def test_an_altered_row_is_found(memory: Memory, file: Path, sql: str, told: str) -> None:
    tamper(file, sql)
    found = walk(memory)
    assert found.broken is not None
    assert told in found.broken
    assert len(journal_is_whole(memory, load_ontology())) == 1


def test_facts_that_changed_after_the_index_was_written_are_no_tampering(memory: Memory) -> None:
    say(memory, "I moved to Faro in August 2026.", "2026-09-02T10:00:00Z")
    say(memory, "My sister's name is Berta, not Anna.", "2026-09-03T10:00:00Z")
    extract_pending(memory, build_extractor(("rules",)), routes=ALL, origin=ORIGIN, clock=lambda: NOW)
    derive_pending(memory, load_ontology(), routes=ALL, origin=ORIGIN, clock=lambda: NOW)
    assert walk(memory).broken is None
    process(memory)
    assert any("Berta" in item.text for item in memory.ledger.items_after(0) if item.kind == "fact")
    assert any("Anna" in item.text for item in memory.ledger.items_after(0, retired=True))
    assert walk(memory).broken is None


def test_sentences_of_an_older_wording_are_no_tampering_where_they_name_both_ends(
    memory: Memory, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wording, "RULES", "of a later release")
    monkeypatch.setattr(told_items, "sentence", lambda *_: "Another sentence.")
    assert walk(memory).broken is None
    tamper(file, "UPDATE items SET text = replace(text, 'Braga', 'Tokyo') WHERE kind = 'fact'")
    assert "does not say what the fact says" in (walk(memory).broken or "")


@pytest.mark.parametrize("place", ["-1", "3", "9999"])
def test_a_forged_version_is_found_wherever_it_says_it_came_from(memory: Memory, file: Path, place: str) -> None:
    connection = apsw.Connection(str(file))
    names = [row[1] for row in connection.execute("PRAGMA table_info(facts)").fetchall()]
    values = {"version_id": "'forged'", "opened_by": place}
    columns = ", ".join(values.get(name, name) for name in names)
    connection.execute(
        f"INSERT INTO facts ({', '.join(names)}) SELECT {columns} FROM facts WHERE closed_by IS NULL LIMIT 1"
    )
    connection.close()
    found = walk(memory)
    assert found.broken is not None
    assert "fact version forged names" in found.broken


def test_a_journal_that_goes_on_beside_the_walk_is_no_tampering(memory: Memory, file: Path) -> None:
    class WithWriter:
        """The ledger, into which another connection writes while its journal is read."""

        def __init__(self) -> None:
            self.before = memory.ledger

        def __getattr__(self, name: str) -> object:
            return getattr(self.before, name)

        def journal_after(self, seq: int, limit: int) -> object:
            found = self.before.journal_after(seq, limit)
            samples.record(writer, "test", now=NOW)
            return found

    stores = SqliteStores(file.parent.parent, b"secret", clock=lambda: NOW)
    writer = stores.open(memory.info.id)
    entries = memory.ledger.head().journal_seq
    memory.ledger = WithWriter()  # type: ignore[assignment]
    found = walk(memory)
    assert (found.broken, found.entries) == (None, entries)
    assert writer.ledger.head().journal_seq > entries
    writer.close()
    stores.close()


def test_a_longer_journal_in_the_place_of_the_witnessed_one_is_found(memory: Memory) -> None:
    head = memory.ledger.head()
    assert walk(memory, (head.journal_seq, head.journal_hash)).broken is None
    told = walk(memory, (5, "another hash"))
    assert (told.entries, told.broken) == (
        4,
        "journal entry 5: is not the one that was witnessed; the journal was replaced",
    )
    longer = walk(memory, (head.journal_seq + 2, "x")).broken
    assert longer is not None
    assert longer.startswith(f"journal entry {head.journal_seq + 1}: {head.journal_seq + 2} entries were witnessed")


@pytest.mark.parametrize("op", ["remember", "seal", "score", "extract", "resolve"])
def test_a_payload_of_another_form_is_told_and_nothing_breaks(memory: Memory, op: str) -> None:
    with memory.transaction():
        journal.record(memory.ledger, [Change(op=op, payload={})], origin=ORIGIN, at=NOW * 2)
    broken = walk(memory).broken
    assert broken is not None
    assert "its payload is not of the form" in broken
