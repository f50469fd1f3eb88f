"""What the domain needs from outside. Adapters live in `resources/`; `tests/conformance/` is the contract.

A `Memory` is bound to one user when it is opened: nothing below it takes a user id, so no caller can pass one.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol, TypeVar

import numpy as np

from kg_assets.model import (
    Assertion,
    Decision,
    Encoded,
    Entity,
    EntityState,
    Erased,
    Fact,
    GraphChange,
    GraphRows,
    Head,
    Item,
    JournalEntry,
    Lease,
    LedgerRows,
    Materialisation,
    MemoryInfo,
    MentionCount,
    Message,
    Micros,
    NoveltyScore,
    Reply,
    Route,
    Served,
    ShardWork,
    Stage,
    StageNote,
    Utterance,
    Watermark,
)

PLACES = 8  # utterances that a term remembers: where a rare word was said, and enough of where a common one was

In = TypeVar("In")
Out = TypeVar("Out")


class Clock(Protocol):
    """Microseconds since 1970-01-01 UTC."""

    def __call__(self) -> Micros: ...


class Embedder(Protocol):
    """A text encoder. `version` = H(weights, tokenizer, projection, windowing) and names the index it writes."""

    version: str
    dim: int
    projection: np.ndarray  # float32 (dim, 64), fixed for a version

    def encode(self, texts: Sequence[str]) -> list[Encoded]:
        """Encode each text alone; a result never depends on the other texts of the call."""
        ...


class LanguageModel(Protocol):
    """A language model somewhere. `version` names the model and what else decides what it answers."""

    version: str
    answer_tokens: int  # the most that one answer may have

    def complete(self, messages: Sequence[Message], schema: Mapping[str, Any] | None = None) -> Reply:
        """The next turn, as JSON of this schema where the endpoint can do so. Raises `Unavailable`."""
        ...


class Compute(Protocol):
    """Runs a function over chunks, in process or over a cluster. Results stand in the order of the chunks.

    The function stands in a module that the workers can import, and chunks and results can be pickled. Where one chunk
    fails the whole fails: with the function's error, or with `Unavailable` where workers died.
    """

    width: int  # how many chunks are worth being given at once

    def map(self, function: Callable[[In], Out], chunks: Sequence[In]) -> list[Out]: ...


class Ledger(Protocol):
    """Evidence and journal of one memory: the truth. Writes are allowed only inside `Memory.transaction()`."""

    def head(self) -> Head: ...
    def watermark(self) -> Watermark: ...

    # utterances and scores
    def append(self, rows: Sequence[tuple[Utterance, NoveltyScore | None, Mapping[str, int]]]) -> None:
        """Store utterances with their score and term counts; queue each for `seal`, `extract` and `index`.

        The third of each row holds the counts of the utterance's terms; they are added to `term_counts`. A row without
        a score is `unscored` and waits under the route batch. Raises `Conflict` where an id is taken or a seq does not
        go on from the head.
        """
        ...

    def utterance(self, utterance_id: str) -> Utterance | None: ...
    def utterances(self, seqs: Sequence[int]) -> list[Utterance]:
        """In the order of `seqs`; one that does not exist is left out."""
        ...

    def utterances_after(self, seq: int, limit: int) -> list[Utterance]: ...
    def utterance_count(self) -> int: ...
    def session_before(self, session: str, seq: int, limit: int) -> list[Utterance]:
        """Up to `limit` turns of this session before `seq`, oldest first."""
        ...

    def said_lately(self, session: str, seq: int, since: Micros, most: int) -> int:
        """How many of the last `most` turns of this session before `seq` were said at `since` or later."""
        ...

    def session_turns(self, session: str) -> list[Utterance]:
        """All turns of a session, oldest first."""
        ...

    def novelty(self, seqs: Sequence[int]) -> list[NoveltyScore]: ...
    def unscored(self, limit: int) -> list[Utterance]:
        """Utterances without a score (imports from elsewhere), oldest first."""
        ...

    def add_novelty(self, scores: Sequence[NoveltyScore]) -> None: ...
    def term_counts(self, terms: Iterable[str]) -> dict[str, int]:
        """How often each term was said so far; a term that was never said is left out."""
        ...

    def term_places(self, terms: Iterable[str]) -> dict[str, tuple[int, ...]]:
        """The last `PLACES` utterances that said each term, ascending; a term that was never said is left out."""
        ...

    def term_totals(self) -> tuple[int, int]:
        """(tokens said so far, distinct terms)."""
        ...

    # what waits, per stage
    def pending(self, stage: Stage, routes: Sequence[Route], limit: int | None = None) -> list[int]:
        """Sequence numbers that wait for a stage, ascending."""
        ...

    def pending_counts(self) -> dict[tuple[Stage, Route], int]: ...
    def enqueue(self, stage: Stage, seqs: Sequence[int]) -> None:
        """Queue for a stage under each utterance's own route; one that waits already stays as it is."""
        ...

    def done(self, stage: Stage, seqs: Sequence[int]) -> None: ...

    # assertions
    def add_assertions(self, assertions: Sequence[Assertion]) -> None:
        """Insert; an id that is there already is left as it is (the same evidence read twice is one)."""
        ...

    def assertions(self, ids: Sequence[str]) -> list[Assertion]: ...
    def assertion_count(self) -> int: ...
    def assertions_of_utterances(self, seqs: Sequence[int]) -> list[Assertion]: ...
    def assertions_of_slot(self, subject_keys: Sequence[str], predicates: Sequence[str]) -> list[Assertion]:
        """Assertions whose subject has one of these normal forms and whose predicate is one of these."""
        ...

    def assertions_about(self, keys: Sequence[str], predicates: Sequence[str] | None = None) -> list[Assertion]:
        """Assertions with one of these normal forms as subject or object, of all predicates or of these."""
        ...

    def links(self, keys: Sequence[str]) -> list[Assertion]:
        """`SAME_AS` assertions with one of these normal forms on either side."""
        ...

    def mention_counts(self, keys: Sequence[str]) -> list[MentionCount]: ...
    def mention_counts_beginning(self, beginning: str, limit: int) -> list[MentionCount]:
        """Of the normal forms that begin so, in their order."""
        ...

    def mentioned_names(self) -> int:
        """How many rows `mention_counts` can give."""
        ...

    def known_keys(self, keys: Iterable[str]) -> set[str]:
        """Those of the normal forms that some assertion mentions."""
        ...

    # journal
    def add_journal(self, entries: Sequence[JournalEntry]) -> None: ...
    def journal_after(self, seq: int, limit: int) -> list[JournalEntry]: ...
    def journal(self, seqs: Sequence[int]) -> list[JournalEntry]: ...
    def add_decisions(self, decisions: Sequence[Decision]) -> None: ...
    def decisions(self, slot: str) -> list[Decision]: ...
    def decisions_by_rule(self, rule: str) -> list[Decision]:
        """Of all slots, by (journal seq, id)."""
        ...

    # index items
    def put_items(self, items: Sequence[Item]) -> None:
        """Insert or replace by id; all items of one transaction carry the revision that its commit makes."""
        ...

    def retire_items(self, ids: Sequence[str], *, retired: bool) -> None:
        """Retire those that are there, or bring them back; as if each had been put again so, its vectors left alone."""
        ...

    def delete_items(self, ids: Sequence[str]) -> None: ...
    def items(self, ids: Sequence[str]) -> list[Item]:
        """Those that are there, retired ones too, by id."""
        ...

    def items_after(self, revision: int, *, retired: bool = False) -> list[Item]:
        """Items written after this revision, by (revision, id): those that are not retired, or those that are."""
        ...

    def deleted_after(self, revision: int) -> list[str]:
        """Items deleted or retired after this revision."""
        ...

    def item_count(self) -> int:
        """Of every kind, retired ones too."""
        ...

    def item_ids(self, kind: str) -> set[str]:
        """Without those that are retired."""
        ...

    # erasure
    def forget(self, rows: LedgerRows) -> None:
        """Delete for good; mentions are counted again, and no trace of an item's id is left for readers.

        The log goes on from where it was: a number that was used is not used again.
        """
        ...


