"""GET and DELETE /v1/utterances/{id}: one thing that was said, why it was routed as it was, and what came of it."""

from typing import get_args

import falcon.asgi
import msgspec

from kg_assets.errors import NotFound
from kg_assets.graph.sources import in_service
from kg_assets.maintenance.selecting import said
from kg_assets.model import NoveltyScore, Stage
from kg_assets.novelty.scoring import POINTS
from kg_assets.ports import Memory
from kg_assets.text.instants import format_instant
from serving.contract import encode
from serving.erasing import Erasing


class ExplainedNovelty(msgspec.Struct, frozen=True, kw_only=True):
    """Points of each feature add up to the score, as the parts do, but for rounding. `features` is what was found in
    the words when they came. Written once, at append; `version` names the scoring of that time."""

    score: float
    route: str
    parts: dict[str, float]
    points: dict[str, float]
    features: dict[str, float]
    conflicts: tuple[str, ...]
    version: str


class UtteranceView(msgspec.Struct, frozen=True, kw_only=True):
    """`novelty` is null until an import is scored. `waits`: stages that have not taken it yet. `assertions`: what was
    read from it. `facts`: those believed now that it supports."""

    id: str
    seq: int
    text: str
    said_at: str
    recorded_at: str
    session: str
    speaker: str
    role: str
    novelty: ExplainedNovelty | None
    waits: tuple[str, ...]
    assertions: tuple[str, ...]
    facts: tuple[str, ...]


class Utterance(Erasing):
    """One thing that was said."""

    scope = "utterances"

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, utterance_id: str) -> None:
        """The words, their score with what led to it, and what came of them."""
        view = await self.memories.work(req, lambda opened: explained_utterance(opened.memory, utterance_id))
        resp.data = encode(view)

    async def on_delete(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, utterance_id: str) -> None:
        """Erase it with every trace."""
        await self.erase(req, resp, lambda memory: said(memory, [utterance_id]))


def explained_utterance(memory: Memory, utterance_id: str) -> UtteranceView:
    """Raises `NotFound`."""
    with memory.snapshot():
        found = memory.ledger.utterance(utterance_id)
        if found is None:
            raise NotFound("there is no utterance of this id in this memory; recall finds ids")
        scores = memory.ledger.novelty([found.seq])
        assertions = in_service(memory).ledger.assertions_of_utterances([found.seq])
        facts = memory.graph.facts_of_utterances([found.id]).get(found.id, [])
        waits = waiting(memory, found.seq)
    return UtteranceView(
        id=found.id,
        seq=found.seq,
        text=found.text,
        said_at=format_instant(found.said_at),
        recorded_at=format_instant(found.recorded_at),
        session=found.session,
        speaker=found.speaker,
        role=found.role,
        novelty=explained(scores[0]) if scores else None,
        waits=waits,
        assertions=tuple(sorted(each.id for each in assertions)),
        facts=tuple(sorted(facts)),
    )


def waiting(memory: Memory, seq: int) -> tuple[str, ...]:
    """Stages in whose queue it stands, on any route, in the order of processing."""
    counts = memory.ledger.pending_counts()
    return tuple(
        stage
        for stage in get_args(Stage)
        if seq in memory.ledger.pending(stage, [route for of, route in counts if of == stage])
    )


def explained(score: NoveltyScore) -> ExplainedNovelty:
    points = {name.removeprefix(POINTS): value for name, value in score.features.items() if name.startswith(POINTS)}
    return ExplainedNovelty(
        score=score.score,
        route=score.route,
        parts=score.parts,
        points=dict(sorted(points.items(), key=lambda row: (-abs(row[1]), row[0]))),
        features={name: value for name, value in score.features.items() if not name.startswith(POINTS)},
        conflicts=score.conflicts,
        version=score.version,
    )
