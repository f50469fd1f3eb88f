"""Compute on this machine: in the calling process, in threads, processes or subinterpreters."""

import multiprocessing
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

from kg_assets.errors import Unavailable

In = TypeVar("In")
Out = TypeVar("Out")
OpenPool = Callable[[], Executor]
ATTEMPTS = 2  # a pool whose worker died is started anew once


class LocalCompute:
    """Runs chunks one after another; the first error ends the whole, as elsewhere."""

    width = 1

    def map(self, function: Callable[[In], Out], chunks: Sequence[In]) -> list[Out]:
        return [function(chunk) for chunk in chunks]

    def close(self) -> None:
        """Nothing was started."""


class PoolCompute:
    """Runs chunks in a pool that is started on first use. One chunk alone is run in the calling process: that costs
    less than starting a pool."""

    def __init__(self, open_pool: OpenPool, workers: int) -> None:
        self.width = 2 * workers  # so that a worker that is done early has something to do
        self._open = open_pool
        self._pool: Executor | None = None

    def map(self, function: Callable[[In], Out], chunks: Sequence[In]) -> list[Out]:
        """Raises `Unavailable` where workers die of it twice, the function's own error otherwise."""
        if len(chunks) < 2:
            return [function(chunk) for chunk in chunks]
        for _ in range(ATTEMPTS):
            self._pool = self._pool or self._open()
            futures = [self._pool.submit(function, chunk) for chunk in chunks]
            try:
                return [future.result() for future in futures]
            except BrokenProcessPool:
                self.close()
            finally:
                _cancel(futures)
        raise Unavailable(
            f"a worker process died {ATTEMPTS} times over the same chunks; look for a lack of memory, or set "
            'compute.kind = "local"',
            reason="worker died",
        )

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None


def _cancel(futures: Sequence[Future[Out]]) -> None:
    for future in futures:
        future.cancel()


def threads(workers: int) -> OpenPool:
    return lambda: ThreadPoolExecutor(workers, thread_name_prefix="compute")


def processes(workers: int) -> OpenPool:
    """Spawned, not forked: the calling process has threads and open databases."""
    return lambda: ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn"))


def interpreters_or_threads(workers: int) -> PoolCompute:
    """For pure Python: subinterpreters where there are any (3.14, or 3.13 with the extra `interpreters`), else threads.

    In a subinterpreter a module that brings msgspec, numpy or apsw does not load: functions stand in modules of the
    standard library alone, and take and return tuples, str, int and None. A function of `__main__` hangs the pool.
    """
    pool = interpreter_pool()
    if pool is None:
        return PoolCompute(threads(workers), workers)
    # They begin with another path, and a function that cannot be imported hangs the pool.
    same_path = f"import sys; sys.path[:] = {sys.path!r}"
    return PoolCompute(lambda: pool(workers, initializer=exec, initargs=(same_path,)), workers)


def interpreter_pool() -> Callable[..., Executor] | None:
    if sys.version_info >= (3, 14):
        from concurrent.futures import InterpreterPoolExecutor

        return InterpreterPoolExecutor
    if sys.version_info >= (3, 13):
        try:
            from interpreters_backport.concurrent.futures import InterpreterPoolExecutor
        except ImportError:
            return None
        made: Callable[..., Executor] = InterpreterPoolExecutor
        return made
    return None
