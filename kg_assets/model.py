"""The nouns of the domain, all frozen.

Times are integers: microseconds since 1970-01-01 UTC. Intervals are half-open `[from, to)`; `None` is unbounded.
Confidence is an integer in thousandths, so that nothing floating enters a hash.
"""

from typing import Any
from typing import Literal as Choice

import msgspec
import numpy as np

Micros = int
Role = Choice["user", "assistant", "other"]
Route = Choice["immediate", "batch", "log"]
Stage = Choice["seal", "extract", "derive", "index"]
Precision = Choice["instant", "day", "month", "year", "unknown"]
Polarity = Choice["affirmed", "denied", "retracted"]
Authority = Choice["curated", "live", "user", "document", "model"]
PolicyName = Choice["latest_valid", "highest_authority", "manual_review"]

SELF_KEY = "@self"  # the memory's own person, whatever the speaker is called
SAME_AS = "same_as"  # the predicate that joins two mentions into one entity; never a fact itself
AUTHORITY_RANK: dict[str, int] = {"curated": 5, "live": 4, "user": 3, "document": 2, "model": 1}


# ---------------------------------------------------------------------------------------------------- evidence


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """An utterance as a client or an importer offers it, already checked by `utterances.intake.check`."""

    id: str
    session: str
    speaker: str
    role: Role
    text: str
    said_at: Micros
    salience: float = 1.0
    tags: tuple[str, ...] = ()
    metadata: dict[str, Any] = {}

    @property
    def is_document(self) -> bool:
        """A chunk of a document, which nobody said to anyone: see `utterances.documents`."""
        return self.role == "other" and "document" in self.metadata


class Utterance(Draft, frozen=True, kw_only=True):
    """A draft that has its place in the log: `seq` counts from 1 and gives the order within a memory."""

    seq: int
    recorded_at: Micros
    content_hash: str


class NoveltyScore(msgspec.Struct, frozen=True, kw_only=True):
    """How new an utterance was when it was appended, 0 to 100; written once, with what led to it."""

    seq: int
    score: float
    route: Route
    parts: dict[str, float]
    features: dict[str, float]
    conflicts: tuple[str, ...]
    version: str


class Mention(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="mention"):
    """A name as it was said, never an entity id.

    `key` is its normal form (`text.names.normal_form`), `SELF_KEY` for the memory's own person, and relational
    ("ana's sister") where a person was named by their relation. `span` points into the utterance's text.
    """

    surface: str
    key: str
    type: str
    span: tuple[int, int] | None = None


class Literal(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="literal"):
    """A value that is no entity: a number, a date, a text."""

    value: str | int | float | bool
    type: str


class Assertion(msgspec.Struct, frozen=True, kw_only=True):
    """Evidence: who said what, when, how surely, read by which extractor. Never edited, only erased."""

    id: str
    utterance_id: str
    seq: int
    said_at: Micros
    subject: Mention
    predicate: str
    object: Mention | Literal
    polarity: Polarity
    valid_from: Micros | None
    valid_to: Micros | None
    start_known: bool
    precision: Precision
    confidence: int
    authority: Authority
    extractor: str
    extractor_version: str
    span: tuple[int, int] | None
    run_id: str | None = None


# ------------------------------------------------------------------------------------------------------ belief


class Entity(msgspec.Struct, frozen=True, kw_only=True):
    """A resolved mention cluster. `key` is the canonical normal form, the same in every backend and order."""

    id: str
    key: str
    name: str
    type: str
    first_seq: int
    aliases: tuple[str, ...] = ()


class EntityState(msgspec.Struct, frozen=True, kw_only=True):
    """What an entity was from one journal entry to another, on the recorded axis; open ends are None."""

    entity: Entity
    generation: int
    recorded_from: Micros
    recorded_to: Micros | None
    opened_by: int
    closed_by: int | None


