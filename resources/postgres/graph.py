"""The graph of one memory in Postgres' own tables: the choice where there is no Neo4j."""

import sys
from collections.abc import Sequence
from typing import Any

from kg_assets.model import Entity, EntityChange, Fact, GraphRows, Micros, SlotChange
from resources.postgres.forgetting import forget_graph
from resources.postgres.session import Session
from resources.rows import ENTITY, FACT, entity_of, fact_of, row_of_entity, row_of_fact

_OPEN = f"""
    INSERT INTO facts ({FACT}) VALUES (%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s::text[],%s::text[],
                                       %s,%s,%s,%s,%s)
    ON CONFLICT DO NOTHING
"""
_SUPPORT = """
    INSERT INTO support (utterance_id, version_id, fact_id)
    SELECT DISTINCT unnest(utterances), version_id, fact_id FROM facts
    WHERE version_id = ANY(%s::text[]) AND recorded_to IS NULL
    ON CONFLICT DO NOTHING
"""


class PostgresGraph:
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
        if change.closed:
            self._session.write(
                """WITH closed AS (
                       UPDATE facts SET recorded_to = %s, closed_by = %s
                       WHERE version_id = ANY(%s::text[]) AND recorded_to IS NULL RETURNING version_id)
                   DELETE FROM support WHERE version_id IN (SELECT version_id FROM closed)""",
                (recorded_at, journal_seq, list(change.closed)),
            )
        if change.opened:
            self._session.write_many(_OPEN, [row_of_fact(fact) for fact in change.opened])
            self._session.write(_SUPPORT, ([fact.version_id for fact in change.opened],))
        # An older change that is applied again must not bring back its hash.
        self._session.write(
            """INSERT INTO slots (slot, hash, journal_seq) VALUES (%s, %s, %s)
               ON CONFLICT (memory_id, slot) DO UPDATE SET hash = excluded.hash, journal_seq = excluded.journal_seq
               WHERE excluded.journal_seq >= slots.journal_seq""",
            (change.slot, change.slot_hash, journal_seq),
        )

    def _apply_entities(self, change: EntityChange, journal_seq: int) -> None:
        if not self._session.write("UPDATE state SET entities_seq = %s WHERE entities_seq <= %s", (journal_seq,) * 2):
            return  # all of it happened before, and later changes built on it
        self._session.write("DELETE FROM entities WHERE id = ANY(%s::text[])", (list(change.dropped),))
        self._session.write_many(
            f"""INSERT INTO entities ({ENTITY}) VALUES (%s,%s,%s,%s,%s,%s::text[]) ON CONFLICT (memory_id, id) DO UPDATE
                SET key = excluded.key, name = excluded.name, type = excluded.type,
                    first_seq = excluded.first_seq, aliases = excluded.aliases""",
            [row_of_entity(entity) for entity in change.put],
        )
        ids = [entity.id for entity in change.put]
        self._session.write("DELETE FROM entity_keys WHERE entity_id = ANY(%s::text[])", (ids,))
        leads = {key: entity.id for entity in change.put for key in (*entity.aliases, entity.key)}
        self._session.write(
            """INSERT INTO entity_keys (key, entity_id) SELECT * FROM unnest(%s::text[], %s::text[])
               ON CONFLICT (memory_id, key) DO UPDATE SET entity_id = excluded.entity_id""",
            (list(leads), list(leads.values())),
        )

    def forget(self, rows: GraphRows) -> None:
        forget_graph(self._session, rows)

    # belief

    def slot(self, slot: str) -> list[Fact]:
        sql = f"""SELECT {FACT} FROM facts WHERE slot = %s AND recorded_to IS NULL
                  AND generation = (SELECT generation FROM state) ORDER BY version_id"""
        return [fact_of(row) for row in self._session.rows(sql, (slot,))]

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
            if values is not None:
                conditions.append(f"{column} = ANY(%s::text[])")
                bindings.append(list(values))
        if known_at is None:
            conditions.append("recorded_to IS NULL")
        else:
            conditions.append("recorded_from <= %s AND (recorded_to IS NULL OR recorded_to > %s)")
            bindings += [known_at, known_at]
        if valid_at is not None:
            conditions.append("(valid_from IS NULL OR valid_from <= %s) AND (valid_to IS NULL OR valid_to > %s)")
            bindings += [valid_at, valid_at]
        if after:
            conditions.append("version_id > %s")
            bindings.append(after)
        sql = f"SELECT {FACT} FROM facts WHERE {' AND '.join(conditions)} ORDER BY version_id LIMIT %s"
        return [fact_of(row) for row in self._session.rows(sql, (*bindings, limit))]

    def history(self, fact_id: str) -> list[Fact]:
        sql = f"SELECT {FACT} FROM facts WHERE fact_id = %s ORDER BY recorded_from, valid_from NULLS FIRST, version_id"
        return [fact_of(row) for row in self._session.rows(sql, (fact_id,))]

    def fact_ids(self, beginning: str, limit: int) -> list[str]:
        sql = "SELECT DISTINCT fact_id FROM facts WHERE fact_id >= %s AND fact_id < %s ORDER BY fact_id LIMIT %s"
        return [found for (found,) in self._session.rows(sql, (beginning, beginning + chr(sys.maxunicode), limit))]

    def fact_versions(self, version_ids: Sequence[str]) -> list[Fact]:
        sql = f"SELECT {FACT} FROM facts WHERE version_id = ANY(%s::text[]) ORDER BY version_id"
        return [fact_of(row) for row in self._session.rows(sql, (list(version_ids),))]

    def facts_of_utterances(self, utterance_ids: Sequence[str]) -> dict[str, list[str]]:
        sql = """SELECT DISTINCT utterance_id, fact_id FROM support JOIN facts USING (memory_id, version_id, fact_id)
                 WHERE utterance_id = ANY(%s::text[]) ORDER BY utterance_id, fact_id"""
        found: dict[str, list[str]] = {}
        for utterance_id, fact_id in self._session.rows(sql, (list(utterance_ids),)):
            found.setdefault(utterance_id, []).append(fact_id)
        return found

    def changed_facts(self, *, after_journal_seq: int, limit: int) -> list[Fact]:
        """`limit` is rounded up to whole journal entries, so that the last row's entry can be the next cursor."""
        sql = "SELECT changed_by FROM facts WHERE changed_by > %s ORDER BY changed_by, version_id LIMIT 1 OFFSET %s"
        last = self._session.row(sql, (after_journal_seq, max(limit, 1) - 1))
        upto, bindings = ("AND changed_by <= %s", last) if last else ("", ())
        sql = f"SELECT {FACT} FROM facts WHERE changed_by > %s {upto} ORDER BY changed_by, version_id"
        return [fact_of(row) for row in self._session.rows(sql, (after_journal_seq, *bindings))]

    # entities

    def entities(self, ids: Sequence[str]) -> list[Entity]:
        sql = f"SELECT {ENTITY} FROM entities WHERE id = ANY(%s::text[]) ORDER BY id"
        return [entity_of(row) for row in self._session.rows(sql, (list(ids),))]

    def entities_by_key(self, keys: Sequence[str]) -> dict[str, Entity]:
        columns = ", ".join(f"e.{column}" for column in ENTITY.split(", "))
        sql = f"""SELECT k.key, {columns} FROM entity_keys k JOIN entities e ON e.id = k.entity_id
                  WHERE k.key = ANY(%s::text[])"""
        return {row[0]: entity_of(row[1:]) for row in self._session.rows(sql, (list(keys),))}

    def all_entities(self) -> list[Entity]:
        return [entity_of(row) for row in self._session.rows(f"SELECT {ENTITY} FROM entities ORDER BY first_seq, id")]
