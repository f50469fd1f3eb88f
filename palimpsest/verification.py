"""Whether the memories of a home are what their journals tell, and whether their journals are the witnessed ones."""

import msgspec

from kg_assets.errors import Corrupt
from kg_assets.model import MemoryInfo
from palimpsest.home import Home
from palimpsest.progress import Progress
from quality.trail import walk
from resources.checkpoints import CheckpointFolder


class VerifiedMemory(msgspec.Struct, frozen=True, kw_only=True):
    """`broken` names the first entry that does not hold; None where all do."""

    user: str
    entries: int
    head: str
    broken: str | None


class Verification(msgspec.Struct, frozen=True, kw_only=True):
    """`signed` False: the chain is hashed only, so who may write all files of a home can write another one."""

    whole: bool
    signed: bool = False
    memories: list[VerifiedMemory]


def verify_memories(home: Home, user: str | None) -> Verification:
    """One memory, or all of this home."""
    infos = [home.info(user)] if user else home.stores.memories()
    with Progress("verifying", total=lambda: len(infos)) as progress:
        checked = []
        for info in infos:
            checked.append(verify_memory(home, info))
            progress.advance(1)
    return Verification(whole=not any(each.broken for each in checked), memories=checked)


def verify_memory(home: Home, info: MemoryInfo) -> VerifiedMemory:
    # Before the memory is read: what is written meanwhile is witnessed later, and is no cut.
    witness, folder = home.stores.witnessed_head(info.id), CheckpointFolder(home.settings.home)
    try:
        with home.opened(info) as memory:
            found = walk(memory, witness, folder.verifies if folder.published else None, home.ontology)
    except Corrupt as ex:  # it cannot even be opened
        return VerifiedMemory(user=info.name, entries=0, head="", broken=str(ex))
    return VerifiedMemory(user=info.name, entries=found.entries, head=found.head, broken=found.broken)
