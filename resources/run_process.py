"""The process that executes a run, written into the run's tags: so that anyone can tell whether it is still alive."""

import os
import socket
from pathlib import Path

PROCESS_TAG = "palimpsest/process"


def process_tag(pid: int) -> str:
    """host/pid/start: the start tells a process from a later one with the same number."""
    return f"{socket.gethostname()}/{pid}/{_started(pid)}"


def is_gone(tag: str | None) -> bool:
    """True where the process surely runs no more; one of another host, or one that nobody noted, may be alive."""
    if not tag or tag.count("/") != 2:
        return False
    host, pid, started = tag.split("/")
    if host != socket.gethostname():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return _started(int(pid)) != started


def pid_here(tag: str | None) -> int | None:
    """The process to signal, where it is alive on this host."""
    return None if not tag or is_gone(tag) or tag.split("/")[0] != socket.gethostname() else int(tag.split("/")[1])


def _started(pid: int) -> str:
    """Clock ticks at the start, from /proc; empty where there is no /proc, "dead" for a process nobody waited for."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return ""
    return "dead" if fields[0] == "Z" else fields[19]
