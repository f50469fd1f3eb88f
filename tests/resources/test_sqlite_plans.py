"""No read walks through a table: the plan of each is looked at, because a slow plan gives right answers."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from resources.sqlite import SqliteMemory, SqliteStores
from tests.conformance.samples import append, assertion, fact, slot_change

READS: dict[str, Callable[[SqliteMemory], object]] = {
    "head": lambda m: m.ledger.head(),
    "watermark": lambda m: m.ledger.watermark(),
    "utterance": lambda m: m.ledger.utterance("u1"),
    "utterances": lambda m: m.ledger.utterances([1, 2]),
    "utterances_after": lambda m: m.ledger.utterances_after(1, 5),
    "session_before": lambda m: m.ledger.session_before("s-1", 3, 2),
    "said_lately": lambda m: m.ledger.said_lately("s-1", 3, 0, 2),
    "session_turns": lambda m: m.ledger.session_turns("s-1"),
    "novelty": lambda m: m.ledger.novelty([1, 2]),
    "unscored": lambda m: m.ledger.unscored(5),
    "term_counts": lambda m: m.ledger.term_counts(["a", "b"]),
    "term_places": lambda m: m.ledger.term_places(["a", "b"]),
    "pending": lambda m: m.ledger.pending("extract", ["immediate", "batch"], 5),
    "assertions": lambda m: m.ledger.assertions(["a", "b"]),
    "assertions_of_utterances": lambda m: m.ledger.assertions_of_utterances([1, 2]),
    "assertions_of_slot": lambda m: m.ledger.assertions_of_slot(["ana", "ben"], ["lives_in", "likes"]),
    "assertions_about": lambda m: m.ledger.assertions_about(["ana", "ben"]),
    "assertions_about, of predicates": lambda m: m.ledger.assertions_about(["ana", "ben"], ["lives_in", "likes"]),
    "links": lambda m: m.ledger.links(["ana", "ben"]),
    "mention_counts": lambda m: m.ledger.mention_counts(["ana", "ben"]),
    "known_keys": lambda m: m.ledger.known_keys(["ana", "ben"]),
    "journal_after": lambda m: m.ledger.journal_after(3, 5),
    "journal": lambda m: m.ledger.journal([1, 2]),
    "decisions": lambda m: m.ledger.decisions("slot-1"),
    "items": lambda m: m.ledger.items(["a", "b"]),
    "items_after": lambda m: m.ledger.items_after(1),
    "items_after, retired": lambda m: m.ledger.items_after(1, retired=True),
    "deleted_after": lambda m: m.ledger.deleted_after(1),
    "item_ids": lambda m: m.ledger.item_ids("fact"),
    "slot": lambda m: m.graph.slot("slot-1"),
    "entities": lambda m: m.graph.entities(["a", "b"]),
    "entities_by_key": lambda m: m.graph.entities_by_key(["a", "b"]),
    "history": lambda m: m.graph.history("f"),
    "fact_ids": lambda m: m.graph.fact_ids("ab", 5),
    "fact_versions": lambda m: m.graph.fact_versions(["a", "b"]),
    "facts_of_utterances": lambda m: m.graph.facts_of_utterances(["a", "b"]),
    "changed_facts": lambda m: m.graph.changed_facts(after_journal_seq=0, limit=5),
    "waiting": lambda m: m.waiting(),
    "value": lambda m: m.value("cursor"),
}
# The values that were asked for; one row; a few, one a stage and route; a subquery with a limit; an index that holds
# nothing but the answer.
SMALL = (
    r"SCAN (json_each|state$|stages$|pending_counts$|\d CONSTANT ROWS|\(subquery-1\)$"
    r"|utterances USING INDEX utterances_unscored)"
)

FACTS = [
    ({"subjects": ["e1"]}, "facts_by_subject"),
    ({"subjects": ["e1", "e2"]}, "facts_by_subject"),
    ({"subjects": ["e1", "e2"], "predicates": ["p1", "p2"]}, "facts_by_subject"),
    ({"objects": ["e1"]}, "facts_by_object"),
    ({"objects": ["e1", "e2"], "predicates": ["p1"]}, "facts_by_object"),
    ({"subjects": ["e1"], "objects": ["e2"], "predicates": ["p1"]}, "facts_by_subject"),
    ({"predicates": ["p1"]}, "facts_by_predicate"),
    ({"predicates": ["p1", "p2"]}, "facts_by_predicate"),
]


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqliteMemory]:
    folder: Path = tmp_path_factory.mktemp("plans")
    stores = SqliteStores(folder, b"secret", clock=lambda: 0)
    opened = stores.open(stores.create("tests", "ana", now=0).id)
    append(opened, [1, 2])
    with opened.transaction():
        opened.ledger.add_assertions([assertion("a")])
        opened.graph.apply(slot_change([fact("v1")]), recorded_at=1, journal_seq=1)
    yield opened
    opened.close()
    stores.close()


def plans(memory: SqliteMemory, read: Callable[[SqliteMemory], object]) -> list[str]:
    """The steps of every statement that a read runs."""
    statements: list[tuple[str, object]] = []

    def trace(_cursor: object, sql: str, bindings: object) -> bool:
        statements.append((sql, bindings))
        return True

    connection = memory._session.connection
    connection.exec_trace = trace
    try:
        read(memory)
    finally:
        connection.exec_trace = None
    assert statements
    return [
        str(step)
        for sql, bindings in statements
        for *_, step in connection.execute(f"EXPLAIN QUERY PLAN {sql}", bindings).fetchall()  # type: ignore[arg-type]
    ]


@pytest.mark.parametrize("name", sorted(READS))
def test_a_read_finds_its_rows_by_an_index(memory: SqliteMemory, name: str) -> None:
    steps = plans(memory, READS[name])
    scans = [step for step in steps if step.startswith("SCAN") and not re.match(SMALL, step)]
    assert scans == [], steps


@pytest.mark.parametrize(("query", "index"), FACTS)
@pytest.mark.parametrize("known_at", [None, 5])
def test_a_read_of_facts_uses_the_index_of_what_it_names(
    memory: SqliteMemory, query: dict[str, Any], index: str, known_at: int | None
) -> None:
    steps = plans(memory, lambda m: m.graph.facts(valid_at=3, known_at=known_at, **query))
    assert any(step.startswith(f"SEARCH facts USING INDEX {index}") for step in steps), steps
