import math
from typing import Any

import dagster as dg
import msgspec
from pydantic import Field

from kg_assets import charts
from kg_assets.asset import MOST_ROWS, OWNERS, materialise, memory_asset, origin_of, table
from kg_assets.graph.generations import belief_version, generations, is_stale, reader_of
from kg_assets.graph.policies import Policy
from kg_assets.graph.state import state_hash
from kg_assets.identity import content_hash
from kg_assets.maintenance.checkpoint import Checkpoints, keep
from kg_assets.maintenance.dropping import Dropped, Keep, beyond, drop
from kg_assets.maintenance.generations import MOST_LOST, Circumstances, Rebuilt, rebuild
from kg_assets.maintenance.novelty_figures import measured
from kg_assets.maintenance.ontology_gaps import Least, gaps_of
from kg_assets.maintenance.operating_curve import curve, tally_all
from kg_assets.novelty.scoring import Thresholds
from kg_assets.novelty.weights import default_weights, shipped_figures
from kg_assets.ports import Clock, Compute, Embedder, Memory, Stores
from kg_assets.shards import Visit
from kg_assets.text.ontology import Ontology
from kg_assets.triples.extraction import Voters
from kg_assets.triples.language_voter import LanguageVoter
from kg_assets.triples.reading_again import AgainReader


class Rebuilding(dg.Config):
    """How a roll-out goes: memories that are up to date too; whether all is read again first, by the voters of today;
    whether what was built serves; what it may give up."""

    everything: bool = False
    read_again: bool = False
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
    ontology: dg.ResourceParam[Ontology],
    voters: dg.ResourceParam[Voters],
    language_voter: dg.ResourceParam[LanguageVoter | None],
    compute: dg.ResourceParam[Compute],
) -> dg.MaterializeResult[None]:
    """Belief derived again from all evidence, for memories whose belief was made by another ontology or policy.

    With `read_again`, all that was said is read again first, where it was not yet by the voters of today: what an older
    extractor missed or mistook then counts no more in the new generation, and still does in the old one. `missed`
    counts utterances for which a language model among the voters had no budget left, or gave no answer: they count as
    they were read before, and the next such run goes on with them.

    A new generation is built beside the one that serves. Where it holds together, and gives up no more than
    `most_lost` of the statements believed so far, it serves from then on; the old one stays, answers reads of the
    past, and can be flipped back to with `palimpsest flip`. A memory whose checks fail is in quarantine here, keeps
    what it believed, and does not stop the others. Run again, it goes on where it stood.

    *Data version*: the state hashes of all memories in the shard.
    """
    at = Circumstances(ontology=ontology, embedder=embedder, origin=origin_of(context), clock=clock, policy=policy)

    reader = None
    if config.read_again:
        extractor = voters.extractor(ontology, language_voter.version if language_voter else "")
        reader = AgainReader(extractor, language=language_voter, compute=compute)

    def wanted(memory: Memory) -> bool:
        if memory.ledger.head().seq == 0:
            return False
        older = reader is not None and reader_of(memory) != reader.version
        return older or config.everything or is_stale(memory, ontology, policy)

    def work(memory: Memory) -> Rebuilt:
        return rebuild(memory, at, flip_to_it=config.flip, most_lost=config.most_lost, reader=reader)

    rules = belief_version(ontology, policy)
    version = f"{rules} {reader.version}" if reader else rules
    goes_on = reader is not None and language_voter is not None  # where another run missed some
    if config.everything or not config.flip or goes_on:
        version = f"{version} {context.run.run_id}"
    return materialise(
        context,
        stores,
        clock,
        Visit(wanted=wanted, work=work, fingerprint=state_hash, version=version),
        metadata={"rules": rules, "flip": config.flip, "read_again_by": reader.version if reader else "nobody"},
    )


class Retention(dg.Config):
    """How many generations are kept; that of the settings where none is named."""

    keep: int | None = Field(default=None, ge=1)


