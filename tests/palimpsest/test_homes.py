"""init, token and status, and what a command says where there is no home."""

import stat
from pathlib import Path

import pytest

from resources.settings import DEV_ISSUER, load_settings
from serving.credentials import Verifier
from tests.palimpsest.conftest import Command


def test_init_makes_a_home_and_a_second_one_changes_nothing(palimpsest: Command, home: Path) -> None:
    first = palimpsest("init", "--json")
    assert (first.code, first.json) == (0, {"home": str(home), "created": True})
    secret = (home / "keys" / "deployment-secret").read_bytes()
    again = palimpsest("init", "--json")
    assert (again.code, again.json["created"]) == (0, False)
    assert (home / "keys" / "deployment-secret").read_bytes() == secret
    assert stat.S_IMODE((home / "keys").stat().st_mode) == 0o700


def test_init_can_be_quiet(palimpsest: Command) -> None:
    done = palimpsest("init", "--quiet")
    assert (done.code, done.out, done.err) == (0, "", "")


def test_a_token_is_all_that_is_printed_and_it_holds(palimpsest: Command, home: Path) -> None:
    palimpsest("init")
    done = palimpsest("token", "--user", "José", "--role", "auditor")
    assert (done.code, done.err) == (0, "")
    settings = load_settings(home, {})
    claims = Verifier(settings.verifying_key, issuer=DEV_ISSUER, audience="palimpsest").claims(done.out.strip())
    assert (claims.subject, claims.roles) == ("José", ("auditor",))


def test_a_token_for_an_unknown_role_is_refused(palimpsest: Command) -> None:
    palimpsest("init")
    done = palimpsest("token", "--user", "ana", "--role", "root")
    assert (done.code, done.out) == (1, "")
    assert "curator" in done.err


def test_the_status_of_an_empty_home_says_what_to_do(palimpsest: Command) -> None:
    palimpsest("init")
    done = palimpsest("status")
    assert done.code == 0
    assert "palimpsest ingest" in done.out
    assert palimpsest("status", "--json").json["memories"] == []


@pytest.mark.parametrize(
    "words",
    [
        ("token", "--user", "ana"),
        ("status",),
        ("facts", "--user", "ana"),
        ("recall", "x", "--user", "ana"),
        ("ask", "x", "--user", "ana"),
        ("history", "abcd"),
        ("lineage", "abcd"),
        ("verify",),
        ("state-hash", "--user", "ana"),
        ("serve",),
        ("up",),
        ("materialise",),
        ("ingest", "file.jsonl", "--user", "ana"),
    ],
    ids=" ".join,
)
def test_without_a_home_each_command_says_how_to_make_one(palimpsest: Command, words: tuple[str, ...]) -> None:
    done = palimpsest(*words)
    assert (done.code, done.out) == (1, "")
    assert "palimpsest init" in done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("forget",),
        ("materialize",),
        ("facts",),
        ("facts", "--user", "ana", "--colour", "red"),
        ("facts", "--user", "ana", "--sub", "Ana"),
        ("recall", "--user", "ana"),
        ("recall", "x", "--user", "ana", "-k", "many"),
        ("ingest", "f", "--user", "ana", "--format", "csv"),
        ("serve", "--port", "0"),
        ("serve", "--port", "http"),
    ],
    ids=" ".join,
)
def test_a_mistake_in_the_command_is_explained_with_code_2(palimpsest: Command, words: tuple[str, ...]) -> None:
    done = palimpsest(*words)
    assert (done.code, done.out) == (2, "")
    assert "usage: palimpsest" in done.err


@pytest.mark.parametrize("command", ["facts", "recall", "ask", "state-hash", "verify"])
def test_an_unknown_user_is_named(palimpsest: Command, command: str) -> None:
    palimpsest("init")
    words = ("x",) if command in ("recall", "ask") else ()
    done = palimpsest(command, *words, "--user", "nobody")
    assert (done.code, done.out) == (1, "")
    assert "nobody" in done.err
    assert "palimpsest status" in done.err


@pytest.mark.parametrize("option", ["--valid-at", "--known-at"])
def test_a_time_that_is_none_is_explained(palimpsest: Command, option: str) -> None:
    palimpsest("init")
    done = palimpsest("facts", "--user", "ana", option, "soon")
    assert done.code == 1
    assert option in done.err
    assert "2026-05-30" in done.err


def test_a_shard_that_is_none_is_explained(palimpsest: Command) -> None:
    palimpsest("init")
    done = palimpsest("materialise", "--shard", "nope")
    assert (done.code, "--shard" in done.err, "shard-00 to shard-63" in done.err) == (1, True, True)
