"""All that recall reads of one memory, held in memory and brought up to date by revision.

Per item about 1.5 kB of pooled vector, 64 bytes a token and its text. Whoever holds many models bounds their number.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec
import numpy as np

from kg_assets.graph.generations import generation_served, require_kept
from kg_assets.index.quantise import pooled_of, token_ids_of, tokens_of
from kg_assets.model import Fact, Item, Micros, Served, Utterance
from kg_assets.payloads import LAST_ERASURE
from kg_assets.ports import Embedder, Memory
from kg_assets.recall.bm25 import Bm25
from kg_assets.recall.late_interaction import WORD
from kg_assets.recall.sessions import Sessions
from kg_assets.recall.token_store import NO_VECTORS, TokenStore, grown
from kg_assets.text.tokens import terms

KINDS = ("utterance", "fact", "summary", "document")
HEARD = frozenset({"utterance", "document"})  # what stands in the log, in a session
ITEM_BYTES = 1500  # of a turn's item, standing and postings, beside its vectors
EVER, NEVER = -(2**63), 2**63 - 1


class Standing(NamedTuple):
    """What an item's source says beyond the item: who spoke, when it was recorded and believed, when it was true."""

    role: str = ""
    tags: tuple[str, ...] = ()
    recorded_at: Micros = EVER
    valid_from: Micros = EVER
    valid_to: Micros = NEVER
    recorded_to: Micros = NEVER
    generation: int = 0  # of a fact; 0 of what belongs to none


UNKNOWN = Standing()


class ReadModel:
    """Items by row. A row is never used twice; when half of them are gone the model is read anew.

    Items that another encoder wrote are found by their words only: vectors of two encoders cannot be compared.
    `past`: with the items of what is believed no more, which only a question as of then may find.
    """

    def __init__(self, embedder: Embedder, *, past: bool = False) -> None:
        self.index_version = embedder.version
        self.past = past
        self._dim = embedder.dim
        self._erasure = ""  # the last that was seen
        self._clear()

    def _clear(self) -> None:
        self.revision = 0
        self.served: list[Served] = []  # which generation of belief answered when
        self.items: list[Item] = []  # without vectors; those live in the arrays
        self.standings: list[Standing] = []
        self.own_person = False  # whether role "user" is the memory's own person
        self.bm25 = Bm25()
        self.tokens = TokenStore()
        self.sessions = Sessions()
        self.speakers: dict[str, int] = {}  # how many live utterances each has
        self._rows: dict[str, int] = {}
        self._alive = np.zeros(1024, dtype=bool)
        self._pooled = np.zeros((1024, self._dim), dtype=np.float32)
        self._times = np.zeros((1024, 6), dtype=np.int64)
        self._seqs = np.zeros(1024, dtype=np.int64)
        self._kinds = np.zeros(1024, dtype=np.int8)

    # ------------------------------------------------------------------------------------------------- up to date

    def refresh(self, memory: Memory) -> None:
        """Take in what was written and deleted since the last time; cheap where nothing was."""
        # The head is read first: what is committed after it comes again with the next refresh, and changes nothing.
        revision = memory.ledger.head().revision
        if revision == self.revision:
            return
        if (erasure := memory.value(LAST_ERASURE) or "") != self._erasure:
            self._clear()  # nothing tells by name what is gone, and nothing of it stays here
            self._erasure = erasure
        deleted = memory.ledger.deleted_after(self.revision) if self.revision else []
        items = memory.ledger.items_after(self.revision)
        if self.past:
            items += memory.ledger.items_after(self.revision, retired=True)
        self.own_person = not memory.info.multi_speaker
        self.served = memory.graph.served()
        new = [item for item in items if item.retired or item.id not in self._rows]
        self.load(items, standings_of(memory, new), deleted)
        self.revision = revision
        if len(self.items) > 2 * len(self._rows) + 1024:
            self._clear()
            self.refresh(memory)

    def load(
        self, items: Iterable[Item], standings: Mapping[str, Standing] | None = None, deleted: Sequence[str] = ()
    ) -> None:
        """Put items in place of those with the same id, after forgetting `deleted`."""
        for item_id in deleted:
            self._forget(item_id)
        for item in items:
            row = self._rows.get(item.id)
            if row is not None and _same_words(self.items[row], item):
                self._place(row, item)  # encoded again: its words stand where they stood
                continue
            standing = self.standings[row] if row is not None else (standings or {}).get(item.id, UNKNOWN)
            self._forget(item.id)
            self._add(item, standing)

    def _add(self, item: Item, standing: Standing) -> None:
        row = len(self.items)
        self.items.append(item)
        self.standings.append(standing)
        self._rows[item.id] = row
        self._alive, self._pooled = grown(self._alive, row + 1), grown(self._pooled, row + 1)
        self._times, self._seqs = grown(self._times, row + 1), grown(self._seqs, row + 1)
        self._kinds = grown(self._kinds, row + 1)
        self._alive[row] = True
        self._times[row] = (item.said_at, *standing[2:])
        self._seqs[row] = item.seq
        self._kinds[row] = KINDS.index(item.kind)
        self.bm25.add(row, _terms(item))
        if item.kind == "utterance":
            self.speakers[item.speaker] = self.speakers.get(item.speaker, 0) + 1
        if item.kind in HEARD:
            self.sessions.add(item.session, item.seq, row)
        self._place(row, item)

    def _place(self, row: int, item: Item) -> None:
        """Vectors into the arrays, the rest of the item into the list."""
        comparable = item.index_version == self.index_version
        self._pooled[row] = pooled_of(item.pooled) if comparable else 0
        self.tokens.put(row, *((tokens_of(item.tokens), token_ids_of(item.token_ids)) if comparable else NO_VECTORS))
        self.items[row] = msgspec.structs.replace(item, pooled=b"", tokens=b"", token_ids=b"")

    def _forget(self, item_id: str) -> None:
        row = self._rows.pop(item_id, None)
        if row is None:
            return
        item = self.items[row]
        self._alive[row] = False
        self.bm25.remove(_terms(item))
        self.tokens.remove(row)
        if item.kind == "utterance":
            self.speakers[item.speaker] -= 1
        if item.kind in HEARD:
            self.sessions.remove(item.session, item.seq, row)
        self.items[row] = msgspec.structs.replace(item, text="", metadata={})

    # ------------------------------------------------------------------------------------------------------- read

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def nbytes(self) -> int:
        """About how much memory this holds."""
        return self._pooled.nbytes + self._times.nbytes + self.tokens.nbytes + ITEM_BYTES * self.rows

    @property
    def rows(self) -> int:
        """Rows ever given: the length of every array below."""
        return len(self.items)

    @property
    def alive(self) -> np.ndarray:
        """bool (rows,)."""
        return self._alive[: self.rows]

    @property
    def pooled(self) -> np.ndarray:
        """float32 (rows, dim), unit length."""
        return self._pooled[: self.rows]

    @property
    def times(self) -> np.ndarray:
        """int64 (rows, 6): said_at, recorded_at, valid_from, valid_to, recorded_to, generation."""
        return self._times[: self.rows]

    @property
    def seqs(self) -> np.ndarray:
        """int64 (rows,): place in the log, which settles ties."""
        return self._seqs[: self.rows]

    @property
    def kinds(self) -> np.ndarray:
        """int8 (rows,): places in `KINDS`."""
        return self._kinds[: self.rows]

    def served_at(self, known_at: Micros) -> int:
        """The generation that answered at this recorded time."""
        return generation_served(self.served, known_at)

    def speaker_names(self) -> dict[str, list[str]]:
        """Casefolded words of the speakers' names, with the speakers whose name holds each."""
        found: dict[str, list[str]] = {}
        for speaker, count in self.speakers.items():
            for word in WORD.findall(speaker.casefold()) if count else ():
                found.setdefault(word, []).append(speaker)
        return found


