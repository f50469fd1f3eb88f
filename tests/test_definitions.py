"""What the UI shows and what runs by itself, frozen: a change of it is to be seen in a review.

`pytest tests/test_definitions.py --snapshot-update` accepts one.
"""

from typing import Any

import dagster as dg
from syrupy.assertion import SnapshotAssertion

from kg_assets.definitions import defs


def described(spec: dg.AssetSpec) -> dict[str, Any]:
    partitions = spec.partitions_def
    return {
        "deps": sorted(dep.asset_key.to_user_string() for dep in spec.deps),
        "group": spec.group_name,
        "owners": list(spec.owners),
        "kinds": sorted(spec.kinds),
        "tags": {name: value for name, value in spec.tags.items() if not name.startswith("dagster/kind/")},
        "code_version": spec.code_version,
        "partitions": len(partitions.get_partition_keys()) if partitions else 0,
        "described": bool(spec.description),
    }


def test_the_assets_are_those_that_are_agreed(snapshot: SnapshotAssertion) -> None:
    assert {spec.key.to_user_string(): described(spec) for spec in defs.resolve_all_asset_specs()} == snapshot


def test_what_runs_by_itself_is_what_is_agreed(snapshot: SnapshotAssertion) -> None:
    repository = defs.get_repository_def()
    checks = repository.asset_graph.asset_check_keys
    assert {
        "checks": sorted(f"{key.asset_key.to_user_string()}: {key.name}" for key in checks),
        "jobs": sorted(name for name in repository.job_names if not name.startswith("__")),
        "sensors": {
            each.name: [each.job_name, each.minimum_interval_seconds, each.default_status.value]
            for each in repository.sensor_defs
        },
        "schedules": {
            each.name: [each.job_name, each.cron_schedule, each.default_status.value]
            for each in repository.schedule_defs
        },
    } == snapshot
