import dagster as dg

from kg_assets.asset import OWNERS, materialise, memory_asset, origin_of
from kg_assets.graph.generations import belief_version, is_stale
from kg_assets.graph.policies import Policy
from kg_assets.graph.state import state_hash
from kg_assets.maintenance.checkpoint import Checkpoints, keep
from kg_assets.maintenance.generations import MOST_LOST, Circumstances, Rebuilt, rebuild
from kg_assets.ports import Clock, Embedder, Memory, Stores
from kg_assets.shards import Visit
from kg_assets.text.ontology import load_ontology


class Rebuilding(dg.Config):
    """How a roll-out goes: memories that are up to date too; whether what was built serves; what it may give up."""

    everything: bool = False
    flip: bool = True
    most_lost: float = MOST_LOST


@memory_asset(
    "rebuilt_graph", deps=("temporal_graph",), kinds={"python", "sqlite"}, reads="generations", group="generations"
)
def rebuilt_graph(
    context: dg.AssetExecutionContext,
    config: Rebuilding,
    stores: dg.ResourceParam[Stores],
    clock: dg.ResourceParam[Clock],
    embedder: dg.ResourceParam[Embedder],
    policy: dg.ResourceParam[Policy],
) -> dg.MaterializeResult[None]:
    """Belief derived again from all evidence, for memories whose belief was made by another ontology or policy.

    A new generation is built beside the one that serves. Where it holds together, and gives up no more than
    `most_lost` of the statements believed so far, it serves from then on; the old one stays, answers reads of the
    past, and can be flipped back to with `palimpsest flip`. A memory whose checks fail is in quarantine here, keeps
    what it believed, and does not stop the others. Run again, it goes on where it stood.

    *Data version*: the state hashes of all memories in the shard.
    """
    ontology = load_ontology()
    at = Circumstances(ontology=ontology, embedder=embedder, origin=origin_of(context), clock=clock, policy=policy)

    def wanted(memory: Memory) -> bool:
        return is_stale(memory, ontology, policy) or (config.everything and memory.ledger.head().seq > 0)

    def work(memory: Memory) -> Rebuilt:
        return rebuild(memory, at, flip_to_it=config.flip, most_lost=config.most_lost)

    rules = belief_version(ontology, policy)
    version = f"{rules} {context.run.run_id}" if config.everything or not config.flip else rules
    return materialise(
        context,
        stores,
        clock,
        Visit(wanted=wanted, work=work, fingerprint=state_hash, version=version),
        metadata={"rules": rules, "flip": config.flip},
    )


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
