"""What belief is derived from and written to: a memory as it serves, or one generation of it."""

from typing import Protocol

import msgspec

from kg_assets.ports import GraphStore, Ledger, Memory


class Sources(Protocol):
    """A `Memory` is one: with the generation that serves."""

    @property
    def key(self) -> bytes: ...
    @property
    def ledger(self) -> Ledger: ...
    @property
    def graph(self) -> GraphStore: ...


class Generation(msgspec.Struct, frozen=True):
    """The same evidence, with the graph of one generation."""

    key: bytes
    ledger: Ledger
    graph: GraphStore


def generation_of(memory: Memory, number: int) -> Generation:
    return Generation(memory.key, memory.ledger, memory.graph.of(number))
