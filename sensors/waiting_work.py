"""Sensors that ask for a run of each shard where work waits: at once for what is novel, soon for a long queue."""

from collections.abc import Callable, Sequence

import dagster as dg

from kg_assets.asset import ROUTES_TAG
from kg_assets.model import Micros, Route, ShardWork
from kg_assets.ports import Clock, Stores
from sensors.asking import decide, from_cursor, left_over, to_cursor

PATH_TAG = "palimpsest/path"
PARTITION_TAG = "dagster/partition"

# The daemon looks every 5 s, and skips a sensor whose last tick began less than its interval ago. With an interval of
# 5 that is each second look (measured: 5.4 s from novelty to tick instead of 2.5), so it is set below.
EVERY_LOOK = 3
LONG_QUEUE = 200

UNFINISHED = [
    dg.DagsterRunStatus.QUEUED,
    dg.DagsterRunStatus.NOT_STARTED,
    dg.DagsterRunStatus.STARTING,
    dg.DagsterRunStatus.STARTED,
    dg.DagsterRunStatus.CANCELING,
]


def high_novelty(job_name: str) -> dg.SensorDefinition:
    """Asks within seconds for what was routed to the immediate path."""
    return _sensor(
        job_name,
        "high_novelty",
        route="immediate",
        description=(
            "One run per shard in which something novel waits, never one per utterance. A shard that runs already is "
            "left alone; after a failed run it is tried again, later each time."
        ),
        seconds=EVERY_LOOK,
        priority=10,
        at_least=1,
    )


def long_queue(job_name: str) -> dg.SensorDefinition:
    """Asks for what was routed to the batch path where much of it waits, so that an import need not wait an hour."""
    return _sensor(
        job_name,
        "long_queue",
        route="batch",
        description=f"One run per shard in which {LONG_QUEUE} utterances or more wait for the batch.",
        seconds=30,
        priority=0,
        at_least=LONG_QUEUE,
    )


def left_by_the_night(job_name: str) -> dg.SensorDefinition:
    """Asks again for what the last night should have taken, so that it need not wait for the next."""

    @dg.sensor(
        name="left_by_the_night",
        job_name=job_name,
        minimum_interval_seconds=60,
        default_status=dg.DefaultSensorStatus.RUNNING,
        description="One run per shard in which something waits for the night since before the last one.",
    )
    def evaluate(
        context: dg.SensorEvaluationContext,
        stores: dg.ResourceParam[Stores],
        clock: dg.ResourceParam[Clock],
        nightly_routes: dg.ResourceParam[Sequence[Route]],
    ) -> dg.SensorResult | dg.SkipReason:
        tags = {PATH_TAG: "nightly", ROUTES_TAG: ",".join(nightly_routes)}
        return _asked(context, left_over(stores.work(nightly_routes), now=clock()), clock(), tags, at_least=1)

    return evaluate


def _sensor(
    job_name: str,
    name: str,
    *,
    route: Route,
    description: str,
    seconds: int,
    priority: int,
    at_least: int,
) -> dg.SensorDefinition:
    tags = {PATH_TAG: route, "dagster/priority": str(priority)}

    def evaluate(
        context: dg.SensorEvaluationContext, stores: dg.ResourceParam[Stores], clock: dg.ResourceParam[Clock]
    ) -> dg.SensorResult | dg.SkipReason:
        return _asked(context, stores.work((route,)), clock(), tags, at_least=at_least)

    declare: Callable[..., dg.SensorDefinition] = dg.sensor(
        name=name,
        job_name=job_name,
        minimum_interval_seconds=seconds,
        default_status=dg.DefaultSensorStatus.RUNNING,
        description=description,
    )
    return declare(evaluate)


def _asked(
    context: dg.SensorEvaluationContext, work: Sequence[ShardWork], now: Micros, tags: dict[str, str], *, at_least: int
) -> dg.SensorResult | dg.SkipReason:
    """The decision, as Dagster takes it."""
    before = from_cursor(context.cursor)
    if not work and not before:
        return dg.SkipReason("nothing waits")
    requests, asked = decide(work, running_shards(context.instance), before, now=now, at_least=at_least)
    return dg.SensorResult(
        run_requests=[dg.RunRequest(run_key=each.run_key, partition_key=each.shard, tags=tags) for each in requests],
        skip_reason=None if requests else dg.SkipReason(f"{len(work)} shards wait, each runs or is not due yet"),
        cursor=to_cursor(asked),
    )


def running_shards(instance: dg.DagsterInstance) -> set[str]:
    """Shards of which a run is queued or under way, whoever asked for it."""
    runs = instance.get_runs(dg.RunsFilter(statuses=UNFINISHED))
    return {run.tags[PARTITION_TAG] for run in runs if PARTITION_TAG in run.tags}
