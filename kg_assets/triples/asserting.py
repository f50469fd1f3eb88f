"""Dated statements that come without a text: a curator's corrections, another system's facts, an encyclopaedia.

Each becomes one entry of the log, worded by the predicate's phrase, and one assertion read from it. From there on it is
evidence like any other.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, cast

import msgspec

from kg_assets import journal
from kg_assets.errors import InvalidInput
from kg_assets.identity import keyed_id
from kg_assets.model import (
    AUTHORITY_RANK,
    SAME_AS,
    SELF_KEY,
    Assertion,
    Authority,
    Change,
    Literal,
    Mention,
    Micros,
    NoveltyScore,
    Origin,
    Polarity,
    Precision,
    Route,
    Utterance,
)
from kg_assets.ports import Clock, Memory
from kg_assets.text.instants import parse_instant
from kg_assets.text.names import normal_form
from kg_assets.text.ontology import LITERALS, Ontology
from kg_assets.text.periods import midnight
from kg_assets.triples.reading import Interval
from kg_assets.utterances.context import ASSERTED
from kg_assets.utterances.sealing import hash_of

FIELDS = ("subject", "predicate", "object", "valid_from", "valid_to", "said_at", "authority", "denied")
EXTRACTOR, VERSION = ASSERTED, "1"
SESSION = "asserted"
SAME_PHRASE = "{subject} is the same as {object}"
DEFAULT_AUTHORITY: Authority = "document"
CONFIDENCE: Mapping[str, int] = {"curated": 990, "live": 950, "user": 900, "document": 800, "model": 600}  # thousandths
OWN_NAMES = frozenset({"i", "me", "user"})
NAME_CHARACTERS = 500
CHUNK = 500


class AssertedStatement(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One checked line. `subject` and `object` as worded, or who is meant; `said_at` None: when it is asserted.

    `denied`: it does not hold in its interval. `retracted`: it was wrong, whenever it was said to hold.
    """

    subject: str | Mention
    predicate: str
    object: str | Literal | Mention
    when: Interval
    said_at: Micros | None
    authority: Authority
    denied: bool
    retracted: bool = False
    metadata: dict[str, str] = {}


class AssertReport(msgspec.Struct, frozen=True):
    new: int
    known: int


def check_statement(raw: object, ontology: Ontology, *, where: str) -> AssertedStatement:
    """The statement that one JSON object describes. Raises `InvalidInput` at the first thing that is wrong."""
    try:
        return _checked(raw, ontology)
    except InvalidInput as ex:
        raise InvalidInput(ex.reason, where=where) from ex


def _checked(raw: object, ontology: Ontology) -> AssertedStatement:
    if not isinstance(raw, Mapping):
        raise InvalidInput('a statement is an object such as {"subject": "Ana", "predicate": "lives_in", "object": …}')
    for field in raw:
        if field not in FIELDS:
            raise InvalidInput(f"unknown field {str(field)[:40]!a}; the fields are {', '.join(FIELDS)}")
    authority = raw.get("authority", DEFAULT_AUTHORITY)
    if not isinstance(authority, str) or authority not in AUTHORITY_RANK:
        raise InvalidInput(f"authority: {str(authority)[:40]!a} is unknown; it is one of {', '.join(AUTHORITY_RANK)}")
    if not isinstance(raw.get("denied", False), bool):
        raise InvalidInput("denied: is true or false")
    valid_from, precision = boundary(raw.get("valid_from"), "valid_from")
    valid_to, _ = boundary(raw.get("valid_to"), "valid_to")
    if valid_from is not None and valid_to is not None and valid_to <= valid_from:
        raise InvalidInput("valid_to: is not after valid_from; intervals end before valid_to")
    said_at = raw.get("said_at")
    if said_at is not None and not isinstance(said_at, str):
        raise InvalidInput("said_at: is a time such as 2026-05-30T18:04:00Z")
    predicate = _name(raw, "predicate")
    return AssertedStatement(
        subject=_name(raw, "subject"),
        predicate=predicate,
        object=object_of(raw.get("object"), ontology, predicate),
        when=Interval(valid_from, valid_to, start_known=valid_from is not None, precision=precision),
        said_at=None if said_at is None else parse_instant(said_at),
        authority=cast(Authority, authority),
        denied=raw.get("denied", False),
    )


