"""Which extractor read each utterance first, noted as it does: one that says nothing leaves no assertion to tell."""

from collections.abc import Sequence

import msgspec

from kg_assets.model import Route
from kg_assets.ports import Memory
from kg_assets.triples.reading import read_again_for
from kg_assets.triples.spans import Spans, seqs_in, spans_of, without
from kg_assets.utterances.context import ASSERTED

NAME = "extraction.read_by"  # of the memory's value that holds it
UNKNOWN = ""  # an extractor of before this was noted
ROUTES: tuple[Route, ...] = ("immediate", "batch", "log")
PAGE = 500


class ReadBy(msgspec.Struct, frozen=True, kw_only=True):
    extractor: str
    spans: Spans


def read_by(memory: Memory) -> list[ReadBy]:
    """By extractor. What came without a text is read by nobody, and what waits was read by nobody yet."""
    value = memory.value(NAME)
    return told_by_evidence(memory) if value is None else msgspec.json.decode(value, type=list[ReadBy])


def note_read(memory: Memory, seqs: Sequence[int], extractor: str) -> None:
    """Inside the caller's transaction."""
    found = {each.extractor: without(each.spans, seqs) for each in read_by(memory)}
    found[extractor] = spans_of([*seqs_in(found.get(extractor, ())), *seqs])
    _put(memory, found)


def note_unread(memory: Memory, seqs: Sequence[int]) -> None:
    """They were erased, or wait to be read anew; inside the caller's transaction."""
    if memory.value(NAME) is not None:
        _put(memory, {each.extractor: without(each.spans, seqs) for each in read_by(memory)})


def worded(memory: Memory) -> list[int]:
    """Utterances that came as words and are still there. A statement that came without is read by nobody."""
    found: list[int] = []
    last = memory.ledger.head().seq
    for start in range(1, last + 1, PAGE):
        seqs = range(start, min(start + PAGE, last + 1))
        read = memory.ledger.assertions_of_utterances(seqs)
        there = {turn.seq for turn in memory.ledger.utterances(seqs)}  # one that was erased is not
        found += sorted(there - {each.seq for each in read if each.extractor == ASSERTED})
    return found


def _put(memory: Memory, found: dict[str, Spans]) -> None:
    noted = [ReadBy(extractor=name, spans=found[name]) for name in sorted(found) if found[name]]
    memory.set_value(NAME, msgspec.json.encode(noted).decode())


def told_by_evidence(memory: Memory) -> list[ReadBy]:
    """Of a memory whose readings were not noted: what left assertions names its extractor."""
    waiting = set(memory.ledger.pending("extract", ROUTES))
    seqs = [seq for seq in worded(memory) if seq not in waiting]
    first: dict[int, str] = {}
    for start in range(0, len(seqs), PAGE):
        page = seqs[start : start + PAGE]
        first |= {turn.seq: UNKNOWN for turn in memory.ledger.utterances(page)}
        read = memory.ledger.assertions_of_utterances(page)
        first |= {each.seq: each.extractor_version for each in read if read_again_for(each) is None}
    found: dict[str, list[int]] = {}
    for seq, extractor in first.items():
        found.setdefault(extractor, []).append(seq)
    return [ReadBy(extractor=name, spans=spans_of(found[name])) for name in sorted(found)]
