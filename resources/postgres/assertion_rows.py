"""Assertions, and the counts of the mentions in them."""

import sys
from collections.abc import Iterable, Sequence

import msgspec

from kg_assets.model import SAME_AS, Assertion, Mention, MentionCount
from resources.postgres.session import Session
from resources.rows import ASSERTION, MENTION, Row, assertion_of, mention_count_of, row_of_assertion

_TYPES = "%s::text[], %s::text[], %s::bigint[], %s::bigint[], %s::text[], %s::text[], %s::text[], %s::json[]"
_ORDER = "ORDER BY said_at, seq, id"  # the order of evidence


def _assertions_of(rows: Iterable[Row]) -> list[Assertion]:
    return [msgspec.convert(body, Assertion, strict=True) for (body,) in rows]


class AssertionRows:
    """The part of the ledger that extraction writes. Lists stand in the order of evidence: (said_at, seq, id)."""

    _session: Session

    def add_assertions(self, assertions: Sequence[Assertion]) -> None:
        self._session.must_write("add_assertions")
        if not assertions:
            return
        columns = [list(column) for column in zip(*map(row_of_assertion, assertions), strict=True)]
        added = self._session.rows(
            f"""INSERT INTO assertions ({ASSERTION}) SELECT * FROM unnest({_TYPES})
                ON CONFLICT DO NOTHING RETURNING id""",
            columns,
        )
        fresh = {assertion_id for (assertion_id,) in added}
        first = {assertion.id: assertion for assertion in reversed(assertions)}
        self._count_mentions([assertion for name, assertion in first.items() if name in fresh])

    def _count_mentions(self, assertions: Sequence[Assertion]) -> None:
        counts: dict[tuple[str, str, str], tuple[int, int]] = {}
        for assertion in assertions:
            for m in (assertion.subject, assertion.object):
                if isinstance(m, Mention):
                    first, count = counts.get((m.key, m.surface, m.type), (assertion.seq, 0))
                    counts[(m.key, m.surface, m.type)] = (min(first, assertion.seq), count + 1)
        rows = sorted((*name, *counted) for name, counted in counts.items())
        if rows:
            self._session.write(
                f"""INSERT INTO mentions ({MENTION})
                   SELECT * FROM unnest(%s::text[], %s::text[], %s::text[], %s::bigint[], %s::integer[])
                   ON CONFLICT (memory_id, key, surface, type) DO UPDATE
                   SET count = mentions.count + excluded.count,
                       first_seq = least(mentions.first_seq, excluded.first_seq)""",
                [list(column) for column in zip(*rows, strict=True)],
            )

    def assertions(self, ids: Sequence[str]) -> list[Assertion]:
        sql = f"SELECT {ASSERTION} FROM assertions WHERE id = ANY(%s::text[]) {_ORDER}"
        return [assertion_of(row) for row in self._session.rows(sql, (list(ids),))]

    def assertion_count(self) -> int:
        return int(self._session.rows("SELECT count(*) FROM assertions")[0][0])

    def assertions_of_utterances(self, seqs: Sequence[int]) -> list[Assertion]:
        sql = f"SELECT body FROM assertions WHERE seq = ANY(%s::bigint[]) {_ORDER}"
        return _assertions_of(self._session.rows(sql, (list(seqs),)))

    def assertions_of_slot(self, subject_keys: Sequence[str], predicates: Sequence[str]) -> list[Assertion]:
        sql = f"""SELECT body FROM assertions
                  WHERE subject_key = ANY(%s::text[]) AND predicate = ANY(%s::text[]) {_ORDER}"""
        return _assertions_of(self._session.rows(sql, (list(subject_keys), list(predicates))))

    def assertions_about(self, keys: Sequence[str], predicates: Sequence[str] | None = None) -> list[Assertion]:
        these = "" if predicates is None else "AND predicate = ANY(%s::text[])"
        sql = f"""SELECT body FROM assertions
                  WHERE (subject_key = ANY(%s::text[]) OR object_key = ANY(%s::text[])) {these} {_ORDER}"""
        named = [] if predicates is None else [list(predicates)]
        return _assertions_of(self._session.rows(sql, [list(keys), list(keys), *named]))

    def links(self, keys: Sequence[str]) -> list[Assertion]:
        sql = f"""SELECT body FROM assertions WHERE predicate = '{SAME_AS}'
                  AND (subject_key = ANY(%s::text[]) OR object_key = ANY(%s::text[])) {_ORDER}"""
        return _assertions_of(self._session.rows(sql, (list(keys), list(keys))))

    def mention_counts(self, keys: Sequence[str]) -> list[MentionCount]:
        sql = f"SELECT {MENTION} FROM mentions WHERE key = ANY(%s::text[]) ORDER BY key, surface, type"
        return [mention_count_of(row) for row in self._session.rows(sql, (list(keys),))]

    def mention_counts_beginning(self, beginning: str, limit: int) -> list[MentionCount]:
        sql = f"SELECT {MENTION} FROM mentions WHERE key >= %s AND key < %s ORDER BY key, surface, type LIMIT %s"
        rows = self._session.rows(sql, (beginning, beginning + chr(sys.maxunicode), limit))
        return [mention_count_of(row) for row in rows]

    def mentioned_names(self) -> int:
        return int(self._session.rows("SELECT count(*) FROM mentions")[0][0])

    def known_keys(self, keys: Iterable[str]) -> set[str]:
        sql = "SELECT DISTINCT key FROM mentions WHERE key = ANY(%s::text[])"
        return {key for (key,) in self._session.rows(sql, (sorted(set(keys)),))}
