"""A job for the run launcher's test: it waits for a file if it is told to, and notes which process it ran in."""

import os
import time
from pathlib import Path

import dagster as dg


@dg.op(config_schema={"folder": str, "wait": bool})
def note(context: dg.OpExecutionContext) -> None:
    folder = Path(context.op_config["folder"])
    (folder / "pid").write_text(str(os.getpid()))
    while context.op_config["wait"]:
        time.sleep(0.05)


@dg.job(executor_def=dg.in_process_executor)
def noting() -> None:
    note()