def _name(raw: Mapping[str, Any], field: str) -> str:
    value = raw.get(field)
    if not isinstance(value, str) or not normal_form(value):
        raise InvalidInput(f"{field}: is missing or empty; give a name")
    if len(value) > NAME_CHARACTERS:
        raise InvalidInput(f"{field}: has {len(value)} characters; shorten it to {NAME_CHARACTERS}")
    try:
        value.encode()
    except UnicodeEncodeError as ex:
        raise InvalidInput(f"{field}: holds half of a surrogate pair; write whole characters") from ex
    if "\0" in value:
        raise InvalidInput(f"{field}: holds the character NUL; remove it")
    return value


def object_of(value: object, ontology: Ontology, predicate: str) -> str | Literal:
    """A name, or a literal where the predicate takes one. Raises `InvalidInput`."""
    if isinstance(value, Mapping):
        inner, kind = value.get("value"), value.get("type")
        if set(value) != {"value", "type"} or kind not in LITERALS or not isinstance(inner, str | int | float | bool):
            kinds = ", ".join(sorted(LITERALS))
            raise InvalidInput(f'object: a literal is {{"value": …, "type": …}} with a type of {kinds}')
        return Literal(value=inner, type=str(kind))
    if isinstance(value, int | float):
        return Literal(value=value, type="number")
    name = _name({"object": value}, "object")
    declared, _ = ontology.canonical(predicate)
    return Literal(value=name, type=declared.range) if declared.range in LITERALS else name


def boundary(text: object, field: str) -> tuple[Micros | None, Precision]:
    """The first instant of a year, month or day, or the instant itself; unbounded where there is none."""
    if text is None:
        return None, "unknown"
    if not isinstance(text, str):
        raise InvalidInput(f"{field}: is a year, month, day or instant, such as 2026-05")
    parts = text.split("-")
    precisions: tuple[Precision, ...] = ("year", "month", "day")
    if len(parts) <= 3 and all(part.isascii() and part.isdigit() for part in parts) and len(parts[0]) == 4:
        year, month, day = (*map(int, parts), *(1, 1))[:3]
        try:
            return midnight(date(year, month, day)), precisions[len(parts) - 1]
        except ValueError as ex:
            raise InvalidInput(f"{field}: {text[:40]!a} is not a possible date: {ex}") from ex
    return parse_instant(text), "instant"


# ---------------------------------------------------------------------------------------------------- appending


def assert_statements(
    memory: Memory, statements: Sequence[AssertedStatement], ontology: Ontology, *, clock: Clock, origin: Origin
) -> AssertReport:
    """Append statements as evidence, in chunks; one that is there already changes nothing. Belief waits as usual."""
    named = {statement_id(memory.key, each): each for each in statements}
    new = append_statements(memory, named, ontology, clock=clock, origin=origin)
    return AssertReport(new=new, known=len(statements) - new)


def append_statements(
    memory: Memory,
    named: Mapping[str, AssertedStatement],
    ontology: Ontology,
    *,
    clock: Clock,
    origin: Origin,
    route: Route = "batch",
) -> int:
    """By id, which is also that of their utterance; returns how many were new."""
    new, ids = 0, list(named)
    for start in range(0, len(ids), CHUNK):
        with memory.transaction():
            fresh = [each for each in ids[start : start + CHUNK] if memory.ledger.utterance(each) is None]
            if fresh:
                _append(memory, {each: named[each] for each in fresh}, ontology, clock, origin, route)
        new += len(fresh)
    return new


def statement_id(key: bytes, statement: AssertedStatement) -> str:
    """The same statement, with the same dates, said at the same time, is the same."""
    return keyed_id(key, "asserted", msgspec.to_builtins(statement))


