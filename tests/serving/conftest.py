"""A home on disk with its real keys, and tokens of every kind that a caller might send."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jwt
import pytest

from kg_assets.model import Micros
from resources.clock import system_clock
from resources.settings import DEV_ISSUER, Settings, create_home, load_settings

SECOND: Micros = 1_000_000

TokenMaker = Callable[..., str]


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
