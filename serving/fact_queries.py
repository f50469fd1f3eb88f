"""Reading belief: facts as of two times, the history of a statement, and where it came from."""

import base64
import binascii
from typing import Annotated

import msgspec

from kg_assets.errors import InvalidInput, NotFound
from kg_assets.graph.generations import as_served, require_kept
from kg_assets.graph.naming import entity_named
from kg_assets.graph.sources import in_service
from kg_assets.identity import content_hash
from kg_assets.model import Assertion, Decision, Fact, JournalEntry, Literal, Micros
from kg_assets.ports import Memory, Stores
from kg_assets.text.instants import EARLIEST, LATEST
from kg_assets.text.ontology import Ontology
from kg_assets.triples.reading import literal_key
from serving import contract
from serving.conclusions import conclusions, require_entity
from serving.contract import FactPage, HistoryView, LineageView, VersionView

MAX_LIMIT = 1000


class FactQuery(msgspec.Struct, frozen=True, kw_only=True):
    """Which facts: names or ids of entities, a predicate's name or alias, and the two times (None is now)."""

    subject: str | None = None
    predicate: str | None = None
    object: str | None = None
    valid_at: Micros | None = None
    known_at: Micros | None = None
    limit: int = 100
    cursor: str | None = None
    inferred: bool = False  # also what follows by rules, on the first page


class Cursor(msgspec.Struct, frozen=True, array_like=True):
    """Where the next page starts. It carries both times, so that all pages show one moment, and what was asked."""

    after: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{0,64}$")]
    valid_at: Annotated[Micros, msgspec.Meta(ge=EARLIEST, le=LATEST)]
    known_at: Annotated[Micros, msgspec.Meta(ge=EARLIEST, le=LATEST)]
    asked: str


def find_facts(memory: Memory, ontology: Ontology, query: FactQuery, now: Micros) -> FactPage:
    """One page of facts by version id. A name that nobody mentioned gives an empty page."""
    with memory.snapshot():
        return _find_facts(memory, ontology, query, now)


def no_facts(ontology: Ontology, query: FactQuery) -> FactPage:
    """What is believed where nothing was ever said; a query that cannot be read is refused there too."""
    _continued(query)
    predicates_of(ontology, query.predicate)
    return about_nobody(query)


def about_nobody(query: FactQuery) -> FactPage:
    first = query.inferred and not query.cursor
    return FactPage((), None, conclusions=() if first else None, cut=False if first else None)


def _continued(query: FactQuery) -> Cursor | None:
    """The cursor that the query brings. Raises `InvalidInput` where it, or the limit, cannot be accepted."""
    if not 1 <= query.limit <= MAX_LIMIT:
        raise InvalidInput(f"must lie between 1 and {MAX_LIMIT}", where="limit")
    if query.inferred:
        require_entity(query.subject, query.object)
    return read_cursor(query) if query.cursor else None


def _find_facts(memory: Memory, ontology: Ontology, query: FactQuery, now: Micros) -> FactPage:
    cursor = _continued(query) or first_cursor(memory, query, now)
    predicates, inverted = predicates_of(ontology, query.predicate)
    subject, target = (query.object, query.subject) if inverted else (query.subject, query.object)
    known_at = cursor.known_at
    if query.cursor or query.known_at is not None:  # what serves now is never dropped
        require_kept(memory, known_at)
    subjects = entity_ids(memory, subject, known_at)
    objects = None if target is None else [*(entity_ids(memory, target, known_at) or ()), *literal_keys(target)]
    if subjects == []:
        return about_nobody(query)
    facts = memory.graph.facts(
        valid_at=cursor.valid_at,
        known_at=known_at,
        subjects=subjects,
        predicates=predicates,
        objects=objects,
        limit=query.limit + 1,
        after=cursor.after,
    )
    page = facts[: query.limit]
    more = len(facts) > query.limit
    following = write_cursor(msgspec.structs.replace(cursor, after=page[-1].version_id)) if more else None
    views = tuple(contract.fact_views(memory, page, known_at))
    if not query.inferred or query.cursor:
        return FactPage(views, following)
    concluded, cut = conclusions(
        memory,
        ontology,
        subjects=subjects,
        predicates=predicates,
        objects=objects,
        valid_at=cursor.valid_at,
        known_at=known_at,
    )
    return FactPage(views, following, conclusions=concluded, cut=cut)


