import dagster as dg

from kg_assets.asset import ALL_ROUTES, materialise, memory_asset, origin_of, routes_of
from kg_assets.graph.state import state_hash
from kg_assets.index.building import CURSOR, VERSION, IndexReport, index_pending
from kg_assets.ports import Clock, Embedder, Memory, Stores
from kg_assets.shards import Visit, settle
from kg_assets.text.ontology import Ontology


@memory_asset("embedding_index", deps=("temporal_graph",), kinds={"python", "onnx", "sqlite"}, reads="projection")
def embedding_index(
    context: dg.AssetExecutionContext,
    stores: dg.ResourceParam[Stores],
    clock: dg.ResourceParam[Clock],
    embedder: dg.ResourceParam[Embedder],
    ontology: dg.ResourceParam[Ontology],
) -> dg.MaterializeResult[None]:
    """What recall searches: vectors of utterances, read together with the turns before them, and of facts.

    When an utterance comes it is encoded alone and can be found at once. Here it is encoded again within its session's
    window, and that row is replaced; facts that changed get vectors, closed ones lose theirs.

    *Data version*: the version of the index, and per memory its head, what still waits, and its state hash.
    """

    def wanted(memory: Memory) -> bool:
        if not memory.ledger.head().seq:
            return False
        behind = int(memory.value(CURSOR) or 0) < memory.ledger.head().journal_seq
        other = memory.value(VERSION) != embedder.version
        return behind or other or bool(memory.ledger.pending("index", ALL_ROUTES, 1))

    def work(memory: Memory) -> IndexReport:
        return index_pending(memory, embedder, ontology, origin=origin_of(context), clock=clock)

    def fingerprint(memory: Memory) -> list[str | int | list[int]]:
        waiting = memory.ledger.pending("index", ALL_ROUTES)
        return [embedder.version, memory.ledger.head().seq, waiting, state_hash(memory)]

    result = materialise(
        context,
        stores,
        clock,
        Visit(wanted=wanted, work=work, fingerprint=fingerprint, version=embedder.version),
        metadata={"index_version": embedder.version, "dimensions": embedder.dim},
    )
    settle(stores, context.partition_key, routes_of(context))  # the last stage: what waits now is what truly waits
    return result
