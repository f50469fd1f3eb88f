"""`ontology` and an extra ontology file, as a data engineer uses them from the first report to the rebuild."""

import json
from pathlib import Path

import pytest

from tests.palimpsest.conftest import Command, command_in

SAID = ("I insure with Revolut.", "I live in Lisbon.", "Whatever, I untangle torches.")
EXTRA = """
predicates:
  customer_of:
    aliases: [insures with]
    phrase: "{subject} is a customer of {object}"
    asks: ["where does {subject} insure"]
"""


def configured(home: Path, **values: str) -> None:
    settings = home / "settings.toml"
    text = settings.read_text()
    for line, value in values.items():
        default = next(each for each in text.splitlines() if each.startswith(f"# {line} = "))
        text = text.replace(default, f"{line} = {value}")
    settings.write_text(text)


def ingested(palimpsest: Command, folder: Path, user: str) -> None:
    rows = [
        {"session": "s", "speaker": user, "role": "user", "text": text, "said_at": f"2026-05-0{day}T09:00:00Z"}
        for day, text in enumerate(SAID, start=1)
    ]
    file = folder / f"{user}.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)))
    assert palimpsest("ingest", "--user", user, file).code == 0


def test_from_the_report_to_a_declared_predicate(palimpsest: Command, home: Path, tmp_path: Path) -> None:
    palimpsest("init")
    configured(home, voters='["rules", "dependencies", "open"]')
    for user in ("ana", "ben", "eva"):
        ingested(palimpsest, tmp_path, user)
    assert command_in(tmp_path)("materialise", "--all").code == 0
    gaps = palimpsest("ontology", "--gaps", "--json").json
    assert {gap["predicate"]: gap["memories"] for gap in gaps["gaps"]}["insures_with"] == 3

    file = home / "extra.yaml"
    file.write_text(EXTRA)
    assert "customer_of *" in palimpsest("ontology", "--extra", file).out
    trial = palimpsest("ontology", "--gaps", "--extra", file, "--json").json
    assert trial["renamed"] == 3
    assert "insures_with" not in {gap["predicate"] for gap in trial["gaps"]}

    configured(home, extra='"extra.yaml"')
    assert "palimpsest rebuild" in palimpsest("status").out
    assert palimpsest("rebuild", "--json").code == 0
    told = palimpsest("facts", "--user", "ana", "--predicate", "insures with", "--json").json["facts"]
    assert [(each["predicate"], each["object"]["name"]) for each in told] == [("customer_of", "Revolut")]
    assert palimpsest("ask", "--user", "ana", "Where does Ana insure?", "--json").json["answer"] == "Revolut"
    assert palimpsest("ontology", "--gaps", "--json").json["renamed"] == 0
    assert palimpsest("verify").code == 0


def test_predicates_are_listed_by_the_type_of_their_subject(palimpsest: Command) -> None:
    palimpsest("init")
    shown = palimpsest("ontology").out.splitlines()
    listed = palimpsest("ontology", "--json").json["predicates"]
    titles = [line.split()[0] for line in shown[1:] if line and not line.startswith(" ")]
    assert titles[: len({each["domain"] for each in listed})] == sorted({each["domain"] for each in listed})
    for each in listed:
        assert any(each["name"] in line.split() for line in shown)


def test_a_person_sees_their_words_and_what_was_not_read_at_all(palimpsest: Command, tmp_path: Path) -> None:
    palimpsest("init")
    ingested(palimpsest, tmp_path, "ana")
    assert command_in(tmp_path)("materialise", "--all").code == 0
    found = palimpsest("ontology", "--gaps", "--user", "ana", "--json").json
    assert found["gaps"]["gaps"] == []
    unread = {each["predicate"]: each["examples"][0]["text"] for each in found["unread"]}
    assert unread["untangles"] == SAID[2]
    assert found["silent"] == found["read_again"] == 2
    shown = palimpsest("ontology", "--gaps", "--user", "ana").out
    assert "“Whatever, I untangle torches.”" in shown


def test_what_is_wrong_with_a_file_is_said_and_nothing_is_done(palimpsest: Command, home: Path) -> None:
    palimpsest("init")
    (home / "extra.yaml").write_text("predicates: {lives_in: {functional: false}}")
    configured(home, extra='"extra.yaml"')
    for words in (("ontology",), ("materialise",)):
        done = palimpsest(*words)
        assert done.code == 1
        assert "extra.yaml" in done.err
        assert "can be added" in done.err


def test_user_goes_with_gaps(palimpsest: Command) -> None:
    palimpsest("init")
    done = palimpsest("ontology", "--user", "ana")
    assert done.code == 1
    assert "--gaps" in done.err


@pytest.mark.parametrize("least", ["2", "0"])
def test_nobody_is_told_of_by_a_threshold_below_three(palimpsest: Command, home: Path, least: str) -> None:
    palimpsest("init")
    configured(home, least_memories=least)
    assert "ontology.least_memories" in palimpsest("ontology", "--gaps").err
