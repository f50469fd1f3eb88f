"""Going through the facts of a memory: every version there ever was, or what one generation holds now."""

from collections.abc import Iterator

from kg_assets.model import Fact
from kg_assets.ports import GraphStore

PAGE = 1000
BEFORE_ALL = -(2**62)  # below every journal entry that a forged row can name


def touched_by(fact: Fact) -> int:
    """The journal entry that touched this version last."""
    return fact.opened_by if fact.closed_by is None else fact.closed_by


def versions(graph: GraphStore, page: int = PAGE) -> Iterator[Fact]:
    """Of all generations, by the entry that touched each last; read in pages."""
    after = BEFORE_ALL
    while rows := graph.changed_facts(after_journal_seq=after, limit=page):
        yield from rows
        after = touched_by(rows[-1])


def current(graph: GraphStore, page: int = PAGE) -> Iterator[list[Fact]]:
    """What the graph's generation holds now, by version id, in pages."""
    after = ""
    while rows := graph.facts(valid_at=None, known_at=None, limit=page, after=after):
        yield rows
        after = rows[-1].version_id
