"""The HTTP interface, the Dagster UI and its daemon as children of one process: they start and stop together."""

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType

import msgspec

from kg_assets.errors import NotReady
from palimpsest.addresses import free_port, require_free
from palimpsest.home import development_token
from palimpsest.printing import complain, note, say, show_json
from palimpsest.watching import answers, daemons_healthy, listens
from resources.clock import system_clock
from resources.dagster_home import prepare_instance, write_workspace
from resources.llm import build_language_model
from resources.settings import Settings

START_SECONDS = 90
STOP_SECONDS = 20
LAST_LINES = 15
PR_SET_PDEATHSIG = 1
TOKEN_SECONDS = 24 * 3600


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """One child: how it is started, and how to tell that it is healthy."""

    name: str
    command: Sequence[str]
    healthy: Callable[[], bool]
    environment: dict[str, str] = {}


class Running(msgspec.Struct, frozen=True):
    part: Part
    process: subprocess.Popen[bytes]
    log: Path


def run_together(settings: Settings, port: int, dagster_port: int, *, as_json: bool) -> int:
    """Until Ctrl-C or SIGTERM (0), or until one of the three dies (1)."""
    build_language_model(settings.llm, os.environ)  # says now what each run could only fail with
    require_free(settings.serve.host, port, "--port")
    require_free("127.0.0.1", dagster_port, "--dagster-port")
    # Two Dagster processes that meet an empty home would both make its tables, and leave them broken.
    prepare_instance(settings.dagster_dir)
    with stopped_by_signals() as stopped:
        running: list[Running] = []
        try:
            for part in parts(settings, port, dagster_port, code_port=free_port()):
                running.append(start(part, settings))
            if wait_until_healthy(running, stopped):
                announce(settings, port, dagster_port, as_json=as_json)
                watch(running, stopped)
        finally:
            stop(running)
    return 0


def parts(settings: Settings, port: int, dagster_port: int, *, code_port: int) -> list[Part]:
    """The HTTP interface, and Dagster's web server and daemon with one code server that both ask for definitions."""
    api, dagster = f"http://{settings.serve.host}:{port}", f"http://127.0.0.1:{dagster_port}"
    python = [sys.executable, "-m"]
    workspace = ["-w", str(write_workspace(settings.dagster_dir, code_port))]
    code = [
        "-h",
        "127.0.0.1",
        "-p",
        str(code_port),
        "-m",
        "kg_assets.definitions",
        "--use-python-environment-entry-point",
    ]
    return [
        Part(
            name="dagster-code",
            command=[*python, "dagster", "api", "grpc", *code, "--location-name", "palimpsest"],
            healthy=lambda: listens("127.0.0.1", code_port),
        ),
        Part(
            name="api",
            command=[*python, "palimpsest.command_line", "serve", "--port", str(port)],
            healthy=lambda: answers(f"{api}/health/ready") is not None,
        ),
        Part(
            name="dagster-webserver",
            command=[*python, "dagster_webserver", "-h", "127.0.0.1", "-p", str(dagster_port), *workspace],
            healthy=lambda: answers(f"{dagster}/server_info") is not None,
        ),
        Part(
            name="dagster-daemon",
            command=[*python, "dagster._daemon", "run", *workspace],
            healthy=lambda: daemons_healthy(f"{dagster}/graphql"),
            environment={"PALIMPSEST_WARM_RUNS": "1"},  # the first run is as quick as later ones
        ),
    ]


# ------------------------------------------------------------------------------------------------------ life cycle


def start(part: Part, settings: Settings) -> Running:
    """A process group of its own, so that Ctrl-C reaches the children through this process only, and in order."""
    log = settings.home / "logs" / f"{part.name}.log"
    log.parent.mkdir(mode=0o700, exist_ok=True)
    environment = {
        **os.environ,
        "PALIMPSEST_HOME": str(settings.home),
        "DAGSTER_HOME": str(settings.dagster_dir),
        "PYTHONUNBUFFERED": "1",
        **part.environment,
    }
    with log.open("ab") as output:
        process = subprocess.Popen(
            part.command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=environment,
            start_new_session=True,
            preexec_fn=first_of_all(),
        )
    return Running(part, process, log)


def first_of_all() -> Callable[[], None]:
    """What a child runs before its program.

    A shell ignores SIGINT for jobs in the background, children inherit that, and Dagster copies the handler of SIGINT
    to SIGTERM: its processes could not be stopped. And on Linux a child asks for SIGTERM should this process be killed.
    """
    libc = ctypes.CDLL(None) if sys.platform == "linux" else None  # loaded before the fork, where that is still safe

    def prepare() -> None:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        if libc is not None:
            libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)

    return prepare


def wait_until_healthy(running: Sequence[Running], stopped: Callable[[], bool]) -> bool:
    """False where a signal came first. Raises `NotReady` where one dies or takes too long."""
    deadline = time.monotonic() + START_SECONDS
    for each in running:
        while not each.part.healthy():
            if stopped():
                return False
            require_alive(running)
            if time.monotonic() > deadline:
                raise NotReady(f"{each.part.name} was not healthy after {START_SECONDS} s; see {each.log}")
            time.sleep(0.2)
        note(f"{each.part.name} is up")
    return True


def watch(running: Sequence[Running], stopped: Callable[[], bool]) -> None:
    """Until a signal comes. Raises `NotReady` where one dies."""
    while not stopped():
        require_alive(running)
        time.sleep(0.5)


def require_alive(running: Sequence[Running]) -> None:
    for each in running:
        code = each.process.poll()
        if code is not None:
            ended = each.log.read_text(encoding="utf-8", errors="replace").splitlines()[-LAST_LINES:]
            for line in ended:
                complain(f"{each.part.name}: {line}")
            raise NotReady(f"{each.part.name} ended with code {code}; all is stopped. Its log is {each.log}")


def stop(running: Sequence[Running]) -> None:
    """Ask every group to end, wait, and end what is left of it: no orphan stays behind."""
    for each in reversed(running):
        signal_group(each, signal.SIGTERM)
    deadline = time.monotonic() + STOP_SECONDS
    for each in reversed(running):
        try:
            each.process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            complain(f"{each.part.name} did not stop in {STOP_SECONDS} s and is ended")
        signal_group(each, signal.SIGKILL)
        each.process.wait()


def signal_group(running: Running, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):  # the whole group has ended
        os.killpg(running.process.pid, number)


@contextmanager
def stopped_by_signals() -> Iterator[Callable[[], bool]]:
    """While this is open, SIGINT and SIGTERM only set a flag; a child is never left behind by an exception."""
    received: list[int] = []

    def remember(number: int, _frame: FrameType | None) -> None:
        received.append(number)

    before = {number: signal.signal(number, remember) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    try:
        yield lambda: bool(received)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def announce(settings: Settings, port: int, dagster_port: int, *, as_json: bool) -> None:
    """Addresses and a token for trying it out."""
    api, dagster = f"http://{settings.serve.host}:{port}", f"http://127.0.0.1:{dagster_port}"
    token = development_token(settings, "ana", "user", now=system_clock(), seconds=TOKEN_SECONDS)
    if as_json:
        show_json({"api": api, "dagster": dagster, "token": token, "user": "ana"})
        return
    say(f"HTTP interface  {api}")
    say(f"Dagster UI      {dagster}")
    say(f"Home            {settings.home}  (logs in {settings.home / 'logs'})")
    say(f"Token of ana    {token}")
    say(f"\nTry:  curl -H 'Authorization: Bearer {token}' '{api}/v1/facts'")
    say("Stop with Ctrl-C.")
