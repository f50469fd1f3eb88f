"""GET /v1/entities/{entity}/neighbourhood and GET /v1/paths: walks over the graph as of two times."""

import falcon.asgi
import msgspec

from kg_assets.errors import InvalidInput, NotFound
from kg_assets.graph.generations import require_kept
from kg_assets.graph.naming import entity_named
from kg_assets.graph.walking import AsOf, Neighbourhood, Way, end_of, neighbourhood, shortest_way
from kg_assets.model import Micros
from kg_assets.ports import Clock, Memory
from kg_assets.text.instants import format_instant
from serving import contract
from serving.bodies import given_params, time_param, whole_number
from serving.contract import EntityView, FactView, encode
from serving.memories import Memories

MOST_HOPS = 4
MOST_FACTS = 10_000
USUAL_HOPS, USUAL_FACTS = 2, 1000


class WalkQuery(msgspec.Struct, frozen=True, kw_only=True):
    """From where (an entity's id or any of its names), how far, and as of when (None is now).

    `limit` is the most facts that may be visited; a walk that was cut there says so.
    """

    start: str
    target: str | None = None
    hops: int = USUAL_HOPS
    limit: int = USUAL_FACTS
    valid_at: Micros | None = None
    known_at: Micros | None = None


class NearFact(msgspec.Struct, frozen=True):
    distance: int
    fact: FactView


class NearEntity(msgspec.Struct, frozen=True):
    distance: int
    entity: EntityView


class NeighbourhoodView(msgspec.Struct, frozen=True, kw_only=True):
    """The nearest first. Asked again with both times as they are told here, the answer is the same."""

    start: EntityView
    facts: tuple[NearFact, ...]
    entities: tuple[NearEntity, ...]
    cut: bool
    valid_at: str
    known_at: str


class StepView(msgspec.Struct, frozen=True, kw_only=True):
    """`forward`: from the fact's subject to its object."""

    fact: FactView
    forward: bool
    to: EntityView


class PathView(msgspec.Struct, frozen=True, kw_only=True):
    """The shortest way; `hops` None where none was found. `cut`: it was not looked further than `visited` facts."""

    start: EntityView
    target: EntityView
    hops: int | None
    steps: tuple[StepView, ...]
    visited: int
    cut: bool
    valid_at: str
    known_at: str


def neighbourhood_view(memory: Memory, query: WalkQuery, now: Micros) -> NeighbourhoodView:
    with memory.snapshot():
        as_of = times_of(memory, query, now)
        start = entity_id(memory, query.start, as_of, where="entity")
        found = neighbourhood(memory.graph, start, hops=query.hops, limit=query.limit, as_of=as_of)
        return NeighbourhoodView(
            start=named(memory, [start], as_of)[start],
            facts=near_facts(memory, found, as_of),
            entities=near_entities(memory, found, as_of),
            cut=found.cut,
            valid_at=format_instant(as_of.valid_at),
            known_at=format_instant(as_of.known_at),
        )


def near_facts(memory: Memory, found: Neighbourhood, as_of: AsOf) -> tuple[NearFact, ...]:
    views = contract.fact_views(memory, [fact for _, fact in found.facts], as_of.known_at)
    return tuple(NearFact(distance, view) for (distance, _), view in zip(found.facts, views, strict=True))


def near_entities(memory: Memory, found: Neighbourhood, as_of: AsOf) -> tuple[NearEntity, ...]:
    views = named(memory, list(found.distances), as_of)
    ordered = sorted(found.distances.items(), key=lambda met: (met[1], views[met[0]].name.casefold(), met[0]))
    return tuple(NearEntity(distance, views[entity]) for entity, distance in ordered)


def path_view(memory: Memory, query: WalkQuery, now: Micros) -> PathView:
    with memory.snapshot():
        as_of = times_of(memory, query, now)
        source = entity_id(memory, query.start, as_of, where="?from")
        target = entity_id(memory, query.target or "", as_of, where="?to")
        way = shortest_way(memory.graph, source, target, max_hops=query.hops, limit=query.limit, as_of=as_of)
        ends = named(memory, [source, target], as_of)
        return PathView(
            start=ends[source],
            target=ends[target],
            hops=None if way.steps is None else len(way.steps),
            steps=step_views(memory, way, as_of),
            visited=way.visited,
            cut=way.cut,
            valid_at=format_instant(as_of.valid_at),
            known_at=format_instant(as_of.known_at),
        )