class Belief(msgspec.Struct, frozen=True, kw_only=True):
    """What is held about one statement over one interval: the output of `derive`, before it has a version.

    `object_id` is an entity id, or None where `value` holds a literal. `assertions` and `utterances` are sorted.
    """

    subject_id: str
    subject_key: str
    predicate: str
    slot: str
    object_id: str | None
    object_key: str
    value: Literal | None
    valid_from: Micros | None
    valid_to: Micros | None
    start_known: bool
    precision: Precision
    confidence: int
    authority: Authority
    assertions: tuple[str, ...]
    utterances: tuple[str, ...]


class MentionCount(msgspec.Struct, frozen=True, kw_only=True):
    """How often, and since when, a normal form was mentioned under one surface and type. Input of `resolve`."""

    key: str
    surface: str
    type: str
    first_seq: int
    count: int


class Fact(msgspec.Struct, frozen=True, kw_only=True):
    """One row of a statement's history: a belief with its recorded interval and the journal entries that made it."""

    id: str
    version_id: str
    belief: Belief
    generation: int
    recorded_from: Micros
    recorded_to: Micros | None
    opened_by: int
    closed_by: int | None
    run_id: str | None


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """A conflict that was settled: the rule, the winner's and the losers' assertions, under which policy."""

    id: str
    slot: str
    rule: str
    policy: str
    winner: str
    losers: tuple[str, ...]
    recorded_at: Micros
    journal_seq: int


class SlotChange(msgspec.Struct, frozen=True, kw_only=True):
    """The difference between what was believed of a slot and what is: the payload of one journal entry.

    Applying it to a graph is idempotent: rows are addressed by version id.
    """

    slot: str
    op: str  # assert | reinforce | supersede | revise | retract | decide
    slot_hash: str  # empty where nothing is believed of the slot any more
    closed: tuple[str, ...]
    opened: tuple[Fact, ...]
    decisions: tuple[Decision, ...]
    generation: int = 1


class EntityChange(msgspec.Struct, frozen=True, kw_only=True):
    """Entities that appeared, changed or went, with the normal forms that now lead to each. Idempotent likewise."""

    put: tuple[Entity, ...]
    dropped: tuple[str, ...]
    generation: int = 1


class Flip(msgspec.Struct, frozen=True, kw_only=True):
    """Another generation serves from here on: what a read sees of the present, and of every later recorded time."""

    serves: int
    served: int


class Drop(msgspec.Struct, frozen=True, kw_only=True):
    """All rows of a generation go; it does not serve. What the journal told of them stays there."""

    drops: int


class Served(msgspec.Struct, frozen=True, kw_only=True):
    """A stretch of recorded time, half-open, in which one generation answered; None is unbounded."""

    generation: int
    recorded_from: Micros | None
    recorded_to: Micros | None
    flipped_by: int | None = None  # the journal entry that began it; None of the first


GraphChange = SlotChange | EntityChange | Flip | Drop
FIRST_GENERATION = 1


# ----------------------------------------------------------------------------------------------------- journal


class Origin(msgspec.Struct, frozen=True, kw_only=True):
    """Who or what causes a change: `actor` a role or asset, `cause` a request, command or asset key."""

    actor: str
    cause: str
    run_id: str | None = None
    code_version: str = ""


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """What is about to be journaled: an operation and its payload (JSON types only)."""

    op: str
    payload: dict[str, Any]


class JournalEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One change, chained to the one before it. The payload and salt can be erased; the header stays."""

    seq: int
    op: str
    recorded_at: Micros
    actor: str
    cause: str
    run_id: str | None
    code_version: str
    payload: bytes | None
    salt: bytes | None
    payload_hash: str
    prev_hash: str
    hash: str


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """Where a memory stands: last utterance, last journal entry, last recorded time, and the readers' revision."""

    seq: int
    journal_seq: int
    journal_hash: str
    recorded_at: Micros
    revision: int
    generation: int


class Watermark(msgspec.Struct, frozen=True, kw_only=True):
    """`log`: last acknowledged utterance. `graph`: all up to here is in the facts, or routed to the log."""

    log: int
    graph: int


class MemoryInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A tenant: `id` is the keyed hash of (issuer, subject); `name` the subject, for operators only."""

    id: str
    name: str
    shard: str
    multi_speaker: bool
    created_at: Micros


class Lease(msgspec.Struct, frozen=True, kw_only=True):
    """The right to process one memory until `expires_at`; `token` grows with each grant and fences older holders."""

    memory_id: str
    holder: str
    token: int
    expires_at: Micros


class ShardWork(msgspec.Struct, frozen=True, kw_only=True):
    """What waits in one shard. `head` grows with every change, so that it can key a run."""

    shard: str
    memories: tuple[str, ...]
    head: int
    waiting: dict[Route, int]
    oldest: Micros


class StageNote(msgspec.Struct, frozen=True, kw_only=True):
    """What a stage knew of one memory when it last looked; kept outside the memory, so that it need not be opened.

    `version` is of what the stage worked with; empty where it must look again. `fingerprint` hashes what it saw.
    """

    memory_id: str
    stage: str
    version: str
    fingerprint: str


class Materialisation(msgspec.Struct, frozen=True, kw_only=True):
    """One asset partition materialised by one run; what lineage shows without asking Dagster."""

    run_id: str
    asset: str
    partition: str
    code_version: str
    data_version: str
    started_at: Micros
    finished_at: Micros


class LedgerRows(msgspec.Struct, frozen=True, kw_only=True):
    """What erasure takes out of a ledger for good, by its names there.

    `terms` are counts to subtract; `scores` stand in place of those that spoke of what is gone.
    """

    seqs: tuple[int, ...] = ()
    assertions: tuple[str, ...] = ()
    terms: dict[str, int] = {}
    items: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    payloads: tuple[int, ...] = ()  # of journal entries, with their salts
    scores: tuple[NoveltyScore, ...] = ()


class GraphRows(msgspec.Struct, frozen=True, kw_only=True):
    """What erasure takes out of a graph for good.

    Of all generations. What is left of the states of `entities`, and of the hashes of `slots`, is applied again
    afterwards. `assertions` and `utterances` are for stores that keep
    provenance beside the facts.
    """

    versions: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    slots: tuple[str, ...] = ()
    assertions: tuple[str, ...] = ()
    utterances: tuple[str, ...] = ()


class Erased(msgspec.Struct, frozen=True, kw_only=True):
    """What stays of an erased memory, under an id that leads back to nobody: a signed certificate and the headers."""

    id: str
    erased_at: Micros
    certificate: bytes  # JSON, see `maintenance.erasure`
    chain: bytes  # JSON, the headers of all journal entries without their payloads


# ---------------------------------------------------------------------------------------------- language model


class Message(msgspec.Struct, frozen=True):
    """One turn of a conversation with a language model."""

    role: Choice["system", "user", "assistant"]
    content: str


class Reply(msgspec.Struct, frozen=True):
    """What a language model answered. `tokens`: read and written, as the endpoint counts them, or estimated."""

    text: str
    tokens: int


# ------------------------------------------------------------------------------------------------------- index


class Encoded(msgspec.Struct, frozen=True, kw_only=True):
    """One text after one forward pass.

    pooled  float32 (dim,)     unit length
    tokens  float32 (n, dim)   last hidden states, not normalised, special tokens left out
    token_ids int32 (n,)       word-piece ids
    offsets int32 (n, 2)       character span of each token in the text
    """

    pooled: np.ndarray
    tokens: np.ndarray
    token_ids: np.ndarray
    offsets: np.ndarray


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """What recall finds: an utterance, fact, summary or document chunk with its vectors.

    pooled    bytes of float16 (dim,), unit length
    tokens    bytes of int8 (n, 64), each row a unit vector times 127
    token_ids bytes of int32 (n,)
    retired   of a fact that is believed no more: found only by recall as of a time when it was
    revision  the memory's revision at which this row was last written
    """

    id: str
    kind: str
    ref: str
    seq: int
    text: str
    session: str
    speaker: str
    said_at: Micros
    pooled: bytes
    tokens: bytes
    token_ids: bytes
    provisional: bool
    index_version: str
    salience: float = 1.0
    metadata: dict[str, Any] = {}
    retired: bool = False
    revision: int = 0
