"""Running the application under granian: one worker, because the read models live in its memory."""

import ctypes
import os
import sys
from pathlib import Path
from typing import Any

import falcon.asgi

# The server's own messages as JSON lines too; its access log stays off, because paths and queries hold names.
LOGGING: dict[str, Any] = {
    "formatters": {"json": {"()": "serving.logs.JsonLines"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
    "loggers": {"_granian": {"handlers": ["stderr"], "propagate": False}},
}


def serve_forever(home: Path, host: str, port: int) -> None:
    """Returns after SIGINT or SIGTERM, when the requests under way are answered."""
    from granian.constants import Interfaces
    from granian.log import LogLevels
    from granian.server import Server

    os.environ["PALIMPSEST_HOME"] = str(home)  # the worker is another process
    Server(
        "serving.server:application",
        address=host,
        port=port,
        interface=Interfaces.ASGI,
        factory=True,
        websockets=False,
        log_level=LogLevels.warning,
        log_dictconfig=LOGGING,
        workers_kill_timeout=10,
    ).serve()


def application() -> falcon.asgi.App[Any, Any]:
    """The application of the home in PALIMPSEST_HOME."""
    from kg_assets.text.extra_ontology import ontology_with
    from resources.clock import system_clock
    from resources.embedder import build_embedder
    from resources.settings import home_path, load_settings
    from resources.stores import open_stores
    from serving.app import create_app
    from serving.logs import log_to_stderr

    log_to_stderr()
    settings = load_settings(home_path())
    stores = open_stores(settings, system_clock, predicates=lambda: ontology_with(settings.extra_ontology).predicates)
    app = create_app(settings, stores, build_embedder(settings.embedder), system_clock)
    return_unused_memory()
    return app


def return_unused_memory() -> None:
    """Loading the encoder leaves 40 MB of freed blocks behind, which glibc keeps unless it is asked."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)
