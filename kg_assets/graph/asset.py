import dagster as dg
import msgspec

from kg_assets.asset import OWNERS, materialise, memory_asset, origin_of, routes_of, table
from kg_assets.graph.belief import BeliefReport, derive_pending
from kg_assets.graph.generations import belief_version
from kg_assets.graph.policies import Policy
from kg_assets.graph.state import state_hash
from kg_assets.graph.suggested_counts import suggested_everywhere
from kg_assets.graph.suggesting import LEAST
from kg_assets.identity import content_hash
from kg_assets.ports import Clock, Memory, Stores
from kg_assets.shards import Visit
from kg_assets.text.ontology import Ontology


@memory_asset("temporal_graph", deps=("extracted_triples",), kinds={"python", "sqlite"}, reads="belief")
def temporal_graph(
    context: dg.AssetExecutionContext,
    stores: dg.ResourceParam[Stores],
    clock: dg.ResourceParam[Clock],
    policy: dg.ResourceParam[Policy],
    ontology: dg.ResourceParam[Ontology],
) -> dg.MaterializeResult[None]:
    """What is believed, on two time axes: when it was true in the world, and when it was believed here.

    For each slot that new assertions touch, belief is derived again from all of its evidence, and the difference is
    written: a fact is *asserted*, *reinforced*, *superseded* or *retracted*. Nothing is overwritten. Evidence,
    decisions, journal and graph rows of a memory move in one transaction. How conflicts are settled is the policy of
    the settings. Another policy or ontology than before changes nothing that is believed already: `rebuilt_graph`
    derives that again, beside what serves.

    *Data version*: the state hashes of all memories in the shard. It depends on the set of assertions alone, not on
    the order or the batches in which they came.
    """
    routes = routes_of(context)

    def wanted(memory: Memory) -> bool:
        return bool(memory.ledger.pending("derive", routes, 1))

    def work(memory: Memory) -> BeliefReport:
        report = derive_pending(memory, ontology, routes=routes, origin=origin_of(context), clock=clock, policy=policy)
        return msgspec.structs.replace(report, state_hash=state_hash(memory))

    return materialise(
        context,
        stores,
        clock,
        Visit(wanted=wanted, work=work, fingerprint=state_hash, version=belief_version(ontology, policy)),
        metadata={"routes": ", ".join(routes), "ontology": ontology.version, "policy": policy.version},
    )


@dg.asset(
    group_name="audit",
    owners=list(OWNERS),
    kinds={"python"},
    tags={"palimpsest/holds": "measurements"},
    code_version="1",
    deps=["temporal_graph"],
)
def merge_suggestions(
    context: dg.AssetExecutionContext, stores: dg.ResourceParam[Stores], ontology: dg.ResourceParam[Ontology]
) -> dg.MaterializeResult[None]:
    """How many pairs of entities look like one and wait for somebody to say so, by how likely they are.

    Over all memories; only counts leave them, and nothing is stored: `palimpsest suggestions` and
    `GET /v1/entities/suggestions` compute the pairs of one memory with their reasons, for those who may read it.

    *Data version*: the counts.
    """
    found = suggested_everywhere(stores, ontology)
    if found.unread:
        context.log.warning(f"{found.unread} memories could not be opened and are not counted")
    return dg.MaterializeResult(
        metadata={
            "memories": found.memories,
            "unread_memories": found.unread,
            "entities": found.entities,
            "suggestions": found.pairs,
            "memories_with_more": found.full,
            "by_score": table(
                {"score from": each / 10, "pairs": found.by_score.get(each, 0)} for each in range(LEAST // 100, 11)
            ),
        },
        data_version=dg.DataVersion(content_hash(msgspec.to_builtins(found, str_keys=True))),
    )
