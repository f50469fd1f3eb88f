"""What goes over the wire: the structures of the HTTP contract, and how the domain's nouns become them.

The command line prints the same structures, so nothing here knows a web framework.
"""

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import msgspec

from kg_assets.maintenance.erasure import Certificate
from kg_assets.model import (
    Assertion,
    Decision,
    Entity,
    Fact,
    JournalEntry,
    Materialisation,
    Micros,
    NoveltyScore,
    Utterance,
    Watermark,
)
from kg_assets.ports import Memory
from kg_assets.text.instants import format_instant

Shape = TypeVar("Shape")


class EntityView(msgspec.Struct, frozen=True):
    id: str
    name: str
    type: str


class LiteralView(msgspec.Struct, frozen=True):
    value: str | int | float | bool
    type: str


class FactView(msgspec.Struct, frozen=True, kw_only=True):
    """One version of a statement. `id` names the statement, `version_id` this row of its history."""

    id: str
    version_id: str
    subject: EntityView
    predicate: str
    object: EntityView | LiteralView
    valid_from: str | None
    valid_to: str | None
    start_known: bool
    precision: str
    recorded_from: str
    recorded_to: str | None
    confidence: float
    authority: str
    support: int
    generation: int


class InferredView(msgspec.Struct, frozen=True):
    """The rule that a conclusion follows by, and the facts that it follows from: their ids, and the versions held."""

    rule: str
    premises: tuple[str, ...]
    versions: tuple[str, ...]


class ConclusionView(msgspec.Struct, frozen=True, kw_only=True):
    """What nobody told and follows from facts. It has no id and no history: those are its premises'."""

    subject: EntityView
    predicate: str
    object: EntityView
    valid_from: str | None
    valid_to: str | None
    confidence: float
    authority: str
    inferred: InferredView


class FactPage(msgspec.Struct, frozen=True, omit_defaults=True):
    """`conclusions` and `cut` (more may follow than is told) only where they were asked for."""

    facts: tuple[FactView, ...]
    next: str | None
    conclusions: tuple[ConclusionView, ...] | None = None
    cut: bool | None = None


class JournalView(msgspec.Struct, frozen=True, kw_only=True):
    seq: int
    op: str
    hash: str
    prev_hash: str
    recorded_at: str
    actor: str
    cause: str
    run_id: str | None
    code_version: str


class DecisionView(msgspec.Struct, frozen=True, kw_only=True):
    """A conflict that was settled. Winner and losers are assertions."""

    id: str
    rule: str
    policy: str
    winner: str
    losers: tuple[str, ...]
    recorded_at: str
    journal_seq: int


class VersionView(msgspec.Struct, frozen=True, kw_only=True):
    """A version with what opened and what closed it."""

    fact: FactView
    opened_by: JournalView | None
    closed_by: JournalView | None
    decisions: tuple[DecisionView, ...]


class HistoryView(msgspec.Struct, frozen=True):
    id: str
    versions: tuple[VersionView, ...]


