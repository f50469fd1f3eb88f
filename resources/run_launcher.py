"""A run launcher that forks runs from a warm process.

Dagster's own launcher starts a new Python for each run; importing Dagster and loading the parser take 5 of the 9 s from
a novel utterance to its fact, and keep a core busy that should answer requests. Here the standard library's fork server
imports all that once. Each run is still a process of its own, executing what `dagster api execute_run` executes.
"""

import multiprocessing
import os
import runpy
import signal
import sys
from collections.abc import Mapping, Sequence
from multiprocessing import forkserver
from multiprocessing.process import BaseProcess
from typing import Any

from dagster import DagsterInstance, DagsterRun
from dagster._core.launcher import CheckRunHealthResult, LaunchRunContext, RunLauncher, WorkerStatus
from dagster._grpc.types import ExecuteRunArgs
from dagster._serdes import ConfigurableClass, ConfigurableClassData

from kg_assets.errors import NotReady
from resources.run_process import PROCESS_TAG, is_gone, pid_here, process_tag

START_AT_ONCE = "PALIMPSEST_WARM_RUNS"  # set for the daemon: warm up before the first run asks for it


class WarmRunLauncher(RunLauncher[DagsterInstance], ConfigurableClass):
    """Launches runs on this host. `preload`: modules that the fork server imports before it forks."""

    def __init__(self, preload: Sequence[str] = (), inst_data: ConfigurableClassData | None = None) -> None:
        self._inst_data = inst_data
        self._processes: dict[str, BaseProcess] = {}
        self._fork = multiprocessing.get_context("forkserver")
        self._fork.set_forkserver_preload(list(preload))
        super().__init__()  # type: ignore[no-untyped-call]

    @property
    def inst_data(self) -> ConfigurableClassData | None:
        return self._inst_data

    @classmethod
    def config_type(cls) -> dict[str, Any]:
        return {"preload": [str]}

    @classmethod
    def from_config_value(
        cls, inst_data: ConfigurableClassData | None, config_value: Mapping[str, Any]
    ) -> "WarmRunLauncher":
        return cls(inst_data=inst_data, **config_value)

    def register_instance(self, instance: DagsterInstance) -> None:
        super().register_instance(instance)
        if os.environ.pop(START_AT_ONCE, ""):  # taken away, so that no child starts one of its own
            forkserver.ensure_running()

    def launch_run(self, context: LaunchRunContext) -> None:
        run = context.dagster_run
        if run.job_code_origin is None:
            raise NotReady(f"run {run.run_id}: it does not say where its code is; launch it from a code location")
        arguments = ExecuteRunArgs(
            job_origin=run.job_code_origin, run_id=run.run_id, instance_ref=self._instance.get_ref()
        ).get_command_args()
        process = self._fork.Process(target=execute, args=(list(arguments),), name=f"run-{run.run_id[:8]}")
        process.start()
        self._processes = {run_id: each for run_id, each in self._processes.items() if each.is_alive()}
        self._processes[run.run_id] = process
        self._instance.add_run_tags(run.run_id, {PROCESS_TAG: process_tag(process.pid or 0)})

    def terminate(self, run_id: str) -> bool:
        """From any process of this host: the run catches the signal and ends as canceled."""
        run = self._instance.get_run_by_id(run_id)
        pid = pid_here(run.tags.get(PROCESS_TAG)) if run and not run.is_finished else None
        if run is None or pid is None:
            return False
        self._instance.report_run_canceling(run)
        os.kill(pid, signal.SIGTERM)
        return True

    def join(self, timeout: int = 30) -> None:
        for process in list(self._processes.values()):
            process.join(timeout)

    @property
    def supports_check_run_worker_health(self) -> bool:
        return True

    def check_run_worker_health(self, run: DagsterRun) -> CheckRunHealthResult:
        tag = run.tags.get(PROCESS_TAG)
        if is_gone(tag):
            return CheckRunHealthResult(WorkerStatus.FAILED, f"process {tag} is gone")
        return CheckRunHealthResult(WorkerStatus.RUNNING)


def execute(arguments: list[str]) -> None:
    """What the command line `python -m dagster …` does, in this forked process."""
    sys.argv = ["dagster", *arguments[arguments.index("dagster") + 1 :]]
    runpy.run_module("dagster", run_name="__main__", alter_sys=True)
