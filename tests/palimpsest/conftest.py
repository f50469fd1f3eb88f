"""A home of its own for each test, and the command run on it: in this process, or as people run it."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from palimpsest.command_line import main


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


@pytest.fixture(autouse=True)
def environment(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """This test's home, and the encoder that needs no model."""
    monkeypatch.setenv("PALIMPSEST_HOME", str(home))
    monkeypatch.setenv("PALIMPSEST_EMBEDDER", "hashing")
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def palimpsest(capfd: pytest.CaptureFixture[str]) -> Command:
    """palimpsest("ingest", path, …) in this process."""

    def run(*words: object) -> Done:
        capfd.readouterr()
        try:
            code = main([str(word) for word in words])
        except SystemExit as ex:  # argparse ends the process itself
            code = int(ex.code or 0)
        out, err = capfd.readouterr()
        return Done(code, out, err)

    return run


def command_in(folder: Path) -> Command:
    """run("ingest", path, …) in a fresh process, on the home in this folder."""

    def run(*words: object) -> Done:
        command = [sys.executable, "-m", "palimpsest.command_line", *map(str, words)]
        environment = {
            **os.environ,
            "PALIMPSEST_HOME": str(folder / "home"),
            "PALIMPSEST_EMBEDDER": "hashing",
            "PYTHONPATH": str(Path(__file__).parents[2]),
        }
        done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, timeout=280)
        return Done(done.returncode, done.stdout, done.stderr)

    return run
