"""What is read of one memory's graph, as it stood after one journal entry."""

from collections.abc import Sequence
from typing import Any

from kg_assets.model import Entity, EntityState, Fact, Micros
from resources.neo4j.connection import Row, Run
from resources.neo4j.rows import ENTITY, FACT, columns, entity_of, fact_of, indexed
from resources.rows import state_of

_FACT = f"RETURN {columns('f', FACT)}"
_ENTITY = columns("s", ENTITY)
_STANDING = "f.opened_by <= $seq AND (f.closed_by IS NULL OR f.closed_by > $seq)"
_OF_GENERATION = "s.generation = $generation AND s.opened_by <= $seq"
_STATE_STANDING = f"{_OF_GENERATION} AND (s.closed_by IS NULL OR s.closed_by > $seq)"
_STATE_THEN = f"""{_OF_GENERATION} AND s.recorded_from <= $known_at
                  AND (s.recorded_to IS NULL OR s.recorded_to > $known_at OR s.closed_by > $seq)"""


class View:
    """Every row says which journal entry opened it and which closed it, so a view of entry `seq` stands still while
    others write. Reads of belief see one generation only."""

    def __init__(self, run: Run, *, seq: int, generation: int) -> None:
        self._run_with, self._seq, self._generation = run, seq, generation

    def _rows(self, statement: str, **parameters: Any) -> list[Row]:
        return self._run_with(statement, **parameters, seq=self._seq, generation=self._generation)

    def _facts(self, statement: str, **parameters: Any) -> list[Fact]:
        return [fact_of(row, self._seq) for row in self._rows(statement, **parameters)]

    # belief

    def slot(self, slot: str) -> list[Fact]:
        return self._facts(
            f"""MATCH (f:Fact {{memory: $memory, slot: $slot}}) WHERE {_STANDING} AND f.generation = $generation
                {_FACT} ORDER BY f.version_id""",
            slot=slot,
        )

    def slot_hashes(self) -> list[str]:
        rows = self._rows(
            f"""MATCH (s:Slot {{memory: $memory}}) WHERE {_STATE_STANDING} AND s.hash <> ''
                RETURN s.hash ORDER BY s.hash"""
        )
        return [found for (found,) in rows]

    def facts(
        self,
        *,
        valid_at: Micros | None,
        known_at: Micros | None,
        subjects: Sequence[str] | None,
        predicates: Sequence[str] | None,
        objects: Sequence[str] | None,
        limit: int,
        after: str,
    ) -> list[Fact]:
        chosen = {"subject_id": subjects, "object_ref": objects, "predicate": predicates}
        named = [name for name, values in chosen.items() if values is not None]
        conditions = [f"f.{name} IN ${name}" for name in named]
        conditions += ["f.version_id > $after", "f.generation = $generation"]
        if known_at is None:
            conditions.append(_STANDING)
        else:
            conditions.append("f.opened_by <= $seq AND f.recorded_from <= $known_at")
            conditions.append("(f.recorded_to IS NULL OR f.recorded_to > $known_at OR f.closed_by > $seq)")
        if valid_at is not None:
            conditions.append("(f.valid_from IS NULL OR f.valid_from <= $valid_at)")
            conditions.append("(f.valid_to IS NULL OR f.valid_to > $valid_at)")
        # Named, because the planner guesses from few statistics: by subject, else by object, else by predicate.
        index = f"USING INDEX f:Fact(memory, {named[0]})" if named else ""
        return self._facts(
            f"""MATCH (f:Fact {{memory: $memory}}) {index} WHERE {" AND ".join(conditions)}
                {_FACT} ORDER BY f.version_id LIMIT $limit""",
            subject_id=list(subjects or ()),
            object_ref=[indexed(each) for each in objects or ()],
            predicate=list(predicates or ()),
            **{"valid_at": valid_at, "known_at": known_at, "limit": limit, "after": after},
        )

    def history(self, fact_id: str) -> list[Fact]:
        found = self._facts(
            f"MATCH (f:Fact {{memory: $memory, fact_id: $fact_id}}) WHERE f.opened_by <= $seq {_FACT}", fact_id=fact_id
        )
        return sorted(found, key=_in_time)

    def fact_ids(self, beginning: str, limit: int) -> list[str]:
        rows = self._rows(
            """MATCH (f:Fact {memory: $memory}) WHERE f.fact_id STARTS WITH $beginning AND f.opened_by <= $seq
               RETURN DISTINCT f.fact_id AS id ORDER BY id LIMIT $limit""",
            beginning=beginning,
            limit=limit,
        )
        return [found for (found,) in rows]

    def fact_versions(self, version_ids: Sequence[str]) -> list[Fact]:
        return self._facts(
            f"""MATCH (f:Fact {{memory: $memory}}) WHERE f.version_id IN $version_ids AND f.opened_by <= $seq
                {_FACT} ORDER BY f.version_id""",
            version_ids=list(version_ids),
        )

    def facts_of_utterances(self, utterance_ids: Sequence[str]) -> dict[str, list[str]]:
        # The relations tell of current belief; what was closed after this view is found by when it changed.
        rows = self._rows(
            """MATCH (u:Utterance {memory: $memory})-[:SUPPORTS]->(f:Fact)
               WHERE u.id IN $ids AND f.generation = $generation AND f.opened_by <= $seq AND f.closed_by IS NULL
               RETURN u.id AS id, f.fact_id AS fact
               UNION
               MATCH (f:Fact {memory: $memory})
               WHERE f.changed_by > $seq AND f.generation = $generation AND f.opened_by <= $seq AND f.closed_by > $seq
               UNWIND f.utterances AS id WITH f, id WHERE id IN $names RETURN id, f.fact_id AS fact""",
            ids=[indexed(each) for each in utterance_ids],
            names=list(utterance_ids),
        )
        name = {indexed(each): each for each in utterance_ids}
        pairs = sorted({(name.get(str(row[0]), str(row[0])), str(row[1])) for row in rows})
        found: dict[str, list[str]] = {}
        for utterance_id, fact_id in pairs:
            found.setdefault(utterance_id, []).append(fact_id)
        return found

    def changed_facts(self, *, after_journal_seq: int, limit: int) -> list[Fact]:
        """`limit` is rounded up to whole journal entries, so that the last row's entry can be the next cursor."""
        changed = "MATCH (f:Fact {memory: $memory}) WHERE f.changed_by > $after AND f.changed_by <= $upto"
        bounds = {"after": after_journal_seq, "upto": self._seq}
        last = self._rows(
            f"{changed} RETURN f.changed_by ORDER BY f.changed_by SKIP $skip LIMIT 1", **bounds, skip=max(limit, 1) - 1
        )
        upto = last[0][0] if last else self._seq
        found = self._facts(f"{changed} {_FACT}", after=after_journal_seq, upto=upto)
        # Of what was closed after this view, the opening was the last change.
        found += self._facts(
            f"""MATCH (f:Fact {{memory: $memory}}) WHERE f.changed_by > $seq AND f.opened_by > $after
                AND f.opened_by <= $upto {_FACT}""",
            after=after_journal_seq,
            upto=upto,
        )
        return sorted(found, key=_by_change)

    # entities

    def entities(self, ids: Sequence[str], known_at: Micros | None) -> list[Entity]:
        there = _STATE_STANDING if known_at is None else _STATE_THEN
        rows = self._rows(
            f"""MATCH (s:EntityState {{memory: $memory}}) WHERE s.entity_id IN $ids AND {there}
                RETURN {_ENTITY} ORDER BY s.entity_id""",
            ids=list(ids),
            known_at=known_at,
        )
        return [entity_of(row) for row in rows]

    def entities_by_key(self, keys: Sequence[str], known_at: Micros | None) -> dict[str, Entity]:
        there = _STATE_STANDING if known_at is None else _STATE_THEN
        name = {indexed(each): each for each in keys}
        rows = self._rows(
            f"""MATCH (n:Name {{memory: $memory}})-[:LEADS_TO]->(s:EntityState)
                WHERE n.key IN $keys AND {there}
                RETURN n.key, {_ENTITY} ORDER BY s.opened_by""",  # of two that bear a name, the later one
            keys=list(name),
            known_at=known_at,
        )
        return {name[row[0]]: entity_of(row[1:]) for row in rows}

    def entity_states(self, ids: Sequence[str] | None) -> list[EntityState]:
        """What closed one after this view is not seen."""
        chosen = "" if ids is None else "AND s.entity_id IN $ids"
        rows = self._rows(
            f"""MATCH (s:EntityState {{memory: $memory}}) WHERE {_OF_GENERATION} {chosen}
                RETURN {_ENTITY}, s.generation, s.recorded_from, s.opened_by,
                       CASE WHEN s.closed_by <= $seq THEN s.recorded_to END,
                       CASE WHEN s.closed_by <= $seq THEN s.closed_by END ORDER BY s.entity_id, s.opened_by""",
            ids=list(ids or ()),
        )
        return [state_of(tuple(row)) for row in rows]

    def all_entities(self) -> list[Entity]:
        rows = self._rows(
            f"""MATCH (s:EntityState {{memory: $memory}}) WHERE {_STATE_STANDING}
                RETURN {_ENTITY} ORDER BY s.first_seq, s.entity_id"""
        )
        return [entity_of(row) for row in rows]


def _in_time(fact: Fact) -> tuple[int, bool, int, str]:
    """An unbounded start is the earliest."""
    start = fact.belief.valid_from
    return (fact.recorded_from, start is not None, start or 0, fact.version_id)


def _by_change(fact: Fact) -> tuple[int, str]:
    return (fact.opened_by if fact.closed_by is None else fact.closed_by, fact.version_id)
