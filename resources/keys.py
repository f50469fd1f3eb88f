"""The keys of a home: made once, read at start, and shown nowhere."""

import os
import secrets
from pathlib import Path

from kg_assets.errors import InvalidInput, NotReady

SECRET_BYTES = 32  # the least that keys an HMAC-SHA-256 in full


class Secret(bytes):
    """Bytes that no log line, traceback or repr shows."""

    def __repr__(self) -> str:
        return "Secret(hidden)"

    __str__ = __repr__


def write_new(path: Path, content: bytes) -> None:
    """All of it or nothing, readable by the owner only, and never over a file that is there."""
    if path.exists():
        return
    draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    try:
        os.link(draft, path)
    except FileExistsError:
        pass  # another process was faster
    finally:
        draft.unlink()


def new_signing_key() -> bytes:
    """An Ed25519 private key as PEM."""
    from cryptography.hazmat.primitives import serialization as form
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.generate().private_bytes(form.Encoding.PEM, form.PrivateFormat.PKCS8, form.NoEncryption())


def verifying_part(signing_key: bytes) -> bytes:
    """The public part of a private key, both PEM."""
    from cryptography.hazmat.primitives import serialization as form

    public = form.load_pem_private_key(signing_key, password=None).public_key()
    return public.public_bytes(form.Encoding.PEM, form.PublicFormat.SubjectPublicKeyInfo)


def deployment_secret(path: Path) -> Secret:
    """Raises `InvalidInput` for one that can be guessed: whoever knows it can tell who has a memory here."""
    secret = Secret(read_key(path).strip())
    if len(secret) < SECRET_BYTES:
        raise InvalidInput(
            f"has {len(secret)} bytes, a deployment's secret at least {SECRET_BYTES}; restore it from a backup "
            "(with another one no memory of this home is found again)",
            where=str(path),
        )
    return secret


def read_key(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError as ex:
        raise NotReady(f"{path}: this key is missing; run `palimpsest init`, or restore it from a backup") from ex
