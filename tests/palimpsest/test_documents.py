"""A document from the file to its facts: evidence of its own authority, found by recall, and never twice."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.palimpsest.conftest import Command, command_in
from tests.utterances.making_pdf import pdf

GUIDE = """\
# Company handbook

Nordwind was founded by Carla Reis. The capital of Portugal is Lisbon. I live in Rome.
Ben works at Nordwind since 2019.

## Home addresses

Ana lives in Porto.

| Name | City |
|------|------|
| Eve | Oslo |
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("documents")


@pytest.fixture(scope="module")
def run(folder: Path) -> Command:
    """The command on a home in which Ana spoke, and a handbook was read."""
    run = command_in(folder)
    said = [("2026-03-01T10:00:00Z", "My name is Ana. I live in Lisbon."), ("2026-03-02T10:00:00Z", "Hello again!")]
    (folder / "said.jsonl").write_text(
        "".join(json.dumps({"text": text, "said_at": at, "speaker": "Ana"}) + "\n" for at, text in said)
    )
    (folder / "handbook.md").write_text(GUIDE)
    assert run("init").code == 0
    assert run("ingest", "said.jsonl", "--user", "ana").code == 0
    done = run("ingest", "handbook.md", "--user", "ana", "--json")
    assert (done.code, done.err, done.json["new"]) == (0, "", 3)
    done = run("materialise", "--all")
    assert (done.code, done.err) == (0, "")
    return run


def facts(run: Command, *words: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = run("facts", "--user", "ana", "--json", *words).json["facts"]
    return found


def test_what_it_says_is_believed_with_its_authority_and_without_a_beginning(run: Command) -> None:
    (capital,) = facts(run, "--predicate", "capital")
    assert (capital["authority"], capital["valid_from"], capital["valid_to"]) == ("document", None, None)
    (works,) = facts(run, "--predicate", "works_at", "--subject", "Ben")
    assert (works["authority"], works["valid_from"]) == ("document", "2019-01-01T00:00:00Z")


def test_whose_own_word_it_is_beats_the_document(run: Command) -> None:
    assert [(each["object"]["name"], each["authority"]) for each in facts(run, "--predicate", "lives_in")] == [
        ("Lisbon", "user")
    ]


def test_its_i_is_nobody_and_its_tables_state_nothing(run: Command) -> None:
    assert not [each for each in facts(run) if each["object"].get("name") in ("Rome", "Oslo")]


def test_recall_finds_its_chunks_with_where_they_stand(run: Command) -> None:
    found = run("recall", "Who founded Nordwind?", "--user", "ana", "--json").json["results"]
    chunk = next(each for each in found if each["kind"] == "document")
    assert (chunk["speaker"], chunk["metadata"]["heading"]) == ("Company handbook", "Company handbook")
    assert (chunk["metadata"]["document"], chunk["metadata"]["chunk"]) == ("handbook.md", 1)
    (founded,) = facts(run, "--subject", "Nordwind")
    assert founded["id"] in chunk["facts"]
    assert {each["kind"] for each in found} >= {"document", "fact"}


def test_lineage_leads_to_the_words_of_the_document(run: Command) -> None:
    (founded,) = facts(run, "--subject", "Nordwind")
    (read,) = run("lineage", "--user", "ana", founded["id"], "--json").json["assertions"]
    start, end = read["span"]
    assert read["utterance"]["text"][start:end] == "Nordwind was founded by Carla Reis."
    assert read["utterance"]["speaker"] == "Company handbook"


def test_the_same_bytes_are_known_under_any_name_and_date(run: Command, folder: Path) -> None:
    (folder / "copy.md").write_text(GUIDE)
    os.utime(folder / "copy.md", (1, 1))
    for name in ("handbook.md", "copy.md"):
        done = run("ingest", name, "--user", "ana", "--json")
        assert (done.code, done.json["new"], done.json["known"], done.json["problems"]) == (0, 0, 3, [])


def test_a_changed_document_is_new_evidence(run: Command, folder: Path) -> None:
    (folder / "changed.md").write_text(GUIDE.replace("Carla Reis", "Dora Lima"))
    assert run("ingest", "changed.md", "--user", "ana", "--json").json["new"] == 3


def test_all_of_it_holds_against_the_journal(run: Command) -> None:
    assert run("verify", "--user", "ana").code == 0


def test_a_document_goes_into_a_memory_of_several_speakers_too(run: Command, folder: Path) -> None:
    (folder / "chat.txt").write_text("[2026-03-14, 18:04] Ana: I live in Lisbon.\n")
    assert run("ingest", "chat.txt", "--user", "friends").code == 0
    (folder / "note.pdf").write_bytes(pdf([["Ben lives in Porto."]]))
    done = run("ingest", "note.pdf", "--user", "friends", "--json")
    assert (done.code, done.json["new"]) == (0, 1)
    assert run("ingest", "chat.txt", "--user", "friends").code == 0


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [("a.pdf", b"%PDF-1.4 broken", "no PDF"), ("a.html", b"<div>" * 9_000, "nested"), ("a.md", b"\xff", "UTF-8")],
)
def test_what_cannot_be_read_leaves_nothing(
    palimpsest: Command, tmp_path: Path, name: str, content: bytes, said: str
) -> None:
    assert palimpsest("init").code == 0
    (tmp_path / name).write_bytes(content)
    done = palimpsest("ingest", tmp_path / name, "--user", "ana")
    assert (done.code, said in done.err, name in done.err) == (1, True, True)
    assert palimpsest("status", "--json").json["memories"] == []


def test_a_plain_text_is_a_document_where_it_is_called_one(palimpsest: Command, tmp_path: Path) -> None:
    assert palimpsest("init").code == 0
    (tmp_path / "notes.txt").write_text("Porto is a city in Portugal.")
    assert palimpsest("ingest", tmp_path / "notes.txt", "--user", "ana").code == 1
    done = palimpsest("ingest", tmp_path / "notes.txt", "--user", "ana", "--format", "document", "--json")
    assert (done.code, done.json["new"]) == (0, 1)
