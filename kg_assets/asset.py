"""What the Dagster shells of all stages share: how an asset is declared, walks its shard, and shows what it did.

Nothing of a person's words or names enters metadata or logs: counts, ids and hashes only.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, get_args

import dagster as dg
import msgspec

from kg_assets import charts
from kg_assets.errors import InvalidInput
from kg_assets.model import Materialisation, Origin, Route
from kg_assets.partitions import SHARDS
from kg_assets.ports import Clock, Stores
from kg_assets.shards import STAGES, Round, Visit, data_version, go_through

SHARD_PARTITIONS = dg.StaticPartitionsDefinition(list(SHARDS))
GROUP = "memory"
OWNERS = ("team:memory",)

# Raised by hand where a stage gives another result for the same input. A hash of the source would call everything
# stale after each change of a comment.
CODE_VERSIONS = dict.fromkeys(STAGES, "1")

ROUTES_TAG = "palimpsest/routes"
USUAL_ROUTES: tuple[Route, ...] = ("immediate", "batch")
ALL_ROUTES: tuple[Route, ...] = get_args(Route)
NO_COUNTS = ("first", "last", "generation", "served", "numbers")  # of a report: numbers that name something
MOST_ROWS = 25  # of a table in the UI


def memory_asset(
    name: str, *, deps: Sequence[str], kinds: set[str], reads: str, group: str = GROUP
) -> Callable[..., dg.AssetsDefinition]:
    """An asset of the memory pipeline, partitioned by shard; its description is the function's docstring.

    `reads` tells what one looks for in this asset; it becomes a tag by which the UI can filter.
    """

    def declare(function: Callable[..., Any]) -> dg.AssetsDefinition:
        return dg.asset(
            name=name,
            deps=list(deps),
            partitions_def=SHARD_PARTITIONS,
            group_name=group,
            owners=list(OWNERS),
            tags={"palimpsest/holds": reads},
            kinds=kinds,
            code_version=CODE_VERSIONS[name],
        )(function)

    return declare


def routes_of(context: dg.AssetExecutionContext) -> tuple[Route, ...]:
    """Which routes a run takes: its tag `palimpsest/routes`, comma-separated, or immediate and batch."""
    named = context.run.tags.get(ROUTES_TAG)
    if named is None:
        return USUAL_ROUTES
    routes = tuple(route for route in ALL_ROUTES if route in named.split(","))
    if not routes or len(routes) != len(named.split(",")):
        raise InvalidInput(f"{named!r} names other routes than {', '.join(ALL_ROUTES)}; correct it", where=ROUTES_TAG)
    return routes


def origin_of(context: dg.AssetExecutionContext) -> Origin:
    name = context.asset_key.path[-1]
    return Origin(
        actor=name,
        cause=f"{name}/{context.partition_key}",
        run_id=context.run.run_id,
        code_version=CODE_VERSIONS[name],
    )


def materialise(
    context: dg.AssetExecutionContext,
    stores: Stores,
    clock: Clock,
    visit: Visit,
    *,
    metadata: Mapping[str, Any] | None = None,
) -> dg.MaterializeResult[Any]:
    """Walk the shard, note the materialisation in the ledger, and return it with what a data engineer asks for.

    Raises `dagster.Failure` where each memory of the shard failed; as long as there is one that did not, it goes on.
    """
    name, shard, started = context.asset_key.path[-1], context.partition_key, clock()
    found = go_through(stores, shard, name, visit, routes=routes_of(context), holder=context.run.run_id, clock=clock)
    for memory_id, quarantine in found.failed.items():
        context.log.warning(
            f"memory {memory_id}: {quarantine.error} at {quarantine.place} (time {quarantine.times}); it is in "
            "quarantine and tried again by the next run"
        )
    if found.busy:
        context.log.warning(
            f"{len(found.busy)} memories were held by another run all the time and are left as they were; what waits "
            "in them is asked for again"
        )
    shown = {**shown_round(found), **(metadata or {})}
    if found.failed and len(found.failed) == found.memories:
        raise dg.Failure(f"{name}: each of the {found.memories} memories of {shard} failed", metadata=shown)
    version = data_version(name, shard, found.fingerprints)
    stores.add_materialisation(
        Materialisation(
            run_id=context.run.run_id,
            asset=name,
            partition=shard,
            code_version=CODE_VERSIONS[name],
            data_version=version,
            started_at=started,
            finished_at=clock(),
        )
    )
    return dg.MaterializeResult(metadata=shown, data_version=dg.DataVersion(version))


# ------------------------------------------------------------------------------------------------------ metadata


def shown_round(found: Round) -> dict[str, Any]:
    """Metadata of one walk: counts as numbers (the UI plots them over time), distributions as table and chart."""
    shown: dict[str, Any] = {
        "memories": found.memories,
        "memories_visited": found.visited,
        "memories_changed": len(found.done),
        "failed_memories": len(found.failed),
        "busy_memories": len(found.busy),
        "held_memories": len(found.held),
    }
    if found.failed:
        shown["failures"] = table(
            {"memory": memory_id, "error": each.error, "place": each.place, "times": each.times}
            for memory_id, each in found.failed.items()
        )
    reports = {memory_id: msgspec.structs.asdict(report) for memory_id, report in found.done.items()}
    for field, value in summed(list(reports.values())).items():
        shown |= shown_figure(field, value)
    if reports:
        shown["by_memory"] = table({"memory": memory_id, **_numbers(report)} for memory_id, report in reports.items())
    return shown


def summed(reports: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Reports added up field by field: numbers, counts by name, and histograms; what names something is left out."""
    total: dict[str, Any] = {}
    for report in reports:
        for field, value in report.items():
            if field in NO_COUNTS:
                continue
            if isinstance(value, dict):
                before = total.get(field, {})
                total[field] = before | {key: before.get(key, 0) + count for key, count in value.items()}
            elif isinstance(value, tuple):
                before = total.get(field, (0,) * len(value))
                total[field] = tuple(map(sum, zip(before, value, strict=True)))
            elif isinstance(value, int | float):
                total[field] = total.get(field, 0) + value
    return total


def shown_figure(field: str, value: Any) -> dict[str, Any]:
    if isinstance(value, dict):
        rows = sorted(value.items(), key=lambda row: (-row[1], row[0]))
        return _distribution(field, [(str(name), count) for name, count in rows])
    if isinstance(value, tuple):
        width = 100 // max(1, len(value))
        return _distribution(field, [(f"{n * width} to {(n + 1) * width}", count) for n, count in enumerate(value)])
    return {field: value}


def _distribution(field: str, rows: Sequence[tuple[str, int]]) -> dict[str, Any]:
    if not rows:
        return {}
    return {
        field: table({field: name, "count": count} for name, count in rows),
        f"{field}_chart": dg.MetadataValue.md(charts.as_markdown(charts.bars(rows[:MOST_ROWS]), field)),
    }


def _numbers(report: Mapping[str, Any]) -> dict[str, int | float | str]:
    return {field: value for field, value in report.items() if isinstance(value, int | float | str)}


def table(rows: Iterable[Mapping[str, Any]]) -> dg.TableMetadataValue:
    records = [dg.TableRecord(dict(row)) for row in rows]
    return dg.MetadataValue.table(records[:MOST_ROWS])
