"""What the journal tells of evidence, held against the rows: utterances, novelty scores, assertions and counts."""

from collections.abc import Sequence
from typing import TypeVar

import msgspec

from kg_assets.graph.versions import BEFORE_ALL
from kg_assets.journal import content_root, row_hash
from kg_assets.model import JournalEntry, Mention, NoveltyScore, Utterance
from kg_assets.payloads import ERASE, Erasure
from kg_assets.ports import Memory
from kg_assets.utterances.sealing import chunk_root, hash_of

UNREADABLE = "its payload is not of the form that this version writes"
PAGE = 1000
Shape = TypeVar("Shape")


class Remember(msgspec.Struct, frozen=True):
    """The payload of a `remember` entry, as far as it is checked."""

    id: str
    seq: int
    content_hash: str
    novelty: str


class Score(msgspec.Struct, frozen=True):
    """The payload of a `score` entry: utterances that got a score after they were appended."""

    seqs: list[int]
    content_root: str


class Seal(msgspec.Struct, frozen=True):
    """The payload of a `seal` entry: which utterances, and a hash over their content."""

    first: int
    last: int
    count: int
    content_root: str


class Extract(msgspec.Struct, frozen=True):
    """The payload of an `extract` entry, as far as it is checked: the assertions that it added."""

    assertions: list[str]
    content_root: str


class ToldEvidence:
    """Goes through the journal with `fetch` for each chunk and `differs` for each entry of it, then `left_over`."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.told: set[int] = set()  # utterances that are there as some entry told
        self.upto = 0  # the last that some entry told of
        self.assertions = 0
        self.mentions: dict[tuple[str, str, str], tuple[int, int]] = {}  # name → first utterance, count
        self._utterances: dict[int, Utterance] = {}
        self._scores: dict[int, NoveltyScore] = {}

    def fetch(self, entries: Sequence[JournalEntry]) -> None:
        """The rows of all `remember` entries of a chunk; the other entries tell of many rows each."""
        seqs = [told.seq for each in entries if each.op == "remember" and (told := read(each, Remember))]
        self._utterances = {each.seq: each for each in self.memory.ledger.utterances(seqs)}
        self._scores = {each.seq: each for each in self.memory.ledger.novelty(seqs)}

    def differs(self, entry: JournalEntry) -> str | None:
        """What the rows of this entry are not; None where they are as it tells, or it tells of none."""
        if entry.op == "remember":
            return self._remembered(entry, read(entry, Remember))
        if entry.op == "seal":
            return self._sealed(read(entry, Seal))
        if entry.op == "score":
            return self._scored(read(entry, Score))
        if entry.op == "extract":
            return self._extracted(read(entry, Extract))
        if entry.op == ERASE and (erasure := read(entry, Erasure)):
            self._count([], erasure.upto)
        return None

    def left_over(self) -> str | None:
        """Rows that no entry told of."""
        head = self.memory.ledger.head().seq
        first = self.memory.ledger.utterances_after(BEFORE_ALL, 1)
        if first and first[0].seq < 1:
            return f"utterance {first[0].seq}: no journal entry tells of it"
        if head > self.upto or self.memory.ledger.utterances_after(self.upto, 1):
            return f"utterance {self.upto + 1}: no journal entry tells of it"
        if head < self.upto:
            return f"the memory's head tells of {head} utterances, the journal of {self.upto}"
        if (stored := self.memory.ledger.utterance_count()) != len(self.told):
            return f"{stored} utterances are stored, the journal tells of {len(self.told)}"
        if (stored := self.memory.ledger.assertion_count()) != self.assertions:
            return f"{stored} assertions are stored, the journal tells of {self.assertions}"
        return self._mentions_differ()

    def _mentions_differ(self) -> str | None:
        names = len(self.mentions)
        keys = sorted({key for key, _, _ in self.mentions})
        for start in range(0, len(keys), PAGE):
            for each in self.memory.ledger.mention_counts(keys[start : start + PAGE]):
                told = self.mentions.pop((each.key, each.surface, each.type), None)
                if told != (each.first_seq, each.count):
                    return "how often a name was mentioned is not what the assertions tell"
        if self.mentions:
            return "the count of a name that assertions mention is gone"
        stored = self.memory.ledger.mentioned_names()
        return None if stored == names else f"{stored} names are counted as mentioned, assertions mention {names}"

    def _remembered(self, entry: JournalEntry, told: Remember | None) -> str | None:
        if told is None:
            return UNREADABLE
        found, score = self._utterances.get(told.seq), self._scores.get(told.seq)
        if found is None:
            return f"utterance {told.seq}, which it appended, is gone"
        if (found.id, found.recorded_at) != (told.id, entry.recorded_at) or hash_of(found) != told.content_hash:
            return f"utterance {told.seq} was altered after it was appended"
        if score is None or row_hash(score) != told.novelty:
            return f"the novelty score of utterance {told.seq} was altered or removed"
        self._count([told.seq], told.seq)
        return None

    def _sealed(self, told: Seal | None) -> str | None:
        if told is None:
            return UNREADABLE
        seqs = range(told.first, told.last + 1)
        stored = self.memory.ledger.utterances(seqs)
        if len(stored) != told.count:
            missing = sorted(set(seqs) - {each.seq for each in stored})
            return f"sealed {told.count} utterances, {len(stored)} are there; missing are {missing[:5]}"
        hashes = [hash_of(each) for each in stored]
        for each, found in zip(stored, hashes, strict=True):
            if found != each.content_hash:
                return f"utterance {each.seq} was altered after it was sealed"
        if chunk_root(hashes) != told.content_root:
            return f"utterances {told.first} to {told.last} are not those that were sealed"
        self._count([each.seq for each in stored], told.last)
        return None

    def _count(self, seqs: Sequence[int], last: int) -> None:
        self.told.update(seqs)
        self.upto = max(self.upto, last)

    def _scored(self, told: Score | None) -> str | None:
        if told is None:
            return UNREADABLE
        if content_root(self.memory.ledger.novelty(told.seqs)) != told.content_root:
            return f"novelty scores of utterances {told.seqs[0]} to {told.seqs[-1]} were altered or removed"
        return None

    def _extracted(self, told: Extract | None) -> str | None:
        if told is None:
            return UNREADABLE
        stored = {each.id: each for each in self.memory.ledger.assertions(told.assertions)}
        if missing := [each for each in told.assertions if each not in stored]:
            return f"assertion {missing[0]}, which it added, is gone"
        if content_root(stored[each] for each in told.assertions) != told.content_root:
            return f"its {len(told.assertions)} assertions are not those that were read"
        self.assertions += len(told.assertions)
        for each in stored.values():
            for name in (end for end in (each.subject, each.object) if isinstance(end, Mention)):
                key = (name.key, name.surface, name.type)
                first, count = self.mentions.get(key, (each.seq, 0))
                self.mentions[key] = (min(first, each.seq), count + 1)
        return None


def read(entry: JournalEntry, shape: type[Shape]) -> Shape | None:
    """The payload, as far as `shape` names its fields; None where it has another form."""
    try:
        return msgspec.json.decode(entry.payload or b"", type=shape)
    except msgspec.DecodeError:
        return None
