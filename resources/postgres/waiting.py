"""What waits in a memory, a route at a time: what the inbox is told."""

from collections.abc import Collection

import msgspec

from kg_assets.model import Micros, Route
from resources.postgres.session import Session

ROUTES: tuple[Route, ...] = ("immediate", "batch", "log")
_COUNTS = "SELECT route, max(count) FROM pending_counts GROUP BY route"
_ENDS = """
    SELECT (SELECT recorded_at FROM utterances WHERE seq = first), newest FROM (
        SELECT min((SELECT min(seq) FROM pending p WHERE p.stage = stages.stage AND p.route = %(route)s)) AS first,
               max((SELECT max(seq) FROM pending p WHERE p.stage = stages.stage AND p.route = %(route)s)) AS newest
        FROM (VALUES ('seal'), ('extract'), ('derive'), ('index')) AS stages (stage)
    ) ends
"""


class Waiting(msgspec.Struct, frozen=True):
    """`count` utterances wait under a route (of the stages, the one where most wait); 0 is none.

    `oldest` is the recorded time of the first that waits, `newest` the seq of the last; 0 where none waits.
    """

    route: Route
    count: int
    oldest: Micros
    newest: int


def waiting_in(session: Session, routes: Collection[str] = ROUTES) -> list[Waiting]:
    """One for each of the routes, in the order of `ROUTES`."""
    counts: dict[str, int] = dict(session.rows(_COUNTS))
    return [_waiting(session, route, counts.get(route, 0)) for route in ROUTES if route in routes]


def _waiting(session: Session, route: Route, count: int) -> Waiting:
    if not count:
        return Waiting(route, 0, 0, 0)
    ((oldest, newest),) = session.rows(_ENDS, {"route": route})
    return Waiting(route, count, oldest, newest)