@memory_asset(
    "kept_generations", deps=("rebuilt_graph",), kinds={"python", "sqlite"}, reads="generations", group="generations"
)
def kept_generations(
    context: dg.AssetExecutionContext,
    config: Retention,
    stores: dg.ResourceParam[Stores],
    clock: dg.ResourceParam[Clock],
    keep: dg.ResourceParam[Keep],
) -> dg.MaterializeResult[None]:
    """Old generations of belief dropped: the one that serves stays, and those that served last before it.

    The rows of the others go, with the index items of their facts; the journal keeps what it told of them, and all
    evidence stays. A read as of a time at which a dropped generation served is refused from then on, so this runs only
    when somebody asks for it: the job `drop_generations`, or `palimpsest generations --keep`. What was built and never
    served stays as long as it is newer than what serves.

    *Data version*: the generations that are there.
    """
    most = keep.generations if config.keep is None else config.keep

    def work(memory: Memory) -> Dropped:
        return drop(memory, beyond(memory, most), origin=origin_of(context), clock=clock)

    def fingerprint(memory: Memory) -> list[int]:
        return [each.generation for each in generations(memory) if not each.dropped]

    # Each memory is looked at: one that was rebuilt by the command line is told of nowhere else.
    return materialise(
        context,
        stores,
        clock,
        Visit(
            wanted=lambda memory: bool(beyond(memory, most)),
            work=work,
            fingerprint=fingerprint,
            version=f"keep-{most} {context.run.run_id}",
        ),
        metadata={"keep": most},
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


@dg.asset(
    group_name="novelty",
    owners=list(OWNERS),
    kinds={"python"},
    tags={"palimpsest/holds": "measurements"},
    code_version="1",
    deps=["temporal_graph"],
)
def novelty_operating_curve(
    context: dg.AssetExecutionContext,
    stores: dg.ResourceParam[Stores],
    thresholds: dg.ResourceParam[Thresholds],
) -> dg.MaterializeResult[None]:
    """What each threshold of novelty would drop or defer, against what would have been missed.

    | share below a score | of |
    |---|---|
    | utterances | all that were read |
    | telling | those that led to assertions |
    | facts | versions believed now, each at the highest score of the utterances it rests on |

    Over all memories; only counts leave them. What waits to be read is left out: run the night first. Nothing below a
    threshold is lost: it waits in the log, and is read at night or by `palimpsest materialise --all`.

    *Data version*: the counts by score.
    """
    counts = tally_all(stores)
    points = curve(counts)
    if counts.unread:
        context.log.warning(f"{counts.unread} memories could not be opened and are not in the curve")
    by_score = charts.lines(
        {
            name: [(point.threshold, getattr(point, name)) for point in points]
            for name in ("utterances", "telling", "facts")
        },
        across="threshold",
        up="share below",
        most=100,
    )
    missed = charts.lines(
        {
            "utterances that led to assertions": [(point.utterances, point.telling) for point in points],
            "facts that rest on nothing else": [(point.utterances, point.facts) for point in points],
        },
        across="share of utterances dropped or deferred",
        up="share missed",
    )
    rows = [msgspec.structs.asdict(point) for point in points]
    return dg.MaterializeResult(
        metadata={
            "memories": counts.memories,
            "unread_memories": counts.unread,
            "utterances": sum(counts.utterances),
            "telling": sum(counts.telling),
            "facts": sum(counts.facts),
            "waiting": counts.waiting,
            "at_thresholds": table(
                {"route": f"below {name}", **rows[min(100, math.ceil(getattr(thresholds, name)))]}
                for name in ("batch", "immediate")
            ),
            "curve": table(rows[::5]),
            "curve_by_point": dg.MetadataValue.json(rows),
            "shares_below": dg.MetadataValue.md(charts.as_markdown(by_score, "shares below each threshold")),
            "missed_against_dropped": dg.MetadataValue.md(charts.as_markdown(missed, "missed against dropped")),
        },
        data_version=dg.DataVersion(content_hash(msgspec.to_builtins(counts))),
    )


@dg.asset(
    group_name="novelty",
    owners=list(OWNERS),
    kinds={"python", "jax", "spacy"},
    tags={"palimpsest/holds": "measurements"},
    code_version="1",
)
def novelty_model(embedder: dg.ResourceParam[Embedder]) -> dg.MaterializeResult[None]:
    """How good the shipped weights of novelty are: figures on held-out examples, and whether a chance means a chance.

    Measured now on made-up talk of another seed than the weights were fitted to; beside it what was measured when they
    were fitted, with LongMemEval's evidence held out, whose file does not come with Palimpsest. Fits nothing: that is
    `python benchmarks/novelty_training.py`.

    *Data version*: the weights' version, and what was measured now.
    """
    weights, fitted = default_weights(), shipped_figures()
    now = measured(weights, embedder)
    reliability = charts.lines(
        {
            "as expected": [(0, 0), (1, 1)],
            "made-up talk, now": [(expected, found) for expected, found, _ in now.reliability],
            "held out, when fitted": [(expected, found) for expected, found, _ in fitted.reliability],
        },
        across="expected chance that something is told",
        up="found",
    )
    names = ("expected", "found", "examples")
    return dg.MaterializeResult(
        metadata={
            "weights": weights.version,
            "encoder": embedder.version,
            **now.figures,
            "figures_when_fitted": table(
                {"figure": name, "held out": float(value)} for name, value in fitted.figures.items()
            ),
            "reliability": table(dict(zip(names, row, strict=True)) for row in now.reliability),
            "reliability_when_fitted": table(dict(zip(names, row, strict=True)) for row in fitted.reliability),
            "reliability_chart": dg.MetadataValue.md(charts.as_markdown(reliability, "reliability")),
            "left_out": "LongMemEval is not part of Palimpsest: its figures are those of when the weights were fitted",
        },
        data_version=dg.DataVersion(content_hash(weights.version, msgspec.to_builtins(now))),
    )


@dg.asset(
    group_name="ontology",
    owners=list(OWNERS),
    kinds={"python", "spacy"},
    tags={"palimpsest/holds": "measurements"},
    code_version="1",
    deps=["temporal_graph"],
)
def ontology_gaps(
    context: dg.AssetExecutionContext,
    stores: dg.ResourceParam[Stores],
    ontology: dg.ResourceParam[Ontology],
    embedder: dg.ResourceParam[Embedder],
    least: dg.ResourceParam[Least],
) -> dg.MaterializeResult[None]:
    """Provisional predicates that belief uses: what users say for which the ontology has no predicate.

    Of each the assertions and memories that use it, their share of all, the types of subject and object met most
    often, and the declared predicate that it may be another word for. Over all memories; only counts leave them, and
    the names of predicates that enough memories use (`[ontology] least_memories`) and that are nothing but verbs and
    small words. Take one up by declaring it, or an alias, in the file that `[ontology] extra` names; then rebuild.

    *Data version*: the counts.
    """
    found = gaps_of(stores, ontology, embedder, least=least.memories)
    if found.unread:
        context.log.warning(f"{found.unread} memories could not be opened and are not in the report")
    rows = [msgspec.structs.asdict(gap) for gap in found.gaps]
    shown: dict[str, Any] = {
        "memories": found.memories,
        "unread_memories": found.unread,
        "ontology": ontology.version,
        "assertions": found.assertions,
        "provisional_assertions": found.provisional,
        "provisional_share": found.share,
        "named_from_memories": found.least,
        "hidden_predicates": found.hidden,
        "hidden_assertions": found.hidden_assertions,
        "hidden_for_their_words": found.worded,
        "facts_to_rebuild": found.renamed,
        "gaps": table(rows),
        "all_gaps": dg.MetadataValue.json(rows),
    }
    if rows:
        bars = charts.bars([(gap.predicate, gap.memories) for gap in found.gaps[:MOST_ROWS]])
        shown["memories_by_predicate"] = dg.MetadataValue.md(charts.as_markdown(bars, "memories by predicate"))
    return dg.MaterializeResult(
        metadata=shown, data_version=dg.DataVersion(content_hash(ontology.version, msgspec.to_builtins(found)))
    )
