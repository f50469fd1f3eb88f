"""POST /v1/documents: a text, Markdown or HTML body as evidence."""

from collections.abc import Mapping

import falcon
import falcon.asgi

from kg_assets.errors import InvalidInput
from kg_assets.index.remember import remember
from kg_assets.model import Draft, Origin
from kg_assets.novelty.scoring import Thresholds
from kg_assets.ports import Clock
from kg_assets.text.ontology import Ontology
from kg_assets.utterances.documents.reading import as_stored, document_drafts
from serving.bodies import instant_or_none, read_bytes
from serving.contract import AppendedView, ReceiptView, encode, novelty_view
from serving.logs import request_id
from serving.memories import Memories, OpenMemory

BODY_BYTES = 1024 * 1024
TYPES: Mapping[str, str] = {"text/markdown": "markdown", "text/html": "html", "text/plain": "text"}
NAME_CHARACTERS = 200


class Documents:
    """Documents as evidence. One that was acknowledged is durable, and found by recall chunk by chunk."""

    writes = ("POST",)

    def __init__(self, memories: Memories, ontology: Ontology, thresholds: Thresholds, clock: Clock) -> None:
        self.memories = memories
        self.ontology = ontology
        self.thresholds = thresholds
        self.clock = clock

    async def on_post(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Read the body, and append its chunks: all of them or none."""
        content, media_type = await read_bytes(req, tuple(TYPES), limit=BODY_BYTES)
        name = named(req)
        said_at = instant_or_none(req.get_param("said_at"), where="?said_at")
        written = self.clock() if said_at is None else said_at
        drafts = await self.memories.aside(
            lambda: document_drafts(content, name, said_at=written, kind=TYPES[media_type])
        )
        origin = Origin(actor=req.context.caller.actor, cause=f"request {request_id(req)}")
        view = await self.memories.work(req, lambda opened: self.append(opened, drafts, origin), bulk=True)
        resp.status = falcon.HTTP_202
        resp.data = encode(view)

    def append(self, opened: OpenMemory, drafts: list[Draft], origin: Origin) -> AppendedView:
        receipts = remember(
            opened.memory,
            [as_stored(opened.memory, draft) for draft in drafts],
            embedder=self.memories.embedder,
            ontology=self.ontology,
            thresholds=self.thresholds,
            origin=origin,
            clock=self.clock,
            cap_at_batch=True,
        )
        views = tuple(ReceiptView(id=each.id, novelty=novelty_view(each.novelty)) for each in receipts)
        return AppendedView(views, opened.memory.ledger.watermark())


def named(req: falcon.asgi.Request) -> str:
    """What the file is called. Raises `InvalidInput`."""
    name = (req.get_param("name") or "").strip()
    if not name or len(name) > NAME_CHARACTERS or not name.isprintable():
        raise InvalidInput(f"say what the document is called, in 1 to {NAME_CHARACTERS} characters", where="?name")
    return name
