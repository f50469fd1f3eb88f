"""Taking rows out of one memory for good."""

from collections.abc import Sequence
from typing import Protocol

from kg_assets.model import Assertion, GraphRows, LedgerRows, NoveltyScore
from resources.mentions import counted, mentions
from resources.sqlite.session import Session

UNSCRUBBED = "erasure.unscrubbed"  # until the file was vacuumed and its log emptied
_IN = "IN (SELECT value FROM json_each(?))"


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
        self._session.write("INSERT OR REPLACE INTO named_values VALUES (?, ?)", (UNSCRUBBED, str(revision)))
        for table in ("pending", "novelty", "utterances"):
            self._session.write(f"DELETE FROM {table} WHERE seq {_IN}", (list(rows.seqs),))
        keys = sorted({mention.key for each in self.assertions(rows.assertions) for mention in mentions(each)})
        self._session.write(f"DELETE FROM assertions WHERE id {_IN}", (list(rows.assertions),))
        self._session.write(f"DELETE FROM mentions WHERE key {_IN}", (keys,))
        self._session.write_many("INSERT INTO mentions VALUES (?,?,?,?,?)", counted(self.assertions_about(keys), keys))
        subtract_terms(self._session, rows.terms)
        for table in ("items", "deleted_items"):
            self._session.write(f"DELETE FROM {table} WHERE id {_IN}", (list(rows.items),))
        self._session.write(f"DELETE FROM decisions WHERE id {_IN}", (list(rows.decisions),))
        self._session.write(f"DELETE FROM journal_payloads WHERE seq {_IN}", (list(rows.payloads),))
        self._session.write(f"DELETE FROM novelty WHERE seq {_IN}", ([each.seq for each in rows.scores],))
        self._insert_novelty(rows.scores)


def subtract_terms(session: Session, terms: dict[str, int]) -> None:
    if not terms:
        return
    had: dict[str, int] = dict(session.rows(f"SELECT term, count FROM terms WHERE term {_IN}", (list(terms),)))
    session.write_many("UPDATE terms SET count = count - ? WHERE term = ?", [(terms[term], term) for term in had])
    gone = session.write(f"DELETE FROM terms WHERE count <= 0 AND term {_IN}", (list(had),))
    session.write(
        "UPDATE state SET term_tokens = term_tokens - ?, term_distinct = term_distinct - ?",
        (sum(min(count, terms[term]) for term, count in had.items()), gone),
    )


def forget_graph(session: Session, rows: GraphRows) -> None:
    session.must_write("forget")
    session.new_revision()
    for table in ("support", "facts"):
        session.write(f"DELETE FROM {table} WHERE version_id {_IN}", (list(rows.versions),))
    session.write(f"DELETE FROM slots WHERE slot {_IN}", (list(rows.slots),))
    for table in ("entity_names", "entity_states"):
        session.write(f"DELETE FROM {table} WHERE id {_IN}", (list(rows.entities),))
