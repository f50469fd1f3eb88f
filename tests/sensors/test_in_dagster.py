"""Sensors, schedules and a run as Dagster evaluates them, over real stores and a real instance."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from kg_assets.asset import ROUTES_TAG, shown_round
from kg_assets.definitions import ASSETS
from kg_assets.graph.generations import dropped_generations
from kg_assets.graph.policies import Policy
from kg_assets.maintenance.asset import kept_generations, rebuilt_graph
from kg_assets.maintenance.dropping import Keep
from kg_assets.model import MemoryInfo
from kg_assets.novelty.scoring import Thresholds
from kg_assets.shards import LEASE_SECONDS, Visit, go_through, opened, quarantine_of
from kg_assets.text.ontology import load_ontology
from kg_assets.triples.extraction import Voters
from resources.compute import LocalCompute
from resources.embedder import build_embedder
from resources.sqlite import SqliteStores
from sensors.schedules import find_lost_work, hourly_batch, nightly
from sensors.waiting_work import PARTITION_TAG, high_novelty, left_by_the_night, long_queue
from tests.shards.memories import NOW, damage, of_one_shard, say

DAY = 86_400_000_000
NOVEL = "My sister Anna moved to Lisbon and married Tom in May."
ROUTES = ("immediate", "batch")


@pytest.fixture
def stores(tmp_path: Path) -> Iterator[SqliteStores]:
    found = SqliteStores(tmp_path / "data", b"secret", clock=lambda: NOW)
    yield found
    found.close()


@pytest.fixture
def ana(stores: SqliteStores) -> MemoryInfo:
    return stores.create("test", "user 0", now=NOW)


@pytest.fixture
def instance() -> Iterator[dg.DagsterInstance]:
    with dg.DagsterInstance.ephemeral() as found:
        yield found


def ticked(
    sensor: dg.SensorDefinition,
    stores: SqliteStores,
    instance: dg.DagsterInstance,
    cursor: str | None = None,
    **more: Any,
) -> Any:
    resources = {"stores": stores, "clock": lambda: NOW, **more}
    needed = {name: each for name, each in resources.items() if name in sensor.required_resource_keys}
    return sensor(dg.build_sensor_context(instance=instance, cursor=cursor, resources=needed))


def test_the_sensor_asks_once_for_the_shard_where_something_novel_waits(
    stores: SqliteStores, ana: MemoryInfo, instance: dg.DagsterInstance
) -> None:
    sensor = high_novelty("incremental_memory")
    assert isinstance(ticked(sensor, stores, instance), dg.SkipReason)
    say(stores, ana, NOVEL, cap_at_batch=False)
    first = ticked(sensor, stores, instance)
    assert [request.partition_key for request in first.run_requests] == [ana.shard]
    assert first.run_requests[0].tags["palimpsest/path"] == "immediate"
    assert ticked(sensor, stores, instance, first.cursor).run_requests == []


def test_a_shard_that_runs_is_left_alone(stores: SqliteStores, ana: MemoryInfo, instance: dg.DagsterInstance) -> None:
    say(stores, ana, NOVEL, cap_at_batch=False)

    @dg.job
    def any_job() -> None: ...

    instance.create_run_for_job(any_job, tags={PARTITION_TAG: ana.shard}, status=dg.DagsterRunStatus.STARTING)
    assert ticked(high_novelty("incremental_memory"), stores, instance).run_requests == []


def test_a_short_queue_of_the_batch_waits_for_the_hour(
    stores: SqliteStores, ana: MemoryInfo, instance: dg.DagsterInstance
) -> None:
    say(stores, ana, NOVEL)
    assert ticked(long_queue("incremental_memory"), stores, instance).run_requests == []
    found = at(hourly_batch("incremental_memory"), 12, stores=stores)
    assert [request.partition_key for request in found] == [ana.shard]


def at(schedule: dg.ScheduleDefinition, hour: int, **resources: Any) -> list[Any]:
    moment = datetime(2026, 5, 30, hour, 30, tzinfo=UTC)
    found: Any = schedule(dg.build_schedule_context(scheduled_execution_time=moment, resources=resources))
    return list(found)


def test_the_night_takes_the_log_and_what_it_left_is_asked_for_again(
    stores: SqliteStores, ana: MemoryInfo, instance: dg.DagsterInstance
) -> None:
    routes = ("immediate", "batch", "log")
    say(stores, ana, "Fine, thanks.", now=NOW - 2 * DAY)
    found = at(nightly("nightly_memory"), 2, stores=stores, nightly_routes=routes)
    assert [request.tags[ROUTES_TAG] for request in found] == ["immediate,batch,log"]
    sensor = left_by_the_night("nightly_memory")
    again = ticked(sensor, stores, instance, nightly_routes=routes)
    assert [(request.partition_key, request.tags[ROUTES_TAG]) for request in again.run_requests] == [
        (ana.shard, "immediate,batch,log")
    ]
    assert isinstance(ticked(sensor, stores, instance, nightly_routes=ROUTES), dg.SkipReason)


def test_what_came_since_the_night_is_left_for_the_next(
    stores: SqliteStores, ana: MemoryInfo, instance: dg.DagsterInstance
) -> None:
    say(stores, ana, "Fine, thanks.", now=NOW)
    found = ticked(left_by_the_night("nightly_memory"), stores, instance, nightly_routes=("log",))
    assert isinstance(found, dg.SkipReason)


def materialised(
    stores: SqliteStores,
    shard: str,
    instance: dg.DagsterInstance,
    assets: Sequence[dg.AssetsDefinition] = ASSETS,
    **config: Any,
) -> dg.ExecuteInProcessResult:
    return dg.materialize(
        assets,
        partition_key=shard,
        instance=instance,
        raise_on_error=False,
        run_config={"ops": {each.op.name: {"config": config} for each in assets}} if config else None,
        resources={
            "stores": stores,
            "clock": lambda: NOW,
            "embedder": build_embedder("hashing"),
            "thresholds": Thresholds(),
            "compute": LocalCompute(),
            "voters": Voters(),
            "language_voter": dg.ResourceDefinition.none_resource(),
            "policy": Policy(),
            "keep": Keep(2),
            "ontology": load_ontology(),
        },
    )


def metadata_of(result: dg.ExecuteInProcessResult, asset: str) -> dict[str, Any]:
    (event,) = result.asset_materializations_for_node(asset)
    return {name: each.value for name, each in event.metadata.items()}


def test_a_run_goes_on_beside_a_damaged_memory_and_opens_only_what_waits(
    stores: SqliteStores, instance: dg.DagsterInstance, tmp_path: Path
) -> None:
    damaged, told, silent = of_one_shard(stores, 3)
    assert materialised(stores, told.shard, instance).success
    say(stores, told, NOVEL)
    say(stores, damaged, NOVEL)
    damage(tmp_path / "data", damaged, "pending")
    result = materialised(stores, told.shard, instance)
    assert result.success
    for asset, kind in (("utterances", "failed"), ("extracted_triples", "held"), ("embedding_index", "held")):
        shown = metadata_of(result, asset)
        assert (shown["memories"], shown["memories_visited"], shown[f"{kind}_memories"]) == (3, 2, 1), asset
    with opened(stores, told.id) as memory:
        assert memory.graph.facts(valid_at=None, known_at=None)
    assert stores.work(ROUTES)[0].memories == (damaged.id,)
    assert silent.id not in str(result.asset_materializations_for_node("utterances"))


def test_a_memory_that_another_run_held_is_told_in_the_metadata(stores: SqliteStores, ana: MemoryInfo) -> None:
    say(stores, ana, NOVEL)
    assert stores.lease(ana.id, holder="another", now=NOW, seconds=LEASE_SECONDS)
    visit = Visit(wanted=lambda _: True, work=lambda _: None, fingerprint=lambda _: 0, version="1")
    found = go_through(
        stores, ana.shard, "utterances", visit, routes=ROUTES, holder="run", clock=lambda: NOW, patience=0
    )
    assert shown_round(found)["busy_memories"] == 1


def test_the_sweep_job_finds_lost_work(stores: SqliteStores, ana: MemoryInfo, tmp_path: Path) -> None:
    import apsw

    say(stores, ana, NOVEL)
    connection = apsw.Connection(str(tmp_path / "data" / "control.db"))
    connection.execute("DELETE FROM inbox")
    connection.close()
    assert stores.work(ROUTES) == []
    assert find_lost_work.execute_in_process(resources={"stores": stores}).success
    assert stores.work(ROUTES)[0].memories == (ana.id,)


def test_old_generations_go_where_somebody_asks_for_it(
    stores: SqliteStores, ana: MemoryInfo, instance: dg.DagsterInstance
) -> None:
    say(stores, ana, NOVEL)
    assert materialised(stores, ana.shard, instance).success
    for _ in range(2):
        assert materialised(stores, ana.shard, instance, [rebuilt_graph], everything=True).success
    for config, numbers in ({}, {1}), ({}, {1}), ({"keep": 1}, {1, 2}):
        done = materialised(stores, ana.shard, instance, [kept_generations], **config)
        with opened(stores, ana.id) as memory:
            assert (done.success, dropped_generations(memory)) == (True, numbers)
    assert metadata_of(done, "kept_generations")["dropped"] == 1
    assert not materialised(stores, ana.shard, instance, [kept_generations], keep=0).success
    with opened(stores, ana.id) as memory:
        assert (memory.graph.generation, quarantine_of(memory)) == (3, None)
