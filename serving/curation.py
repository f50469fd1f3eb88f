"""POST /v1/facts, /v1/facts/{id}/correct and /retract, and /v1/reviews.

The memory's own person acts on their own word; a curator, who names the memory in the header, on a curator's. Each act
is derived before it is answered, so that the answer shows what is believed now.
"""

from typing import Any

import falcon
import falcon.asgi
import msgspec

from kg_assets.errors import InvalidInput
from kg_assets.graph.curating import Curator, correction, retraction, stated
from kg_assets.graph.policies import Policy
from kg_assets.model import Literal, Micros, Origin
from kg_assets.ports import Clock, Memory
from kg_assets.text.ontology import Ontology
from kg_assets.triples.asserting import AssertedStatement, boundary, check_statement, object_of
from kg_assets.triples.reading import Interval
from serving.bodies import read_json
from serving.contract import encode
from serving.credentials import Forbidden
from serving.curated import ReviewPage, act, decide, review_page
from serving.logs import request_id
from serving.memories import Memories

BODY_BYTES = 64 * 1024
NOTE_CHARACTERS = 2000


class FactBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A dated statement, as in `palimpsest assert`; its authority is that of who sends it."""

    subject: Any = None
    predicate: Any = None
    object: Any = None
    valid_from: Any = None
    valid_to: Any = None
    said_at: Any = None
    note: str = ""


class CorrectBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is absent stays as it is; a time that is null becomes unbounded."""

    object: Any = msgspec.UNSET
    valid_from: str | msgspec.UnsetType | None = msgspec.UNSET
    valid_to: str | msgspec.UnsetType | None = msgspec.UNSET
    version_id: str | None = None
    note: str = ""


class NoteBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    note: str = ""


class ReviewBody(NoteBody, frozen=True, kw_only=True, forbid_unknown_fields=True):
    decision: str


class Curation:
    """What the resources here share: the collaborators, and who acts."""

    writes = ("POST",)
    registers = False

    def __init__(self, memories: Memories, ontology: Ontology, policy: Policy, clock: Clock) -> None:
        self.memories = memories
        self.ontology = ontology
        self.policy = policy
        self.clock = clock

    def curator(self, req: falcon.asgi.Request, note: str = "") -> Curator:
        caller = req.context.caller
        if len(note) > NOTE_CHARACTERS:
            raise InvalidInput(f"has {len(note)} characters; shorten it to {NOTE_CHARACTERS}", where="/note")
        return Curator(
            authority="curated" if caller.acting_as == "curator" else "user",
            origin=Origin(actor=caller.actor, cause=f"request {request_id(req)}"),
            policy=self.policy,
            note=note,
        )


class Assertions(Curation):
    """Dated statements, asserted on purpose."""

    registers = True

    async def on_post(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """One statement becomes evidence; what is believed where it belongs."""
        body = await read_json(req, FactBody, limit=BODY_BYTES)
        raw = {field: getattr(body, field) for field in FactBody.__struct_fields__ if field != "note"}
        given = {field: value for field, value in raw.items() if value is not None}
        statement, who = check_statement(given, self.ontology, where="/"), self.curator(req, body.note)

        def prepared(memory: Memory, now: Micros) -> list[AssertedStatement]:
            return [stated(memory, statement, who, now)]

        view = await self.memories.work(
            req, lambda opened: act(opened.memory, self.ontology, who, "assert", prepared, clock=self.clock)
        )
        resp.status, resp.data = falcon.HTTP_201, encode(view)


class FactCorrection(Curation):
    """Another object or interval for a fact."""

    async def on_post(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, fact_id: str) -> None:
        """Takes the statement back and says it again as it is right."""
        body = await read_json(req, CorrectBody, limit=BODY_BYTES)
        who = self.curator(req, body.note)
        if body.object is msgspec.UNSET and body.valid_from is msgspec.UNSET and body.valid_to is msgspec.UNSET:
            raise InvalidInput("names nothing to correct; give object, valid_from or valid_to", where="/")

        def prepared(memory: Memory, now: Micros) -> list[AssertedStatement]:
            return corrected(memory, self.ontology, fact_id, body, who, now)

        view = await self.memories.work(
            req, lambda opened: act(opened.memory, self.ontology, who, "correct", prepared, clock=self.clock)
        )
        resp.data = encode(view)


def corrected(
    memory: Memory, ontology: Ontology, fact_id: str, body: CorrectBody, who: Curator, now: Micros
) -> list[AssertedStatement]:
    """The statements of a correction; what the body leaves out is taken from the version that is believed."""
    target: str | Literal | None = None
    if body.object is not msgspec.UNSET:
        rows = memory.graph.history(fact_id)
        target = object_of(body.object, ontology, rows[0].belief.predicate) if rows else ""
    start = None if body.valid_from is msgspec.UNSET else boundary(body.valid_from, "/valid_from")
    end = None if body.valid_to is msgspec.UNSET else boundary(body.valid_to, "/valid_to")

    def redated(was: Interval) -> Interval:
        valid_from, precision = start if start is not None else (was.valid_from, was.precision)
        known = valid_from is not None if start is not None else was.start_known
        valid_to = end[0] if end is not None else was.valid_to
        if valid_from is not None and valid_to is not None and valid_to <= valid_from:
            raise InvalidInput("is not after valid_from; intervals end before valid_to", where="/valid_to")
        return Interval(valid_from, valid_to, start_known=known, precision=precision)

    redating = redated if start is not None or end is not None else None
    return correction(memory, fact_id, who, now, target=target, redated=redating, version_id=body.version_id)


class FactRetraction(Curation):
    """ "That was wrong"."""

    async def on_post(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, fact_id: str) -> None:
        """Takes the statement back, for whatever time it was held."""
        body = await read_json(req, NoteBody, limit=BODY_BYTES)
        who = self.curator(req, body.note)

        def prepared(memory: Memory, now: Micros) -> list[AssertedStatement]:
            return retraction(memory, fact_id, who, now)

        view = await self.memories.work(
            req, lambda opened: act(opened.memory, self.ontology, who, "retract", prepared, clock=self.clock)
        )
        resp.data = encode(view)


class Reviews(Curation):
    """What waits for a curator."""

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Each review with what stands and what challenges it, oldest first."""
        who = self.curator(req)
        view = await self.memories.work(
            req,
            lambda opened: review_page(opened.memory, self.ontology, who),
            nothing=lambda: ReviewPage(()),
        )
        resp.data = encode(view)


class ReviewDecision(Curation):
    """A curator's answer to one review."""

    async def on_post(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, review_id: str) -> None:
        """accept: what challenges is right. reject: what stands is."""
        body = await read_json(req, ReviewBody, limit=BODY_BYTES)
        if body.decision not in ("accept", "reject"):
            raise InvalidInput("is one of accept (what challenges is right) and reject", where="/decision")
        who = self.curator(req, body.note)
        if who.authority != "curated":
            raise Forbidden("a review is decided by a curator, who names the memory in the header Palimpsest-User")
        view = await self.memories.work(
            req,
            lambda opened: decide(
                opened.memory, self.ontology, who, review_id, accept=body.decision == "accept", clock=self.clock
            ),
        )
        resp.data = encode(view)
