"""Starting and stopping the parts of `up` with real processes: no orphan stays, and one that dies is reported."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from kg_assets.errors import InvalidInput, NotReady
from palimpsest.addresses import require_free
from palimpsest.together import Part, Running, start, stop, stopped_by_signals, wait_until_healthy, watch
from resources.settings import Settings, create_home, load_settings

PARENT = """
import signal, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(100)"])
print(child.pid, flush=True)
if "stubborn" in sys.argv:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("ready", flush=True)
time.sleep(100)
"""


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    create_home(tmp_path)
    return load_settings(tmp_path, {})


def launch(settings: Settings, program: str, *words: str, name: str = "part") -> Running:
    log = settings.home / "logs" / f"{name}.log"
    command = [sys.executable, "-c", program, *words]
    return start(Part(name=name, command=command, healthy=lambda: "ready" in log.read_text()), settings)


def alive(pid: int) -> bool:
    """False for a process that ended but was not reaped yet."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def never() -> bool:
    return False


@pytest.mark.parametrize("manner", ["mild", "stubborn"])
def test_stopping_ends_a_part_and_all_that_it_started(
    settings: Settings, manner: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("palimpsest.together.STOP_SECONDS", 1)
    part = launch(settings, PARENT, manner)
    assert wait_until_healthy([part], never)
    grandchild = int(part.log.read_text().split()[0])
    assert alive(grandchild)
    stop([part])
    assert part.process.returncode in (-signal.SIGTERM, -signal.SIGKILL)
    wait_for(lambda: not alive(grandchild))


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel of Linux tells children of their parent's death")
def test_a_part_ends_when_its_parent_is_killed(settings: Settings) -> None:
    log = settings.home / "logs" / "part.log"
    program = f"""
import sys, time
from pathlib import Path
from palimpsest.together import Part, start
from resources.settings import load_settings
command = [sys.executable, "-c", "import time; print('ready', flush=True); time.sleep(100)"]
part = start(Part(name="part", command=command, healthy=bool), load_settings(Path({str(settings.home)!r}), {{}}))
print(part.process.pid, flush=True)
time.sleep(100)
"""
    parent = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    wait_for(lambda: "ready" in log.read_text())
    parent.kill()
    parent.wait()
    parent.stdout.close()
    wait_for(lambda: not alive(pid))


def test_a_part_that_dies_is_reported_with_the_end_of_its_log(
    settings: Settings, capfd: pytest.CaptureFixture[str]
) -> None:
    part = launch(settings, "print('the disk is full'); raise SystemExit(3)", name="fragile")
    with pytest.raises(NotReady, match="fragile ended with code 3"):
        watch([part], never)
    stop([part])
    assert "fragile: the disk is full" in capfd.readouterr().err


def test_a_part_that_never_becomes_healthy_is_reported(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("palimpsest.together.START_SECONDS", 0)
    part = launch(settings, "import time; time.sleep(100)")
    with pytest.raises(NotReady, match="not healthy"):
        wait_until_healthy([part], never)
    stop([part])


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_the_watch_quietly(settings: Settings, number: signal.Signals) -> None:
    part = launch(settings, PARENT, "mild")
    before = signal.getsignal(number)
    with stopped_by_signals() as stopped:
        assert wait_until_healthy([part], stopped)
        os.kill(os.getpid(), number)
        watch([part], stopped)
        assert stopped()
    assert signal.getsignal(number) is before
    stop([part])


def test_a_part_hears_ctrl_c_even_where_its_parent_does_not(settings: Settings) -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        part = launch(settings, "import signal; print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)")
    finally:
        signal.signal(signal.SIGINT, before)
    part.process.wait()
    assert part.log.read_text().split() == ["True"]


def test_a_part_knows_its_home(settings: Settings) -> None:
    part = launch(settings, "import os; print(os.environ['PALIMPSEST_HOME'], os.environ['DAGSTER_HOME'])")
    part.process.wait()
    assert part.log.read_text().split() == [str(settings.home), str(settings.dagster_dir)]


def test_a_port_that_is_taken_is_named_with_its_option() -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]
        with pytest.raises(InvalidInput, match=f"--dagster-port: port {port} .*choose another"):
            require_free("127.0.0.1", port, "--dagster-port")
    require_free("127.0.0.1", port, "--port")
