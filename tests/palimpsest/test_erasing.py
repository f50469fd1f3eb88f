"""erase --utterance and --session: a part of a memory gone from every file of the home, and the proof of it."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.palimpsest.conftest import Command, command_in

SAID = [
    {"id": "u1", "session": "s1", "text": "I live in Porto.", "said_at": "2026-01-01T10:00:00Z"},
    {"id": "u2", "session": "s1", "text": "I moved to Quarkington in May 2026.", "said_at": "2026-06-01T10:00:00Z"},
    {"id": "u3", "session": "s2", "text": "My sister Zebedea works at Acme.", "said_at": "2026-06-02T10:00:00Z"},
    {"id": "u4", "session": "s2", "text": "She likes jazz.", "said_at": "2026-06-03T10:00:00Z"},
]


@pytest.fixture
def told(palimpsest: Command, tmp_path: Path) -> Command:
    """Ana's memory after all stages ran through Dagster, so that its storage is there too."""
    assert palimpsest("init").code == 0
    file = tmp_path / "ana.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in SAID))
    assert palimpsest("ingest", file, "--user", "ana").code == 0
    materialise(tmp_path)
    return palimpsest


def materialise(folder: Path) -> None:
    """In a process of its own, as people run it."""
    done = command_in(folder)("materialise", "--all")
    assert done.code == 0, done.err


def holding(home: Path, words: str) -> list[str]:
    done = subprocess.run(["grep", "-rail", words, str(home)], capture_output=True, text=True, check=False)
    return done.stdout.splitlines()


def test_an_erased_utterance_is_in_no_file_of_the_home_and_the_rest_is_whole(
    told: Command, home: Path, tmp_path: Path
) -> None:
    checkpoint = told("checkpoint", "--json").json["file"]
    assert holding(home, "quarkington") != []
    done = told("erase", "--user", "ana", "--utterance", "u2", "--yes")
    assert done.code == 0, done.err
    assert (done.json["scope"], done.json["erased"]["utterances"]) == ("utterances", 1)
    assert holding(home, "quarkington") == []
    assert told("verify", "--user", "ana").code == 0
    materialise(tmp_path)
    assert holding(home, "quarkington") == []
    assert told("verify", "--user", "ana").code == 0
    assert told("verify", "--checkpoint", checkpoint).code == 0
    (porto,) = told("facts", "--user", "ana", "--predicate", "lives_in", "--json").json["facts"]
    assert (porto["object"]["name"], porto["valid_to"]) == ("Porto", None)
    certificate = tmp_path / "certificate.json"
    certificate.write_text(done.out)
    assert told("verify", "--certificate", certificate).code == 0
    key = home / "checkpoints" / "verifying.pem"
    (tmp_path / "elsewhere").mkdir()
    elsewhere = command_in(tmp_path / "elsewhere")  # where there is no home: the file and the public key are enough
    assert elsewhere("verify", "--certificate", certificate, "--key", key).code == 0
    certificate.write_text(done.out.replace('"utterances": 1', '"utterances": 2').replace(":1,", ":2,"))
    assert told("verify", "--certificate", certificate).code == 1
    assert elsewhere("verify", "--certificate", certificate, "--key", key).code == 1


def test_a_session_goes_and_an_export_of_the_rest_can_be_imported(told: Command, home: Path, tmp_path: Path) -> None:
    assert told("erase", "--user", "ana", "--session", "s2", "--yes").code == 0
    for trace in ("zebedea", "acme", "jazz"):
        assert holding(home, trace) == []
    file = tmp_path / "export.jsonl"
    assert told("export", "--user", "ana", "--out", file).code == 0
    assert "zebedea" not in file.read_text().casefold()
    assert told("import", file, "--user", "bo").code == 0
    materialise(tmp_path)
    hashes = [told("state-hash", "--user", user, "--json").json["state_hash"] for user in ("ana", "bo")]
    assert hashes[0] == hashes[1]
    assert told("verify").code == 0


def test_nothing_is_erased_without_yes_or_under_a_name_that_is_not_there(told: Command) -> None:
    assert "--yes" in told("erase", "--user", "ana", "--utterance", "u2").err
    assert "u9" in told("erase", "--user", "ana", "--utterance", "u2", "--utterance", "u9", "--yes").err
    assert "one kind" in told("erase", "--user", "ana", "--utterance", "u2", "--session", "s2", "--yes").err
    assert told("facts", "--user", "ana", "--subject", "zebedea", "--json").json["facts"] != []
