"""Dagster's instance inside a home: its configuration, its storage, and runs that a crash left behind."""

from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from resources.run_process import PROCESS_TAG, is_gone

if TYPE_CHECKING:
    import dagster as dg

CONFIGURATION = "dagster.yaml"


def prepare_instance(folder: Path) -> None:
    """Call this before any process of Dagster starts on a home.

    Two that meet an empty home at once both make the tables, and leave a storage that never opens again ("more than one
    head"). Imports dagster, 1.5 s.
    """
    with open_instance(folder) as instance:
        fail_orphans(instance)


def open_instance(folder: Path) -> "dg.DagsterInstance":
    """The instance of this folder, made where there is none; a context manager. Needs no DAGSTER_HOME."""
    import dagster as dg

    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    configuration = folder / CONFIGURATION
    if not configuration.exists():
        configuration.write_text(files("resources").joinpath("dagster_home.yaml").read_text(encoding="utf-8"))
    return dg.DagsterInstance.from_config(str(folder))


def fail_orphans(instance: "dg.DagsterInstance") -> int:
    """Mark runs whose process is gone as failed: an unfinished run keeps its shard from being asked for again."""
    import dagster as dg

    started = [dg.DagsterRunStatus.STARTING, dg.DagsterRunStatus.STARTED, dg.DagsterRunStatus.CANCELING]
    orphans = [run for run in instance.get_runs(dg.RunsFilter(statuses=started)) if is_gone(run.tags.get(PROCESS_TAG))]
    for run in orphans:
        instance.report_run_failed(run, "Its process is gone. What it did not finish still waits.")
    return len(orphans)


def write_workspace(folder: Path, port: int) -> Path:
    """The workspace file by which web server and daemon share one code server on this port.

    Left to themselves each starts its own, and the daemon starts it anew every 60 s (2 s of a processor each time).
    The name stands for the location in the UI, and the state of sensors hangs on it: it must not change.
    """
    path = folder / "workspace.yaml"
    path.write_text(
        f"load_from:\n  - grpc_server:\n      host: 127.0.0.1\n      port: {port}\n      location_name: palimpsest\n",
        encoding="utf-8",
    )
    return path
