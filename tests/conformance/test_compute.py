"""The contract of `ports.Compute`, over every way to compute."""

import os
import socket
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from kg_assets.errors import Unavailable
from resources.compute import ClosingCompute, LocalCompute, PoolCompute, interpreters_or_threads, open_compute
from resources.compute.local import threads
from resources.settings import ComputeSettings

WORKERS: dict[str, Callable[[], ClosingCompute]] = {
    "local": LocalCompute,
    "threads": lambda: PoolCompute(threads(2), 2),
    "interpreters": lambda: interpreters_or_threads(2),
    "processes": lambda: open_compute(ComputeSettings(kind="processes")),
    "dask": lambda: open_compute(ComputeSettings(kind="dask")),
}


@pytest.fixture(scope="module", params=sorted(WORKERS))
def compute(request: pytest.FixtureRequest) -> Iterator[ClosingCompute]:
    with closing(WORKERS[request.param]()) as made:
        yield made


def test_results_stand_in_the_order_of_the_chunks(compute: ClosingCompute) -> None:
    assert compute.map(sorted, [[3, 1], [2], []]) == [[1, 3], [2], []]
    assert compute.map(sorted, [[2, 1]]) == [[1, 2]]
    assert compute.map(sorted, []) == []


def test_an_error_in_a_chunk_comes_back_and_the_next_call_goes_on(compute: ClosingCompute) -> None:
    for chunks in (["1", "one"], ["one"]):
        with pytest.raises(ValueError, match="invalid literal"):
            compute.map(int, chunks)
    assert compute.map(int, ["1", "2"]) == [1, 2]


def test_it_says_how_many_chunks_are_worth_being_given_at_once(compute: ClosingCompute) -> None:
    assert compute.width >= 1


def die_once(mark: str) -> str:
    """Ends its process, unless it did so before."""
    if mark:
        try:
            Path(mark).touch(exist_ok=False)
        except FileExistsError:
            return "read"
        os._exit(9)
    return "read"


def die(_: int) -> None:
    os._exit(9)


@pytest.mark.faults
@pytest.mark.parametrize("kind", ["processes", "dask"])
def test_the_chunk_of_a_worker_that_died_is_read_by_another(kind: str, tmp_path: Path) -> None:
    with closing(WORKERS[kind]()) as compute:
        assert compute.map(die_once, ["", str(tmp_path / "died"), ""]) == ["read"] * 3
        assert (tmp_path / "died").exists()


@pytest.mark.faults
def test_a_chunk_that_kills_every_worker_ends_the_call_and_not_the_caller() -> None:
    with closing(WORKERS["processes"]()) as compute:
        with pytest.raises(Unavailable, match="died 2 times"):
            compute.map(die, [1, 2])
        assert compute.map(int, ["1", "2"]) == [1, 2]


def test_a_scheduler_that_does_not_answer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("resources.compute.dask.CONNECT_SECONDS", 0.5)
    with closing(open_compute(ComputeSettings(kind="dask", address="tcp://127.0.0.1:1"))) as compute:
        with pytest.raises(Unavailable, match=r"tcp://127.0.0.1:1; start it"):
            compute.map(int, ["1", "2"])
        assert compute.map(int, ["1"]) == [1]


def test_a_cluster_of_its_own_starts_beside_another() -> None:
    """Which has the port that Dask shows clusters on. A warning fails here."""
    with socket.socket() as other:
        with suppress(OSError):  # somebody has it already: as good
            other.bind(("", 8787))
            other.listen()
        with closing(open_compute(ComputeSettings(kind="dask"))) as compute:
            assert compute.map(abs, [-1, -2]) == [1, 2]
