"""The ports as Dagster resources, each made from the home's settings when a run, sensor or schedule needs it."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import dagster as dg

from kg_assets.ports import Compute, Embedder, Stores
from resources.checkpoints import CheckpointFolder
from resources.clock import system_clock
from resources.settings import Settings, home_path, load_settings
from resources.stores import open_stores


class Home(dg.ConfigurableResource["Home"]):
    """The home directory that `palimpsest init` made."""

    path: str = ""  # empty: $PALIMPSEST_HOME, or .palimpsest in the working directory

    def settings(self) -> Settings:
        return load_settings(Path(self.path) if self.path else home_path())


class HomeStores(dg.ConfigurableResource[Stores]):
    """The store set that the settings name. Handed out as the port `Stores`."""

    home: Home

    def predicates(self) -> Iterable[str]:
        """The ontology's; the composition root knows them."""
        return ()

    @contextmanager
    def yield_for_execution(self, context: dg.InitResourceContext) -> Iterator[Stores]:  # noqa: ARG002
        stores = open_stores(self.home.settings(), system_clock, predicates=self.predicates)
        try:
            yield stores
        finally:
            stores.close()


class Checkpoints(dg.ConfigurableResource[CheckpointFolder]):
    """Where signed checkpoints are kept."""

    home: Home

    def create_resource(self, context: dg.InitResourceContext) -> CheckpointFolder:  # noqa: ARG002
        return CheckpointFolder(self.home.settings().home)


class BatchCompute(dg.ConfigurableResource[Compute]):
    """Where batches are computed, as the settings say; ended with the run."""

    home: Home

    @contextmanager
    def yield_for_execution(self, context: dg.InitResourceContext) -> Iterator[Compute]:  # noqa: ARG002
        from resources.compute import open_compute

        compute = open_compute(self.home.settings().compute)
        try:
            yield compute
        finally:
            compute.close()


class TextEncoder(dg.ConfigurableResource[Embedder]):
    """The encoder that the settings name. Handed out as the port `Embedder`; built once per process."""

    home: Home

    def create_resource(self, context: dg.InitResourceContext) -> Embedder:  # noqa: ARG002
        from resources.embedder import build_embedder

        return build_embedder(self.home.settings().embedder)
