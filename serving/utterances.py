"""POST /v1/utterances."""

from typing import Any

import falcon
import falcon.asgi
import msgspec

from kg_assets.errors import InvalidInput
from kg_assets.index.remember import remember
from kg_assets.model import Draft, Origin
from kg_assets.novelty.scoring import Thresholds
from kg_assets.ports import Clock
from kg_assets.text.ontology import Ontology
from kg_assets.utterances.intake import FIELDS, check
from serving.bodies import escape, read_json
from serving.contract import AppendedView, ReceiptView, encode, novelty_view
from serving.errors import InvalidBody, Place
from serving.logs import request_id
from serving.memories import Memories, OpenMemory

BULK = 100  # more in one request is an import: it takes the batch path
BULK_CHARACTERS = 64 * 1024  # more text in one request waits in line with other imports: it takes half a second and up
MOST = 1000
BODY_BYTES = 4 * 1024 * 1024
REPORTED = 20  # places named in one problem


class AppendBody(msgspec.Struct, forbid_unknown_fields=True):
    utterances: list[Any]


class Utterances:
    """What was said. An acknowledged utterance is durable, scored and retrievable."""

    writes = ("POST",)

    def __init__(self, memories: Memories, ontology: Ontology, thresholds: Thresholds, clock: Clock) -> None:
        self.memories = memories
        self.ontology = ontology
        self.thresholds = thresholds
        self.clock = clock

    async def on_post(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Append; all of a request or nothing of it."""
        body = await read_json(req, AppendBody, limit=BODY_BYTES)
        drafts = checked(body.utterances)
        origin = Origin(actor=req.context.caller.actor, cause=f"request {request_id(req)}")
        bulk = sum(len(each.text) for each in drafts) > BULK_CHARACTERS
        view = await self.memories.work(req, lambda opened: self.append(opened, drafts, origin), bulk=bulk)
        resp.status = falcon.HTTP_202
        resp.data = encode(view)

    def append(self, opened: OpenMemory, drafts: list[Draft], origin: Origin) -> AppendedView:
        receipts = remember(
            opened.memory,
            drafts,
            embedder=self.memories.embedder,
            ontology=self.ontology,
            thresholds=self.thresholds,
            origin=origin,
            clock=self.clock,
            cap_at_batch=len(drafts) > BULK,
        )
        views = tuple(ReceiptView(id=each.id, novelty=novelty_view(each.novelty)) for each in receipts)
        return AppendedView(views, opened.memory.ledger.watermark())


def checked(raw: list[Any]) -> list[Draft]:
    """Every utterance as a draft, or `InvalidBody` naming each place that cannot be accepted."""
    if not 1 <= len(raw) <= MOST:
        raise InvalidBody([Place("/utterances", f"holds {len(raw)}; send 1 to {MOST} in one request")])
    drafts, places = [], []
    for number, each in enumerate(raw):
        try:
            drafts.append(check(each, where=f"/utterances/{number}"))
        except InvalidInput as ex:
            places.append(place_in(ex, each))
    if places:
        raise InvalidBody(places[:REPORTED])
    return drafts


def place_in(ex: InvalidInput, raw: Any) -> Place:
    """Intake names the field in front of its reason; the pointer leads down to it."""
    if isinstance(raw, dict) and (unknown := next((field for field in raw if field not in FIELDS), None)) is not None:
        return Place(f"{ex.where}/{escape(unknown)}", ex.reason)
    field, _, reason = ex.reason.partition(": ")
    return Place(f"{ex.where}/{field}", reason) if field in FIELDS else Place(ex.where, ex.reason)
