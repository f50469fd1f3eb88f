"""DELETE /v1/sessions/{id}, and what it shares with DELETE /v1/utterances/{id}."""

import secrets

import falcon.asgi

from kg_assets.graph.policies import Policy
from kg_assets.maintenance.erasure import Sign
from kg_assets.maintenance.forgetting import Choose, Forgetting, Forgotten, erase_utterances
from kg_assets.maintenance.selecting import said_in
from kg_assets.model import Origin
from kg_assets.ports import Clock
from kg_assets.text.ontology import Ontology
from serving.contract import ErasedView, encode
from serving.logs import request_id
from serving.memories import Memories

ID_BYTES = 16


class Erasing:
    """What utterances and sessions have in common: the certificate of what was erased is the answer."""

    writes = ("DELETE",)
    registers = False
    scope = ""

    def __init__(self, memories: Memories, ontology: Ontology, policy: Policy, clock: Clock, sign: Sign) -> None:
        self.memories = memories
        self.ontology = ontology
        self.policy = policy
        self.clock = clock
        self.sign = sign

    async def erase(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, choose: Choose) -> None:
        """Under a lease of its own, so that no run brings back what it had read before."""
        caller = req.context.caller
        how = Forgetting(
            certificate_id=secrets.token_hex(ID_BYTES),
            scope=self.scope,
            sign=self.sign,
            clock=self.clock,
            origin=Origin(actor=caller.actor, cause=f"request {request_id(req)}"),
            embedder=self.memories.embedder,
            ontology=self.ontology,
            policy=self.policy,
        )

        def work(_: object) -> Forgotten:
            holder = f"erase-{request_id(req)}"
            return erase_utterances(self.memories.stores, caller.memory_id, choose, how=how, holder=holder)

        done = await self.memories.work(req, work, bulk=True)
        resp.data = encode(ErasedView(certificate=done.certificate, reread=done.reread, scrubbed=done.scrubbed))


class Session(Erasing):
    """All that was said in one session."""

    scope = "session"

    async def on_delete(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, session_id: str) -> None:
        """Erase it with every trace."""
        await self.erase(req, resp, lambda memory: said_in(memory, [session_id]))
