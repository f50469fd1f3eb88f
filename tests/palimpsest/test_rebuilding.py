"""rebuild, generations, flip and diff, as a person runs them."""

import json
from pathlib import Path

import pytest

from tests.palimpsest.conftest import Command, command_in

FACTS = [
    {"subject": "Ana", "predicate": "lives_in", "object": "Porto", "valid_from": "2020-01-01T00:00:00Z"},
    {"subject": "Ana", "predicate": "lives_in", "object": "Lisbon", "valid_from": "2024-05-01T00:00:00Z"},
    {"subject": "Ana", "predicate": "works_at", "object": "Acme", "valid_from": "2024-05-01T00:00:00Z"},
]


@pytest.fixture
def told(palimpsest: Command, tmp_path: Path) -> None:
    palimpsest("init")
    file = tmp_path / "facts.jsonl"
    file.write_text("\n".join(json.dumps(each) for each in FACTS))
    assert palimpsest("assert", file, "--user", "ana").code == 0
    assert command_in(tmp_path)("materialise").code == 0  # Dagster warns, which is an error in this process


@pytest.mark.usefixtures("told")
def test_a_memory_is_rebuilt_compared_and_flipped_back(palimpsest: Command) -> None:
    before = palimpsest("state-hash", "--user", "ana", "--json").json
    done = palimpsest("rebuild", "--user", "ana", "--json")
    (made,) = done.json
    assert (done.code, made["rebuilt"]["generation"], made["rebuilt"]["lost"]) == (0, 2, 0)
    assert palimpsest("state-hash", "--user", "ana", "--json").json == before
    compared = palimpsest("diff", "1", "2", "--user", "ana")
    assert "3 statements alike, 0 gained, 0 lost, 0 changed" in compared.out
    back = palimpsest("flip", "1", "--user", "ana", "--json")
    assert [(each["generation"], each["serves"], len(each["served"])) for each in back.json] == [
        (1, True, 2),
        (2, False, 1),
    ]
    replayed = palimpsest("replay", "--user", "ana", "--json").json
    assert replayed["before"] == replayed["after"]
    assert palimpsest("verify").code == 0


@pytest.mark.usefixtures("told")
def test_another_policy_is_told_as_out_of_date_until_it_is_rebuilt(palimpsest: Command, home: Path) -> None:
    settings = home / "settings.toml"
    settings.write_text(settings.read_text().replace('# policy = "latest_valid"', 'policy = "manual_review"'))
    (first,) = palimpsest("generations", "--user", "ana", "--json").json
    assert (first["serves"], first["up_to_date"]) == (True, False)
    assert "palimpsest rebuild" in palimpsest("status").out
    assert palimpsest("rebuild", "--no-flip").code == 0
    told = palimpsest("diff", "1", "2", "--user", "ana").out
    assert "- Ana lives in Lisbon" in told
    refused = palimpsest("rebuild", "--most-lost", "0.1")
    assert refused.code == 1
    assert "gives up 1 of 3 statements" in refused.err
    assert palimpsest("rebuild", "--most-lost", "1").code == 0
    assert palimpsest("generations", "--user", "ana", "--json").json[-1]["serves"]


@pytest.mark.usefixtures("told")
def test_old_generations_are_dropped_and_what_is_kept_answers(palimpsest: Command) -> None:
    for _ in range(2):
        assert palimpsest("rebuild", "--user", "ana").code == 0
    before = palimpsest("state-hash", "--user", "ana", "--json").json
    (serving,) = (each for each in palimpsest("generations", "--user", "ana", "--json").json if each["serves"])
    then = serving["served"][0]["recorded_from"]
    done = palimpsest("generations", "--keep")
    assert (done.code, "ana: dropped 1, with" in done.out) == (0, True)
    assert "ana: nothing to drop" in palimpsest("generations", "--keep").out
    shown = palimpsest("generations", "--user", "ana", "--json").json
    assert [(each["generation"], each["dropped"]) for each in shown] == [(1, True), (2, False), (3, False)]
    assert palimpsest("facts", "--user", "ana", "--known-at", then).code == 0
    for words in (("facts",), ("ask", "Where does Ana live?"), ("neighbourhood", "Ana")):
        refused = palimpsest(*words, "--user", "ana", "--known-at", "2026-01-01")
        assert (refused.code, "was dropped with generation 1" in refused.err) == (1, True), words
    assert palimpsest("flip", "2", "--user", "ana").code == 0
    assert palimpsest("generations", "--drop", "3", "--user", "ana", "--json").json[0]["dropped"]["numbers"] == [3]
    assert palimpsest("state-hash", "--user", "ana", "--json").json == before
    assert palimpsest("verify").code == 0


@pytest.mark.usefixtures("told")
@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--user", "ana", "--drop", "1"), 1, "generation 1 serves; flip to another"),
        (("--user", "ana", "--drop", "9"), 1, "there is no generation 9 to drop; there is 1"),
        (("--keep", "0"), 2, "1 or more"),
        (("--keep", "x"), 2, "1 or more"),
        (("--drop", "1"), 1, "name whose memory"),
        ((), 1, "name whose memory"),
    ],
)
def test_what_cannot_be_dropped_is_told_and_changes_nothing(
    palimpsest: Command, words: tuple[str, ...], code: int, said: str
) -> None:
    before = palimpsest("verify", "--json").json
    done = palimpsest("generations", *words)
    assert (done.code, said in done.err) == (code, True)
    assert palimpsest("verify", "--json").json == before


@pytest.mark.usefixtures("told")
def test_a_generation_that_is_not_there_is_refused(palimpsest: Command) -> None:
    done = palimpsest("flip", "9", "--user", "ana")
    assert done.code == 1
    assert "there is no whole generation 9; there is 1" in done.err
