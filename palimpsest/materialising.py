"""Running the memory job in this process, one run per shard, on the home's own Dagster instance."""

import os
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from palimpsest.home import voters_of
from resources.clock import system_clock
from resources.llm import build_language_model
from resources.settings import Settings

# What is told of a run: name → (asset, number in its metadata).
COUNTS = {
    "utterances": ("utterances", "utterances"),
    "assertions": ("extracted_triples", "assertions"),
    "slots": ("temporal_graph", "slots"),
    "conflicts": ("temporal_graph", "conflicts"),
    "facts_indexed": ("embedding_index", "facts"),
}
QUIET = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}


class ShardOutcome(msgspec.Struct, frozen=True, kw_only=True):
    shard: str
    run_id: str
    success: bool
    counts: dict[str, int]
    failed_memories: int
    busy_memories: int


class MaterialiseSummary(msgspec.Struct, frozen=True, kw_only=True):
    """`ok`: each run succeeded, no memory failed, and none was left as it was because another run held it."""

    shards: tuple[ShardOutcome, ...]

    @property
    def failed_memories(self) -> int:
        return sum(each.failed_memories for each in self.shards)

    @property
    def busy_memories(self) -> int:
        return sum(each.busy_memories for each in self.shards)

    @property
    def ok(self) -> bool:
        return all(each.success for each in self.shards) and not self.failed_memories and not self.busy_memories


def materialise(
    settings: Settings,
    *,
    shards: Sequence[str] | None = None,
    everything: bool = False,
    on_progress: Callable[[int, int, str], None] | None = None,
) -> MaterialiseSummary:
    """Run each shard where something waits, or those that are named; the runs appear in the UI like any other.

    `everything` takes what was routed to the log too. Prints nothing. Imports dagster and, with work to do, spacy.
    """
    from kg_assets.asset import ALL_ROUTES, USUAL_ROUTES
    from kg_assets.text.extra_ontology import ontology_with
    from resources.dagster_home import fail_orphans, open_instance
    from resources.stores import open_stores

    # these say now what each run could only fail with
    build_language_model(settings.llm, os.environ)
    ontology = ontology_with(settings.extra_ontology)
    voters_of(settings).extractor(ontology)
    os.environ["PALIMPSEST_HOME"] = str(settings.home)  # the resources of a run read the home from here
    if shards is None:
        stores = open_stores(settings, system_clock)
        try:
            stores.sweep()
            shards = [work.shard for work in stores.work(ALL_ROUTES if everything else USUAL_ROUTES)]
        finally:
            stores.close()
    with open_instance(settings.dagster_dir) as instance:
        fail_orphans(instance)
        outcomes: list[ShardOutcome] = []
        for shard in shards:
            if on_progress:
                on_progress(len(outcomes), len(shards), shard)
            outcomes.append(_run(instance, shard, everything=everything))
        if on_progress:
            on_progress(len(shards), len(shards), "")
    return MaterialiseSummary(shards=tuple(outcomes))


def _run(instance: Any, shard: str, *, everything: bool) -> ShardOutcome:
    from kg_assets.definitions import defs, incremental_memory, nightly_memory
    from resources.run_process import PROCESS_TAG, process_tag
    from sensors.waiting_work import PATH_TAG

    job = defs.resolve_job_def((nightly_memory if everything else incremental_memory).name)
    result = job.execute_in_process(
        instance=instance,
        partition_key=shard,
        run_config=QUIET,
        raise_on_error=False,
        tags={PATH_TAG: "command", PROCESS_TAG: process_tag(os.getpid())},
    )
    metadata = {
        event.asset_key.path[-1]: event.step_materialization_data.materialization.metadata
        for event in result.get_asset_materialization_events()
        if event.asset_key is not None
    }
    return ShardOutcome(
        shard=shard,
        run_id=result.run_id,
        success=result.success,
        counts={name: _number(metadata.get(asset, {}), field) for name, (asset, field) in COUNTS.items()},
        failed_memories=sum(_number(each, "failed_memories") for each in metadata.values()),
        busy_memories=max((_number(each, "busy_memories") for each in metadata.values()), default=0),
    )


def _number(metadata: Any, field: str) -> int:
    return int(metadata[field].value) if field in metadata else 0
