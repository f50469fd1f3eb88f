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
def test_a_generation_that_is_not_there_is_refused(palimpsest: Command) -> None:
    done = palimpsest("flip", "9", "--user", "ana")
    assert done.code == 1
    assert "there is no whole generation 9; there is 1" in done.err
