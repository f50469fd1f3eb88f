"""ingest: good lines are kept, bad ones are named, and doing it again changes nothing."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.palimpsest.conftest import Command


@pytest.fixture(autouse=True)
def a_home(palimpsest: Command) -> None:
    assert palimpsest("init").code == 0


def written(path: Path, *lines: Any) -> Path:
    """A file of JSON lines; a text stands as it is."""
    path.write_bytes(
        b"".join((each if isinstance(each, bytes) else json.dumps(each).encode()) + b"\n" for each in lines)
    )
    return path


def said(text: str, **fields: Any) -> dict[str, Any]:
    return {"text": text, "said_at": "2026-05-30T18:04:00Z", "speaker": "Ana", **fields}


def test_what_was_ingested_is_found_by_recall(palimpsest: Command, tmp_path: Path) -> None:
    file = written(tmp_path / "chat.jsonl", said("I moved to Lisbon."), said("My dog is called Max."))
    done = palimpsest("ingest", file, "--user", "ana")
    assert (done.code, done.err) == (0, "")
    assert "ana: 2 new, 0 already known" in done.out
    found = palimpsest("recall", "dog", "--user", "ana", "-k", 1, "--json").json
    assert [each["text"] for each in found["results"]] == ["My dog is called Max."]
    assert found["watermark"] == {"log": 2, "graph": 0}
    assert "My dog is called Max." in palimpsest("recall", "dog", "--user", "ana").out


def test_a_second_ingest_changes_nothing_and_says_so(palimpsest: Command, tmp_path: Path) -> None:
    file = written(tmp_path / "chat.jsonl", *(said(f"I had soup number {n}.") for n in range(300)))
    assert "300 new, 0 already known" in palimpsest("ingest", file, "--user", "ana").out
    before = palimpsest("verify", "--json").json
    assert "0 new, 300 already known" in palimpsest("ingest", file, "--user", "ana").out
    assert palimpsest("verify", "--json").json == before


def test_the_report_has_the_fields_of_the_contract(palimpsest: Command, tmp_path: Path) -> None:
    file = written(tmp_path / "chat.jsonl", said("I moved to Lisbon.", id="u-1"))
    report = palimpsest("ingest", file, "--user", "ana", "--json").json
    (utterance,) = report["utterances"]
    assert (utterance["user"], utterance["id"]) == ("ana", "u-1")
    assert set(utterance["novelty"]) == {"score", "route", "parts", "conflicts"}
    assert report["watermark"] == {"log": 1, "graph": 0}
    assert (report["new"], report["known"], report["problems"]) == (1, 0, [])


def test_an_import_never_takes_the_immediate_path(palimpsest: Command, tmp_path: Path) -> None:
    file = written(tmp_path / "chat.jsonl", said("I moved from Porto to Lisbon with my wife Eva in May 2026."))
    report = palimpsest("ingest", file, "--user", "ana", "--json").json
    assert report["utterances"][0]["novelty"]["route"] in ("batch", "log")


def test_good_lines_are_kept_and_each_bad_one_is_named(palimpsest: Command, tmp_path: Path) -> None:
    file = written(
        tmp_path / "mixed.jsonl",
        said("The first is good."),
        b"{not json",
        b'{"text": "\xff", "said_at": "2026-05-30T18:04:00Z"}',
        said("No time.", said_at="2026-02-30T00:00:00Z"),
        said("Unknown field.", colour="red"),
        said("x" * 1_000_000),
        said("Nobody.", speaker=""),
        {"text": "never"},
        said("The last is good."),
    )
    done = palimpsest("ingest", file, "--user", "ana")
    assert done.code == 1
    assert "ana: 2 new" in done.out
    assert "7 problems: see above; all the rest was kept" in done.out
    for line in (2, 3, 4, 5, 6, 7, 8):
        assert f"mixed.jsonl:{line}: " in done.err
    texts = [each["text"] for each in palimpsest("recall", "good", "--user", "ana", "--json").json["results"]]
    assert sorted(texts) == ["The first is good.", "The last is good."]
    report = palimpsest("ingest", file, "--user", "ana", "--json")
    assert (report.code, report.json["known"], len(report.json["problems"])) == (1, 2, 7)


def test_where_no_line_is_good_nothing_is_said_to_be_kept(palimpsest: Command, tmp_path: Path) -> None:
    done = palimpsest("ingest", written(tmp_path / "bad.jsonl", said("x", colour="red")), "--user", "ana")
    assert (done.code, "1 problem: see above; nothing was kept" in done.out) == (1, True)


@pytest.mark.parametrize("empty", ["", "  "])
def test_an_empty_question_is_called_so(palimpsest: Command, tmp_path: Path, empty: str) -> None:
    palimpsest("ingest", written(tmp_path / "chat.jsonl", said("I moved to Lisbon.")), "--user", "ana")
    asked = palimpsest("ask", empty, "--user", "ana")
    assert (asked.code, asked.err) == (1, "palimpsest: ask: the question is empty; ask something\n")
    recalled = palimpsest("recall", empty, "--user", "ana")
    assert (recalled.code, recalled.err) == (1, "palimpsest: recall: the query is empty; ask something\n")


def test_what_waits_is_told_with_when_its_turn_comes(
    palimpsest: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    file = written(tmp_path / "chat.jsonl", said("I moved to Lisbon."), said("haha"))
    assert "with --all also what is kept in the log" in palimpsest("ingest", file, "--user", "ana").out
    shown = palimpsest("status").out
    assert "extract/batch 1" in shown
    assert "batch for the hour" in shown
    assert "palimpsest materialise --all" in shown
    assert max(len(line) for line in shown.splitlines() if not line.startswith("Home: ")) <= 80


def test_the_hash_of_nothing_is_called_so(palimpsest: Command, tmp_path: Path) -> None:
    palimpsest("ingest", written(tmp_path / "chat.jsonl", said("I moved to Lisbon.")), "--user", "ana")
    done = palimpsest("state-hash", "--user", "ana")
    assert (done.code, len(done.out)) == (0, 65)
    assert "the hash of nothing" in done.err


def test_an_id_with_other_content_is_named_with_its_line_and_the_rest_is_kept(
    palimpsest: Command, tmp_path: Path
) -> None:
    lines = [said(f"I had soup number {n}.", id=f"u-{n}") for n in range(250)]
    palimpsest("ingest", written(tmp_path / "one.jsonl", *lines[:100]), "--user", "ana")
    lines[7] = said("I had stew.", id="u-7")
    lines[60] = said("I had stew.", id="u-60")
    done = palimpsest("ingest", written(tmp_path / "two.jsonl", *lines), "--user", "ana")
    assert done.code == 1
    assert "ana: 150 new, 98 already known" in done.out
    assert "two.jsonl:8: " in done.err
    assert "two.jsonl:61: " in done.err
    assert len(done.err.splitlines()) == 2


def test_locomo_makes_one_memory_for_each_conversation(palimpsest: Command, tmp_path: Path) -> None:
    def conversation(name: str, *turns: str) -> dict[str, Any]:
        spoken = [{"speaker": "Mel", "dia_id": f"D1:{n}", "text": text} for n, text in enumerate(turns, start=1)]
        return {
            "sample_id": name,
            "conversation": {"session_1_date_time": "1:56 pm on 8 May, 2023", "session_1": spoken},
        }

    file = tmp_path / "locomo.json"
    file.write_text(json.dumps([conversation("conv-1", "I paint.", "I swim."), conversation("conv-2", "I run.")]))
    report = palimpsest("ingest", "--format", "locomo", file, "--json").json
    assert [(each["user"], each["new"]) for each in report["memories"]] == [("conv-1", 2), ("conv-2", 1)]
    assert [each["id"] for each in report["utterances"]] == ["D1:1", "D1:2", "D1:1"]
    found = palimpsest("recall", "run", "--user", "conv-2", "--json").json["results"]
    assert [each["text"] for each in found] == ["I run."]
    standing = palimpsest("status", "--json").json["memories"]
    assert [(each["user"], each["multi_speaker"]) for each in standing] == [("conv-1", True), ("conv-2", True)]


def test_a_chat_export_is_ingested(palimpsest: Command, tmp_path: Path) -> None:
    file = tmp_path / "export.txt"
    file.write_text("[2026-03-14, 18:04] Ana: I moved to Lisbon.\n[2026-03-14, 18:05] Ben: Congratulations!\n")
    done = palimpsest("ingest", file, "--user", "friends", "--format", "chat")
    assert (done.code, "friends: 2 new" in done.out) == (0, True)


def test_a_group_chat_does_not_enter_the_memory_of_one_person(palimpsest: Command, tmp_path: Path) -> None:
    palimpsest("ingest", written(tmp_path / "one.jsonl", said("I live here.")), "--user", "ana")
    file = tmp_path / "export.txt"
    file.write_text("[2026-03-14, 18:04] Ana: I moved to Lisbon.\n")
    done = palimpsest("ingest", file, "--user", "ana", "--format", "chat")
    assert (done.code, done.out) == (1, "")
    assert "another --user" in done.err


def test_a_file_that_is_not_there_is_named(palimpsest: Command) -> None:
    done = palimpsest("ingest", "missing.jsonl", "--user", "ana")
    assert (done.code, done.out) == (1, "")
    assert "missing.jsonl" in done.err
    assert palimpsest("status", "--json").json["memories"] == []


def test_whose_memory_must_be_said(palimpsest: Command, tmp_path: Path) -> None:
    done = palimpsest("ingest", written(tmp_path / "one.jsonl", said("x")))
    assert done.code == 1
    assert "--user NAME" in done.err


@pytest.mark.parametrize("user", [" ", " ana", "x" * 513])
def test_no_memory_is_made_for_a_name_that_no_token_can_bear(palimpsest: Command, tmp_path: Path, user: str) -> None:
    palimpsest("init")
    file = tmp_path / "said.jsonl"
    file.write_text('{"text": "Hello.", "said_at": "2026-05-30T18:04:00Z"}\n')
    done = palimpsest("ingest", file, "--user", user)
    assert (done.code, "--user" in done.err) == (1, True)
    assert palimpsest("token", "--user", user).code == 1
    assert palimpsest("status", "--json").json["memories"] == []
