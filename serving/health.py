"""GET /health/live, /health/ready and /health/kg: public, so counts only."""

import logging

import falcon
import falcon.asgi

from kg_assets.errors import PalimpsestError
from serving.contract import encode
from serving.logs import log, request_id
from serving.memories import Memories


class Live:
    """The process answers."""

    public = True

    async def on_get(self, _req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """200 as long as the event loop turns."""
        resp.data = encode({"status": "live"})


class Ready:
    """Requests can be served: the stores answer and the encoder is loaded."""

    public = True

    def __init__(self, memories: Memories) -> None:
        self.memories = memories

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """200, or 503; the log says what is missing."""
        try:
            await self.memories.aside(self.memories.stores.counters)
        except PalimpsestError as ex:
            resp.status = falcon.HTTP_503
            resp.data = encode({"status": "not ready"})
            log("not ready", level=logging.WARNING, request=request_id(req), reason=str(ex))
        else:
            resp.data = encode({"status": "ready", "index_version": self.memories.embedder.version})


class KnowledgeGraph:
    """How much there is, and how much waits to enter the graph."""

    public = True

    def __init__(self, memories: Memories) -> None:
        self.memories = memories

    async def on_get(self, _req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Sizes of the deployment."""
        counters = await self.memories.aside(self.memories.stores.counters)
        resp.data = encode({"status": "ok", "index_version": self.memories.embedder.version, **counters})
