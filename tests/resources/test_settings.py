"""The home directory and its settings."""

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import jwt
import pytest

from kg_assets.errors import InvalidInput, NotReady
from resources.keys import Secret
from resources.settings import DEV_ISSUER, Settings, create_home, home_path, load_settings


@pytest.fixture
def home(tmp_path: Path) -> Path:
    create_home(tmp_path / "home")
    return tmp_path / "home"


def write(home: Path, text: str) -> None:
    (home / "settings.toml").write_text(text, encoding="utf-8")


def test_a_new_home_loads_with_the_defaults(home: Path) -> None:
    settings = load_settings(home, {})
    assert settings.embedder == "minilm-int8"
    assert (settings.novelty.immediate, settings.novelty.batch, settings.novelty.log_route) == (70.0, 30.0, "nightly")
    assert (settings.serve.host, settings.serve.port, settings.dagster.port) == ("127.0.0.1", 8707, 3070)
    assert (settings.tokens.issuer, settings.tokens.audience) == (DEV_ISSUER, "palimpsest")
    assert settings.data_dir == home / "data"
    assert settings.data_dir.is_dir()
    assert settings.dagster_dir.is_dir()


def test_the_lines_of_a_new_settings_file_are_the_defaults(home: Path) -> None:
    before = load_settings(home, {})
    lines = (home / "settings.toml").read_text(encoding="utf-8").splitlines()
    write(home, "\n".join(line.removeprefix("# ") if " = " in line else line for line in lines))
    after = load_settings(home, {})
    assert after == before
    assert (home / "settings.toml").read_text(encoding="utf-8").count("\n") == len(lines) - 1


def test_only_the_owner_can_read_keys(home: Path) -> None:
    assert stat.S_IMODE((home / "keys").stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in (home / "keys").iterdir()} == {0o600}
    assert len(list((home / "keys").iterdir())) == 3


def test_creating_a_home_again_overwrites_nothing(home: Path) -> None:
    write(home, 'embedder = "hashing"')
    before = {file: file.read_bytes() for file in home.rglob("*") if file.is_file()}
    create_home(home)
    assert {file: file.read_bytes() for file in home.rglob("*") if file.is_file()} == before


def test_two_homes_have_different_secrets(home: Path, tmp_path: Path) -> None:
    create_home(tmp_path / "other")
    one, other = load_settings(home, {}), load_settings(tmp_path / "other", {})
    assert one.secret != other.secret
    assert len(one.secret) == 64


def signed_and_verified(settings: Settings) -> bool:
    assert settings.signing_key is not None
    token = jwt.encode({"sub": "ana"}, bytes(settings.signing_key), algorithm="EdDSA")
    return jwt.decode(token, settings.verifying_key, algorithms=["EdDSA"]) == {"sub": "ana"}


def test_a_token_that_is_signed_with_the_signing_key_is_verified_with_the_other(home: Path) -> None:
    assert signed_and_verified(load_settings(home, {}))


def test_a_home_that_only_verifies_stays_one(home: Path) -> None:
    (home / "keys" / "token-signing.pem").unlink()
    before = load_settings(home, {}).verifying_key
    create_home(home)
    settings = load_settings(home, {})
    assert settings.signing_key is None
    assert settings.verifying_key == before


def test_a_verifying_key_that_was_lost_is_made_from_the_signing_key(home: Path) -> None:
    before = load_settings(home, {})
    (home / "keys" / "token-verifying.pem").unlink()
    create_home(home)
    after = load_settings(home, {})
    assert (after.signing_key, after.verifying_key) == (before.signing_key, before.verifying_key)


def test_many_may_create_one_home_at_once(tmp_path: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(create_home, [tmp_path / "home"] * 8))
    assert signed_and_verified(load_settings(tmp_path / "home", {}))
    assert len(list((tmp_path / "home" / "keys").iterdir())) == 3


def test_secrets_are_not_printed(home: Path) -> None:
    settings = load_settings(home, {})
    secret = bytes(settings.secret).decode()
    for text in (repr(settings), str(settings.secret), f"{settings.secret}", f"{settings.signing_key!r}"):
        assert secret not in text
        assert "PRIVATE" not in text
    assert repr(Secret(b"x")) == "Secret(hidden)"


