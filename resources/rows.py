"""Rows of SQL tables and the nouns they hold: the columns and both directions, the same in SQLite and Postgres.

A row that is written holds Python's own values, booleans, lists, dicts and `Literal` among them: how these travel is
told to each connection. Where a backend gives lists and JSON back as text, its adapter says how to `read` them.
"""

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ParamSpec, TypeVar

import msgspec

from kg_assets.errors import Corrupt
from kg_assets.model import (
    FIRST_GENERATION,
    Assertion,
    Belief,
    Decision,
    Entity,
    EntityState,
    Fact,
    Head,
    Item,
    JournalEntry,
    Literal,
    Materialisation,
    MemoryInfo,
    Mention,
    MentionCount,
    NoveltyScore,
    Served,
    Utterance,
)

Row = tuple[Any, ...]
Read = Callable[[Any], Any]  # what a backend gives for a list or JSON → list, dict or scalar
Noun = TypeVar("Noun")
Parameters = ParamSpec("Parameters")

UTTERANCE = "id, session, speaker, role, text, said_at, salience, tags, metadata, seq, recorded_at, content_hash"
NOVELTY = "seq, score, route, parts, features, conflicts, version"
ASSERTION = "id, utterance_id, seq, said_at, subject_key, predicate, object_key, body"
MENTION = "key, surface, type, first_seq, count"
HEAD = "seq, journal_seq, journal_hash, recorded_at, revision, generation"
HEADER = "seq, op, recorded_at, actor, cause, run_id, code_version, payload_hash, prev_hash, hash"
DECISION = "id, slot, rule, policy, winner, losers, recorded_at, journal_seq"
ITEM = (
    "id, kind, ref, seq, text, session, speaker, said_at, pooled, tokens, token_ids, provisional, index_version, "
    "salience, metadata, retired, revision"
)
FACT = (
    "version_id, fact_id, generation, slot, subject_id, subject_key, predicate, object_id, object_key, value, "
    "valid_from, valid_to, start_known, precision, confidence, authority, assertions, utterances, "
    "recorded_from, recorded_to, opened_by, closed_by, run_id"
)
ENTITY = "id, key, name, type, first_seq, aliases"
STATE = f"{ENTITY}, generation, recorded_from, opened_by"
ENDED_STATE = f"{STATE}, recorded_to, closed_by"
INFO = "id, name, shard, multi_speaker, created_at"
MATERIALISATION = "run_id, asset, partition, code_version, data_version, started_at, finished_at"


def stored(what: str) -> Callable[[Callable[Parameters, Noun]], Callable[Parameters, Noun]]:
    """For what reads a row: one that this program cannot have written is raised as `Corrupt`, by its first column."""

    def declare(read_row: Callable[Parameters, Noun]) -> Callable[Parameters, Noun]:
        @functools.wraps(read_row)
        def reading(*arguments: Parameters.args, **more: Parameters.kwargs) -> Noun:
            try:
                return read_row(*arguments, **more)
            except (msgspec.MsgspecError, TypeError, ValueError) as ex:
                row: Any = arguments[0]
                wrong = f"{what} {row[0]}: its row cannot be read ({type(ex).__name__})"
                raise Corrupt(f"{wrong}; restore this memory from a snapshot") from ex

        return reading

    return declare


def as_it_is(value: Any) -> Any:
    """How to read values that the backend gives as Python's own."""
    return value


# evidence


def row_of_utterance(u: Utterance) -> Row:
    return (
        *(u.id, u.session, u.speaker, u.role, u.text, u.said_at, u.salience, list(u.tags), u.metadata),
        *(u.seq, u.recorded_at, u.content_hash),
    )


@stored("utterance")
def utterance_of(row: Row, read: Read = as_it_is) -> Utterance:
    return Utterance(
        id=row[0],
        session=row[1],
        speaker=row[2],
        role=row[3],
        text=row[4],
        said_at=row[5],
        salience=row[6],
        tags=tuple(read(row[7])),
        metadata=read(row[8]),
        seq=row[9],
        recorded_at=row[10],
        content_hash=row[11],
    )


