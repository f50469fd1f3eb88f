"""export and import: everything that is kept of a person in one file, and the same evidence somewhere else."""

import json
from pathlib import Path

import pytest

from kg_assets.journal import first_broken
from kg_assets.model import JournalEntry
from kg_assets.text.instants import parse_instant
from kg_assets.utterances.intake import FIELDS, check
from kg_assets.utterances.sealing import hash_of
from tests.palimpsest.conftest import Command
from tests.palimpsest.test_curating import derive

SAID = [
    {"text": "I live in Porto.", "said_at": "2025-03-02T18:00:00Z", "tags": ["home"], "metadata": {"n": 1}},
    {"text": 'Grüße \u202e🙂 "quoted"', "said_at": "2025-03-02T18:01:00Z"},
    {"text": "I moved to Lisbon.", "said_at": "2025-05-30T18:00:00Z", "session": "s2"},
]
ASSERTED = [
    {"subject": "me", "predicate": "works_at", "object": "Nordwind", "valid_from": "2020", "authority": "user"},
    {"subject": "me", "predicate": "age", "object": 34, "said_at": "2025-01-01T00:00:00Z"},
]


@pytest.fixture
def file(palimpsest: Command, tmp_path: Path) -> Path:
    """An export of ana's memory: said, then asserted, then said again."""
    palimpsest("init")
    for number, lines in enumerate([SAID[:2], ASSERTED, SAID[2:]]):
        part = tmp_path / f"{number}.jsonl"
        part.write_text("".join(json.dumps(line) + "\n" for line in lines))
        assert palimpsest("assert" if lines is ASSERTED else "ingest", part, "--user", "ana").code == 0
    done = palimpsest("export", "--user", "ana", "--out", tmp_path / "ana.jsonl")
    assert done.code == 0
    return tmp_path / "ana.jsonl"


def lines_of(file: Path, kind: str) -> list[dict[str, object]]:
    return [line for line in map(json.loads, file.read_text().splitlines()) if line["kind"] == kind]


def test_an_export_holds_every_word_as_it_was_said(file: Path) -> None:
    said = lines_of(file, "utterance")
    assert [said[0]["text"], said[1]["text"], said[4]["text"]] == [line["text"] for line in SAID]
    assert (said[0]["tags"], said[0]["metadata"], said[4]["session"]) == (["home"], {"n": 1}, "s2")
    assert len(lines_of(file, "assertion")) == len(ASSERTED)


def test_an_export_tells_of_entities_as_they_are_and_how_much_they_matter(
    palimpsest: Command, file: Path, tmp_path: Path
) -> None:
    assert lines_of(file, "entity") == []
    derive()
    again = tmp_path / "again.jsonl"
    assert palimpsest("export", "--user", "ana", "--out", again).code == 0
    told = {str(line["name"]): line for line in lines_of(again, "entity")}
    assert (told["Nordwind"]["type"], told["Nordwind"]["mentions"]) == ("organisation", 1)
    assert 0 < float(str(told["Nordwind"]["importance"])) < 1


def test_an_export_is_for_its_owner_only_and_never_written_over(palimpsest: Command, file: Path) -> None:
    assert file.stat().st_mode & 0o777 == 0o600
    before = file.read_bytes()
    done = palimpsest("export", "--user", "ana", "--out", file)
    assert (done.code, "name another file" in done.err) == (1, True)
    assert file.read_bytes() == before


def test_the_hash_chain_can_be_checked_from_an_export_alone(file: Path) -> None:
    entries = []
    for line in lines_of(file, "journal"):
        payload = json.dumps(line["payload"], ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
        fields = {name: line[name] for name in JournalEntry.__struct_fields__ if name in line}
        at, salt = parse_instant(str(line["recorded_at"])), bytes.fromhex(str(line["salt"]))
        entries.append(JournalEntry(**{**fields, "recorded_at": at, "payload": payload, "salt": salt}))
    assert len(entries) > len(SAID)
    assert first_broken(entries) is None


def test_an_import_gives_the_same_evidence_in_the_same_order(palimpsest: Command, file: Path, tmp_path: Path) -> None:
    done = palimpsest("import", file, "--user", "bo", "--json")
    assert (done.code, done.json["new"], done.json["known"]) == (0, 5, 0)
    again = tmp_path / "bo.jsonl"
    assert palimpsest("export", "--user", "bo", "--out", again).code == 0
    old, new = lines_of(file, "utterance"), lines_of(again, "utterance")
    added = ("recorded_at", "novelty", "content_hash")  # the words of what was asserted may change with the ontology
    assert [{k: v for k, v in line.items() if k not in added} for line in new] == [
        {k: v for k, v in line.items() if k not in added} for line in old
    ]
    assert [line["object"] for line in lines_of(again, "assertion")] == ["Nordwind", {"value": 34, "type": "number"}]


def test_importing_again_changes_nothing(palimpsest: Command, file: Path) -> None:
    palimpsest("import", file, "--user", "bo")
    done = palimpsest("import", file, "--user", "bo", "--json")
    assert (done.code, done.json["new"], done.json["known"]) == (0, 0, 5)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I moved to Lisbon.", "I moved to London."),
        ('"speaker":"user","role":"user","text":"I live', '"speaker":"user","role":"other","text":"I live'),
        ('"op":"remember"', '"op":"recall"'),
        ('"score":', '"scare":'),
        ('"utterances":5', '"utterances":4'),
    ],
)
def test_a_file_that_was_altered_brings_nothing(palimpsest: Command, file: Path, old: str, new: str) -> None:
    content = file.read_text()
    assert old in content
    head, _, tail = content.rpartition(old)
    file.write_text(head + new + tail)
    done = palimpsest("import", file, "--user", "bo")
    assert (done.code, done.out) == (1, "")
    assert palimpsest("facts", "--user", "bo").code == 1


def test_a_forger_who_mends_the_hash_is_told_by_the_journal(palimpsest: Command, file: Path) -> None:
    lines = file.read_text().splitlines()
    for number, line in enumerate(lines):
        fields = json.loads(line)
        if fields["kind"] == "utterance" and fields["text"] == "I moved to Lisbon.":
            draft = check({name: fields[name] for name in FIELDS} | {"text": "I moved to London."}, where="")
            lines[number] = json.dumps(fields | {"text": draft.text, "content_hash": hash_of(draft)})
    file.write_text("\n".join(lines) + "\n")
    done = palimpsest("import", file, "--user", "bo")
    assert (done.code, "is not the one that its journal tells of" in done.err) == (1, True)


@pytest.mark.parametrize("damage", ["cut", "no header", "empty"])
def test_a_file_that_is_not_whole_brings_nothing(palimpsest: Command, file: Path, damage: str) -> None:
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join({"cut": lines[:-2], "no header": lines[1:], "empty": []}[damage]))
    done = palimpsest("import", file, "--user", "bo")
    assert done.code == 1
    assert "export" in done.err
    assert palimpsest("facts", "--user", "bo").code == 1
