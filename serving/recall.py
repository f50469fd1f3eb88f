"""POST /v1/recall."""

from collections.abc import Mapping, Sequence
from typing import Any

import falcon.asgi
import msgspec

from kg_assets.errors import InvalidInput
from kg_assets.model import Micros, Watermark
from kg_assets.ports import Clock, Embedder, Memory
from kg_assets.recall.read_model import HEARD, ReadModel
from kg_assets.recall.retrieve import KINDS, Recalled, RecallRequest, recall
from serving.ask import worded
from serving.bodies import instant_or_none, read_json
from serving.contract import encode, when
from serving.memories import Memories, OpenMemory

MOST = 1000
BODY_BYTES = 64 * 1024


class RecallBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    query: str
    k: int = 10
    strategy: str | None = None
    kinds: tuple[str, ...] = KINDS
    filters: dict[str, Any] = {}
    valid_at: str | None = None
    known_at: str | None = None
    explain: bool = False


class ResultView(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One thing that was found. `explain` is there where it was asked for."""

    kind: str
    id: str
    text: str
    score: float
    said_at: str | None
    session: str | None
    speaker: str | None
    age: str
    metadata: dict[str, Any]
    facts: tuple[str, ...]
    explain: Any = None


class RecalledView(msgspec.Struct, frozen=True, kw_only=True):
    results: tuple[ResultView, ...]
    strategy: str
    index_version: str
    watermark: Watermark
    timing_ms: dict[str, float]


class Recall:
    """What was said, found by meaning and by words."""

    def __init__(self, memories: Memories, clock: Clock) -> None:
        self.memories = memories
        self.clock = clock

    async def on_post(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """The best `k`, each with its score and age."""
        body = await read_json(req, RecallBody, limit=BODY_BYTES)
        request = recall_request(body)
        view = await self.memories.work(
            req, lambda opened: self.recall(opened, request), nothing=lambda: self.recall_nothing(request)
        )
        resp.data = encode(view)

    def recall(self, opened: OpenMemory, request: RecallRequest) -> RecalledView:
        with opened.memory.snapshot():  # the watermark is that of what was searched
            model = opened.read_model(request.known_at)
            return recalled(opened.memory, model, request, self.memories.embedder, self.clock())

    def recall_nothing(self, request: RecallRequest) -> RecalledView:
        embedder = self.memories.embedder
        return view_of(recall(ReadModel(embedder), request, embedder, self.clock()), {}, Watermark(log=0, graph=0))


def recall_request(body: RecallBody) -> RecallRequest:
    """Raises `InvalidInput` with a pointer into the body."""
    if not 1 <= body.k <= MOST:
        raise InvalidInput(f"must lie between 1 and {MOST}", where="/k")
    if unknown := [kind for kind in body.kinds if kind not in KINDS] or (not body.kinds and ["none"]):
        raise InvalidInput(f"{unknown[0]!r} is no kind; use some of {', '.join(KINDS)}", where="/kinds")
    return RecallRequest(
        query=worded(body.query, where="/query"),
        k=body.k,
        strategy=body.strategy,
        kinds=body.kinds,
        filters=body.filters,
        valid_at=instant_or_none(body.valid_at, where="/valid_at"),
        known_at=instant_or_none(body.known_at, where="/known_at"),
        explain=body.explain,
    )


def recalled(memory: Memory, model: ReadModel, request: RecallRequest, embedder: Embedder, now: Micros) -> RecalledView:
    """Recall, with the facts that each utterance supports, and the watermark up to which it has seen the log.

    To be called inside the snapshot in which `model` was refreshed.
    """
    found = recall(model, request, embedder, now)
    supported = memory.graph.facts_of_utterances([each.id for each in found.results if each.kind in HEARD])
    return view_of(found, supported, memory.ledger.watermark())


def view_of(found: Recalled, supported: Mapping[str, Sequence[str]], watermark: Watermark) -> RecalledView:
    return RecalledView(
        results=tuple(
            ResultView(
                kind=each.kind,
                id=each.id,
                text=each.text,
                score=round(each.score, 4),
                said_at=when(each.said_at),
                session=each.session,
                speaker=each.speaker,
                age=each.age,
                metadata=each.metadata,
                facts=tuple(supported.get(each.id, ())) if each.kind in HEARD else each.facts,
                explain=each.explain,
            )
            for each in found.results
        ),
        strategy=found.strategy,
        index_version=found.index_version,
        watermark=watermark,
        timing_ms=found.timing_ms,
    )
