"""Runs are forked from a warm process, and each is a process of its own that can be looked at and ended."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import dagster as dg
import pytest
from dagster._core.launcher import LaunchRunContext, WorkerStatus

from kg_assets.errors import NotReady
from resources.run_launcher import WarmRunLauncher
from resources.run_process import PROCESS_TAG
from tests.resources.launched_job import noting

CONFIGURATION = """
telemetry: {enabled: false}
run_launcher:
  module: resources.run_launcher
  class: WarmRunLauncher
  config: {preload: [kg_assets.errors]}
"""
SECONDS = 60.0


@pytest.fixture
def instance(tmp_path: Path) -> Iterator[dg.DagsterInstance]:
    (tmp_path / "dagster.yaml").write_text(CONFIGURATION)
    with dg.DagsterInstance.from_config(str(tmp_path)) as opened:
        yield opened
        launcher_of(opened).join(30)


def launcher_of(instance: dg.DagsterInstance) -> WarmRunLauncher:
    launcher = instance.run_launcher
    assert isinstance(launcher, WarmRunLauncher)
    return launcher


def launched(instance: dg.DagsterInstance, folder: Path, *, wait: bool = False) -> str:
    job = dg.reconstructable(noting)
    run = instance.create_run_for_job(
        noting, run_config=configured(folder, wait=wait), job_code_origin=job.get_python_origin()
    )
    launcher_of(instance).launch_run(LaunchRunContext(dagster_run=run, workspace=None))
    return run.run_id


def configured(folder: Path, *, wait: bool) -> dict[str, Any]:
    return {"ops": {"note": {"config": {"folder": str(folder), "wait": wait}}}}


def until(there: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SECONDS
    while not there():
        assert time.monotonic() < deadline, "it did not come to that"
        time.sleep(0.05)


def run_of(instance: dg.DagsterInstance, run_id: str) -> dg.DagsterRun:
    run = instance.get_run_by_id(run_id)
    assert run is not None
    return run


def test_a_run_succeeds_in_a_process_of_its_own(instance: dg.DagsterInstance, tmp_path: Path) -> None:
    run_id = launched(instance, tmp_path)
    until(lambda: run_of(instance, run_id).is_finished)
    run = run_of(instance, run_id)
    assert run.status == dg.DagsterRunStatus.SUCCESS
    pid = int((tmp_path / "pid").read_text())
    assert pid != os.getpid()
    assert run.tags[PROCESS_TAG].split("/")[1] == str(pid)


def test_a_run_that_is_ended_is_canceled(instance: dg.DagsterInstance, tmp_path: Path) -> None:
    run_id = launched(instance, tmp_path, wait=True)
    until((tmp_path / "pid").exists)
    launcher = launcher_of(instance)
    assert launcher.check_run_worker_health(run_of(instance, run_id)).status == WorkerStatus.RUNNING
    assert launcher.terminate(run_id)
    until(lambda: run_of(instance, run_id).is_finished)
    assert run_of(instance, run_id).status == dg.DagsterRunStatus.CANCELED
    assert not launcher.terminate(run_id)


def test_a_run_whose_process_was_killed_is_told(instance: dg.DagsterInstance, tmp_path: Path) -> None:
    run_id = launched(instance, tmp_path, wait=True)
    until((tmp_path / "pid").exists)
    os.kill(int((tmp_path / "pid").read_text()), signal.SIGKILL)
    launcher = launcher_of(instance)
    until(lambda: launcher.check_run_worker_health(run_of(instance, run_id)).status == WorkerStatus.FAILED)
    assert not launcher.terminate(run_id)


def test_a_run_that_does_not_say_where_its_code_is_is_refused(instance: dg.DagsterInstance, tmp_path: Path) -> None:
    run = instance.create_run_for_job(noting, run_config=configured(tmp_path, wait=False))
    with pytest.raises(NotReady, match="does not say where its code is"):
        launcher_of(instance).launch_run(LaunchRunContext(dagster_run=run, workspace=None))
