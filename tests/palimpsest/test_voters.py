"""Which voters read is a setting, and what one of them has read is told by the lineage."""

import json
from pathlib import Path

import pytest

from tests.palimpsest.conftest import Command, command_in


@pytest.fixture
def run(tmp_path: Path) -> Command:
    file = tmp_path / "said.jsonl"
    line = {"text": "I engrave spoons in the park.", "said_at": "2026-05-30T18:00:00Z", "speaker": "Ana"}
    file.write_text(json.dumps(line) + "\n")
    run = command_in(tmp_path)
    assert run("init").code == 0
    assert run("ingest", file, "--user", "ana").code == 0
    return run


def test_every_clause_is_read_where_the_settings_say_so(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALIMPSEST_EXTRACTION_VOTERS", "rules,dependencies,open")
    assert run("materialise", "--all").code == 0
    facts = run("facts", "--user", "ana", "--json").json["facts"]
    (fact,) = [each for each in facts if each["object"].get("name") == "spoons"]
    assert (fact["predicate"], fact["confidence"]) == ("engraves", 0.5)
    (read,) = run("lineage", "--user", "ana", fact["id"], "--json").json["assertions"]
    assert read["extractor"] == "open"
    assert "/dependencies/open/rules/" in read["extractor_version"]


def test_what_was_read_by_fewer_voters_is_read_again(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("materialise", "--all").code == 0
    assert run("facts", "--user", "ana", "--json").json["facts"] == []
    monkeypatch.setenv("PALIMPSEST_EXTRACTION_VOTERS", "rules,dependencies,open")
    (done,) = run("rebuild", "--user", "ana", "--json").json
    assert (done["rebuilt"]["generation"], done["rebuilt"]["gained"]) == (2, 0)
    assert "1 utterance read by other voters or rules than today's (ana)" in run("status").out
    (done,) = run("rebuild", "--user", "ana", "--read-again", "--json").json
    assert (done["rebuilt"]["generation"], done["rebuilt"]["lost"]) == (3, 0)
    assert done["rebuilt"]["gained"] > 0
    assert "spoons" in run("facts", "--user", "ana").out
    assert run("status", "--json").json["memories"][0]["read_otherwise"] == 0
    assert run("verify", "--user", "ana").code == 0
    found = run("generations", "--user", "ana", "--json").json
    assert ["/open/" in each["reader"] for each in found] == [False, False, True]
    assert run("flip", "--user", "ana", "1").code == 0
    assert run("facts", "--user", "ana", "--json").json["facts"] == []


def test_a_parser_that_is_missing_is_named_and_nothing_is_lost(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALIMPSEST_EXTRACTION_PARSER", "en_core_web_huge")
    failed = run("materialise", "--all")
    assert failed.code != 0
    assert "en_core_web_huge is not installed" in failed.err
    assert run("status", "--json").json["memories"][0]["read_otherwise"] is None
    monkeypatch.delenv("PALIMPSEST_EXTRACTION_PARSER")
    assert run("materialise", "--all").code == 0
    assert run("status", "--json").json["memories"][0]["waiting"] == {}
