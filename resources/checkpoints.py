"""Where checkpoints are kept, and the key that signs them."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path

from kg_assets.errors import InvalidInput
from resources.keys import new_signing_key, read_key, verifying_part, write_new

KEY_VARIABLE = "PALIMPSEST_CHECKPOINT_KEY_FILE"
VERIFYING_KEY = "verifying.pem"


class CheckpointFolder:
    """`checkpoints/` of a home: one file each, and the public key. The private key should lie elsewhere in production:
    who has it and the home can forge both; the environment variable names its file, else it is made among the keys."""

    def __init__(self, home: Path, environment: Mapping[str, str] = os.environ) -> None:
        self.folder = home / "checkpoints"
        named = environment.get(KEY_VARIABLE)
        self._key_path = Path(named) if named else home / "keys" / "checkpoint-signing.pem"
        self._may_make = named is None

    def signing(self) -> Callable[[bytes], bytes]:
        """`sign`, after the public key was put into the folder for those who verify."""
        self._publish()
        return self.sign

    def sign_published(self, message: bytes) -> bytes:
        """With the public key in the folder afterwards, for those who verify."""
        self._publish()
        return self.sign(message)

    @property
    def published(self) -> bool:
        """Whether the public key is there: nothing was ever signed without."""
        return (self.folder / VERIFYING_KEY).exists()

    def sign(self, message: bytes) -> bytes:
        """Ed25519. Raises `NotReady` where the key that was named is missing."""
        from cryptography.hazmat.primitives.serialization import load_pem_private_key

        key = load_pem_private_key(self._signing_key(), password=None)
        return key.sign(message)  # type: ignore[union-attr, call-arg]

    def verifies(self, message: bytes, signature: bytes, key_file: Path | None = None) -> bool:
        """With the public key of this folder, or the one that an auditor kept."""
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
        from cryptography.hazmat.primitives.serialization import load_pem_public_key

        path = key_file or self.folder / VERIFYING_KEY
        try:
            key = load_pem_public_key(read_key(path))
        except ValueError as ex:
            raise InvalidInput("is no public key in PEM", where=str(path)) from ex
        if not isinstance(key, Ed25519PublicKey):
            raise InvalidInput("is a public key of another kind than Ed25519", where=str(path))
        try:
            key.verify(signature, message)
        except InvalidSignature:
            return False
        return True

    def add(self, name: str, content: bytes) -> Path:
        """Never over one that is there."""
        self._publish()
        path = self.folder / f"{name}.json"
        write_new(path, content)
        return path

    def contents(self) -> list[tuple[str, bytes]]:
        return [(path.name, path.read_bytes()) for path in self.files()]

    def files(self) -> list[Path]:
        return sorted(self.folder.glob("*.json"))

    def _publish(self) -> None:
        self.folder.mkdir(mode=0o700, exist_ok=True)
        write_new(self.folder / VERIFYING_KEY, verifying_part(self._signing_key()))

    def _signing_key(self) -> bytes:
        if self._may_make:
            write_new(self._key_path, new_signing_key())
        return read_key(self._key_path)
