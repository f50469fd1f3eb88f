"""POST /v1/ask."""

import falcon.asgi
import msgspec

from kg_assets.answers.ask import NOT_KNOWN, Answer, ask
from kg_assets.errors import InvalidInput
from kg_assets.model import Micros
from kg_assets.ports import Clock
from kg_assets.text.ontology import Ontology
from serving.bodies import instant_or_none, read_json
from serving.contract import encode
from serving.memories import Memories, OpenMemory

BODY_BYTES = 64 * 1024
QUESTION_CHARACTERS = 2000


class AskBody(msgspec.Struct, forbid_unknown_fields=True):
    question: str
    valid_at: str | None = None
    known_at: str | None = None
    graph: bool = True


class Ask:
    """A question, answered from the graph, and from recall where the graph has nothing."""

    def __init__(self, memories: Memories, ontology: Ontology, clock: Clock) -> None:
        self.memories = memories
        self.ontology = ontology
        self.clock = clock

    async def on_post(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """The answer with the facts, memories and path that led to it."""
        body = await read_json(req, AskBody, limit=BODY_BYTES)
        question = worded(body.question, where="/question")
        valid_at = instant_or_none(body.valid_at, where="/valid_at")
        known_at = instant_or_none(body.known_at, where="/known_at")
        answer = await self.memories.work(
            req,
            lambda opened: self.answer(opened, question, valid_at=valid_at, known_at=known_at, graph=body.graph),
            nothing=lambda: NOT_KNOWN,
        )
        resp.data = encode(answer)

    def answer(
        self, opened: OpenMemory, question: str, *, valid_at: Micros | None, known_at: Micros | None, graph: bool
    ) -> Answer:
        return ask(
            opened.memory,
            opened.read_model(),
            question,
            ontology=self.ontology,
            embedder=self.memories.embedder,
            now=self.clock(),
            valid_at=valid_at,
            known_at=known_at,
            graph=graph,
        )


def worded(text: str, *, where: str) -> str:
    """A question or query that holds words, and not a book. Raises `InvalidInput`."""
    if not text.strip():
        raise InvalidInput("is empty; ask something", where=where)
    if len(text) > QUESTION_CHARACTERS:
        raise InvalidInput(f"has {len(text)} characters; shorten it to {QUESTION_CHARACTERS}", where=where)
    return text
