"""The reading commands: what they ask of a memory."""

from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from kg_assets.answers.ask import Answer
from kg_assets.answers.ask import ask as ask_memory
from kg_assets.errors import InvalidInput, NotFound
from kg_assets.model import MemoryInfo, Micros
from kg_assets.ports import Memory
from kg_assets.recall.read_model import ReadModel
from palimpsest.home import Home
from serving.contract import FactPage, FactView
from serving.fact_queries import MAX_LIMIT, FactQuery, find_facts
from serving.recall import RecallBody, RecalledView, recall_request, recalled

SHORTEST_PREFIX = 4
ENTRIES = 500  # of the journal, read at once
MOST_NAMED = 6  # of a memory, where several begin so


def recall_query(home: Home, memory: Memory, query: str, k: int) -> RecalledView:
    request = recall_request(RecallBody(query=query, k=k))
    with memory.snapshot():
        return recalled(memory, read_model(home, memory), request, home.embedder, home.clock())


def ask_question(
    home: Home, memory: Memory, question: str, *, valid_at: Micros | None, known_at: Micros | None
) -> Answer:
    return ask_memory(
        memory,
        read_model(home, memory),
        question,
        ontology=home.ontology,
        embedder=home.embedder,
        now=home.clock(),
        valid_at=valid_at,
        known_at=known_at,
    )


def read_model(home: Home, memory: Memory) -> ReadModel:
    model = ReadModel(home.embedder)
    model.refresh(memory)
    return model


def all_facts(home: Home, memory: Memory, query: FactQuery) -> FactPage:
    """Every page of them, as of one moment."""
    facts: list[FactView] = []
    first: FactPage | None = None
    now = home.clock()
    query = msgspec.structs.replace(query, limit=MAX_LIMIT)
    while True:
        page = find_facts(memory, home.ontology, query, now)
        facts += page.facts
        first = first or page  # which alone tells what follows
        if page.next is None:
            return FactPage(tuple(facts), None, conclusions=first.conclusions, cut=first.cut)
        query = msgspec.structs.replace(query, cursor=page.next)


def first_belief(memory: Memory) -> Micros | None:
    """When this memory learned its first fact; None where it knows of none."""
    seq = 0
    while entries := memory.ledger.journal_after(seq, ENTRIES):
        for entry in entries:
            if entry.op == "assert":
                return entry.recorded_at
        seq = entries[-1].seq
    return None


@contextmanager
def found_fact(home: Home, beginning: str, user: str | None) -> Iterator[tuple[Memory, str]]:
    """The memory and id of the one fact whose id begins so. Raises `NotFound`, or `InvalidInput` where several do."""
    wanted = beginning.lower()
    if len(wanted) < SHORTEST_PREFIX or not set(wanted) <= set("0123456789abcdef"):
        raise InvalidInput(
            f"{beginning!r} is no beginning of a fact's id; give at least {SHORTEST_PREFIX} of its hex digits",
            where="FACT",
        )
    found: list[tuple[MemoryInfo, str]] = []
    for info in [home.info(user)] if user else home.stores.memories():
        with home.opened(info) as memory:
            found += [(info, fact_id) for fact_id in memory.graph.fact_ids(wanted, MOST_NAMED)]
    if not found:
        raise NotFound(f"no fact's id begins with {beginning!r}; `palimpsest facts --user NAME` lists them")
    if len(found) > 1:
        ids = ", ".join(fact_id[: len(wanted) + 4] for _, fact_id in found[:5])
        raise InvalidInput(f"several facts begin with {beginning!r} ({ids}); give more digits", where="FACT")
    with home.opened(found[0][0]) as memory:
        yield memory, found[0][1]
