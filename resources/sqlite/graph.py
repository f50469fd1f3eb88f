"""The graph of one memory in SQLite: facts on two time axes, and the entities they join."""

import sys
from collections.abc import Sequence
from typing import Any

from msgspec.json import decode

from kg_assets.model import Entity, EntityChange, Fact, GraphRows, Micros, SlotChange
from resources.rows import ENTITY, FACT, entity_of, fact_of, row_of_entity, row_of_fact
from resources.sqlite.forgetting import forget_graph
from resources.sqlite.session import Session

_IN = "IN (SELECT value FROM json_each(?))"


class SqliteGraph:
    """Implements `ports.GraphStore`. Reads of belief see the served generation only."""

    def __init__(self, session: Session) -> None:
        self._session = session

    # writing

    def apply(self, change: SlotChange | EntityChange, *, recorded_at: Micros, journal_seq: int) -> None:
        """Decisions of a slot change are ledger rows and are not written here."""
        self._session.must_write("apply")
        self._session.new_revision()
        if isinstance(change, SlotChange):
            self._apply_slot(change, recorded_at, journal_seq)
        else:
            self._apply_entities(change, journal_seq)

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
            """INSERT INTO slots VALUES (?, ?, ?) ON CONFLICT DO UPDATE
               SET hash = excluded.hash, journal_seq = excluded.journal_seq
               WHERE excluded.journal_seq >= journal_seq""",
            (change.slot, change.slot_hash, journal_seq),
        )

    def _open(self, fact: Fact) -> None:
        marks = ",".join("?" * (FACT.count(",") + 1))
        added = self._session.write(f"INSERT OR IGNORE INTO facts ({FACT}) VALUES ({marks})", row_of_fact(fact))
        if added and fact.recorded_to is None:
            self._session.write_many(
                "INSERT OR IGNORE INTO support VALUES (?, ?, ?)",
                [(utterance_id, fact.version_id, fact.id) for utterance_id in fact.belief.utterances],
            )

    def _apply_entities(self, change: EntityChange, journal_seq: int) -> None:
        (applied,) = self._session.rows("SELECT entities_seq FROM state")[0]
        if journal_seq < applied:
            return  # all of it happened before, and later changes built on it
        self._session.write("UPDATE state SET entities_seq = ?", (journal_seq,))
        self._session.write_many("DELETE FROM entities WHERE id = ?", [(entity_id,) for entity_id in change.dropped])
        for entity in change.put:
            self._session.write(
                f"""INSERT INTO entities ({ENTITY}) VALUES (?,?,?,?,?,?) ON CONFLICT (id) DO UPDATE
                    SET key = excluded.key, name = excluded.name, type = excluded.type,
                        first_seq = excluded.first_seq, aliases = excluded.aliases""",
                row_of_entity(entity),
            )
            self._session.write("DELETE FROM entity_keys WHERE entity_id = ?", (entity.id,))
        self._session.write_many(
            "INSERT OR REPLACE INTO entity_keys VALUES (?, ?)",
            [(key, entity.id) for entity in change.put for key in (*entity.aliases, entity.key)],
        )

    def forget(self, rows: GraphRows) -> None:
        forget_graph(self._session, rows)

    # belief

    def slot(self, slot: str) -> list[Fact]:
        sql = f"""SELECT {FACT} FROM facts WHERE slot = ? AND recorded_to IS NULL
                  AND generation = (SELECT generation FROM state) ORDER BY version_id"""
        return [fact_of(row, decode) for row in self._session.rows(sql, (slot,))]

    def slot_hashes(self) -> list[str]:
        return [found for (found,) in self._session.rows("SELECT hash FROM slots WHERE hash <> '' ORDER BY hash")]

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
        conditions = ["generation = (SELECT generation FROM state)"]
        bindings: list[Any] = []
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
        sql = f"""SELECT DISTINCT utterance_id, fact_id FROM support JOIN facts USING (version_id, fact_id)
                  WHERE utterance_id {_IN} ORDER BY utterance_id, fact_id"""
        found: dict[str, list[str]] = {}
        for utterance_id, fact_id in self._session.rows_of(sql, utterance_ids):
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

    def entities(self, ids: Sequence[str]) -> list[Entity]:
        sql = f"SELECT {ENTITY} FROM entities WHERE id {_IN} ORDER BY id"
        return [entity_of(row, decode) for row in self._session.rows_of(sql, ids)]

    def entities_by_key(self, keys: Sequence[str]) -> dict[str, Entity]:
        columns = ", ".join(f"entities.{column}" for column in ENTITY.split(", "))
        sql = f"""SELECT entity_keys.key, {columns} FROM entity_keys JOIN entities ON entities.id = entity_id
                  WHERE entity_keys.key {_IN}"""
        return {row[0]: entity_of(row[1:], decode) for row in self._session.rows_of(sql, keys)}

    def all_entities(self) -> list[Entity]:
        rows = self._session.rows(f"SELECT {ENTITY} FROM entities ORDER BY first_seq, id")
        return [entity_of(row, decode) for row in rows]