def step_views(memory: Memory, way: Way, as_of: AsOf) -> tuple[StepView, ...]:
    steps = way.steps or ()
    facts = contract.fact_views(memory, [each.fact for each in steps], as_of.known_at)
    entities = named(memory, [end_of(each) for each in steps], as_of)
    return tuple(
        StepView(fact=fact, forward=step.forward, to=entities[end_of(step)])
        for step, fact in zip(steps, facts, strict=True)
    )


def times_of(memory: Memory, query: WalkQuery, now: Micros) -> AsOf:
    """Nothing is known of what will be believed: what is recorded up to now answers in its place."""
    latest = memory.ledger.head().recorded_at
    require_kept(memory, query.known_at)
    return AsOf(
        valid_at=now if query.valid_at is None else query.valid_at,
        known_at=latest if query.known_at is None else min(query.known_at, latest),
    )


def entity_id(memory: Memory, name: str, as_of: AsOf, *, where: str) -> str:
    """By id or any name of then, also of one that has since been merged. Raises `NotFound`."""
    if memory.graph.entities([name], as_of.known_at):
        return name
    found = entity_named(memory, name, as_of.known_at)
    if found is None:
        raise NotFound(f"{where}: nobody and nothing here is called {name[:60]!r}; list the entities")
    return found.id


def named(memory: Memory, ids: list[str], as_of: AsOf) -> dict[str, EntityView]:
    """Under the names of then."""
    entities = {each.id: each for each in memory.graph.entities(sorted(set(ids)), as_of.known_at)}
    return {each: contract.entity_view(each, each, entities) for each in ids}


# ------------------------------------------------------------------------------------------------------- resources


class EntityNeighbourhood:
    """What is believed around one entity."""

    def __init__(self, memories: Memories, clock: Clock) -> None:
        self.memories = memories
        self.clock = clock

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response, entity: str) -> None:
        """Facts and entities up to so many hops away, the nearest first."""
        given = given_params(req, ("hops", "valid_at", "known_at", "limit"))
        query, now = walk_query(given, entity, "hops"), self.clock()
        resp.data = encode(await self.memories.work(req, lambda opened: neighbourhood_view(opened.memory, query, now)))


class Paths:
    """How two entities are connected."""

    def __init__(self, memories: Memories, clock: Clock) -> None:
        self.memories = memories
        self.clock = clock

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        """The shortest way from one to the other, each fact in either direction."""
        given = given_params(req, ("from", "to", "max_hops", "valid_at", "known_at", "limit"))
        for end in ("from", "to"):
            if end not in given:
                raise InvalidInput("is missing; give an entity's id or any of its names", where=f"?{end}")
        query, now = walk_query(given, given["from"], "max_hops", target=given["to"]), self.clock()
        resp.data = encode(await self.memories.work(req, lambda opened: path_view(opened.memory, query, now)))


def walk_query(given: dict[str, str], start: str, hops: str, target: str | None = None) -> WalkQuery:
    """Raises `InvalidInput` where the walk would go too far."""
    usual = USUAL_HOPS if target is None else MOST_HOPS
    query = WalkQuery(
        start=start,
        target=target,
        hops=whole_number(given, hops, usual),
        limit=whole_number(given, "limit", USUAL_FACTS if target is None else MOST_FACTS),
        valid_at=time_param(given, "valid_at"),
        known_at=time_param(given, "known_at"),
    )
    return checked(query, hops, "?")


def checked(query: WalkQuery, hops: str, prefix: str) -> WalkQuery:
    if not 1 <= query.hops <= MOST_HOPS:
        raise InvalidInput(f"must lie between 1 and {MOST_HOPS}", where=f"{prefix}{hops}")
    if not 1 <= query.limit <= MOST_FACTS:
        raise InvalidInput(f"must lie between 1 and {MOST_FACTS}", where=f"{prefix}limit")
    return query
