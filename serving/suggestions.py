"""GET /v1/entities/suggestions, and a decision on one: pairs of entities whose names are alike."""

from collections.abc import Sequence

import falcon.asgi
import msgspec

from kg_assets.errors import InvalidInput
from kg_assets.graph.curating import Curator
from kg_assets.graph.suggesting import Suggestion, decided, suggestion_named, suggestions
from kg_assets.model import Entity, Micros
from kg_assets.ports import Clock, Memory
from kg_assets.text.ontology import Ontology
from kg_assets.triples.asserting import AssertedStatement
from serving.bodies import given_params, read_json, whole_number
from serving.contract import EntityView, encode
from serving.curated import act
from serving.curation import BODY_BYTES, Curation, ReviewBody
from serving.named_entities import JoinedView, joined

MAX_LIMIT = 200


class ReasonView(msgspec.Struct, frozen=True, kw_only=True):
    """`weight` above 0 speaks for their being one, below 0 against."""

    reason: str
    weight: float


class SuggestionView(msgspec.Struct, frozen=True, kw_only=True):
    """Accepted, `merge` becomes one with `keep`. `score`: the sum of the weights, between 0 and 1."""

    id: str
    score: float
    keep: EntityView
    merge: EntityView
    reasons: tuple[ReasonView, ...]


class SuggestionPage(msgspec.Struct, frozen=True):
    suggestions: tuple[SuggestionView, ...]


class Suggestions(Curation):
    """Entities that may be one, for a person to decide."""

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """The likeliest first, each with what speaks for and against; of one entity, or of all."""
        given = given_params(req, ("name", "limit"))
        name, limit = given.get("name"), whole_number(given, "limit", 50)
        view = await self.memories.work(
            req,
            lambda opened: suggestion_page(opened.memory, self.ontology, name, limit),
            nothing=lambda: SuggestionPage(()),
        )
        resp.data = encode(view)


class SuggestionDecision(Curation):
    """An answer to one suggestion."""

    async def on_post(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, suggestion_id: str) -> None:
        """accept: they are one, as a merge says. reject: they are not, and it does not come back."""
        body = await read_json(req, ReviewBody, limit=BODY_BYTES)
        if body.decision not in ("accept", "reject"):
            raise InvalidInput("is one of accept (they are one) and reject (they are not)", where="/decision")
        who = self.curator(req, body.note)
        view = await self.memories.work(
            req,
            lambda opened: decide_suggestion(
                opened.memory, self.ontology, who, suggestion_id, accept=body.decision == "accept", clock=self.clock
            ),
        )
        resp.data = encode(view)


def suggestion_page(memory: Memory, ontology: Ontology, name: str | None, limit: int) -> SuggestionPage:
    if not 1 <= limit <= MAX_LIMIT:
        raise InvalidInput(f"must lie between 1 and {MAX_LIMIT}", where="?limit")
    with memory.snapshot():
        return SuggestionPage(tuple(map(view_of, suggestions(memory, ontology, name=name, limit=limit))))


def decide_suggestion(
    memory: Memory, ontology: Ontology, who: Curator, suggestion_id: str, *, accept: bool, clock: Clock
) -> JoinedView:
    """Raises `NotFound` where nothing of this id waits."""

    def prepared(memory: Memory, now: Micros) -> Sequence[AssertedStatement]:
        return decided(memory, suggestion_named(memory, ontology, suggestion_id), who, now, accept=accept)

    done = act(memory, ontology, who, "merge" if accept else "keep apart", prepared, clock=clock)
    return joined(memory, done.utterances, done.changed, clock())


def view_of(suggestion: Suggestion) -> SuggestionView:
    return SuggestionView(
        id=suggestion.id,
        score=suggestion.score / 1000,
        keep=entity_view(suggestion.keep),
        merge=entity_view(suggestion.merge),
        reasons=tuple(ReasonView(reason=each.words, weight=each.weight / 1000) for each in suggestion.reasons),
    )


def entity_view(entity: Entity) -> EntityView:
    return EntityView(entity.id, entity.name, entity.type)