class GraphStore(Protocol):
    """Belief of one memory: a projection of the journal. Reads answer as of a valid and a recorded time.

    Belief stands in generations beside each other. A read sees the one that serves now or, with `known_at`, the one
    that served then; what `of` returns sees its own only. Reads by version or statement id see all.
    """

    @property
    def generation(self) -> int:
        """The one that is read and written without `known_at`."""
        ...

    def of(self, generation: int) -> "GraphStore":
        """The same graph, bound to one generation."""
        ...

    def served(self) -> list[Served]:
        """Which generation answered when, oldest first, without gaps."""
        ...

    def apply(self, change: GraphChange, *, recorded_at: Micros, journal_seq: int) -> None:
        """Apply one journaled change to the generation that it names; applying it again changes nothing."""
        ...

    def clear(self) -> None:
        """Take all rows of all generations away, for the journal to be applied again in the same transaction."""
        ...

    def slot(self, slot: str) -> list[Fact]:
        """The rows of a slot that are believed now (recorded_to open)."""
        ...

    def slot_hashes(self) -> list[str]: ...
    def entities(self, ids: Sequence[str], known_at: Micros | None = None) -> list[Entity]:
        """By id; as they were called and typed at `known_at`, or are now."""
        ...

    def entities_by_key(self, keys: Sequence[str], known_at: Micros | None = None) -> dict[str, Entity]:
        """Normal form or alias → entity, for those that are, or were then, known."""
        ...

    def all_entities(self) -> list[Entity]: ...
    def entity_states(self, ids: Sequence[str] | None = None) -> list[EntityState]:
        """All that entities ever were in this generation, by (id, opened_by); of these ids, or of all."""
        ...

    def facts(
        self,
        *,
        valid_at: Micros | None,
        known_at: Micros | None,
        subjects: Sequence[str] | None = None,
        predicates: Sequence[str] | None = None,
        objects: Sequence[str] | None = None,
        limit: int = 100,
        after: str = "",
    ) -> list[Fact]:
        """Rows by version id after `after`, ascending.

        `known_at` None: believed now. `valid_at` None: at any valid time. `objects` are entity ids or literal keys
        (`Belief.object_key`); `subjects` are entity ids.
        """
        ...

    def history(self, fact_id: str) -> list[Fact]:
        """Every row of a statement, by (recorded_from, valid_from)."""
        ...

    def fact_ids(self, beginning: str, limit: int) -> list[str]:
        """Statements that were ever believed and whose ids begin so, ascending."""
        ...

    def fact_versions(self, version_ids: Sequence[str]) -> list[Fact]: ...
    def facts_of_utterances(self, utterance_ids: Sequence[str]) -> dict[str, list[str]]:
        """Utterance id → fact ids that it supports in current belief."""
        ...

    def changed_facts(self, *, after_journal_seq: int, limit: int) -> list[Fact]:
        """Rows opened or closed by journal entries after this one, by the last entry that touched each.

        `limit` is rounded up to whole entries: the last row's `closed_by or opened_by` is the next cursor.
        """
        ...

    def forget(self, rows: GraphRows) -> None:
        """Delete for good. A graph that follows the journal goes by the `erase` entry of the same transaction."""
        ...


