"""What waits in a memory, a route at a time, and when the inbox of the control plane is told of it."""

from collections.abc import Sequence

import msgspec

from kg_assets.model import Micros, Route, ShardWork
from resources.rows import Row

ROUTES: tuple[Route, ...] = ("immediate", "batch", "log")
COUNTS = "SELECT route, max(count) FROM pending_counts GROUP BY route"


class Waiting(msgspec.Struct, frozen=True):
    """`count` utterances wait under a route (of the stages, the one where most wait); 0 is none.

    `oldest` is the recorded time of the first that waits, `newest` the seq of the last; 0 where none waits.
    """

    route: Route
    count: int
    oldest: Micros
    newest: int


def to_hint(found: Sequence[Waiting], hints: Sequence[Waiting]) -> list[Waiting]:
    """What a commit must tell: the routes that change from clean.

    A count that doubled is told too, so that a queue length can be read from the hints to within a factor of two.
    """
    told = {w.route: w.count for w in hints}
    return [w for w in found if w.count and (not told.get(w.route) or w.count >= 2 * told[w.route])]


def to_settle(found: Sequence[Waiting], hints: Sequence[Waiting]) -> tuple[list[Waiting], bool]:
    """(what differs from the hints, whether one was wrong: told of work where there is none, or of none)."""
    told = {w.route: (w.count, w.newest) for w in hints}
    news = [w for w in found if (w.count, w.newest) != told.get(w.route, (0, 0))]
    return news, any(bool(w.count) != bool(told.get(w.route, (0, 0))[0]) for w in news)


def shard_work(shard: str, head: int, rows: Sequence[Row]) -> ShardWork:
    """From rows that begin with (shard, memory id, route, waiting, oldest), by (oldest, memory id)."""
    waiting: dict[Route, int] = {}
    for _, _, route, count, *_ in rows:
        waiting[route] = waiting.get(route, 0) + count
    return ShardWork(
        shard=shard,
        memories=tuple(dict.fromkeys(memory_id for _, memory_id, *_ in rows)),
        head=head,
        waiting=waiting,
        oldest=rows[0][4],
    )
