import dagster as dg

from kg_assets.asset import materialise, memory_asset, origin_of
from kg_assets.novelty.backlog import CURSOR, NoveltyReport, score_pending
from kg_assets.novelty.scoring import VERSION, Thresholds
from kg_assets.ports import Clock, Embedder, Memory, Stores
from kg_assets.shards import Visit
from kg_assets.text.ontology import Ontology


@memory_asset("novelty_scores", deps=("utterances",), kinds={"python", "sqlite"}, reads="evidence")
def novelty_scores(
    context: dg.AssetExecutionContext,
    stores: dg.ResourceParam[Stores],
    clock: dg.ResourceParam[Clock],
    thresholds: dg.ResourceParam[Thresholds],
    embedder: dg.ResourceParam[Embedder],
    ontology: dg.ResourceParam[Ontology],
) -> dg.MaterializeResult[None]:
    """How new each utterance was when it came, 0 to 100, and the route that follows from it.

    | route | score | extracted |
    |---|---|---|
    | immediate | from 70 | within seconds, asked for by a sensor |
    | batch | 30 to 70, and all imports | every hour |
    | log | below 30 | at night |

    A score is written once, when the utterance is appended, and never changed. This asset scores only what lacks one,
    and sums up what came since its last run.

    *Data version*: the heads of all logs in the shard and the version of the scoring.
    """

    def wanted(memory: Memory) -> bool:
        counted = int(memory.value(CURSOR) or 0)
        return counted < memory.ledger.head().seq or bool(memory.ledger.unscored(1))

    def work(memory: Memory) -> NoveltyReport:
        return score_pending(
            memory,
            embedder=embedder,
            ontology=ontology,
            thresholds=thresholds,
            origin=origin_of(context),
            clock=clock,
        )

    def fingerprint(memory: Memory) -> list[int | str]:
        return [memory.ledger.head().seq, VERSION]

    return materialise(
        context,
        stores,
        clock,
        Visit(wanted=wanted, work=work, fingerprint=fingerprint, version=VERSION),
        metadata={"from_score": {"immediate": thresholds.immediate, "batch": thresholds.batch}},
    )
