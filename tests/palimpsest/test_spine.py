"""From a file to an answer with its lineage, through Dagster, with the command as people run it."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.palimpsest.conftest import Command, Done, command_in

SAID = [
    ("2025-03-02T18:00:00Z", "I live in Porto."),
    ("2025-03-02T18:01:00Z", "My dog is called Max."),
    ("2025-03-03T09:00:00Z", "haha"),
    ("2025-05-30T18:04:00Z", "I moved to Lisbon this month."),
    ("2025-06-02T08:00:00Z", "Lisbon suits me: I live in Lisbon and I love it."),
]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Command:
    """The command on a home in which all was ingested and materialised once."""
    folder = tmp_path_factory.mktemp("spine")
    run = command_in(folder)
    file = folder / "chat.jsonl"
    file.write_text("".join(json.dumps({"text": text, "said_at": at, "speaker": "Ana"}) + "\n" for at, text in SAID))
    assert run("init").code == 0
    assert run("ingest", file, "--user", "ana").code == 0
    done = run("materialise", "--all", "--json")
    assert (done.code, done.err) == (0, "")
    (shard,) = done.json["shards"]
    assert (shard["success"], shard["failed_memories"], shard["counts"]["utterances"]) == (True, 0, len(SAID))
    return run


def facts(run: Command, *words: str) -> list[dict[str, Any]]:
    done = run("facts", "--user", "ana", *words, "--json")
    assert (done.code, done.err) == (0, "")
    found: list[dict[str, Any]] = done.json["facts"]
    return found


def homes(run: Command, *words: str) -> list[str]:
    return [fact["object"]["name"] for fact in facts(run, "--predicate", "lives_in", *words)]


def test_nothing_waits_any_more(run: Command) -> None:
    (memory,) = run("status", "--json").json["memories"]
    assert (memory["user"], memory["waiting"]) == ("ana", {})
    assert memory["watermark"] == {"log": len(SAID), "graph": len(SAID)}


def test_materialising_again_changes_nothing(run: Command) -> None:
    before = run("state-hash", "--user", "ana").out
    done = run("materialise")
    assert (done.code, "Nothing waits" in done.out) == (0, True)
    assert run("state-hash", "--user", "ana").out == before
    assert re.fullmatch(r"[0-9a-f]{64}\n", before)


def test_facts_are_as_of_two_times(run: Command) -> None:
    assert homes(run) == ["Lisbon"]
    assert homes(run, "--valid-at", "2025-04-01") == ["Porto"]
    assert homes(run, "--valid-at", "2025-04-01T00:00:00+01:00") == ["Porto"]
    assert homes(run, "--known-at", "2001-01-01") == []


def test_before_the_first_belief_it_is_said_when_that_was(run: Command) -> None:
    shown = run("facts", "--user", "ana", "--known-at", "2001-01-01")
    (first,) = re.findall(r"This memory learned its first fact at (\S+)\.\n", shown.out)
    assert first == min(fact["recorded_from"] for fact in facts(run))
    assert "first fact" not in run("facts", "--user", "ana", "--predicate", "owns").out


def test_a_known_time_to_come_is_called_so(run: Command) -> None:
    for words in (("facts",), ("ask", "Where does Ana live?")):
        done = run(*words, "--user", "ana", "--known-at", "2999-01-01")
        assert (done.code, "lies in the future" in done.err, "Lisbon" in done.out) == (0, True, True)


def test_the_table_of_facts_explains_itself_and_leaves_out_what_says_nothing(run: Command) -> None:
    shown = run("facts", "--user", "ana").out
    assert "Max name Max" not in shown
    assert {fact["predicate"] for fact in facts(run)} >= {"name", "lives_in"}
    assert "Left out: 1 name that repeats the subject's" in shown
    assert "by: known to hold since then at the latest" in shown
    assert "user: by their own words; ×: how often" in shown
    assert "Max name Max" in run("facts", "--user", "ana", "--predicate", "name").out


def test_questions_are_answered_from_the_graph(run: Command) -> None:
    now = run("ask", "Where does Ana live?", "--user", "ana", "--json").json
    assert (now["known"], now["answer"], now["route"]) == (True, "Lisbon", "fact")
    then = run("ask", "Where does Ana live?", "--user", "ana", "--valid-at", "2025-04-01", "--json").json
    assert then["answer"] == "Porto"
    shown = run("ask", "Where does Ana live?", "--user", "ana")
    assert (shown.code, shown.out.splitlines()[0].strip()) == (0, "Lisbon")


def test_a_recalled_utterance_names_the_facts_it_supports(run: Command) -> None:
    (fact,) = facts(run, "--predicate", "lives_in")
    found = run("recall", "suits me", "--user", "ana", "--json").json["results"]
    supporting = [each for each in found if each["kind"] == "utterance" and fact["id"] in each["facts"]]
    assert {each["text"] for each in supporting} == {SAID[3][1], SAID[4][1]}


def test_a_fact_is_found_by_the_beginning_of_its_id(run: Command) -> None:
    (fact,) = facts(run, "--predicate", "lives_in")
    whole = run("history", fact["id"], "--json")
    assert (whole.code, whole.err) == (0, "")
    assert run("history", fact["id"][:10], "--json") == whole
    assert run("history", fact["id"][:10].upper(), "--user", "ana", "--json") == whole


@pytest.mark.parametrize("command", ["history", "lineage"])
@pytest.mark.parametrize("fact", ["abc", "xyzw", "ffffffffffffffffffffffffffffffff", "ffff0000ff"])
def test_an_id_that_leads_nowhere_is_explained(run: Command, command: str, fact: str) -> None:
    done = run(command, fact)
    assert (done.code, done.out) == (1, "")
    assert fact in done.err


def test_lineage_leads_to_words_runs_and_journal(run: Command) -> None:
    (fact,) = facts(run, "--predicate", "lives_in")
    lineage = run("lineage", fact["id"], "--json").json
    assert lineage["fact"] == fact
    texts = [each["utterance"]["text"] for each in lineage["assertions"] if each["bearing"] == "supports"]
    assert texts == [SAID[3][1], SAID[4][1]]
    assert [each["asset"] for each in lineage["runs"]] == [
        "utterances",
        "novelty_scores",
        "extracted_triples",
        "temporal_graph",
        "embedding_index",
    ]
    assert {each["run_id"] for each in lineage["runs"]} == {each["run_id"] for each in lineage["journal"]}
    assert all(each["code_version"] and each["data_version"] for each in lineage["runs"])
    shown = run("lineage", fact["id"])
    assert shown.code == 0
    for words in ("Ana lives_in Lisbon", SAID[3][1], lineage["runs"][0]["run_id"], "journal"):
        assert words in shown.out


def test_an_utterance_shows_its_score_and_what_came_of_it(run: Command) -> None:
    (fact,) = facts(run, "--predicate", "lives_in")
    spoken = run("lineage", fact["id"], "--json").json["assertions"][0]["utterance"]
    found = run("utterance", spoken["id"], "--user", "ana", "--json").json
    assert (found["text"], found["waits"]) == (spoken["text"], [])
    assert fact["id"] in found["facts"]
    shown = run("utterance", spoken["id"], "--user", "ana")
    assert shown.code == 0
    for words in (spoken["text"], f"route {found['novelty']['route']}", next(iter(found["novelty"]["points"]))):
        assert words in shown.out
    missing = run("utterance", "nowhere", "--user", "ana")
    assert (missing.code, missing.out) == (1, "")
    assert "no utterance of this id" in missing.err


def test_the_history_of_the_old_home_names_the_decision(run: Command) -> None:
    (porto,) = facts(run, "--predicate", "lives_in", "--valid-at", "2025-04-01")
    versions = run("history", porto["id"], "--json").json["versions"]
    assert versions[-1]["fact"]["valid_to"] == "2025-05-01T00:00:00Z"
    assert versions[-1]["decisions"][0]["rule"] == "later_valid_from"
    assert "believed now" in run("history", porto["id"]).out


def test_the_journal_verifies(run: Command) -> None:
    done = run("verify", "--user", "ana", "--json")
    assert (done.code, done.json["whole"]) == (0, True)


def test_another_shard_is_named_and_an_unknown_one_refused(run: Command) -> None:
    done: Done = run("materialise", "--shard", "shard-99")
    assert done.code == 1
    assert "shard-99" in done.err


def test_tables_fit_a_narrow_terminal(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for words in (("facts", "--user", "ana"), ("recall", "home", "--user", "ana"), ("status",)):
        shown = run(*words)
        assert shown.code == 0
        assert max(len(line) for line in shown.out.splitlines()) <= 80
        assert "…" not in shown.out


def test_a_home_can_be_moved(run: Command, tmp_path: Path) -> None:
    """Nothing in it holds its own path, so a copy of the folder is a copy of all memories."""
    import shutil

    shutil.copytree(run("init", "--json").json["home"], tmp_path / "home")
    assert command_in(tmp_path)("state-hash", "--user", "ana").out == run("state-hash", "--user", "ana").out