class ReadModels:
    """What recall reads of one memory: of the present, and, once somebody asks for it, of the past too.

    Two, because what is believed no more grows for ever, and questions about today must not pay for it.
    """

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._present = ReadModel(embedder)
        self._past: ReadModel | None = None

    def at(self, memory: Memory, known_at: Micros | None) -> ReadModel:
        """The one that answers as of this recorded time, brought up to the memory's revision.

        Raises `NotFound` where what was believed then was dropped.
        """
        model = self._present
        if known_at is not None and known_at < memory.ledger.head().recorded_at:
            require_kept(memory, known_at)
            model = self._past = self._past or ReadModel(self._embedder, past=True)
        model.refresh(memory)
        return model

    @property
    def nbytes(self) -> int:
        return self._present.nbytes + (self._past.nbytes if self._past else 0)


def standings_of(memory: Memory, items: Iterable[Item]) -> dict[str, Standing]:
    """By item id, from the utterances and fact versions that the items stand for."""
    heard: dict[int, str] = {}
    believed: list[str] = []
    for item in items:
        if item.kind in HEARD:
            heard[item.seq] = item.id
        elif item.kind == "fact":
            believed.append(item.id)
    found = {heard[each.seq]: _of_utterance(each) for each in memory.ledger.utterances(list(heard))} if heard else {}
    if believed:
        found |= {each.version_id: _of_fact(each) for each in memory.graph.fact_versions(believed)}
    return found


def _of_utterance(utterance: Utterance) -> Standing:
    return Standing(utterance.role, utterance.tags, utterance.recorded_at)


def _of_fact(fact: Fact) -> Standing:
    starts, ends = fact.belief.valid_from, fact.belief.valid_to
    return Standing(
        recorded_at=fact.recorded_from,
        valid_from=EVER if starts is None else starts,
        valid_to=NEVER if ends is None else ends,
        recorded_to=NEVER if fact.recorded_to is None else fact.recorded_to,
        generation=fact.generation,
    )


def _terms(item: Item) -> list[str]:
    """A turn is found by its speaker's name too, and a chunk by its document's title, which they seldom say."""
    return terms(f"{item.speaker} {item.text}" if item.kind in HEARD else item.text)


def _same_words(one: Item, other: Item) -> bool:
    return all(getattr(one, name) == getattr(other, name) for name in ("text", "speaker", "session", "seq", "kind"))
