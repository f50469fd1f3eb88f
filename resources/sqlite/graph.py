"""The graph of one memory in SQLite: facts on two time axes, and the entities they join."""

import sys
from collections.abc import Sequence
from typing import Any

from msgspec.json import decode

from kg_assets.model import (
    FIRST_GENERATION,
    Drop,
    Entity,
    EntityChange,
    EntityState,
    Fact,
    Flip,
    GraphChange,
    GraphRows,
    Micros,
    Served,
    SlotChange,
)
from resources.rows import (
    ENDED_STATE,
    ENTITY,
    FACT,
    STATE,
    entity_of,
    fact_of,
    row_of_fact,
    row_of_state,
    served_of,
    state_of,
)
from resources.sqlite.forgetting import forget_graph
from resources.sqlite.session import Session

_IN = "IN (SELECT value FROM json_each(?))"
_SERVED_THEN = "coalesce((SELECT generation FROM flips WHERE recorded_at <= ? ORDER BY journal_seq DESC LIMIT 1), 1)"


class SqliteGraph:
    """Implements `ports.GraphStore`."""

    def __init__(self, session: Session, generation: int | None = None) -> None:
        self._session, self._bound = session, generation

    # generations

    @property
    def generation(self) -> int:
        return self._bound or int(self._session.rows("SELECT generation FROM state")[0][0])

    def of(self, generation: int) -> "SqliteGraph":
        return SqliteGraph(self._session, generation)

    def served(self) -> list[Served]:
        return served_of(
            self._session.rows("SELECT generation, recorded_at, journal_seq FROM flips ORDER BY journal_seq")
        )

    def _generation_at(self, known_at: Micros | None) -> tuple[str, list[int]]:
        """As an expression with its bindings, so that a read is one statement."""
        if self._bound is not None:
            return "?", [self._bound]
        if known_at is not None:
            return _SERVED_THEN, [known_at]
        return "(SELECT generation FROM state)", []

    # writing

    def apply(self, change: GraphChange, *, recorded_at: Micros, journal_seq: int) -> None:
        """Decisions of a slot change are ledger rows and are not written here."""
        self._session.must_write("apply")
        self._session.new_revision()
        if isinstance(change, SlotChange):
            self._apply_slot(change, recorded_at, journal_seq)
        elif isinstance(change, EntityChange):
            self._apply_entities(change, recorded_at, journal_seq)
        elif isinstance(change, Drop):
            self._apply_drop(change)
        else:
            self._apply_flip(change, recorded_at, journal_seq)

    def _apply_flip(self, change: Flip, recorded_at: Micros, journal_seq: int) -> None:
        flip = (journal_seq, change.serves, recorded_at)
        self._session.write("INSERT OR IGNORE INTO flips (journal_seq, generation, recorded_at) VALUES (?, ?, ?)", flip)
        self._session.write(
            "UPDATE state SET generation = (SELECT generation FROM flips ORDER BY journal_seq DESC LIMIT 1)"
        )

    def _apply_drop(self, change: Drop) -> None:
        versions = "SELECT version_id FROM facts WHERE generation = ?"
        self._session.write(f"DELETE FROM support WHERE version_id IN ({versions})", (change.drops,))
        for table in ("facts", "slots", "entity_names", "entity_states"):
            self._session.write(f"DELETE FROM {table} WHERE generation = ?", (change.drops,))

    def _apply_slot(self, change: SlotChange, recorded_at: Micros, journal_seq: int) -> None:
        for version_id in change.closed:
            closed = self._session.write(
                "UPDATE facts SET recorded_to = ?, closed_by = ? WHERE version_id = ? AND recorded_to IS NULL",
                (recorded_at, journal_seq, version_id),
            )
            if closed:
                self._session.write("DELETE FROM support WHERE version_id = ?", (version_id,))
        for fact in change.opened:
            self._open(fact)
        # An older change that is applied again must not bring back its hash.
        self._session.write(
            """INSERT INTO slots (generation, slot, hash, journal_seq) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE
               SET hash = excluded.hash, journal_seq = excluded.journal_seq
               WHERE excluded.journal_seq >= journal_seq""",
            (change.generation, change.slot, change.slot_hash, journal_seq),
        )

    def _open(self, fact: Fact) -> None:
        marks = ",".join("?" * (FACT.count(",") + 1))
        added = self._session.write(f"INSERT OR IGNORE INTO facts ({FACT}) VALUES ({marks})", row_of_fact(fact))
        if added and fact.recorded_to is None:
            self._session.write_many(
                "INSERT OR IGNORE INTO support VALUES (?, ?, ?)",
                [(utterance_id, fact.version_id, fact.id) for utterance_id in fact.belief.utterances],
            )

    def _apply_entities(self, change: EntityChange, recorded_at: Micros, journal_seq: int) -> None:
        """An older change that comes again closes nothing that a later one opened, and finds its own states there."""
        generation = change.generation
        self._session.write_many(
            """UPDATE entity_states SET closed_by = ?, recorded_to = ?
               WHERE generation = ? AND id = ? AND closed_by IS NULL AND opened_by < ?""",
            [
                (journal_seq, recorded_at, generation, entity_id, journal_seq)
                for entity_id in (*change.dropped, *(entity.id for entity in change.put))
            ],
        )
        self._session.write_many(
            f"INSERT OR IGNORE INTO entity_states ({STATE}) VALUES (?,?,?,?,?,?,?,?,?)",
            [row_of_state(entity, generation, recorded_at, journal_seq) for entity in change.put],
        )
        self._session.write_many(
            "INSERT OR IGNORE INTO entity_names (generation, key, id) VALUES (?, ?, ?)",
            [(generation, key, entity.id) for entity in change.put for key in (*entity.aliases, entity.key)],
        )

    def forget(self, rows: GraphRows) -> None:
        forget_graph(self._session, rows)

    def clear(self) -> None:
        self._session.must_write("clear")
        self._session.new_revision()
        for table in ("support", "facts", "slots", "entity_names", "entity_states", "flips"):
            self._session.write(f"DELETE FROM {table}")
        self._session.write("UPDATE state SET generation = ?", (FIRST_GENERATION,))

    # belief

    def slot(self, slot: str) -> list[Fact]:
        generation, bindings = self._generation_at(None)
        sql = f"""SELECT {FACT} FROM facts WHERE slot = ? AND recorded_to IS NULL
                  AND generation = {generation} ORDER BY version_id"""
        return [fact_of(row, decode) for row in self._session.rows(sql, (slot, *bindings))]

    def slot_hashes(self) -> list[str]:
        generation, bindings = self._generation_at(None)
        sql = f"SELECT hash FROM slots WHERE generation = {generation} AND hash <> '' ORDER BY hash"
        return [found for (found,) in self._session.rows(sql, bindings)]

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
        generation, chosen = self._generation_at(known_at)
        conditions, bindings = [f"generation = {generation}"], list[Any](chosen)
        for column, values in (("subject_id", subjects), ("object_ref", objects), ("predicate", predicates)):
            if values is not None and len(values) == 1:
                conditions.append(f"{column} = ?")
                bindings.append(values[0])
            elif values is not None:
                conditions.append(f"{column} {_IN}")
                bindings.append(list(values))
        if known_at is None:
            conditions.append("recorded_to IS NULL")
        else:
            conditions.append("recorded_from <= ? AND (recorded_to IS NULL OR recorded_to > ?)")
            bindings += [known_at, known_at]
        if valid_at is not None:
            conditions.append("(valid_from IS NULL OR valid_from <= ?) AND (valid_to IS NULL OR valid_to > ?)")
            bindings += [valid_at, valid_at]
        if after:
            conditions.append("version_id > ?")
            bindings.append(after)
        # Named, because the planner would rather scan all facts of a predicate than look two subjects up.
        named = ((subjects, "facts_by_subject"), (objects, "facts_by_object"), (predicates, "facts_by_predicate"))
        index = next((f"INDEXED BY {index}" for values, index in named if values is not None), "")
        sql = f"SELECT {FACT} FROM facts {index} WHERE {' AND '.join(conditions)} ORDER BY version_id LIMIT ?"
        return [fact_of(row, decode) for row in self._session.rows(sql, (*bindings, limit))]

    def history(self, fact_id: str) -> list[Fact]:
        # NULLs come first in SQLite: an unbounded start is the earliest.
        sql = f"SELECT {FACT} FROM facts WHERE fact_id = ? ORDER BY recorded_from, valid_from, version_id"
        return [fact_of(row, decode) for row in self._session.rows(sql, (fact_id,))]

    def fact_ids(self, beginning: str, limit: int) -> list[str]:
        sql = "SELECT DISTINCT fact_id FROM facts WHERE fact_id >= ? AND fact_id < ? ORDER BY fact_id LIMIT ?"
        return [found for (found,) in self._session.rows(sql, (beginning, beginning + chr(sys.maxunicode), limit))]

    def fact_versions(self, version_ids: Sequence[str]) -> list[Fact]:
        sql = f"SELECT {FACT} FROM facts WHERE version_id {_IN} ORDER BY version_id"
        return [fact_of(row, decode) for row in self._session.rows_of(sql, version_ids)]

    def facts_of_utterances(self, utterance_ids: Sequence[str]) -> dict[str, list[str]]:
        generation, bindings = self._generation_at(None)
        sql = f"""SELECT DISTINCT utterance_id, fact_id FROM support JOIN facts USING (version_id, fact_id)
                  WHERE utterance_id {_IN} AND generation = {generation} ORDER BY utterance_id, fact_id"""
        found: dict[str, list[str]] = {}
        for utterance_id, fact_id in self._session.rows(sql, (list(utterance_ids), *bindings)):
            found.setdefault(utterance_id, []).append(fact_id)
        return found

    def changed_facts(self, *, after_journal_seq: int, limit: int) -> list[Fact]:
        """`limit` is rounded up to whole journal entries, so that the last row's entry can be the next cursor."""
        sql = "SELECT changed_by FROM facts WHERE changed_by > ? ORDER BY changed_by, version_id LIMIT 1 OFFSET ?"
        last = self._session.row(sql, (after_journal_seq, max(limit, 1) - 1))
        upto, bindings = ("AND changed_by <= ?", last) if last else ("", ())
        sql = f"SELECT {FACT} FROM facts WHERE changed_by > ? {upto} ORDER BY changed_by, version_id"
        return [fact_of(row, decode) for row in self._session.rows(sql, (after_journal_seq, *bindings))]

    # entities

    def entities(self, ids: Sequence[str], known_at: Micros | None = None) -> list[Entity]:
        there, bindings = self._standing(known_at)
        sql = f"SELECT {ENTITY} FROM entity_states s WHERE id {_IN} AND {there} ORDER BY id"
        return [entity_of(row, decode) for row in self._session.rows(sql, (list(ids), *bindings))]

    def entities_by_key(self, keys: Sequence[str], known_at: Micros | None = None) -> dict[str, Entity]:
        there, bindings = self._standing(known_at)
        columns = ", ".join(f"s.{column}" for column in ENTITY.split(", "))
        # Of two that bear a name, the later one.
        sql = f"""SELECT n.key, {columns} FROM entity_names n
                  CROSS JOIN entity_states s ON s.generation = n.generation AND s.id = n.id
                  WHERE n.key {_IN} AND {there}
                  AND (n.key = s.key OR n.key IN (SELECT value FROM json_each(s.aliases))) ORDER BY s.opened_by"""
        rows = self._session.rows(sql, (list(keys), *bindings))
        return {row[0]: entity_of(row[1:], decode) for row in rows}

    def all_entities(self) -> list[Entity]:
        there, bindings = self._standing(None)
        sql = f"SELECT {ENTITY} FROM entity_states s WHERE {there} ORDER BY first_seq, id"
        return [entity_of(row, decode) for row in self._session.rows(sql, bindings)]

    def entity_states(self, ids: Sequence[str] | None = None) -> list[EntityState]:
        generation, bindings = self._generation_at(None)
        chosen, named = ("", []) if ids is None else (f"AND id {_IN}", [list(ids)])
        sql = f"""SELECT {ENDED_STATE} FROM entity_states WHERE generation = {generation} {chosen}
                  ORDER BY id, opened_by"""
        return [state_of(row, decode) for row in self._session.rows(sql, (*bindings, *named))]

    def _standing(self, known_at: Micros | None) -> tuple[str, list[int]]:
        generation, bindings = self._generation_at(known_at)
        if known_at is None:
            return f"s.generation = {generation} AND s.closed_by IS NULL", bindings
        believed = "s.recorded_from <= ? AND (s.recorded_to IS NULL OR s.recorded_to > ?)"
        return f"s.generation = {generation} AND {believed}", [*bindings, known_at, known_at]
