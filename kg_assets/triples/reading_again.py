"""Reading again, by another extractor, what was read before: evidence for a new generation, beside what there is."""

from collections.abc import Iterable

import msgspec

from kg_assets.identity import keyed_id
from kg_assets.model import Assertion, Origin, Route
from kg_assets.ports import Clock, Compute, Memory
from kg_assets.triples.backlog import add_evidence, read_all
from kg_assets.triples.extraction import Extractor
from kg_assets.triples.language_voter import LanguageVoter
from kg_assets.triples.reading import read_again_version
from kg_assets.utterances.context import ASSERTED

ROUTES: tuple[Route, ...] = ("immediate", "batch", "log")
CHUNK = 64  # utterances of one transaction
PAGE = 500


class AgainReader:
    """One extractor, for one run. `version` names it; a language model among its voters is asked within its budget."""

    def __init__(
        self, extractor: Extractor, *, language: LanguageVoter | None = None, compute: Compute | None = None
    ) -> None:
        self.extractor, self.version = extractor, extractor.version
        self._language, self._compute = language, compute

    def read(self, memory: Memory, generation: int, *, origin: Origin, clock: Clock) -> tuple[tuple[int, int], ...]:
        """Read all that does not wait to be read for the first time; returns the spans of utterances.

        A chunk a transaction. What a crash left behind is read again and gives the same assertions.
        """
        waiting = set(memory.ledger.pending("extract", ROUTES))
        seqs = [seq for seq in _worded(memory) if seq not in waiting]
        step = CHUNK * (self._compute.width if self._compute else 1)
        for start in range(0, len(seqs), step):
            part = seqs[start : start + step]
            for each in read_all(
                memory, self.extractor, part, chunk=CHUNK, language=self._language, compute=self._compute
            ):
                version = read_again_version(self.version, generation)
                groups = [[_again(memory.key, found, version) for found in group] for group in each.groups]
                with memory.transaction():
                    add_evidence(memory, each.seqs, groups, version, origin=origin, clock=clock)
        return spans(seqs)


def _worded(memory: Memory) -> list[int]:
    """Utterances that came as words. A statement that came without is worded for people: it is read by nobody."""
    found: list[int] = []
    last = memory.ledger.head().seq
    for start in range(1, last + 1, PAGE):
        seqs = range(start, min(start + PAGE, last + 1))
        read = memory.ledger.assertions_of_utterances(seqs)
        found += sorted(set(seqs) - {each.seq for each in read if each.extractor == ASSERTED})
    return found


def _again(key: bytes, assertion: Assertion, version: str) -> Assertion:
    """With an id of its own: the same words may have been read to the same before."""
    own = keyed_id(key, "assertion", assertion.id, version)
    return msgspec.structs.replace(assertion, id=own, extractor_version=version)


def spans(seqs: Iterable[int]) -> tuple[tuple[int, int], ...]:
    """(first, last) of each run of ascending numbers."""
    found: list[tuple[int, int]] = []
    for seq in seqs:
        if found and found[-1][1] == seq - 1:
            found[-1] = (found[-1][0], seq)
        else:
            found.append((seq, seq))
    return tuple(found)
