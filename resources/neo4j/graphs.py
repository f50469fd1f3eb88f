"""The graphs of all memories in one Neo4j database."""

from collections.abc import Iterable

from kg_assets.model import MemoryInfo
from kg_assets.ports import Ledger
from resources.neo4j.connection import Bound, open_driver
from resources.neo4j.graph import Neo4jGraph
from resources.neo4j.schema import check_schema, forget
from resources.postgres.session import Session


class Neo4jGraphs:
    """Opens the graph of one memory beside its ledger. May be shared by threads; not by processes.

    `predicates` are those of the ontology: each becomes a relation type, all others are `RELATED {predicate}`.
    """

    def __init__(self, uri: str, user: str, password: str, *, predicates: Iterable[str] = ()) -> None:
        self._known = frozenset(predicates)
        self._driver = open_driver(uri, user, password)
        try:
            check_schema(self._driver)
        except BaseException:
            self._driver.close()
            raise

    def open(self, info: MemoryInfo, session: Session, ledger: Ledger) -> Neo4jGraph:
        return Neo4jGraph(Bound(self._driver, info.id), session, ledger, self._known)

    def erase(self, memory_id: str) -> None:
        """Everything of one memory; again, where a crash came between, it changes nothing."""
        Bound(self._driver, memory_id).write(forget)

    def close(self) -> None:
        self._driver.close()
