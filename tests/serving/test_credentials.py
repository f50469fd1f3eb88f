"""Which tokens hold. Each refused one differs from a good one in one thing only."""

import base64
import json

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from kg_assets.errors import InvalidInput
from resources.clock import system_clock
from resources.settings import DEV_ISSUER, Settings
from serving.credentials import Unauthenticated, Verifier, issue
from tests.serving.conftest import SECOND, TokenMaker, shortened


@pytest.fixture
def verifier(settings: Settings) -> Verifier:
    return Verifier(settings.verifying_key, issuer=DEV_ISSUER, audience="palimpsest")


def part(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def test_a_good_token_names_its_bearer_and_roles(verifier: Verifier, token_for: TokenMaker) -> None:
    claims = verifier.claims(token_for("ana", roles=["auditor", "user"]))
    assert (claims.issuer, claims.subject, claims.roles) == (DEV_ISSUER, "ana", ("user", "auditor"))


def test_a_token_without_roles_is_a_users(verifier: Verifier, token_for: TokenMaker) -> None:
    assert verifier.claims(token_for("ana")).roles == ("user",)


def test_unknown_roles_give_nothing(verifier: Verifier, token_for: TokenMaker) -> None:
    assert verifier.claims(token_for("ana", roles=["root", "superuser"])).roles == ()


@pytest.mark.parametrize("missing", ["iss", "aud", "sub", "exp"])
def test_each_required_claim_is_required(verifier: Verifier, token_for: TokenMaker, missing: str) -> None:
    with pytest.raises(Unauthenticated):
        verifier.claims(token_for(**{missing: None}) if missing != "sub" else token_for(None))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "claims",
    [
        {"iss": "somebody-else"},
        {"iss": [DEV_ISSUER]},
        {"aud": "another-service"},
        {"aud": []},
        {"exp": 1},
        {"exp": "never"},
        {"nbf": 9_999_999_999},
        {"roles": "curator"},
        {"roles": [1]},
    ],
    ids=str,
)
def test_a_claim_of_another_kind_is_refused(
    verifier: Verifier, token_for: TokenMaker, claims: dict[str, object]
) -> None:
    with pytest.raises(Unauthenticated):
        verifier.claims(token_for(**claims))


@pytest.mark.parametrize("subject", ["", "   ", "x" * 513, " ana ", "ana\n", "x\ud800", "a\0b"], ids=shortened)
def test_a_subject_must_be_a_name(verifier: Verifier, token_for: TokenMaker, subject: str) -> None:
    with pytest.raises(Unauthenticated):
        verifier.claims(token_for(subject))


def test_an_issuer_whose_clock_runs_a_little_ahead_is_believed(verifier: Verifier, token_for: TokenMaker) -> None:
    seconds = system_clock() // SECOND
    assert verifier.claims(token_for(iat=seconds + 10, nbf=seconds + 10)).subject == "ana"
    with pytest.raises(Unauthenticated):
        verifier.claims(token_for(iat=seconds + 300))


def test_a_token_signed_by_another_key_is_refused(verifier: Verifier, token_for: TokenMaker) -> None:
    with pytest.raises(Unauthenticated):
        verifier.claims(token_for(key=Ed25519PrivateKey.generate()))


def test_a_changed_payload_is_refused(verifier: Verifier, token_for: TokenMaker) -> None:
    header, _, signature = token_for("ana").split(".")
    _, payload, _ = token_for("ben").split(".")
    with pytest.raises(Unauthenticated):
        verifier.claims(f"{header}.{payload}.{signature}")


@pytest.mark.parametrize("algorithm", ["none", "None", "NONE"])
def test_an_unsigned_token_is_refused(verifier: Verifier, token_for: TokenMaker, algorithm: str) -> None:
    _, payload, signature = token_for("ana").split(".")
    header = part({"alg": algorithm, "typ": "JWT"})
    for last in ("", signature):
        with pytest.raises(Unauthenticated):
            verifier.claims(f"{header}.{payload}.{last}")


def test_the_public_key_is_no_shared_secret(verifier: Verifier, settings: Settings, token_for: TokenMaker) -> None:
    """The classic confusion: HS256 with the public key's bytes as the secret."""
    import hashlib
    import hmac

    _, payload, _ = token_for("ana").split(".")
    signed = f"{part({'alg': 'HS256', 'typ': 'JWT'})}.{payload}"
    mac = hmac.new(settings.verifying_key, signed.encode(), hashlib.sha256).digest()
    with pytest.raises(Unauthenticated):
        verifier.claims(f"{signed}.{base64.urlsafe_b64encode(mac).decode().rstrip('=')}")


def test_another_algorithm_is_refused(verifier: Verifier, token_for: TokenMaker) -> None:
    with pytest.raises(Unauthenticated):
        verifier.claims(token_for(key=generate_private_key(SECP256R1()), algorithm="ES256"))


@pytest.mark.parametrize(
    "text",
    ["", "a", "a.b", "a.b.c", "....", "é.é.é", "x" * 9000, f"{'[' * 3000}.e30.e30", "\x00.\x00.\x00"],
    ids=shortened,
)
def test_what_is_no_token_is_refused(verifier: Verifier, text: str) -> None:
    with pytest.raises(Unauthenticated):
        verifier.claims(text)


def test_a_header_nested_too_deeply_is_refused(verifier: Verifier) -> None:
    header = base64.urlsafe_b64encode(b"[" * 5000).decode().rstrip("=")
    with pytest.raises(Unauthenticated):
        verifier.claims(f"{header}.e30.e30")


def test_an_issued_token_holds_until_it_expires(verifier: Verifier, settings: Settings) -> None:
    assert settings.signing_key is not None
    private, now = settings.signing_key, system_clock()
    circumstances = {"issuer": DEV_ISSUER, "audience": "palimpsest", "subject": "José", "role": "curator"}
    token = issue(private, **circumstances, now=now, seconds=60)
    assert verifier.claims(token).subject == "José"
    assert jwt.decode(token, options={"verify_signature": False})["exp"] == now // SECOND + 60
    with pytest.raises(Unauthenticated, match="expired"):
        verifier.claims(issue(private, **circumstances, now=now - 120 * SECOND, seconds=60))


@pytest.mark.parametrize("wrong", [{"role": "root"}, {"subject": " "}, {"subject": " ana"}], ids=str)
def test_no_token_is_issued_for_an_unknown_role_or_nobody(settings: Settings, wrong: dict[str, str]) -> None:
    assert settings.signing_key is not None
    asked = {"issuer": DEV_ISSUER, "audience": "palimpsest", "subject": "ana", "role": "user", **wrong}
    with pytest.raises(InvalidInput):
        issue(settings.signing_key, **asked, now=system_clock(), seconds=60)
