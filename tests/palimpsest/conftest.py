"""A home of its own for each test, and the command run as people run it: as a process."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest


class Done(msgspec.Struct, frozen=True):
    """What one command left: exit code and both streams."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Command = Callable[..., Done]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def palimpsest(home: Path, tmp_path: Path) -> Command:
    """palimpsest("ingest", path, …) in a fresh process on this test's home, with the encoder that needs no model."""
    environment = {**os.environ, "PALIMPSEST_HOME": str(home), "PALIMPSEST_EMBEDDER": "hashing", "COLUMNS": "200"}

    def run(*words: object) -> Done:
        done = subprocess.run(
            [sys.executable, "-m", "palimpsest.command_line", *map(str, words)],
            env=environment,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=280,
        )
        return Done(done.returncode, done.stdout, done.stderr)

    return run