def _append(
    memory: Memory,
    statements: Mapping[str, AssertedStatement],
    ontology: Ontology,
    clock: Clock,
    origin: Origin,
    route: Route,
) -> None:
    at = journal.instant(memory.ledger, clock)
    rows: list[tuple[Utterance, NoveltyScore, Mapping[str, int]]] = []
    assertions: list[Assertion] = []
    for seq, (name, each) in enumerate(statements.items(), start=memory.ledger.head().seq + 1):
        utterance = _utterance(name, each, ontology, seq, at)
        rows.append((utterance, _score(seq, route), {}))
        assertions.append(_assertion(memory.key, utterance, each, ontology, origin))
    seqs = [utterance.seq for utterance, _, _ in rows]
    memory.ledger.append(rows)
    told = journal.new_assertions(memory.ledger, assertions)
    memory.ledger.add_assertions(assertions)
    memory.ledger.done("extract", seqs)
    memory.ledger.enqueue("derive", seqs)
    remembered = [journal.remembered(utterance, score) for utterance, score, _ in rows]
    payload = {"first": seqs[0], "last": seqs[-1], "utterances": len(seqs), "extractor": VERSION, **told}
    read = Change(op="extract", payload=payload)
    journal.record(memory.ledger, [*remembered, read], origin=origin, at=at)


def _utterance(name: str, statement: AssertedStatement, ontology: Ontology, seq: int, at: Micros) -> Utterance:
    declared, inverted = ontology.canonical(statement.predicate)
    subject, target = _words(statement.subject), _words(statement.object)
    if inverted:
        subject, target = target, subject
    phrase = SAME_PHRASE if declared.name == SAME_AS else declared.phrase
    said = phrase.format(subject=subject, object=target)
    opening = "It was wrong that " if statement.retracted else "It is not so that " if statement.denied else ""
    unsealed = Utterance(
        id=name,
        session=SESSION,
        speaker=statement.authority,
        role="other",
        text=f"{opening}{said}.",
        metadata=statement.metadata,
        said_at=at if statement.said_at is None else statement.said_at,
        seq=seq,
        recorded_at=at,
        content_hash="",
    )
    return msgspec.structs.replace(unsealed, content_hash=hash_of(unsealed))


def _score(seq: int, route: Route) -> NoveltyScore:
    """Not scored for surprise: it was brought on purpose."""
    return NoveltyScore(
        seq=seq, score=50.0, route=route, parts={}, features={}, conflicts=(), version=f"{EXTRACTOR}-{VERSION}"
    )


def _assertion(
    key: bytes, utterance: Utterance, statement: AssertedStatement, ontology: Ontology, origin: Origin
) -> Assertion:
    declared, inverted = ontology.canonical(statement.predicate)
    subject = _mention(statement.subject, declared.range if inverted else declared.domain)
    target: Mention | Literal = (
        statement.object
        if isinstance(statement.object, Literal)
        else _mention(statement.object, declared.domain if inverted else declared.range)
    )
    polarity: Polarity = "retracted" if statement.retracted else "denied" if statement.denied else "affirmed"
    if inverted and isinstance(target, Mention):
        subject, target = target, subject
    return Assertion(
        id=keyed_id(key, "assertion", utterance.id, EXTRACTOR, VERSION),
        utterance_id=utterance.id,
        seq=utterance.seq,
        said_at=utterance.said_at,
        subject=subject,
        predicate=declared.name,
        object=target,
        polarity=polarity,
        valid_from=statement.when.valid_from,
        valid_to=statement.when.valid_to,
        start_known=statement.when.start_known,
        precision=statement.when.precision,
        confidence=CONFIDENCE[statement.authority],
        authority=statement.authority,
        extractor=EXTRACTOR,
        extractor_version=VERSION,
        span=None,
        run_id=origin.run_id,
    )


def _words(thing: str | Mention | Literal) -> str:
    if isinstance(thing, Mention):
        return thing.surface
    return thing if isinstance(thing, str) else str(thing.value)


def _mention(name: str | Mention, kind: str) -> Mention:
    if isinstance(name, Mention):
        return name
    key = normal_form(name)
    return Mention(surface=name, key=SELF_KEY if key in OWN_NAMES else key, type=kind)