def entity_ids(memory: Memory, name: str | None, known_at: Micros | None = None) -> list[str] | None:
    """The entities that an id or a name led to at `known_at`; None where nothing was asked."""
    if name is None:
        return None
    found = {entity.id for entity in memory.graph.entities([name], known_at)}
    named = entity_named(memory, name, known_at)
    return sorted(found | ({named.id} if named else set()))


def predicates_of(ontology: Ontology, name: str | None) -> tuple[list[str] | None, bool]:
    """The canonical predicate, and whether the name reads it from object to subject."""
    if name is None:
        return None, False
    predicate, inverted = ontology.canonical(name)
    return [predicate.name], inverted


def literal_keys(text: str) -> list[str]:
    """The keys under which a literal written like this may stand."""
    return [literal_key(Literal(value=text, type=kind)) for kind in ("number", "date", "text")]


# ------------------------------------------------------------------------------------------------------ cursors


def asked(query: FactQuery) -> str:
    return content_hash(query.subject, query.predicate, query.object)[:16]


def first_cursor(memory: Memory, query: FactQuery, now: Micros) -> Cursor:
    # All that is recorded, and nothing that is under way: what commits next is recorded after the head, yet it may be
    # recorded before the clock's now, and the next page would show it.
    latest = memory.ledger.head().recorded_at
    return Cursor(
        "",
        now if query.valid_at is None else query.valid_at,
        latest if query.known_at is None else query.known_at,
        asked(query),
    )


def write_cursor(cursor: Cursor) -> str:
    return base64.urlsafe_b64encode(msgspec.json.encode(cursor)).decode().rstrip("=")


def read_cursor(query: FactQuery) -> Cursor:
    """Raises `InvalidInput` for a cursor that is not ours or belongs to another question."""
    text = query.cursor or ""
    try:
        cursor = msgspec.json.decode(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)), type=Cursor)
    except (binascii.Error, ValueError) as ex:
        raise InvalidInput("is no cursor of this service; leave it out to start again", where="cursor") from ex
    if cursor.asked != asked(query):
        raise InvalidInput("belongs to another question; leave it out to start again", where="cursor")
    return cursor


# ---------------------------------------------------------------------------------------------------- evidence


def rows_of(memory: Memory, fact_id: str) -> list[Fact]:
    rows = as_served(memory.graph.history(fact_id), memory.graph.served())
    if not rows:
        raise NotFound("there is no fact of this id in this memory; list the facts to find ids")
    return rows


def fact_history(memory: Memory, fact_id: str) -> HistoryView:
    """Every version of a statement on both axes, with the entries and decisions that made each."""
    with memory.snapshot():
        return _fact_history(memory, fact_id)


def _fact_history(memory: Memory, fact_id: str) -> HistoryView:
    rows = rows_of(memory, fact_id)
    entries = {entry.seq: contract.journal_view(entry) for entry in entries_of(memory, rows)}
    decisions = decisions_of(memory, rows)
    views = contract.fact_views(memory, rows)
    versions = []
    for row, view in zip(rows, views, strict=True):
        made_by = {row.opened_by, row.closed_by}
        version = VersionView(
            fact=view,
            opened_by=entries.get(row.opened_by),
            closed_by=entries.get(row.closed_by) if row.closed_by is not None else None,
            decisions=tuple(contract.decision_view(each) for each in decisions if each.journal_seq in made_by),
        )
        versions.append(version)
    return HistoryView(fact_id, tuple(versions))


