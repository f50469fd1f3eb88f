"""What runs by the clock: the hourly batch, the night, the audit after it, the search for lost hints, a weekly report,
and, where it is started, a weekly measurement. In UTC."""

from collections.abc import Iterator, Sequence

import dagster as dg

from kg_assets.asset import ROUTES_TAG
from kg_assets.model import Route
from kg_assets.ports import Stores
from sensors.asking import NIGHT
from sensors.waiting_work import PATH_TAG

BATCH, AUDIT, SWEEP = "0 * * * *", "30 4 * * *", "45 * * * *"
MEASURE, REPORT = "0 6 * * 0", "0 5 * * 1"
RUNNING = dg.DefaultScheduleStatus.RUNNING


def hourly_batch(job_name: str) -> dg.ScheduleDefinition:
    @dg.schedule(
        job_name=job_name,
        cron_schedule=BATCH,
        name="hourly_batch",
        default_status=RUNNING,
        description="Each hour, one run per shard in which something waits for the batch. The queue spaces them out.",
    )
    def evaluate(
        context: dg.ScheduleEvaluationContext, stores: dg.ResourceParam[Stores]
    ) -> Iterator[dg.RunRequest | dg.SkipReason]:
        yield from _requests(context, stores, ("batch",), {PATH_TAG: "batch"})

    return evaluate


def nightly(job_name: str) -> dg.ScheduleDefinition:
    @dg.schedule(
        job_name=job_name,
        cron_schedule=f"{NIGHT[1]} {NIGHT[0]} * * *",
        name="nightly",
        default_status=RUNNING,
        description="Each night, one run per shard in which anything waits, what was routed to the log included.",
    )
    def evaluate(
        context: dg.ScheduleEvaluationContext,
        stores: dg.ResourceParam[Stores],
        nightly_routes: dg.ResourceParam[Sequence[Route]],
    ) -> Iterator[dg.RunRequest | dg.SkipReason]:
        tags = {PATH_TAG: "nightly", ROUTES_TAG: ",".join(nightly_routes)}
        yield from _requests(context, stores, nightly_routes, tags)

    return evaluate


def _requests(
    context: dg.ScheduleEvaluationContext, stores: Stores, routes: Sequence[Route], tags: dict[str, str]
) -> Iterator[dg.RunRequest | dg.SkipReason]:
    hour = context.scheduled_execution_time.strftime("%Y-%m-%dT%H:%M")
    work = stores.work(routes)
    if not work:
        yield dg.SkipReason("nothing waits")
    for each in work:
        yield dg.RunRequest(run_key=f"{each.shard}:{hour}", partition_key=each.shard, tags=tags)


def nightly_audit(job_name: str) -> dg.ScheduleDefinition:
    return dg.ScheduleDefinition(
        job_name=job_name,
        cron_schedule=AUDIT,
        name="nightly_audit",
        default_status=RUNNING,
        description="All checks, each night.",
    )


def weekly_measurement(job_name: str) -> dg.ScheduleDefinition:
    return dg.ScheduleDefinition(
        job_name=job_name,
        cron_schedule=MEASURE,
        name="weekly_measurement",
        default_status=dg.DefaultScheduleStatus.STOPPED,
        description="What the thresholds of novelty would miss, each Sunday. Stopped until someone wants it: it reads "
        "every memory, and needs the extra `jax`.",
    )


def weekly_ontology_report(job_name: str) -> dg.ScheduleDefinition:
    return dg.ScheduleDefinition(
        job_name=job_name,
        cron_schedule=REPORT,
        name="weekly_ontology_report",
        default_status=RUNNING,
        description="Each Monday after the night: what users say that the ontology has no predicate for.",
    )


# --------------------------------------------------------------------------------------------------- lost hints


@dg.op(description="Compare the hint of every memory with what really waits in it. Only a loss of power loses one.")
def sweep(context: dg.OpExecutionContext, stores: dg.ResourceParam[Stores]) -> None:
    wrong = stores.sweep()
    context.add_output_metadata({"hints_mended": wrong})
    context.log.info(f"{wrong} hints were wrong and are mended")


@dg.job(
    name="find_lost_work",
    executor_def=dg.in_process_executor,
    description="Finds work whose hint was lost, so that the sensor sees it again.",
)
def find_lost_work() -> None:
    sweep()


hourly_sweep = dg.ScheduleDefinition(
    job=find_lost_work, cron_schedule=SWEEP, name="hourly_sweep", default_status=RUNNING
)
