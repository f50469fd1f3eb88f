"""What one more assertion costs: it grows with its slot, not with all that is known of anybody."""

from collections.abc import Iterable
from itertools import count
from pathlib import Path

import pytest

from kg_assets.graph.belief import derive_pending
from kg_assets.graph.generations import Again, Made, put_generation
from kg_assets.model import Assertion
from kg_assets.ports import Memory
from kg_assets.text.ontology import load_ontology
from resources.sqlite import SqliteStores
from resources.sqlite.memory import SqliteMemory
from tests.graph.evidence import assertion
from tests.graph.test_belief import NOW, ORIGIN, ROUTES, read, say

STEP = 20  # virtual machine instructions of SQLite between two looks


def told(memory: Memory, assertions: Iterable[Assertion]) -> None:
    read(memory, list(assertions))
    derive_pending(memory, load_ontology(), routes=ROUTES, origin=ORIGIN, clock=lambda: NOW)


def looks_for_one_more(folder: Path, predicate: str, others: int, *, again: bool = False) -> int:
    """How much SQLite works for one more assertion in a slot of five, beside `others` about the same two entities;
    `again`: where something was read again, so that the ledger's own counts of mentions are not those that count."""
    stores = SqliteStores(folder, b"secret", clock=lambda: NOW)
    memory = stores.open(stores.create("test", "ana", multi_speaker=True, now=NOW).id)
    assert isinstance(memory, SqliteMemory)
    say(memory, [assertion("ana", "likes", "x", said=8)])
    told(memory, (assertion("ana", "likes", f"thing {number}", said=1) for number in range(others)))
    told(memory, (assertion(f"person {number}", "likes", "ben", said=2) for number in range(others)))
    told(memory, (assertion("ana", predicate, name, said=3) for name in ("ben", "cleo", "dora", "emil", "fay")))
    if again:
        reading = Again(generation=1, extractor="another", spans=((9, 9),))
        with memory.transaction():
            put_generation(memory, Made(generation=1, rules="", again=(reading,)))
    looks = count()
    memory._session.connection.set_progress_handler(lambda: next(looks) < 0, STEP)
    told(memory, [assertion("ana", predicate, "ben", said=8)])
    memory._session.connection.set_progress_handler(None)
    memory.close()
    stores.close()
    return next(looks)


@pytest.mark.parametrize("predicate", ["lives_in", "friend_of"])
def test_one_more_assertion_costs_the_same_beside_many_others(tmp_path: Path, predicate: str) -> None:
    few = looks_for_one_more(tmp_path / "few", predicate, 40)
    assert looks_for_one_more(tmp_path / "many", predicate, 800) <= 1.2 * few


@pytest.mark.parametrize("predicate", ["lives_in", "friend_of"])
def test_it_costs_the_same_where_something_was_read_again(tmp_path: Path, predicate: str) -> None:
    few = looks_for_one_more(tmp_path / "few", predicate, 40, again=True)
    assert looks_for_one_more(tmp_path / "many", predicate, 800, again=True) <= 1.2 * few
