"""What belief is derived from and written to: the evidence that counts in one generation of a memory, and its graph.

An utterance that was read again has evidence of each reading. Of these one counts: in a generation that was built on
readings of it the last, in all others the first. What came without a text is read by nobody and always counts.
"""

from collections.abc import Sequence
from typing import Any, Protocol, cast

import msgspec

from kg_assets.graph.generations import Again, generations
from kg_assets.graph.mentions import Mentions, counted
from kg_assets.model import Assertion, MentionCount
from kg_assets.ports import GraphStore, Ledger, Memory
from kg_assets.triples.reading import read_again_for
from kg_assets.utterances.context import ASSERTED

PAGE = 500


class Sources(Protocol):
    @property
    def key(self) -> bytes: ...
    @property
    def ledger(self) -> Ledger: ...
    @property
    def graph(self) -> GraphStore: ...


class Generation(msgspec.Struct, frozen=True):
    """The evidence that counts in one generation, and the graph of it."""

    key: bytes
    ledger: Ledger
    graph: GraphStore


def generation_of(memory: Memory, number: int) -> Generation:
    return Generation(memory.key, evidence_in(memory, number), memory.graph.of(number))


def in_service(memory: Memory) -> Generation:
    """The generation that serves."""
    return Generation(memory.key, evidence_in(memory, memory.graph.generation), memory.graph)


def evidence_in(memory: Memory, number: int) -> Ledger:
    """The ledger, whose reads of mentions and of assertions, but for those by id, give only what counts."""
    made = generations(memory)
    if not any(each.again for each in made):
        return memory.ledger
    again = next((each.again for each in made if each.generation == number), ())
    return cast(Ledger, _Counting(memory.ledger, again))  # it hands all else through


def counts(assertion: Assertion, again: Sequence[Again]) -> bool:
    """Whether it counts where these readings do, oldest first."""
    if assertion.extractor == ASSERTED:
        return True
    last = next((each.generation for each in reversed(again) if each.covers(assertion.seq)), None)
    return last == read_again_for(assertion)


def counted_once(sources: Generation) -> Generation:
    """With the mentions of all evidence counted now, in one pass: for who resolves every name there is."""
    if not isinstance(sources.ledger, _Counting):
        return sources  # the ledger keeps their counts
    mentions = Mentions()
    last = sources.ledger.head().seq
    for start in range(1, last + 1, PAGE):
        mentions.count(sources.ledger.assertions_of_utterances(range(start, min(start + PAGE, last + 1))))
    return msgspec.structs.replace(sources, ledger=cast(Ledger, _Counted(sources.ledger, mentions)))


class _Counting:
    """A ledger without the assertions that do not count."""

    def __init__(self, ledger: Ledger, again: Sequence[Again]) -> None:
        self._ledger, self._again = ledger, again

    def __getattr__(self, name: str) -> Any:
        return getattr(self._ledger, name)

    def _of(self, found: Sequence[Assertion]) -> list[Assertion]:
        return [each for each in found if counts(each, self._again)]

    def assertions_of_utterances(self, seqs: Sequence[int]) -> list[Assertion]:
        return self._of(self._ledger.assertions_of_utterances(seqs))

    def assertions_of_slot(self, subject_keys: Sequence[str], predicates: Sequence[str]) -> list[Assertion]:
        return self._of(self._ledger.assertions_of_slot(subject_keys, predicates))

    def assertions_about(self, keys: Sequence[str], predicates: Sequence[str] | None = None) -> list[Assertion]:
        return self._of(self._ledger.assertions_about(keys, predicates))

    def links(self, keys: Sequence[str]) -> list[Assertion]:
        return self._of(self._ledger.links(keys))

    def mention_counts(self, keys: Sequence[str]) -> list[MentionCount]:
        return counted(self.assertions_about(keys), set(keys))


class _Counted:
    """A ledger whose mentions were counted before."""

    def __init__(self, ledger: Ledger, mentions: Mentions) -> None:
        self._ledger, self._mentions = ledger, mentions

    def __getattr__(self, name: str) -> Any:
        return getattr(self._ledger, name)

    def mention_counts(self, keys: Sequence[str]) -> list[MentionCount]:
        return self._mentions.of(keys)
