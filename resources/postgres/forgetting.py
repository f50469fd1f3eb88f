"""Taking rows out of one memory for good.

What a deleted row leaves in its table's pages goes with the next vacuum, and in the write-ahead log when that is
recycled: see docs/threat-model.md.
"""

from collections.abc import Sequence
from typing import Protocol

from kg_assets.model import Assertion, GraphRows, LedgerRows, NoveltyScore
from resources.mentions import counted, mentions
from resources.postgres.session import Session
from resources.rows import MENTION

UNSCRUBBED = "erasure.unscrubbed"  # until a graph in another store has followed


class _Ledger(Protocol):
    _session: Session

    def assertions(self, ids: Sequence[str]) -> list[Assertion]: ...
    def assertions_about(self, keys: Sequence[str], predicates: Sequence[str] | None = None) -> list[Assertion]: ...
    def _insert_novelty(self, scores: Sequence[NoveltyScore]) -> None: ...


class Forgetting:
    """The part of the ledger that erases."""

    def forget(self: _Ledger, rows: LedgerRows) -> None:
        self._session.must_write("forget")
        revision = self._session.new_revision()
        self._session.write(
            """INSERT INTO named_values (name, value) VALUES (%s, %s)
               ON CONFLICT (memory_id, name) DO UPDATE SET value = excluded.value""",
            (UNSCRUBBED, str(revision)),
        )
        for table in ("pending", "novelty", "utterances"):
            self._session.write(f"DELETE FROM {table} WHERE seq = ANY(%s::bigint[])", (list(rows.seqs),))
        removed = self.assertions(rows.assertions)
        self._session.write("DELETE FROM assertions WHERE id = ANY(%s::text[])", (list(rows.assertions),))
        recount(self, sorted({each.key for assertion in removed for each in mentions(assertion)}))
        subtract_terms(self._session, rows.terms)
        for table in ("items", "deleted_items"):
            self._session.write(f"DELETE FROM {table} WHERE id = ANY(%s::text[])", (list(rows.items),))
        self._session.write("DELETE FROM decisions WHERE id = ANY(%s::text[])", (list(rows.decisions),))
        self._session.write("DELETE FROM journal_payloads WHERE seq = ANY(%s::bigint[])", (list(rows.payloads),))
        seqs = [each.seq for each in rows.scores]
        self._session.write("DELETE FROM novelty WHERE seq = ANY(%s::bigint[])", (seqs,))
        self._insert_novelty(rows.scores)


def recount(ledger: _Ledger, keys: Sequence[str]) -> None:
    """The mentions under these normal forms, from the assertions that are left."""
    ledger._session.write("DELETE FROM mentions WHERE key = ANY(%s::text[])", (list(keys),))
    ledger._session.write_many(
        f"INSERT INTO mentions ({MENTION}) VALUES (%s,%s,%s,%s,%s)", counted(ledger.assertions_about(keys), keys)
    )


def subtract_terms(session: Session, terms: dict[str, int]) -> None:
    if not terms:
        return
    had: dict[str, int] = dict(
        session.rows("SELECT term, count FROM terms WHERE term = ANY(%s::text[])", (list(terms),))
    )
    session.write_many("UPDATE terms SET count = count - %s WHERE term = %s", [(terms[term], term) for term in had])
    gone = session.write("DELETE FROM terms WHERE count <= 0 AND term = ANY(%s::text[])", (list(had),))
    session.write(
        "UPDATE state SET term_tokens = term_tokens - %s, term_distinct = term_distinct - %s",
        (sum(min(count, terms[term]) for term, count in had.items()), gone),
    )


def forget_graph(session: Session, rows: GraphRows) -> None:
    session.must_write("forget")
    session.new_revision()
    for table in ("support", "facts"):
        session.write(f"DELETE FROM {table} WHERE version_id = ANY(%s::text[])", (list(rows.versions),))
    session.write("DELETE FROM slots WHERE slot = ANY(%s::text[])", (list(rows.slots),))
    for table in ("entity_names", "entity_states"):
        session.write(f"DELETE FROM {table} WHERE id = ANY(%s::text[])", (list(rows.entities),))
