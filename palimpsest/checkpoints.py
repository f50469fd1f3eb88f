"""checkpoint, and verify --checkpoint: signed roots over all journals, taken and held against the present."""

from pathlib import Path

import msgspec

from kg_assets.errors import InvalidInput
from kg_assets.maintenance.checkpoint import check, keep, read
from kg_assets.text.instants import format_instant
from palimpsest.home import Home
from resources.checkpoints import CheckpointFolder
from resources.settings import DEV_ISSUER


class Taken(msgspec.Struct, frozen=True):
    file: str
    memories: int
    unread: int
    root: str


class Broken(msgspec.Struct, frozen=True):
    """`user` is empty where it is the checkpoint itself."""

    user: str
    message: str


class Held(msgspec.Struct, frozen=True):
    """`whole`: every journal goes on from what it was when the checkpoint was taken."""

    whole: bool
    taken_at: str
    memories: int
    findings: list[Broken]


def take_checkpoint(home: Home) -> Taken:
    checkpoint, path = keep(home.stores, CheckpointFolder(home.settings.home), now=home.clock())
    return Taken(str(path), len(checkpoint.leaves), len(checkpoint.unread), checkpoint.root)


def hold_against(home: Home, path: Path, key_file: Path | None, user: str | None = None) -> Held:
    """All journals of the checkpoint, or this user's.

    Raises `InvalidInput` for a file that is no checkpoint or knows nothing of the user, `NotReady` where the public key
    is missing.
    """
    try:
        checkpoint = read(path.read_bytes(), where=str(path))
    except OSError as ex:
        raise InvalidInput(f"cannot be read ({ex.strerror}); check the name and the rights", where=str(path)) from ex
    folder = CheckpointFolder(home.settings.home)
    findings = check(checkpoint, home.stores, lambda message, signature: folder.verifies(message, signature, key_file))
    count = len(checkpoint.leaves)
    if user is not None:
        wanted = home.stores.memory_id(DEV_ISSUER, user)
        if wanted not in {leaf.memory_id for leaf in checkpoint.leaves}:
            raise InvalidInput(f"holds no journal of {user!r}, who came later or never", where=str(path))
        findings = [each for each in findings if each.memory_id in ("", wanted)]
        count = 1
    named = []
    for each in findings:
        info = home.stores.find(each.memory_id) if each.memory_id else None
        named.append(Broken(info.name if info else each.memory_id, each.message))
    return Held(not named, format_instant(checkpoint.taken_at), count, named)
