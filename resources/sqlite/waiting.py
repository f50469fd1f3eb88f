"""What waits in a memory, as the inbox is told."""

from collections.abc import Collection

from kg_assets.model import Route
from resources.inbox import COUNTS, ROUTES, Waiting
from resources.sqlite.session import Session

_ENDS = """
    WITH stages (stage) AS (VALUES ('seal'), ('extract'), ('derive'), ('index'))
    SELECT min((SELECT min(seq) FROM pending p WHERE p.stage = stages.stage AND p.route = ?1)),
           max((SELECT max(seq) FROM pending p WHERE p.stage = stages.stage AND p.route = ?1))
    FROM stages
"""


def waiting_in(session: Session, routes: Collection[str] = ROUTES) -> list[Waiting]:
    """One for each of the routes, in the order of `ROUTES`."""
    counts: dict[str, int] = dict(session.rows(COUNTS))
    return [_waiting(session, route, counts.get(route, 0)) for route in ROUTES if route in routes]


def _waiting(session: Session, route: Route, count: int) -> Waiting:
    if not count:
        return Waiting(route, 0, 0, 0)
    first, newest = session.rows(_ENDS, (route,))[0]
    ((oldest,),) = session.rows("SELECT recorded_at FROM utterances WHERE seq = ?", (first,))
    return Waiting(route, count, oldest, newest)
