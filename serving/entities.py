"""GET /v1/entities and one of them, and merging and splitting them."""

import falcon.asgi

from kg_assets.errors import InvalidInput
from serving.bodies import given_params, read_json, whole_number
from serving.contract import encode
from serving.curation import BODY_BYTES, Curation, NoteBody
from serving.named_entities import EntityPage, entity_detail, entity_page, merge_entities, split_entity

MOST_NAMES = 100


class SplitBody(NoteBody, frozen=True, kw_only=True, forbid_unknown_fields=True):
    entity: str
    apart: tuple[str, ...]


class MergeBody(NoteBody, frozen=True, kw_only=True, forbid_unknown_fields=True):
    keep: str
    merge: str


class Entities(Curation):
    """Who and what the memory knows of."""

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Those that a name leads to, or one page of all."""
        given = given_params(req, ("name", "limit", "cursor"))
        name, cursor, limit = given.get("name"), given.get("cursor", ""), whole_number(given, "limit", 100)
        view = await self.memories.work(
            req,
            lambda opened: entity_page(opened.memory, name, limit, cursor, self.clock()),
            nothing=lambda: EntityPage((), None),
        )
        resp.data = encode(view)


class EntityNames(Curation):
    """One entity, by id or any of its names."""

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, entity: str) -> None:
        """Its names, how often each was mentioned, what joins them, and how much it matters."""
        view = await self.memories.work(req, lambda opened: entity_detail(opened.memory, entity, self.clock()))
        resp.data = encode(view)


class EntityMerge(Curation):
    """Two entities are one."""

    async def on_post(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Says that they are the same; undone by a split."""
        body = await read_json(req, MergeBody, limit=BODY_BYTES)
        who = self.curator(req, body.note)
        view = await self.memories.work(
            req,
            lambda opened: merge_entities(opened.memory, self.ontology, who, body.keep, body.merge, clock=self.clock),
        )
        resp.data = encode(view)


class EntitySplit(Curation):
    """Names that do not belong to an entity."""

    async def on_post(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """Denies what joins them to it; undone by a merge."""
        body = await read_json(req, SplitBody, limit=BODY_BYTES)
        if not 1 <= len(body.apart) <= MOST_NAMES:
            raise InvalidInput(f"holds {len(body.apart)} names; send 1 to {MOST_NAMES}", where="/apart")
        who = self.curator(req, body.note)
        view = await self.memories.work(
            req,
            lambda opened: split_entity(opened.memory, self.ontology, who, body.entity, body.apart, clock=self.clock),
        )
        resp.data = encode(view)
