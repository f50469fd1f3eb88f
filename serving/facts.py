"""GET /v1/facts, and the history and lineage of one."""

import falcon.asgi
import msgspec

from kg_assets.errors import InvalidInput
from kg_assets.ports import Clock
from kg_assets.text.ontology import Ontology
from serving.bodies import instant_or_none
from serving.contract import encode
from serving.fact_queries import FactQuery, fact_history, fact_lineage, find_facts, no_facts
from serving.memories import Memories


class Facts:
    """What is believed, as of a valid and a recorded time."""

    def __init__(self, memories: Memories, ontology: Ontology, clock: Clock) -> None:
        self.memories = memories
        self.ontology = ontology
        self.clock = clock

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """One page of facts; `next` leads to the following one."""
        query, now = fact_query(req), self.clock()
        page = await self.memories.work(
            req,
            lambda opened: find_facts(opened.memory, self.ontology, query, now),
            nothing=lambda: no_facts(self.ontology, query),
        )
        resp.data = encode(page)


class FactHistory:
    """Every version of one statement."""

    def __init__(self, memories: Memories) -> None:
        self.memories = memories

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, fact_id: str) -> None:
        """The versions on both axes, with the decision that made each."""
        view = await self.memories.work(req, lambda opened: fact_history(opened.memory, fact_id))
        resp.data = encode(view)


class FactLineage:
    """Where one statement came from."""

    def __init__(self, memories: Memories) -> None:
        self.memories = memories

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, fact_id: str) -> None:
        """Assertions, utterances, runs and journal entries."""
        view = await self.memories.work(
            req,
            lambda opened: fact_lineage(opened.memory, self.memories.stores, fact_id),
        )
        resp.data = encode(view)


def unspaced(text: str | None) -> str | None:
    """A query string turns the plus of "+01:00" into a space."""
    return text[:-6] + "+" + text[-5:] if text is not None and text[-6:-5] == " " else text


def fact_query(req: falcon.asgi.Request) -> FactQuery:
    """The query string, strictly: an unknown or repeated parameter would quietly answer another question."""
    given = {}
    for name, value in req.params.items():
        if name not in FactQuery.__struct_fields__:
            raise InvalidInput(
                f"there is no such parameter; use {', '.join(FactQuery.__struct_fields__)}", where=f"?{name[:40]}"
            )
        if not isinstance(value, str):
            raise InvalidInput("is given twice; give it once", where=f"?{name}")
        if value.strip():
            given[name] = value
    try:
        limit = int(given.pop("limit", "100"))
    except ValueError as ex:
        raise InvalidInput("is not a whole number", where="?limit") from ex
    times = {
        name: instant_or_none(unspaced(given.pop(name, None)), where=f"?{name}") for name in ("valid_at", "known_at")
    }
    return msgspec.convert({**given, **times, "limit": limit}, FactQuery)
