"""Extraction spread over processes and over Dask: the same assertions as in one process, and nothing half written."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TypeVar

import pytest

from kg_assets.errors import NotReady, Unavailable
from kg_assets.model import Assertion
from kg_assets.ports import Compute, Memory
from kg_assets.triples.backlog import Chunk, ExtractionReport, extract_pending, read_chunk, turns_of
from kg_assets.triples.extraction import METHODS, build_extractor
from kg_assets.triples.reading import PARSER
from resources.compute import ClosingCompute, open_compute
from resources.settings import ComputeSettings
from resources.sqlite import SqliteStores
from tests.test_order_independence import ALL, NOW, ORIGIN, remembered, sample

In = TypeVar("In")
Out = TypeVar("Out")
CHUNK = 8


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """The sample chats, unread; of a memory with the same keys each time, where the test opens only one."""
    with (
        closing(SqliteStores(tmp_path, b"secret", clock=lambda: NOW)) as stores,
        closing(remembered(stores, "ana", [sample()], cap=True)) as opened,
    ):
        yield opened


@pytest.fixture(scope="module", params=["processes", "dask"])
def workers(request: pytest.FixtureRequest) -> Iterator[ClosingCompute]:
    with closing(open_compute(ComputeSettings(kind=request.param))) as made:
        yield made


def extract(memory: Memory, compute: Compute | None) -> ExtractionReport:
    return extract_pending(
        memory, build_extractor(), routes=ALL, origin=ORIGIN, clock=lambda: NOW, chunk=CHUNK, compute=compute
    )


def read_in_process(memory: Memory) -> dict[str, Assertion]:
    """What each utterance says, by id, without writing it."""
    copy: dict[str, Assertion] = {}
    for turns in turns_waiting(memory):
        for group in read_chunk(turns):
            copy |= {each.id: each for each in group}
    return copy


def turns_waiting(memory: Memory) -> Iterator[Chunk]:
    seqs = memory.ledger.pending("extract", ALL)
    version = build_extractor().version
    for start in range(0, len(seqs), CHUNK):
        yield Chunk(METHODS, "", PARSER, version, tuple(turns_of(memory, seqs[start : start + CHUNK])), memory.key, [])


def written(memory: Memory) -> dict[str, Assertion]:
    seqs = range(1, memory.ledger.head().seq + 1)
    return {each.id: each for each in memory.ledger.assertions_of_utterances(seqs)}


def without_run(found: dict[str, Assertion]) -> dict[str, str]:
    return {name: repr(each).replace("run_id='run'", "run_id=None") for name, each in found.items()}


class DyingOnce:
    """A cluster of which one worker is killed over the second chunk, the first time."""

    def __init__(self, inner: ClosingCompute, mark: Path) -> None:
        self.inner, self.mark, self.width = inner, mark, inner.width

    def map(self, function: Callable[[In], Out], chunks: Sequence[In]) -> list[Out]:
        return self.inner.map(partial(dying, str(self.mark), chunks[1], function), chunks)


def dying(mark: str, deadly: In, function: Callable[[In], Out], chunk: In) -> Out:
    if chunk == deadly:
        try:
            Path(mark).touch(exist_ok=False)
        except FileExistsError:
            return function(chunk)
        os._exit(9)
    return function(chunk)


class Lost:
    """A cluster that goes away after it has read all."""

    width = 4

    def map(self, function: Callable[[In], Out], chunks: Sequence[In]) -> list[Out]:
        for chunk in chunks:
            function(chunk)
        raise Unavailable("the cluster is gone", reason="worker died")


def test_workers_read_what_one_process_reads(memory: Memory, workers: ClosingCompute) -> None:
    expected = read_in_process(memory)
    report = extract(memory, workers)
    assert without_run(written(memory)) == without_run(expected)
    assert len(expected) > 20
    assert report.utterances == memory.ledger.head().seq > CHUNK * workers.width
    assert memory.ledger.pending("extract", ALL) == []


@pytest.mark.faults
def test_a_worker_that_dies_over_a_chunk_loses_nothing(memory: Memory, workers: ClosingCompute, tmp_path: Path) -> None:
    expected = read_in_process(memory)
    extract(memory, DyingOnce(workers, tmp_path / "died"))
    assert (tmp_path / "died").exists()
    assert without_run(written(memory)) == without_run(expected)


def test_a_cluster_that_goes_away_leaves_nothing_half_written(memory: Memory) -> None:
    expected, head = read_in_process(memory), memory.ledger.head()
    with pytest.raises(Unavailable):
        extract(memory, Lost())
    assert memory.ledger.head() == head
    assert written(memory) == {}
    extract(memory, None)
    assert without_run(written(memory)) == without_run(expected)


def test_a_worker_of_another_release_is_refused(memory: Memory) -> None:
    chunk = next(turns_waiting(memory))
    with pytest.raises(NotReady, match="install the same release"):
        read_chunk(Chunk(chunk.methods, "", PARSER, "another", chunk.turns, chunk.key, []))
