"""Where chunks are computed: in this process, in a pool beside it, or over a Dask cluster."""

from typing import Protocol

from kg_assets.ports import Compute
from resources.compute.local import LocalCompute, PoolCompute, interpreters_or_threads, processes
from resources.settings import ComputeSettings

__all__ = ["ClosingCompute", "LocalCompute", "PoolCompute", "interpreters_or_threads", "open_compute"]


class ClosingCompute(Compute, Protocol):
    def close(self) -> None: ...


def open_compute(settings: ComputeSettings) -> ClosingCompute:
    """Starts nothing yet: a pool or a cluster is started, or connected to, when it is first given work."""
    if settings.kind == "processes":
        return PoolCompute(processes(settings.workers), settings.workers)
    if settings.kind == "dask":
        from resources.compute.dask import DaskCompute

        return DaskCompute(settings.address, settings.workers)
    return LocalCompute()
