"""GET /v1/facts, and the history and lineage of one."""

import falcon.asgi
import msgspec

from serving.bodies import flag, given_params, time_param, whole_number
from serving.contract import encode
from serving.curation import Assertions
from serving.fact_queries import FactQuery, fact_history, fact_lineage, find_facts, no_facts
from serving.memories import Memories


class Facts(Assertions):
    """What is believed, as of a valid and a recorded time; and what is asserted on purpose."""

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


def fact_query(req: falcon.asgi.Request) -> FactQuery:
    """The query string, strictly."""
    given = given_params(req, FactQuery.__struct_fields__)
    limit = whole_number(given, "limit", 100)
    times = {name: time_param(given, name) for name in ("valid_at", "known_at")}
    return msgspec.convert({**given, **times, "limit": limit, "inferred": flag(given, "inferred")}, FactQuery)
