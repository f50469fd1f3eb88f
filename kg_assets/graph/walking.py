"""Walks over the graph as of a valid and a recorded time: what stands around an entity, and the way between two.

Breadth first, a fact in both directions, over the reads of any `GraphStore`. A walk visits at most so many facts and
says where it was cut. To be called inside a snapshot.
"""

from collections.abc import Mapping

import msgspec

from kg_assets.model import Fact, Micros
from kg_assets.ports import GraphStore


class AsOf(msgspec.Struct, frozen=True, kw_only=True):
    """The two times of a read. A walk names both, so that reading it again gives the same."""

    valid_at: Micros
    known_at: Micros


class Neighbourhood(msgspec.Struct, frozen=True, kw_only=True):
    """`facts` with how many steps from the start each was met (from 1), the nearest first; `distances` of entities."""

    facts: tuple[tuple[int, Fact], ...]
    distances: dict[str, int]
    cut: bool


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One fact of a way; `forward` where it is walked from its subject to its object."""

    fact: Fact
    forward: bool


class Way(msgspec.Struct, frozen=True, kw_only=True):
    """The shortest way, None where there is none within the hops (or, `cut`, none among the facts visited)."""

    steps: tuple[Step, ...] | None
    visited: int
    cut: bool


def neighbourhood(graph: GraphStore, start: str, *, hops: int, limit: int, as_of: AsOf) -> Neighbourhood:
    """All facts up to `hops` steps around an entity. Where there are more than `limit`, the nearest, by version id."""
    walk = Walk(graph, start, limit, as_of)
    for _ in range(hops):
        if not walk.widen():
            break
    facts = sorted(walk.facts, key=lambda met: (met[0], *content_order(met[1])))
    return Neighbourhood(facts=tuple(facts), distances=walk.distances, cut=walk.cut)


def shortest_way(graph: GraphStore, source: str, target: str, *, max_hops: int, limit: int, as_of: AsOf) -> Way:
    """Among several the first by predicate and names. Walked from the target: so each step can see how far it is."""
    walk = Walk(graph, target, limit, as_of)
    while source not in walk.distances and max(walk.distances.values()) < max_hops and walk.widen():
        pass
    steps = downhill(walk.distances, [fact for _, fact in walk.facts], source)
    return Way(steps=steps, visited=len(walk.facts), cut=walk.cut)


class Walk:
    """How far a walk has come: the distance of each entity, and each fact with the distance at which it was met."""

    def __init__(self, graph: GraphStore, start: str, limit: int, as_of: AsOf) -> None:
        self.distances = {start: 0}
        self.facts: list[tuple[int, Fact]] = []
        self.cut = False
        self._graph, self._limit, self._as_of = graph, limit, as_of
        self._edge = [start]
        self._met: set[str] = set()

    def widen(self) -> bool:
        """One step further; False where nothing lies there, or the walk was cut."""
        if self.cut or not self._edge:
            return False
        distance, edge = self.distances[self._edge[0]] + 1, []
        for fact in self._around(self._edge):
            self.facts.append((distance, fact))
            for entity in (fact.belief.subject_id, fact.belief.object_id):
                if entity is not None and entity not in self.distances:
                    self.distances[entity] = distance
                    edge.append(entity)
        self._edge = sorted(edge)
        return True

    def _around(self, entities: list[str]) -> list[Fact]:
        """Facts with one of these on either side that were not met before, as many as may still be visited."""
        room = self._limit - len(self.facts)
        more = len(self._met) + room + 1  # those met before come again, and one tells that there are more
        found: dict[str, Fact] = {}
        valid_at, known_at = self._as_of.valid_at, self._as_of.known_at
        for facts in (
            self._graph.facts(valid_at=valid_at, known_at=known_at, subjects=entities, limit=more),
            self._graph.facts(valid_at=valid_at, known_at=known_at, objects=entities, limit=more),
        ):
            found |= {fact.version_id: fact for fact in facts if fact.version_id not in self._met}
        ordered = [found[version] for version in sorted(found)]
        self.cut = len(ordered) > room
        self._met |= {fact.version_id for fact in ordered[:room]}
        return ordered[:room]


def downhill(distances: Mapping[str, int], facts: list[Fact], source: str) -> tuple[Step, ...] | None:
    """From the source, each step one nearer."""
    if source not in distances:
        return None
    leaving: dict[str, list[Step]] = {}
    for fact in facts:
        belief = fact.belief
        if belief.object_id is not None:
            leaving.setdefault(belief.subject_id, []).append(Step(fact=fact, forward=True))
            leaving.setdefault(belief.object_id, []).append(Step(fact=fact, forward=False))
    steps, here = [], source
    while distances[here]:
        nearer = [each for each in leaving[here] if distances[end_of(each)] == distances[here] - 1]
        steps.append(min(nearer, key=lambda each: (not each.forward, *content_order(each.fact))))
        here = end_of(steps[-1])
    return tuple(steps)


def end_of(step: Step) -> str:
    belief = step.fact.belief
    return belief.object_id or "" if step.forward else belief.subject_id


def content_order(fact: Fact) -> tuple[str, str, str, bool, Micros, str]:
    """By what is said, so that every backend comes to the same."""
    belief = fact.belief
    since = belief.valid_from
    return (belief.predicate, belief.subject_key, belief.object_key, since is not None, since or 0, fact.version_id)
