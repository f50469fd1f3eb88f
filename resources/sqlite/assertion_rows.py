"""Assertions, and the counts of the mentions in them."""

import sys
from collections.abc import Iterable, Sequence

import msgspec
from msgspec.json import decode

from kg_assets.model import SAME_AS, Assertion, Mention, MentionCount
from resources.rows import ASSERTION, MENTION, assertion_of, mention_count_of, row_of_assertion
from resources.sqlite.session import Session

_assertion = msgspec.json.Decoder(Assertion)
_ORDER = "ORDER BY said_at, seq, id"  # the order of evidence


class AssertionRows:
    """The part of the ledger that extraction writes. Lists stand in the order of evidence: (said_at, seq, id)."""

    _session: Session

    def add_assertions(self, assertions: Sequence[Assertion]) -> None:
        self._session.must_write("add_assertions")
        for assertion in assertions:
            added = self._session.write(
                "INSERT OR IGNORE INTO assertions VALUES (?,?,?,?,?,?,?,?)", row_of_assertion(assertion)
            )
            if added:
                self._count_mentions(assertion)

    def _count_mentions(self, assertion: Assertion) -> None:
        mentions = [m for m in (assertion.subject, assertion.object) if isinstance(m, Mention)]
        self._session.write_many(
            """INSERT INTO mentions VALUES (?, ?, ?, ?, 1)
               ON CONFLICT DO UPDATE SET count = count + 1, first_seq = min(first_seq, excluded.first_seq)""",
            [(m.key, m.surface, m.type, assertion.seq) for m in mentions],
        )

    def assertions(self, ids: Sequence[str]) -> list[Assertion]:
        sql = f"SELECT {ASSERTION} FROM assertions WHERE id IN (SELECT value FROM json_each(?)) {_ORDER}"
        return [assertion_of(row, decode) for row in self._session.rows_of(sql, ids)]

    def assertion_count(self) -> int:
        return int(self._session.rows("SELECT count(*) FROM assertions")[0][0])

    def assertions_of_utterances(self, seqs: Sequence[int]) -> list[Assertion]:
        sql = f"SELECT body FROM assertions WHERE seq IN (SELECT value FROM json_each(?)) {_ORDER}"
        return [_assertion.decode(body) for (body,) in self._session.rows_of(sql, seqs)]

    def assertions_of_slot(self, subject_keys: Sequence[str], predicates: Sequence[str]) -> list[Assertion]:
        sql = f"""SELECT body FROM assertions WHERE subject_key IN (SELECT value FROM json_each(?))
                  AND predicate IN (SELECT value FROM json_each(?)) {_ORDER}"""
        rows = self._session.rows(sql, (list(subject_keys), list(predicates)))
        return [_assertion.decode(body) for (body,) in rows]

    def assertions_about(self, keys: Sequence[str], predicates: Sequence[str] | None = None) -> list[Assertion]:
        these = "" if predicates is None else "AND predicate IN (SELECT value FROM json_each(?2))"
        sql = f"""SELECT body FROM assertions WHERE rowid IN (
                      SELECT rowid FROM assertions WHERE subject_key IN (SELECT value FROM json_each(?1)) {these}
                      UNION
                      SELECT rowid FROM assertions WHERE object_key IN (SELECT value FROM json_each(?1)) {these}
                                                     AND object_key IS NOT NULL) {_ORDER}"""
        named = [] if predicates is None else [list(predicates)]
        return [_assertion.decode(body) for (body,) in self._session.rows(sql, [list(keys), *named])]

    def links(self, keys: Sequence[str]) -> list[Assertion]:
        sql = f"""SELECT body FROM assertions WHERE rowid IN (
                      SELECT rowid FROM assertions WHERE subject_key IN (SELECT value FROM json_each(?1))
                                                     AND predicate = '{SAME_AS}'
                      UNION
                      SELECT rowid FROM assertions WHERE object_key IN (SELECT value FROM json_each(?1))
                                                     AND predicate = '{SAME_AS}') {_ORDER}"""
        return [_assertion.decode(body) for (body,) in self._session.rows_of(sql, keys)]

    def mention_counts(self, keys: Sequence[str]) -> list[MentionCount]:
        sql = f"""SELECT {MENTION} FROM mentions
                  WHERE key IN (SELECT value FROM json_each(?)) ORDER BY key, surface, type"""
        return [mention_count_of(row) for row in self._session.rows_of(sql, keys)]

    def mention_counts_beginning(self, beginning: str, limit: int) -> list[MentionCount]:
        sql = f"SELECT {MENTION} FROM mentions WHERE key >= ? AND key < ? ORDER BY key, surface, type LIMIT ?"
        rows = self._session.rows(sql, (beginning, beginning + chr(sys.maxunicode), limit))
        return [mention_count_of(row) for row in rows]

    def mentioned_names(self) -> int:
        return int(self._session.rows("SELECT count(*) FROM mentions")[0][0])

    def known_keys(self, keys: Iterable[str]) -> set[str]:
        sql = "SELECT DISTINCT key FROM mentions WHERE key IN (SELECT value FROM json_each(?))"
        return {key for (key,) in self._session.rows_of(sql, sorted(set(keys)))}
