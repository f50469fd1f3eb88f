"""Old generations of belief are dropped: their rows go, and what the journal told of them stays there.

Evidence belongs to no generation and stays. So does the pointer's history: a read as of a time at which a dropped
generation served is refused, and never answered by another. See docs/adr/0012-dropped-generations.md.
"""

from collections.abc import Iterator, Sequence

import msgspec

from kg_assets import journal
from kg_assets.errors import InvalidInput
from kg_assets.graph.generations import generations, put_generation
from kg_assets.graph.versions import versions
from kg_assets.model import Change, Drop, LedgerRows, Micros, Origin
from kg_assets.ports import Clock, Memory

KEPT = 2  # the one that serves and the one before it, to flip back to
CHUNK = 1000
FIRST = -1  # before all recorded times: when the first generation began to serve


class Keep(msgspec.Struct, frozen=True):
    """How many generations are kept: the one that serves, and those that served last before it."""

    generations: int = KEPT


class Dropped(msgspec.Struct, frozen=True, kw_only=True):
    """What went: the generations by number, and how many versions of facts and index items with them."""

    numbers: tuple[int, ...] = ()
    dropped: int = 0
    fact_versions: int = 0
    index_items: int = 0


def beyond(memory: Memory, keep: int) -> list[int]:
    """Generations that are not among the last `keep` to serve, by number. Raises `InvalidInput` for less than one.

    One that was built after the generation that serves and never served stays: somebody is looking at it still.
    """
    if keep < 1:
        raise InvalidInput("at least the generation that serves is kept; name 1 or more", where="--keep")
    last: dict[int, Micros] = {}
    for each in memory.graph.served():
        last[each.generation] = FIRST if each.recorded_from is None else each.recorded_from
    kept = set(sorted(last, key=lambda number: last[number], reverse=True)[:keep]) | {memory.graph.generation}
    there = {each.generation for each in generations(memory) if not each.dropped}
    return sorted(each for each in there - kept if each in last or each < memory.graph.generation)


def drop(memory: Memory, numbers: Sequence[int], *, origin: Origin, clock: Clock) -> Dropped:
    """In one transaction, all of these or none. Raises `InvalidInput` for one that serves, or is not there."""
    numbers, known = sorted(set(numbers)), {each.generation: each for each in generations(memory)}
    for number in numbers:
        if number not in known or known[number].dropped:
            there = ", ".join(str(each.generation) for each in known.values() if not each.dropped) or "none yet"
            raise InvalidInput(f"there is no generation {number} to drop; there is {there}", where="GENERATION")
        if number == memory.graph.generation:
            raise InvalidInput(f"generation {number} serves; flip to another before it is dropped", where="GENERATION")
    if not numbers:
        return Dropped()
    rows = items = 0
    with memory.transaction():
        at = journal.instant(memory.ledger, clock)
        for number in numbers:
            before = memory.ledger.item_count()
            for ids in _versions_of(memory, number):
                memory.ledger.forget(LedgerRows(items=tuple(ids)))
                rows += len(ids)
            items += before - memory.ledger.item_count()
            change = Drop(drops=number)
            told = Change(op="drop", payload=msgspec.to_builtins(change))
            (entry,) = journal.record(memory.ledger, [told], origin=origin, at=at)
            memory.graph.apply(change, recorded_at=at, journal_seq=entry.seq)
            put_generation(memory, msgspec.structs.replace(known[number], dropped=entry.seq, waiting=()))
    return Dropped(numbers=tuple(numbers), dropped=len(numbers), fact_versions=rows, index_items=items)


def _versions_of(memory: Memory, generation: int) -> Iterator[list[str]]:
    """In portions; read before anything of it goes."""
    ids = [each.version_id for each in versions(memory.graph) if each.generation == generation]
    yield from (ids[start : start + CHUNK] for start in range(0, len(ids), CHUNK))
