"""The path of an answer as read-only Cypher over the graph's typed relations, for people to run themselves."""

from collections.abc import Sequence

import msgspec

from kg_assets.model import Micros


class Hop(msgspec.Struct, frozen=True, kw_only=True):
    """One relation of the way, from the entity `start` to what held at `valid_at` (microseconds since 1970).

    `inverted` where it is walked from its object to its subject.
    """

    start: str
    predicate: str
    inverted: bool
    valid_at: Micros


def cypher(memory_id: str, hops: Sequence[Hop], known_at: Micros | None) -> str:
    """As of the same two times as the answer; `known_at` None is what is believed now."""
    steps, conditions = [], []
    for number, hop in enumerate(hops):
        arrow = f"<-[r{number}:{hop.predicate.upper()}]-" if hop.inverted else f"-[r{number}:{hop.predicate.upper()}]->"
        steps.append(f"(e{number}:Entity {{memory: '{memory_id}', id: '{hop.start}'}}){arrow}")
        conditions += as_of(f"r{number}", hop.valid_at, known_at)
    last = f"e{len(hops)}"
    return f"MATCH {''.join(steps)}({last}) WHERE {' AND '.join(conditions)} RETURN {last}"


def as_of(relation: str, valid_at: Micros, known_at: Micros | None) -> list[str]:
    return [
        f"coalesce({relation}.valid_from <= {valid_at}, true)",
        f"coalesce({relation}.valid_to > {valid_at}, true)",
        *([] if known_at is None else [f"{relation}.recorded_from <= {known_at}"]),
        f"{relation}.recorded_to IS NULL"
        if known_at is None
        else f"coalesce({relation}.recorded_to > {known_at}, true)",
    ]
