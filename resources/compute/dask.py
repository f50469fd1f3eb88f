"""Compute over a Dask cluster: one that stands somewhere, or processes of this machine."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from kg_assets.errors import NotReady, Unavailable

if TYPE_CHECKING:
    from distributed import Client

In = TypeVar("In")
Out = TypeVar("Out")
CONNECT_SECONDS = 20


class DaskCompute:
    """`address` of a scheduler ("tls://host:8786"), or empty for `workers` processes here.

    A chunk whose worker died is given to another one, three times (`distributed.scheduler.allowed-failures`). The
    workers need the same version of this package, and see the texts: use TLS where they are not on this machine.
    """

    def __init__(self, address: str, workers: int) -> None:
        self.width = 2 * workers
        self._address, self._workers = address, workers
        self._client: Client | None = None

    @property
    def client(self) -> "Client":
        """Connected, or started, on first use."""
        if self._client is None:
            self._client = self._connected()
        return self._client

    def _connected(self) -> "Client":
        try:
            from distributed import Client
        except ImportError as ex:
            raise NotReady("Dask is not installed; install the extra: pip install 'palimpsest-memory[dask]'") from ex
        if not self._address:
            # None would not leave the dashboard's port alone, but take 8787 and complain where another has it.
            dashboard = "127.0.0.1:0"
            return Client(
                n_workers=self._workers, threads_per_worker=1, dashboard_address=dashboard, set_as_default=False
            )
        try:
            return Client(self._address, timeout=CONNECT_SECONDS, set_as_default=False)
        except OSError as ex:
            raise Unavailable(
                f"no Dask scheduler answers at {self._address}; start it, or correct compute.address",
                reason="no scheduler",
            ) from ex

    def map(self, function: Callable[[In], Out], chunks: Sequence[In]) -> list[Out]:
        """Raises `Unavailable` where workers died of it or the scheduler went away, the function's own error otherwise.

        One chunk alone is run in the calling process: that costs less than sending it.
        """
        if len(chunks) < 2:
            return [function(chunk) for chunk in chunks]
        from distributed import KilledWorker
        from distributed.client import FutureCancelledError
        from distributed.comm import CommClosedError

        futures = self.client.map(function, chunks, pure=False)
        try:
            found: list[Out] = self.client.gather(futures)
        except (KilledWorker, FutureCancelledError, CommClosedError) as ex:
            raise Unavailable(
                f"the Dask cluster did not read these chunks ({type(ex).__name__}); nothing of them was written. Look "
                "at the workers' memory and logs, and run again",
                reason="worker died",
            ) from ex
        finally:
            for future in futures:
                future.release()
        return found

    def close(self) -> None:
        """Ends the processes that were started here; a cluster elsewhere goes on."""
        if self._client is not None:
            self._client.close()
            self._client = None
