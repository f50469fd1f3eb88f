"""Rules of belief that no single row shows. Pure; the audit and the flip of a generation hold to the same."""

from collections import defaultdict
from collections.abc import Iterable
from itertools import pairwise

from kg_assets.model import Fact
from kg_assets.text.ontology import Ontology

BEGINNING, END = float("-inf"), float("inf")


def twice(facts: Iterable[Fact]) -> list[str]:
    """Version ids of rows that repeat another's statement and interval."""
    seen: set[tuple[str, int | None, int | None]] = set()
    found = []
    for fact in facts:
        key = (fact.id, fact.belief.valid_from, fact.belief.valid_to)
        if key in seen:
            found.append(fact.version_id)
        seen.add(key)
    return found


def overlapping(facts: Iterable[Fact], ontology: Ontology) -> list[str]:
    """Version ids of rows of functional slots that begin before the row before them has ended."""
    slots: dict[str, list[Fact]] = defaultdict(list)
    for fact in facts:
        if ontology.believed(fact.belief.predicate).functional:
            slots[fact.belief.slot].append(fact)
    return [
        later.version_id
        for rows in slots.values()
        for earlier, later in pairwise(sorted(rows, key=_start))
        if _start(later) < (END if earlier.belief.valid_to is None else earlier.belief.valid_to)
    ]


def _start(fact: Fact) -> float:
    return BEGINNING if fact.belief.valid_from is None else fact.belief.valid_from