def row_of_novelty(s: NoveltyScore) -> Row:
    return (s.seq, s.score, s.route, s.parts, s.features, list(s.conflicts), s.version)


@stored("novelty score")
def novelty_of(row: Row, read: Read = as_it_is) -> NoveltyScore:
    return NoveltyScore(
        seq=row[0],
        score=row[1],
        route=row[2],
        parts=msgspec.convert(read(row[3]), dict[str, float]),
        features=msgspec.convert(read(row[4]), dict[str, float]),
        conflicts=tuple(read(row[5])),
        version=row[6],
    )


def row_of_assertion(a: Assertion) -> Row:
    """`body` is the whole assertion, as JSON text."""
    object_key = a.object.key if isinstance(a.object, Mention) else None
    body = msgspec.json.encode(a).decode()
    return (a.id, a.utterance_id, a.seq, a.said_at, a.subject.key, a.predicate, object_key, body)


@stored("assertion")
def assertion_of(row: Row, read: Read = as_it_is) -> Assertion:
    """From the columns of `ASSERTION`. Raises `Corrupt` where they are not what the body tells."""
    body = read(row[-1])
    found = msgspec.convert(body, Assertion)
    *columns, whole = row_of_assertion(found)
    if columns != list(row[:-1]) or not _within(body, msgspec.json.decode(whole)):
        raise ValueError("its columns and its body differ")
    return found


def _within(part: Any, whole: Any) -> bool:
    """Whether all that was stored is read; what a later version adds was not stored yet."""
    if isinstance(part, dict) and isinstance(whole, dict):
        return all(name in whole and _within(value, whole[name]) for name, value in part.items())
    return bool(part == whole)


def mention_count_of(row: Row) -> MentionCount:
    return MentionCount(key=row[0], surface=row[1], type=row[2], first_seq=row[3], count=row[4])


# journal


def head_of(row: Row) -> Head:
    return Head(
        seq=row[0], journal_seq=row[1], journal_hash=row[2], recorded_at=row[3], revision=row[4], generation=row[5]
    )


def header_of(e: JournalEntry) -> Row:
    who = (e.actor, e.cause, e.run_id, e.code_version)
    return (e.seq, e.op, e.recorded_at, *who, e.payload_hash, e.prev_hash, e.hash)


@stored("journal entry")
def entry_of(row: Row) -> JournalEntry:
    """From the columns of `HEADER`, then payload and salt."""
    return JournalEntry(
        seq=row[0],
        op=row[1],
        recorded_at=row[2],
        actor=row[3],
        cause=row[4],
        run_id=row[5],
        code_version=row[6],
        payload_hash=row[7],
        prev_hash=row[8],
        hash=row[9],
        payload=row[10],
        salt=row[11],
    )


def row_of_decision(d: Decision) -> Row:
    return (d.id, d.slot, d.rule, d.policy, d.winner, list(d.losers), d.recorded_at, d.journal_seq)


@stored("decision")
def decision_of(row: Row, read: Read = as_it_is) -> Decision:
    return Decision(
        id=row[0],
        slot=row[1],
        rule=row[2],
        policy=row[3],
        winner=row[4],
        losers=tuple(read(row[5])),
        recorded_at=row[6],
        journal_seq=row[7],
    )


# index


def row_of_item(i: Item, revision: int) -> Row:
    return (
        *(i.id, i.kind, i.ref, i.seq, i.text, i.session, i.speaker, i.said_at, i.pooled, i.tokens, i.token_ids),
        *(i.provisional, i.index_version, i.salience, i.metadata, i.retired, revision),
    )


@stored("index item")
def item_of(row: Row, read: Read = as_it_is) -> Item:
    return Item(
        id=row[0],
        kind=row[1],
        ref=row[2],
        seq=row[3],
        text=row[4],
        session=row[5],
        speaker=row[6],
        said_at=row[7],
        pooled=row[8],
        tokens=row[9],
        token_ids=row[10],
        provisional=bool(row[11]),
        index_version=row[12],
        salience=row[13],
        metadata=read(row[14]),
        retired=bool(row[15]),
        revision=row[16],
    )


