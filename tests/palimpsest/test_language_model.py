"""A language model as one more reader, from the settings to the facts, through Dagster."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.palimpsest.conftest import Command, command_in
from tests.resources.chat_endpoint import Answer, Endpoint, serving

SAID = ["I live in Porto.", "I untangle torches in the park.", "My sister is a nurse."]
ANSWER = json.dumps(
    {
        "statements": [
            {"text": 1, "subject": "I", "predicate": "lives_in", "object": "Porto", "negated": False, "when": "now"},
            {"text": 2, "subject": "I", "predicate": "untangles", "object": "torches", "negated": False, "when": "now"},
            {"text": 3, "subject": "I", "predicate": "lives_in", "object": "Lisbon", "negated": False, "when": "now"},
        ]
    }
)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    file = tmp_path / "said.jsonl"
    lines = [{"text": text, "said_at": f"2026-05-30T18:0{n}:00Z", "speaker": "Ana"} for n, text in enumerate(SAID)]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    run = command_in(tmp_path)
    assert run("init").code == 0
    assert run("ingest", file, "--user", "ana").code == 0
    return run


def facts_with(endpoint: Endpoint, run: Command, monkeypatch: pytest.MonkeyPatch) -> dict[str, dict[str, Any]]:
    """By predicate and object, after a run that asks this endpoint."""
    monkeypatch.setenv("PALIMPSEST_LLM_URL", endpoint.url)
    monkeypatch.setenv("PALIMPSEST_LLM_MODEL", "tiny")
    monkeypatch.setenv("PALIMPSEST_LLM_RETRIES", "0")
    done = run("materialise", "--all", "--json")
    assert (done.code, done.err) == (0, "")
    found = run("facts", "--user", "ana", "--json").json["facts"]
    return {f"{each['predicate']} {each['object'].get('name')}": each for each in found}


def test_what_it_reads_joins_what_the_others_read(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(ANSWER) as endpoint:
        found = facts_with(endpoint, run, monkeypatch)
    assert len(endpoint.asked) == 1
    assert (found["lives_in Porto"]["authority"], found["untangles torches"]["authority"]) == ("user", "model")
    assert found["untangles torches"]["confidence"] == 0.4
    assert found["lives_in Porto"]["confidence"] > 0.97
    assert "lives_in Lisbon" not in found
    (read,) = run("lineage", "--user", "ana", found["untangles torches"]["id"], "--json").json["assertions"]
    assert (read["extractor"], "tiny-" in read["extractor_version"]) == ("language_model", True)


def test_its_failure_leaves_what_the_others_read(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(Answer(status=500)) as endpoint:
        found = facts_with(endpoint, run, monkeypatch)
    assert endpoint.asked
    assert found["lives_in Porto"]["authority"] == "user"
    assert "untangles torches" not in found
    assert run("status", "--json").json["memories"][0]["waiting"] == {}


def test_a_key_that_is_missing_is_named_and_nothing_is_lost(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(ANSWER) as endpoint:
        monkeypatch.setenv("PALIMPSEST_LLM_API_KEY_ENV", "PALIMPSEST_TEST_KEY")
        monkeypatch.setenv("PALIMPSEST_LLM_URL", endpoint.url)
        monkeypatch.setenv("PALIMPSEST_LLM_MODEL", "tiny")
        done = run("materialise", "--all")
        assert (done.code, "PALIMPSEST_TEST_KEY is not set" in done.err) == (1, True)
        assert endpoint.asked == []
        monkeypatch.setenv("PALIMPSEST_TEST_KEY", "s3cret-key")
        assert "untangles torches" in facts_with(endpoint, run, monkeypatch)
    assert set(endpoint.keys) == {"Bearer s3cret-key"}
    written = b"".join(
        each.read_bytes() for each in Path(run("status", "--json").json["home"]).rglob("*") if each.is_file()
    )
    assert b"s3cret" not in written


def test_a_second_reading_tells_what_was_missed_and_goes_on(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(ANSWER) as endpoint:
        assert run("materialise", "--all").code == 0
        monkeypatch.setenv("PALIMPSEST_LLM_URL", endpoint.url)
        monkeypatch.setenv("PALIMPSEST_LLM_MODEL", "tiny")
        monkeypatch.setenv("PALIMPSEST_LLM_BATCH", "2")
        endpoint.answers = [*endpoint.answers, Answer(status=403)]
        cut_off = run("rebuild", "--read-again")
        endpoint.answers = endpoint.answers[:1]
        assert cut_off.code == 1
        assert "generation 2 serves" in cut_off.out
        assert "1 utterance left as read before" in cut_off.err
        assert "palimpsest rebuild --read-again" in cut_off.err
        assert "but for 1" in run("generations", "--user", "ana").out
        whole = run("rebuild", "--read-again", "--user", "ana", "--json")
    assert (whole.code, whole.json[0]["rebuilt"]["read_again"], whole.json[0]["rebuilt"]["missed"]) == (0, 1, 0)
    assert len(endpoint.asked) == 3
