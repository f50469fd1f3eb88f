import dagster as dg

from kg_assets.asset import ALL_ROUTES, CODE_VERSIONS, materialise, memory_asset, origin_of
from kg_assets.ports import Clock, Memory, Stores
from kg_assets.shards import Visit
from kg_assets.utterances.sealing import SealReport, seal_pending


@memory_asset("utterances", deps=(), kinds={"python", "sqlite"}, reads="evidence")
def utterances(
    context: dg.AssetExecutionContext, stores: dg.ResourceParam[Stores], clock: dg.ResourceParam[Clock]
) -> dg.MaterializeResult[None]:
    """What people said, sealed.

    Each utterance was durable before its sender got an answer. Here its content is read back and compared with its
    hash, and one hash over each chunk goes into the memory's journal: from then on no utterance can be altered unseen.

    *Data version*: the heads of all logs in the shard. *Failed*: a content that does not match its hash.
    """

    def wanted(memory: Memory) -> bool:
        return bool(memory.ledger.pending("seal", ALL_ROUTES, 1))

    def work(memory: Memory) -> SealReport:
        return seal_pending(memory, origin=origin_of(context), clock=clock)

    def fingerprint(memory: Memory) -> int:
        return memory.ledger.head().seq

    return materialise(
        context,
        stores,
        clock,
        Visit(wanted=wanted, work=work, fingerprint=fingerprint, version=CODE_VERSIONS["utterances"]),
    )
