"""erase, and verify --certificate: a memory, sessions or utterances destroyed, and the proof that they were."""

import secrets
from collections.abc import Sequence
from pathlib import Path

import msgspec

from kg_assets.errors import InvalidInput
from kg_assets.graph.policies import Policy
from kg_assets.maintenance.erasure import Certificate, broken, erase_memory, read, sound
from kg_assets.maintenance.forgetting import Forgetting, Forgotten, erase_utterances
from kg_assets.maintenance.selecting import said, said_in
from kg_assets.model import Origin, Utterance
from kg_assets.ports import Memory
from palimpsest.home import Home
from resources.checkpoints import CheckpointFolder

ID_BYTES = 16


class Checked(msgspec.Struct, frozen=True):
    """`sound`: signed with this key and unaltered. `kept`: what this home kept of it holds; None where it has none."""

    id: str
    sound: bool
    kept: bool | None


def erase_user(home: Home, user: str) -> Certificate:
    """Raises `NotFound`, and `NotReady` while a run works on the memory."""
    info = home.info(user)
    return erase_memory(
        home.stores,
        info.id,
        certificate_id=secrets.token_hex(ID_BYTES),
        sign=CheckpointFolder(home.settings.home).signing(),
        clock=home.clock,
        holder=f"erase-{secrets.token_hex(4)}",
    )


def erase_part(home: Home, user: str, *, utterances: Sequence[str], sessions: Sequence[str]) -> Forgotten:
    """Utterances by id, or whole sessions. Raises `NotFound`, and `NotReady` while a run works on the memory."""

    def choose(memory: Memory) -> list[Utterance]:
        return said(memory, utterances) if utterances else said_in(memory, sessions)

    how = Forgetting(
        certificate_id=secrets.token_hex(ID_BYTES),
        scope="utterances" if utterances else "session",
        sign=CheckpointFolder(home.settings.home).signing(),
        clock=home.clock,
        origin=Origin(actor="palimpsest erase", cause="erase"),
        embedder=home.embedder,
        ontology=home.ontology,
        policy=Policy(home.settings.belief.policy),
    )
    return erase_utterances(home.stores, home.info(user).id, choose, how=how, holder=f"erase-{secrets.token_hex(4)}")


def check_certificate(home: Home, path: Path, key_file: Path | None) -> Checked:
    """Raises `InvalidInput` for a file that is no certificate, `NotReady` where the public key is missing."""
    certificate = _certificate(path)
    folder = CheckpointFolder(home.settings.home)

    def verifies(message: bytes, signature: bytes) -> bool:
        return folder.verifies(message, signature, key_file)

    kept = [each for each in home.stores.erased() if each.id == certificate.id]
    whole = broken(kept[0], verifies) is None and read(kept[0].certificate, where="") == certificate if kept else None
    return Checked(certificate.id, sound(certificate, verifies), whole)


def check_signature(path: Path, key_file: Path) -> Checked:
    """Where there is no home: file and public key alone. Raises as `check_certificate` does."""
    certificate = _certificate(path)
    folder = CheckpointFolder(key_file.parent)

    def verifies(message: bytes, signature: bytes) -> bool:
        return folder.verifies(message, signature, key_file)

    return Checked(certificate.id, sound(certificate, verifies), None)


def _certificate(path: Path) -> Certificate:
    try:
        return read(path.read_bytes(), where=str(path))
    except OSError as ex:
        raise InvalidInput(f"cannot be read ({ex.strerror}); check the name and the rights", where=str(path)) from ex
