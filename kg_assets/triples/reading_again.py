"""Reading again, by another extractor, what was read before: evidence for a new generation, beside what there is."""

from collections.abc import Callable, Collection, Sequence

import msgspec

from kg_assets.identity import keyed_id
from kg_assets.model import Assertion, Origin
from kg_assets.ports import Clock, Compute, Memory
from kg_assets.triples.backlog import add_evidence, read_all
from kg_assets.triples.extraction import Extractor
from kg_assets.triples.language_voter import LanguageVoter
from kg_assets.triples.read_by import ROUTES, worded
from kg_assets.triples.reading import read_again_version

CHUNK = 64  # utterances of one transaction


class AgainReader:
    """One extractor, for one run. `version` names it; a language model among its voters is asked within its budget."""

    def __init__(
        self, extractor: Extractor, *, language: LanguageVoter | None = None, compute: Compute | None = None
    ) -> None:
        self.extractor, self.version = extractor, extractor.version
        self._language, self._compute = language, compute

    def read(
        self,
        memory: Memory,
        generation: int,
        *,
        wanted: Callable[[int], bool],
        note: Callable[[Sequence[int], Collection[int]], None],
        origin: Origin,
        clock: Clock,
    ) -> None:
        """Read all utterances that are `wanted`, but for those that wait to be read for the first time.

        A chunk a transaction, in which `note` is told of its utterances and of those among them that were missed: what
        a language model was to read and did not is not read again by the others alone, so that it can be gone on with.
        """
        waiting = set(memory.ledger.pending("extract", ROUTES))
        seqs = [seq for seq in worded(memory) if seq not in waiting and wanted(seq)]
        version = read_again_version(self.version, generation)
        step = CHUNK * (self._compute.width if self._compute else 1)
        for start in range(0, len(seqs), step):
            part = seqs[start : start + step]
            for each in read_all(
                memory, self.extractor, part, chunk=CHUNK, language=self._language, compute=self._compute
            ):
                turns = zip(each.seqs, each.groups, strict=True)
                kept = {seq: group for seq, group in turns if seq not in each.missed}
                groups = [[_again(memory.key, found, version) for found in group] for group in kept.values()]
                with memory.transaction():
                    if kept:
                        add_evidence(memory, list(kept), groups, version, origin=origin, clock=clock)
                    note(each.seqs, each.missed)


def _again(key: bytes, assertion: Assertion, version: str) -> Assertion:
    """With an id of its own: the same words may have been read to the same before."""
    own = keyed_id(key, "assertion", assertion.id, version)
    return msgspec.structs.replace(assertion, id=own, extractor_version=version)
