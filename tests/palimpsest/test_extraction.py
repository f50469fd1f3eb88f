"""extract: what would be read, line by line, and nothing stored."""

import json
from pathlib import Path

import pytest

from tests.palimpsest.conftest import Command


def test_each_triple_is_a_json_object_with_its_line(palimpsest: Command, tmp_path: Path, home: Path) -> None:
    file = tmp_path / "lines.txt"
    file.write_text("I moved to Lisbon in May.\n\nNice weather.\nI no longer work at Acme.\n")
    done = palimpsest("extract", file, "--speaker", "Ana", "--said-at", "2026-06-01T10:00:00Z", "--json")
    assert (done.code, done.err) == (0, "")
    triples = [json.loads(line) for line in done.out.splitlines()]
    assert set(triples[0]) == {
        *("line", "subject", "predicate", "object", "span", "negated"),
        *("valid_from", "valid_to", "confidence", "extractor"),
    }
    moved = next(each for each in triples if each["predicate"] == "lives_in")
    assert (moved["line"], moved["subject"], moved["object"], moved["negated"]) == (1, "Ana", "Lisbon", False)
    assert moved["valid_from"] == "2026-05-01T00:00:00Z"
    assert [each["negated"] for each in triples if each["line"] == 4] == [True]
    assert not home.exists()


def test_a_line_that_cannot_be_read_is_named_and_the_others_are_read(palimpsest: Command, tmp_path: Path) -> None:
    file = tmp_path / "lines.txt"
    file.write_bytes(b"I live in Porto.\n\xff\xfe\nI like tea.\n")
    done = palimpsest("extract", file)
    assert done.code == 1
    assert "lines.txt:2: " in done.err
    assert "Porto" in done.out
    assert "tea" in done.out


def test_a_missing_file_is_named(palimpsest: Command) -> None:
    done = palimpsest("extract", "missing.txt")
    assert (done.code, "missing.txt" in done.err) == (1, True)


def test_the_object_is_shown_however_narrow_the_terminal_is(
    palimpsest: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "lines.txt"
    file.write_text("I moved to Lisbon in May.\nMy sister works at Fishermans Reports Incorporated in Amsterdam.\n")
    wide = palimpsest("extract", file, "--said-at", "2026-06-01").out
    assert "read by" in wide
    for width in ("80", "60"):
        monkeypatch.setenv("COLUMNS", width)
        shown = palimpsest("extract", file, "--said-at", "2026-06-01").out
        assert max(len(line) for line in shown.splitlines()) <= int(width)
        assert "read by" not in shown
        for word in ("object", "Lisbon", "Fishermans", "Amsterdam", "2026-05-01"):
            assert word in shown


def test_open_keeps_predicates_as_worded_and_tokens_as_in_the_line(
    palimpsest: Command, tmp_path: Path, home: Path
) -> None:
    lines = (
        "He served as the first Prime Minister of Australia .",
        "",
        "Graner did n't handcuff him .  She left .",
    )
    file = tmp_path / "lines.txt"
    file.write_text("\n".join(lines) + "\n")
    done = palimpsest("extract", file, "--open", "--json")
    assert (done.code, done.err) == (0, "")
    triples = [json.loads(line) for line in done.out.splitlines()]
    read = {(each["line"], each["subject"], each["predicate"], each["object"]) for each in triples}
    assert (1, "He", "served as", "the first Prime Minister of Australia") in read
    assert (1, "He", "served as the first Prime Minister of", "Australia") in read
    assert (3, "Graner", "did n't handcuff", "him") in read
    for each in triples:
        tokens = lines[each["line"] - 1].split()
        for part in ("subject", "predicate", "object"):
            assert set(each[part].split()) <= set(tokens)
        start, end = each["span"]
        stands = lines[each["line"] - 1][start:end].split()
        assert (stands[0], stands[-1]) == (each["subject"].split()[0], each["object"].split()[-1])
        assert each["negated"] is ("n't" in each["predicate"])
    assert not home.exists()
    assert "did n't handcuff" in palimpsest("extract", file, "--open").out


def test_open_reads_a_line_too_long_for_the_parser_by_its_sentences(palimpsest: Command, tmp_path: Path) -> None:
    line = "It rained. " * 250 + "Ana wrote a book."
    file = tmp_path / "lines.txt"
    file.write_text(line + "\n")
    done = palimpsest("extract", file, "--open", "--json")
    assert [json.loads(each) for each in done.out.splitlines()] == [
        {
            **{"line": 1, "subject": "Ana", "predicate": "wrote", "object": "a book"},
            **{"span": [len(line) - len("Ana wrote a book."), len(line) - 1], "negated": False},
            **{"valid_from": None, "valid_to": None, "confidence": 0.5, "extractor": "open"},
        }
    ]


def test_the_help_says_that_it_prints_json_lines(palimpsest: Command) -> None:
    assert "JSON Lines" in palimpsest("extract", "--help").out
    assert "JSON Lines" not in palimpsest("facts", "--help").out


def test_a_chat_in_json_lines_is_read_by_its_texts_speakers_and_times(palimpsest: Command, tmp_path: Path) -> None:
    file = tmp_path / "chat.jsonl"
    lines = [
        {"text": "I moved to Lisbon in May.", "said_at": "2024-06-01T10:00:00Z", "speaker": "Ana"},
        {"text": "I live in Porto.", "said_at": "2024-06-01T10:00:00Z", "role": "assistant"},
        {"text": "I like tea.", "said_at": "yesterday"},
    ]
    file.write_text("\n".join([*map(json.dumps, lines), "{I like rain.", "I like snow."]))
    done = palimpsest("extract", file, "--json")
    assert (done.code, "chat.jsonl:3: said_at: 'yesterday'" in done.err) == (1, True)
    found = [json.loads(line) for line in done.out.splitlines()]
    assert [(each["line"], each["subject"], each["object"]) for each in found] == [
        (1, "Ana", "Lisbon"),
        (4, "user", "rain"),
        (5, "user", "snow"),
    ]
    assert found[0]["valid_from"] == "2024-05-01T00:00:00Z"
    start, end = found[0]["span"]
    assert "Lisbon" in "I moved to Lisbon in May."[start:end]
    worded = [json.loads(line) for line in palimpsest("extract", file, "--open", "--json").out.splitlines()]
    assert "Porto" in [each["object"] for each in worded if each["line"] == 2]