# belief


def row_of_fact(fact: Fact) -> Row:
    b = fact.belief
    return (
        *(fact.version_id, fact.id, fact.generation, b.slot, b.subject_id, b.subject_key, b.predicate),
        *(b.object_id, b.object_key, b.value, b.valid_from, b.valid_to, b.start_known, b.precision),
        *(b.confidence, b.authority, list(b.assertions), list(b.utterances)),
        *(fact.recorded_from, fact.recorded_to, fact.opened_by, fact.closed_by, fact.run_id),
    )


@stored("fact version")
def fact_of(row: Row, read: Read = as_it_is) -> Fact:
    belief = Belief(
        slot=row[3],
        subject_id=row[4],
        subject_key=row[5],
        predicate=row[6],
        object_id=row[7],
        object_key=row[8],
        value=None if row[9] is None else msgspec.convert(read(row[9]), Literal),
        valid_from=row[10],
        valid_to=row[11],
        start_known=bool(row[12]),
        precision=row[13],
        confidence=row[14],
        authority=row[15],
        assertions=tuple(read(row[16])),
        utterances=tuple(read(row[17])),
    )
    return Fact(
        id=row[1],
        version_id=row[0],
        belief=belief,
        generation=row[2],
        recorded_from=row[18],
        recorded_to=row[19],
        opened_by=row[20],
        closed_by=row[21],
        run_id=row[22],
    )


def row_of_entity(e: Entity) -> Row:
    return (e.id, e.key, e.name, e.type, e.first_seq, list(e.aliases))


def row_of_state(e: Entity, generation: int, recorded_from: int, opened_by: int) -> Row:
    """An entity as it is from a journal entry on, from the columns of `STATE`."""
    return (*row_of_entity(e), generation, recorded_from, opened_by)


def state_of(row: Row, read: Read = as_it_is) -> EntityState:
    """From the columns of `ENDED_STATE`."""
    generation, recorded_from, opened_by, recorded_to, closed_by = row[6:]
    return EntityState(
        entity=entity_of(row[:6], read),
        generation=generation,
        recorded_from=recorded_from,
        recorded_to=recorded_to,
        opened_by=opened_by,
        closed_by=closed_by,
    )


def served_of(flips: Sequence[Row]) -> list[Served]:
    """From (generation, recorded_at, journal_seq) of every flip, oldest first."""
    spans: list[Row] = [(FIRST_GENERATION, None, None), *flips]
    ends = [row[1] for row in spans[1:]] + [None]
    return [
        Served(generation=generation, recorded_from=start, recorded_to=end, flipped_by=entry)
        for (generation, start, entry), end in zip(spans, ends, strict=True)
    ]


@stored("entity")
def entity_of(row: Row, read: Read = as_it_is) -> Entity:
    return Entity(id=row[0], key=row[1], name=row[2], type=row[3], first_seq=row[4], aliases=tuple(read(row[5])))


# control plane


def info_of(row: Row) -> MemoryInfo:
    return MemoryInfo(id=row[0], name=row[1], shard=row[2], multi_speaker=bool(row[3]), created_at=row[4])


def row_of_materialisation(m: Materialisation) -> Row:
    return (m.run_id, m.asset, m.partition, m.code_version, m.data_version, m.started_at, m.finished_at)


def materialisation_of(row: Row) -> Materialisation:
    return Materialisation(
        run_id=row[0],
        asset=row[1],
        partition=row[2],
        code_version=row[3],
        data_version=row[4],
        started_at=row[5],
        finished_at=row[6],
    )


def summed_terms(rows: Iterable[tuple[int, Mapping[str, int]]]) -> tuple[dict[str, int], dict[str, list[int]]]:
    """How often each term was said in these utterances, and in which of them, by seq."""
    total: dict[str, int] = {}
    places: dict[str, list[int]] = {}
    for seq, counts in rows:
        for term, count in counts.items():
            total[term] = total.get(term, 0) + count
            places.setdefault(term, []).append(seq)
    return total, places
