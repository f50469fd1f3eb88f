"""Whether the process of a run is still alive is read from the run's tag."""

import multiprocessing
import os
import signal
import socket
import subprocess
import sys

import pytest

from resources.run_process import is_gone, pid_here, process_tag


def test_a_living_process_is_not_gone() -> None:
    tag = process_tag(os.getpid())
    assert not is_gone(tag)
    assert pid_here(tag) == os.getpid()


def test_a_process_that_ended_is_gone() -> None:
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    tag = process_tag(child.pid)
    assert not is_gone(tag)
    child.communicate(b"\n")
    assert is_gone(tag)
    assert pid_here(tag) is None


def test_a_killed_process_that_nobody_waited_for_is_gone() -> None:
    child = multiprocessing.get_context("spawn").Process(target=signal.pause)
    child.start()
    tag = process_tag(child.pid or 0)
    os.kill(child.pid or 0, signal.SIGKILL)
    os.waitid(os.P_PID, child.pid or 0, os.WEXITED | os.WNOWAIT)  # dead, and still a zombie
    assert is_gone(tag)
    child.join()


def test_a_later_process_with_the_same_number_is_another() -> None:
    host, pid, started = process_tag(os.getpid()).split("/")
    assert is_gone(f"{host}/{pid}/{int(started) - 1}")


@pytest.mark.parametrize("tag", [None, "", "no tag", "another-host/1/2", f"{socket.gethostname()}-b/99999999/1"])
def test_what_another_host_or_nobody_noted_may_be_alive(tag: str | None) -> None:
    assert not is_gone(tag)
    assert pid_here(tag) is None