def test_the_environment_stands_above_the_file(home: Path) -> None:
    write(home, "[serve]\nport = 9000\n[novelty]\nbatch = 20")
    environment = {
        "PALIMPSEST_SERVE_PORT": "9001",
        "PALIMPSEST_EMBEDDER": "hashing",
        "PALIMPSEST_NOVELTY_IMMEDIATE": "55.5",
        "PALIMPSEST_HOME": "elsewhere",
    }
    settings = load_settings(home, environment)
    assert (settings.serve.port, settings.embedder) == (9001, "hashing")
    assert (settings.novelty.immediate, settings.novelty.batch) == (55.5, 20.0)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[serve]\nprot = 1", "there is no key 'prot' in [serve]; known are host, port;"),
        (
            "port = 1",
            "there is no key 'port' in the file; known are embedder, stores, novelty, extraction, belief, ontology",
        ),
        ("[serve]\nport = '1'", "serve.port: expected int, got str;"),
        ("[serve]\nport = 70000", "serve.port: expected int <= 65535;"),
        ("embedder = 'gpt'", "embedder: expected one of 'minilm-int8', 'minilm-jax', 'hashing';"),
        ("[novelty]\nlog_route = 'weekly'", "novelty.log_route: expected one of 'nightly', 'never';"),
        ("[novelty]\nbatch = 71", "novelty.batch is above novelty.immediate;"),
        ("[novelty]\nbatch = -1", "novelty.batch: expected float >= 0"),
        ("serve = 3", "serve: expected object, got int;"),
        ("[serve", "is not TOML: Expected ']' at the end of a table declaration"),
    ],
)
def test_a_wrong_line_is_named_with_the_file_and_what_may_stand_there(home: Path, text: str, message: str) -> None:
    write(home, text)
    with pytest.raises(InvalidInput) as caught:
        load_settings(home, {})
    assert caught.value.where == str(home / "settings.toml")
    assert caught.value.reason.startswith(message)


def test_a_settings_file_that_is_not_utf8_is_named(home: Path) -> None:
    (home / "settings.toml").write_bytes(b"embedder = '\xff'")
    with pytest.raises(InvalidInput, match=r"settings\.toml: is not TOML"):
        load_settings(home, {})


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("PALIMPSEST_SERVE_PORT", "many", "expected int, got str, and it is set to 'many'"),
        (
            "PALIMPSEST_EMBEDDER",
            "gpt",
            "expected one of 'minilm-int8', 'minilm-jax', 'hashing', and it is set to 'gpt'",
        ),
    ],
)
def test_a_wrong_variable_is_named(home: Path, name: str, value: str, message: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        load_settings(home, {name: value})
    assert caught.value.where == name
    assert message in caught.value.reason


def test_a_home_that_was_not_set_up_says_which_command_does_it(tmp_path: Path) -> None:
    with pytest.raises(NotReady, match="run `palimpsest init`"):
        load_settings(tmp_path, {})


@pytest.mark.parametrize("name", ["deployment-secret", "token-verifying.pem"])
def test_a_missing_key_is_named(home: Path, name: str) -> None:
    (home / "keys" / name).unlink()
    with pytest.raises(NotReady, match=f"{name}: this key is missing"):
        load_settings(home, {})


def test_the_home_is_the_variable_or_a_folder_here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PALIMPSEST_HOME", raising=False)
    assert home_path() == tmp_path / ".palimpsest"
    monkeypatch.setenv("PALIMPSEST_HOME", "there")
    assert home_path() == tmp_path / "there"


@pytest.mark.parametrize("content", [b"", b" \n", b"0123456789abcdef0123456789abcde\n"])
def test_a_secret_that_can_be_guessed_is_refused(tmp_path: Path, content: bytes) -> None:
    create_home(tmp_path)
    (tmp_path / "keys" / "deployment-secret").write_bytes(content)
    with pytest.raises(InvalidInput, match="at least 32") as raised:
        load_settings(tmp_path, {})
    assert raised.value.where == str(tmp_path / "keys" / "deployment-secret")


def test_voters_and_parser_are_set_by_the_file_or_with_commas_in_the_environment(home: Path) -> None:
    write(home, '[extraction]\nvoters = ["rules", "open"]\nparser = "en_core_web_lg"')
    chosen = load_settings(home, {}).extraction
    assert (chosen.voters, chosen.parser) == (("rules", "open"), "en_core_web_lg")
    assert load_settings(home, {"PALIMPSEST_EXTRACTION_VOTERS": "rules, dependencies,open"}).extraction.voters == (
        *("rules", "dependencies", "open"),
    )


@pytest.mark.parametrize(
    ("line", "advice"),
    [
        ('voters = ["rules", "guessing"]', "extraction.voters: expected one of 'rules', 'dependencies', 'open'"),
        ("voters = []", "extraction.voters: expected `array` of length >= 1"),
        ('voters = "rules"', "extraction.voters: expected `array`, got `str`"),
        ('parser = "../weights"', "extraction.parser: "),
    ],
)
def test_voters_that_there_are_not_are_named(home: Path, line: str, advice: str) -> None:
    write(home, f"[extraction]\n{line}")
    with pytest.raises(InvalidInput) as caught:
        load_settings(home, {})
    assert advice.replace("`", "") in str(caught.value)