def fact_lineage(memory: Memory, stores: Stores, fact_id: str) -> LineageView:
    """Where a fact came from: fact → assertions → utterances → runs of the assets → journal.

    What speaks against it is listed too: denials, and the evidence of statements that displaced it.
    """
    with memory.snapshot():
        return _fact_lineage(memory, stores, fact_id)


def _fact_lineage(memory: Memory, stores: Stores, fact_id: str) -> LineageView:
    rows = rows_of(memory, fact_id)
    support, decisions = supporting(memory, rows), decisions_of(memory, rows)
    contrary = against(memory, rows, {each.id for each in support}, decisions)
    evidence = [(each, "supports") for each in support] + [(each, "against") for each in contrary]
    spoken = {each.seq: each for each in memory.ledger.utterances(sorted({each.seq for each, _ in evidence}))}
    runs = {each for each in (*(row.run_id for row in rows), *(one.run_id for one, _ in evidence)) if each}
    done = [row for row in stores.materialisations(sorted(runs)) if row.partition in (memory.info.shard, "")]
    return LineageView(
        fact=contract.fact_views(memory, [standing(rows)])[0],
        assertions=tuple(
            contract.assertion_view(each, spoken[each.seq], bearing) for each, bearing in evidence if each.seq in spoken
        ),
        decisions=tuple(contract.decision_view(each) for each in decisions),
        runs=contract.run_views(done),
        journal=tuple(contract.journal_view(entry) for entry in entries_of(memory, rows)),
    )


def standing(rows: list[Fact]) -> Fact:
    """The version that is believed now, the latest valid one first; else the one believed last."""
    return max(rows, key=lambda row: (row.recorded_to is None, row.recorded_from, row.belief.valid_from or 0))


def supporting(memory: Memory, rows: list[Fact]) -> list[Assertion]:
    """The evidence of every version, in the order of the log."""
    ids = sorted({each for row in rows for each in row.belief.assertions})
    return sorted(memory.ledger.assertions(ids), key=lambda each: (each.seq, each.id))


def against(memory: Memory, rows: list[Fact], support: set[str], decisions: list[Decision]) -> list[Assertion]:
    """Denials and retractions of the statement, and what won over it, in the order of the log."""
    belief = rows[-1].belief
    same = {belief.object_key}
    if belief.object_id:
        same |= {alias for entity in memory.graph.entities([belief.object_id]) for alias in entity.aliases}
    names = [alias for entity in memory.graph.entities([belief.subject_id]) for alias in entity.aliases]
    told = in_service(memory).ledger.assertions_of_slot(names, [belief.predicate])
    denied = {each.id for each in told if each.polarity != "affirmed" and object_key(each) in same}
    winners = {each.winner for each in decisions}
    return sorted(memory.ledger.assertions(sorted((denied | winners) - support)), key=lambda each: (each.seq, each.id))


def object_key(assertion: Assertion) -> str:
    target = assertion.object
    return literal_key(target) if isinstance(target, Literal) else target.key


def entries_of(memory: Memory, rows: list[Fact]) -> list[JournalEntry]:
    seqs = {seq for row in rows for seq in (row.opened_by, row.closed_by) if seq is not None}
    return memory.ledger.journal(sorted(seqs))


def decisions_of(memory: Memory, rows: list[Fact]) -> list[Decision]:
    """The decisions of the slot that concern this statement, by when they were taken."""
    own = {each for row in rows for each in row.belief.assertions}
    made_by = {seq for row in rows for seq in (row.opened_by, row.closed_by)}
    slots = sorted({row.belief.slot for row in rows})
    found = [each for slot in slots for each in memory.ledger.decisions(slot)]
    concerned = [each for each in found if each.journal_seq in made_by and own & {each.winner, *each.losers}]
    return sorted(concerned, key=lambda each: (each.journal_seq, each.id))
