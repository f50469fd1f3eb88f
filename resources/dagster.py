"""The ports as Dagster resources, each made from the home's settings when a run, sensor or schedule needs it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import dagster as dg

from kg_assets.ports import Embedder, Stores
from resources.clock import system_clock
from resources.settings import Settings, home_path, load_settings


class Home(dg.ConfigurableResource["Home"]):
    """The home directory that `palimpsest init` made."""

    path: str = ""  # empty: $PALIMPSEST_HOME, or .palimpsest in the working directory

    def settings(self) -> Settings:
        return load_settings(Path(self.path) if self.path else home_path())


class EmbeddedStores(dg.ConfigurableResource[Stores]):
    """SQLite: one file per memory and one control file. Handed out as the port `Stores`."""

    home: Home

    @contextmanager
    def yield_for_execution(self, context: dg.InitResourceContext) -> Iterator[Stores]:  # noqa: ARG002
        from resources.sqlite.stores import SqliteStores

        settings = self.home.settings()
        stores = SqliteStores(settings.data_dir, settings.secret, system_clock)
        try:
            yield stores
        finally:
            stores.close()


class TextEncoder(dg.ConfigurableResource[Embedder]):
    """The encoder that the settings name. Handed out as the port `Embedder`; built once per process."""

    home: Home

    def create_resource(self, context: dg.InitResourceContext) -> Embedder:  # noqa: ARG002
        from resources.embedder import build_embedder

        return build_embedder(self.home.settings().embedder)