class Memory(Protocol):
    """One user's memory: ledger and graph bound together."""

    info: MemoryInfo
    key: bytes  # of this memory's ids; destroyed by erasure
    ledger: Ledger
    graph: GraphStore

    def transaction(self) -> AbstractContextManager[None]:
        """One atomic change over ledger and graph: all writes inside, or none. It cannot be nested.

        Raises `LeaseLost` at commit where a newer lease was granted. Commits a new revision if anything was written.
        """
        ...

    def snapshot(self) -> AbstractContextManager[None]:
        """Reads inside see one state of the memory, and wait for nobody. For readers that make several reads."""
        ...

    def value(self, name: str) -> str | None:
        """A small named value of this memory (a stage's cursor)."""
        ...

    def set_value(self, name: str, value: str) -> None: ...
    def close(self) -> None: ...


class Stores(Protocol):
    """All memories of a deployment: the control plane, and the way to open one memory."""

    def memory_id(self, issuer: str, subject: str) -> str:
        """The keyed hash that names a memory."""
        ...

    def create(self, issuer: str, subject: str, *, multi_speaker: bool = False, now: Micros) -> MemoryInfo:
        """Register a memory; one that exists is returned as it is."""
        ...

    def find(self, memory_id: str) -> MemoryInfo | None: ...
    def memories(self, shard: str | None = None) -> list[MemoryInfo]: ...
    def open(self, memory_id: str, lease: Lease | None = None) -> Memory:
        """Raises `NotFound`. With a lease, each commit checks that it still holds."""
        ...

    def erase(self, memory_id: str, erased: Erased) -> None:
        """Destroy a memory with its key, and keep what `erased` holds. Raises `NotFound`.

        Committed at once; what a crash leaves behind of its files or its graph is removed by the next `sweep`.
        """
        ...

    def erased(self) -> list[Erased]:
        """By (erased_at, id)."""
        ...

    def scrub(self, memory_id: str) -> bool:
        """Take what was forgotten out of free pages, logs and stores that follow; `sweep` does so too.

        False where that has to be tried again, because somebody reads an older state.
        """
        ...

    def lease(self, memory_id: str, *, holder: str, now: Micros, seconds: float) -> Lease | None:
        """Grant or renew; None while another holder's lease runs."""
        ...

    def release(self, lease: Lease) -> None: ...

    def witnessed_head(self, memory_id: str) -> tuple[int, str] | None:
        """(journal seq, journal hash) as last noted outside the memory: a journal that does not hold it was cut or
        replaced. It may lag behind the journal, and never runs ahead; None where nothing was noted yet."""
        ...

    # the inbox: hints of what waits; `sweep` finds hints that a crash lost
    def work(self, routes: Sequence[Route]) -> list[ShardWork]: ...
    def settle(self, memory_id: str) -> None:
        """Bring the hint of one memory up to what really waits in it."""
        ...

    def sweep(self) -> int:
        """Settle every memory; returns how many hints were wrong."""
        ...

    # what each stage left: so that a run opens only memories where something waits
    def stage_notes(self, shard: str, stage: str) -> list[StageNote]:
        """Of the shard's memories that the stage has looked at, by memory id."""
        ...

    def note_stage(self, note: StageNote) -> None:
        """In place of the note that was there."""
        ...

    def add_materialisation(self, row: Materialisation) -> None: ...
    def materialisations(self, run_ids: Sequence[str]) -> list[Materialisation]: ...
    def counters(self) -> Mapping[str, Any]:
        """Sizes for health and metrics: memories, waiting per route, oldest waiting."""
        ...
