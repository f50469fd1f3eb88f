"""A home on disk with its real keys, and tokens of every kind that a caller might send."""

import asyncio
import json
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import jwt
import pytest
from falcon.testing import ASGIConductor, Result

from kg_assets.model import Micros
from kg_assets.ports import Memory
from resources.clock import system_clock
from resources.embedder import build_embedder
from resources.settings import DEV_ISSUER, Settings, create_home, load_settings
from resources.sqlite.stores import SqliteStores
from serving.app import create_app

SECOND: Micros = 1_000_000

TokenMaker = Callable[..., str]


def shortened(value: object) -> str:
    """A parameter as the name of a test, however long it is."""
    return ascii(value)[:60]


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    create_home(tmp_path / "home")
    return load_settings(tmp_path / "home", {})


@pytest.fixture
def token_for(settings: Settings) -> TokenMaker:
    """token_for("ana", roles=["auditor"], iss=…): a token of this home, any claim replaced or (None) left out."""

    def make(subject: str = "ana", *, key: Any = None, algorithm: str = "EdDSA", **claims: Any) -> str:
        assert settings.signing_key is not None
        seconds = system_clock() // SECOND
        payload = {
            "iss": DEV_ISSUER,
            "aud": settings.tokens.audience,
            "sub": subject,
            "exp": seconds + 600,
            "iat": seconds,
            **claims,
        }
        kept = {name: value for name, value in payload.items() if value is not None}
        # Signed as bytes, because the library refuses to write some of the claims that an attacker would.
        raw = json.dumps(kept).encode()
        return jwt.api_jws.encode(raw, settings.signing_key if key is None else key, algorithm, {"typ": "JWT"})

    return make


class Service:
    """The real application over a real store, called in process; `call` gives several requests at once."""

    def __init__(self, settings: Settings, token_for: TokenMaker) -> None:
        self.settings = settings
        self.token_for = token_for
        self.stores = SqliteStores(settings.data_dir, settings.secret, system_clock)
        self.embedder = build_embedder("hashing")
        self.runner = asyncio.Runner()
        app = create_app(settings, self.stores, self.embedder, system_clock)
        self.conductor = ASGIConductor(app)
        self.runner.run(self.conductor.__aenter__())

    def close(self) -> None:
        self.runner.run(self.conductor.__aexit__(None, None, None))
        self.runner.close()
        self.stores.close()

    def together(self, *requests: Coroutine[Any, Any, Result]) -> list[Result]:
        async def gathered() -> list[Result]:
            return list(await asyncio.gather(*requests))

        return self.runner.run(gathered())

    def request(
        self, method: str, path: str, *, user: str | None = "ana", headers: dict[str, str] | None = None, **more: Any
    ) -> Coroutine[Any, Any, Result]:
        """A request that waits to be sent, with the token of `user` (None: without)."""
        bearer = {} if user is None else {"Authorization": f"Bearer {self.token_for(user)}"}
        return self.conductor.simulate_request(method, path, headers={**bearer, **(headers or {})}, **more)

    def get(self, path: str, **more: Any) -> Result:
        return self.runner.run(self.request("GET", path, **more))

    def post(self, path: str, body: Any, **more: Any) -> Result:
        return self.runner.run(self.request("POST", path, json=body, **more))

    def say(self, *texts: str, user: str = "ana", **fields: Any) -> list[dict[str, Any]]:
        """Append these and expect it to work; the receipts."""
        result = self.post("/v1/utterances", {"utterances": [spoken(text, **fields) for text in texts]}, user=user)
        assert result.status_code == 202, result.text
        receipts: list[dict[str, Any]] = result.json["utterances"]
        return receipts

    def recall(self, query: str, user: str = "ana", **more: Any) -> list[dict[str, Any]]:
        result = self.post("/v1/recall", {"query": query, **more}, user=user)
        assert result.status_code == 200, result.text
        found: list[dict[str, Any]] = result.json["results"]
        return found

    @contextmanager
    def memory(self, user: str = "ana") -> Iterator[Memory]:
        """The store itself, as another process would open it."""
        memory = self.stores.open(self.stores.memory_id(DEV_ISSUER, user))
        try:
            yield memory
        finally:
            memory.close()


def spoken(text: str, **fields: Any) -> dict[str, Any]:
    """One utterance as a client sends it."""
    return {"text": text, "said_at": "2026-05-30T18:04:00Z", "session": "s-1", "speaker": "Ana", **fields}


@pytest.fixture
def service(settings: Settings, token_for: TokenMaker) -> Iterator[Service]:
    made = Service(settings, token_for)
    yield made
    made.close()