class QuotedUtterance(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    seq: int
    text: str
    said_at: str
    speaker: str
    session: str


class AssertionView(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    utterance: QuotedUtterance
    span: tuple[int, int] | None
    polarity: str
    bearing: str  # supports | against
    extractor: str
    extractor_version: str
    confidence: float
    authority: str
    run_id: str | None


class RunView(msgspec.Struct, frozen=True, kw_only=True):
    run_id: str
    asset: str
    partition: str
    materialized_at: str
    code_version: str
    data_version: str


class LineageView(msgspec.Struct, frozen=True, kw_only=True):
    fact: FactView
    assertions: tuple[AssertionView, ...]
    decisions: tuple[DecisionView, ...]
    runs: tuple[RunView, ...]
    journal: tuple[JournalView, ...]


class NoveltyView(msgspec.Struct, frozen=True, kw_only=True):
    score: float
    route: str
    parts: dict[str, float]
    conflicts: tuple[str, ...]


class ReceiptView(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    novelty: NoveltyView


class AppendedView(msgspec.Struct, frozen=True):
    utterances: tuple[ReceiptView, ...]
    watermark: Watermark


class ErasedView(msgspec.Struct, frozen=True):
    """The signed certificate. `reread`: later turns that wait to be read again without what is gone. `scrubbed` False:
    old pages of the file are still being read, and go with the next sweep."""

    certificate: Certificate
    reread: int
    scrubbed: bool


def encode(view: Any) -> bytes:
    return msgspec.json.encode(view)


def when(micros: Micros | None) -> str | None:
    return None if micros is None else format_instant(micros)


def share(thousandths: int) -> float:
    """Confidence as it is told: 940 → 0.94."""
    return thousandths / 1000


def novelty_view(score: NoveltyScore) -> NoveltyView:
    parts = {name: round(value, 3) for name, value in score.parts.items()}
    return NoveltyView(score=round(score.score, 1), route=score.route, parts=parts, conflicts=score.conflicts)


def fact_views(memory: Memory, facts: Sequence[Fact], known_at: Micros | None = None) -> list[FactView]:
    """Facts with the names that their entities had at `known_at`, or have now; they are fetched once."""
    beliefs = [fact.belief for fact in facts]
    ids = {each.subject_id for each in beliefs} | {each.object_id for each in beliefs if each.object_id}
    entities = {entity.id: entity for entity in memory.graph.entities(sorted(ids), known_at)}
    return [fact_view(fact, entities) for fact in facts]


def fact_view(fact: Fact, entities: dict[str, Entity]) -> FactView:
    belief = fact.belief
    return FactView(
        id=fact.id,
        version_id=fact.version_id,
        subject=entity_view(belief.subject_id, belief.subject_key, entities),
        predicate=belief.predicate,
        object=LiteralView(belief.value.value, belief.value.type)
        if belief.value is not None
        else entity_view(belief.object_id or "", belief.object_key, entities),
        valid_from=when(belief.valid_from),
        valid_to=when(belief.valid_to),
        start_known=belief.start_known,
        precision=belief.precision,
        recorded_from=format_instant(fact.recorded_from),
        recorded_to=when(fact.recorded_to),
        confidence=share(belief.confidence),
        authority=belief.authority,
        support=len(belief.utterances),
        generation=fact.generation,
    )


def entity_view(entity_id: str, key: str, entities: dict[str, Entity]) -> EntityView:
    """The entity; one that was since merged into another keeps its normal form as its name."""
    entity = entities.get(entity_id)
    return EntityView(entity_id, entity.name, entity.type) if entity else EntityView(entity_id, key, "thing")


def journal_view(entry: JournalEntry) -> JournalView:
    return JournalView(
        seq=entry.seq,
        op=entry.op,
        hash=entry.hash,
        prev_hash=entry.prev_hash,
        recorded_at=format_instant(entry.recorded_at),
        actor=entry.actor,
        cause=entry.cause,
        run_id=entry.run_id,
        code_version=entry.code_version,
    )


def decision_view(decision: Decision) -> DecisionView:
    return DecisionView(
        id=decision.id,
        rule=decision.rule,
        policy=decision.policy,
        winner=decision.winner,
        losers=decision.losers,
        recorded_at=format_instant(decision.recorded_at),
        journal_seq=decision.journal_seq,
    )


def assertion_view(assertion: Assertion, utterance: Utterance, bearing: str) -> AssertionView:
    quoted = QuotedUtterance(
        id=utterance.id,
        seq=utterance.seq,
        text=utterance.text,
        said_at=format_instant(utterance.said_at),
        speaker=utterance.speaker,
        session=utterance.session,
    )
    return AssertionView(
        id=assertion.id,
        utterance=quoted,
        span=assertion.span,
        polarity=assertion.polarity,
        bearing=bearing,
        extractor=assertion.extractor,
        extractor_version=assertion.extractor_version,
        confidence=share(assertion.confidence),
        authority=assertion.authority,
        run_id=assertion.run_id,
    )


def run_views(rows: Iterable[Materialisation]) -> tuple[RunView, ...]:
    """What was materialised, oldest first."""
    return tuple(
        RunView(
            run_id=row.run_id,
            asset=row.asset,
            partition=row.partition,
            materialized_at=format_instant(row.finished_at),
            code_version=row.code_version,
            data_version=row.data_version,
        )
        for row in sorted(rows, key=lambda row: (row.finished_at, row.asset))
    )
