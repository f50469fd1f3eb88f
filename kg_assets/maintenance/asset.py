from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

import dagster as dg

from kg_assets.asset import OWNERS
from kg_assets.maintenance.checkpoint import last_root, read, take, written
from kg_assets.ports import Clock, Stores
from kg_assets.text.instants import format_instant


class Checkpoints(Protocol):
    """Where checkpoints are kept, and what signs them."""

    sign: Callable[[bytes], bytes]

    def add(self, name: str, content: bytes) -> Path: ...
    def files(self) -> Sequence[Path]: ...


@dg.asset(
    group_name="audit",
    owners=list(OWNERS),
    kinds={"python"},
    tags={"palimpsest/holds": "integrity"},
    code_version="1",
    deps=["temporal_graph"],
)
def journal_checkpoint(
    context: dg.AssetExecutionContext,
    stores: dg.ResourceParam[Stores],
    checkpoints: dg.ResourceParam[Checkpoints],
    clock: dg.ResourceParam[Clock],
) -> dg.MaterializeResult[None]:
    """One signed Merkle root over the journal heads of all memories.

    Keep a copy elsewhere: `palimpsest verify --checkpoint FILE` tells later whether a journal was cut, replaced or
    rewritten since it was taken.

    *Data version*: the root.
    """
    before = [read(path.read_bytes(), where=path.name) for path in checkpoints.files()]
    checkpoint = take(stores, now=clock(), previous=last_root(before), sign=checkpoints.sign)
    taken_at = format_instant(checkpoint.taken_at)
    path = checkpoints.add(taken_at.replace(":", ""), written(checkpoint))
    if checkpoint.unread:
        context.log.warning(f"{len(checkpoint.unread)} memories could not be opened and are not in the checkpoint")
    return dg.MaterializeResult(
        metadata={
            "memories": len(checkpoint.leaves),
            "journal_entries": sum(leaf.journal_seq for leaf in checkpoint.leaves),
            "unread_memories": len(checkpoint.unread),
            "root": checkpoint.root,
            "previous": checkpoint.previous,
            "file": path.name,
        },
        data_version=dg.DataVersion(checkpoint.root),
    )
