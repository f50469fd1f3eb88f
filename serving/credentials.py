"""Bearer tokens: signed JWTs (EdDSA) of one issuer for one audience; issued for development, checked for all."""

from typing import Any

import jwt
import msgspec

from kg_assets.errors import InvalidInput, PalimpsestError
from kg_assets.model import Micros
from serving.subjects import checked_subject

ALGORITHM = "EdDSA"  # pinned: the header of a token never chooses
ROLES = ("user", "curator", "auditor", "admin", "service")
MAX_TOKEN_CHARS = 8192
CLOCK_SKEW_SECONDS = 30  # an issuer's clock may run ahead of ours, or behind


class Unauthenticated(PalimpsestError):
    """No token, or one that does not hold (HTTP 401)."""

    def __init__(self, message: str, *, presented: bool = True) -> None:
        super().__init__(message)
        self.presented = presented


class Forbidden(PalimpsestError):
    """The token holds, its roles do not allow this (HTTP 403)."""


class Claims(msgspec.Struct, frozen=True):
    """What a verified token says of its bearer."""

    issuer: str
    subject: str
    roles: tuple[str, ...]


class Verifier:
    """Checks tokens against one public key, issuer and audience."""

    def __init__(self, public_key: bytes, *, issuer: str, audience: str) -> None:
        self.public_key = public_key
        self.issuer = issuer
        self.audience = audience

    def claims(self, token: str) -> Claims:
        """Raises `Unauthenticated`; says what to do, not which check failed."""
        if len(token) > MAX_TOKEN_CHARS:
            raise Unauthenticated("the token is longer than any that is issued here; get a new one")
        try:
            payload = jwt.decode(
                token,
                self.public_key,
                algorithms=[ALGORITHM],
                issuer=self.issuer,
                audience=self.audience,
                leeway=CLOCK_SKEW_SECONDS,
                options={"require": ["exp", "iss", "aud", "sub"]},
            )
        except jwt.ExpiredSignatureError as ex:
            raise Unauthenticated("the token has expired; get a new one") from ex
        except (jwt.InvalidTokenError, RecursionError) as ex:  # RecursionError: a header of a thousand brackets
            raise Unauthenticated("the token is not valid here; get a new one") from ex
        return Claims(self.issuer, subject_of(payload), roles_of(payload))


def subject_of(payload: dict[str, Any]) -> str:
    subject = payload["sub"]
    if not isinstance(subject, str):
        raise Unauthenticated("the token's `sub` must be a text")
    try:
        return checked_subject(subject, where="sub")
    except InvalidInput as ex:
        raise Unauthenticated(f"the token's `sub`: {ex.reason}") from ex


def roles_of(payload: dict[str, Any]) -> tuple[str, ...]:
    """The known roles of the claim `roles`; a token without the claim is a user's."""
    roles = payload.get("roles", ["user"])
    if not isinstance(roles, list) or not all(isinstance(each, str) for each in roles):
        raise Unauthenticated("the token's `roles` must be a list of texts")
    return tuple(role for role in ROLES if role in roles)


def issue(private_key: bytes, *, issuer: str, audience: str, subject: str, role: str, now: Micros, seconds: int) -> str:
    """A development token for `subject`, valid from now."""
    if role not in ROLES:
        raise InvalidInput(f"there is no role {role!r}; use one of {', '.join(ROLES)}", where="--role")
    issued = now // 1_000_000
    payload = {
        "iss": issuer,
        "aud": audience,
        "sub": checked_subject(subject, where="--user"),
        "roles": [role],
        "iat": issued,
        "exp": issued + seconds,
    }
    return jwt.encode(payload, private_key, algorithm=ALGORITHM)
