import dagster as dg

from kg_assets.asset import OWNERS
from kg_assets.maintenance.checkpoint import Checkpoints, keep
from kg_assets.ports import Clock, Stores


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
    checkpoint, path = keep(stores, checkpoints, now=clock())
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
