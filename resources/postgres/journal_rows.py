"""The journal with its payloads, and the decisions that it records."""

from collections.abc import Sequence

from kg_assets.errors import Conflict
from kg_assets.model import Decision, JournalEntry
from resources.postgres.session import Session
from resources.rows import DECISION, HEADER, decision_of, entry_of, header_of, row_of_decision

_ENTRY = f"SELECT {HEADER}, p.payload, p.salt FROM journal LEFT JOIN journal_payloads p USING (seq)"


class JournalRows:
    """The part of the ledger that is the audit trail."""

    _session: Session

    def add_journal(self, entries: Sequence[JournalEntry]) -> None:
        self._session.must_write("add_journal")
        if not entries:
            return
        seq, previous = self._session.rows("SELECT journal_seq, journal_hash FROM state")[0]
        for entry in entries:
            if (entry.seq, entry.prev_hash) != (seq + 1, previous):
                raise Conflict(f"journal entry {entry.seq}: does not follow entry {seq}; read the head again")
            seq, previous = entry.seq, entry.hash
        self._session.write_many(
            f"INSERT INTO journal ({HEADER}) VALUES (%s,%s,%s,%s,%s,%s,%s,%s,%s,%s)",
            [header_of(entry) for entry in entries],
        )
        self._session.write_many(
            "INSERT INTO journal_payloads (seq, payload, salt) VALUES (%s,%s,%s)",
            [(e.seq, e.payload, e.salt) for e in entries if e.payload is not None and e.salt is not None],
        )
        self._session.write(
            "UPDATE state SET journal_seq = %s, journal_hash = %s, recorded_at = %s",
            (seq, previous, entries[-1].recorded_at),
        )

    def journal_after(self, seq: int, limit: int) -> list[JournalEntry]:
        rows = self._session.rows(f"{_ENTRY} WHERE seq > %s ORDER BY seq LIMIT %s", (seq, limit))
        return [entry_of(row) for row in rows]

    def journal(self, seqs: Sequence[int]) -> list[JournalEntry]:
        rows = self._session.rows(f"{_ENTRY} WHERE seq = ANY(%s::bigint[]) ORDER BY seq", (list(seqs),))
        return [entry_of(row) for row in rows]

    def add_decisions(self, decisions: Sequence[Decision]) -> None:
        self._session.must_write("add_decisions")
        self._session.write_many(
            f"""INSERT INTO decisions ({DECISION})
                VALUES (%s,%s,%s,%s,%s,%s::text[],%s,%s) ON CONFLICT DO NOTHING""",
            [row_of_decision(decision) for decision in decisions],
        )

    def decisions(self, slot: str) -> list[Decision]:
        sql = f"SELECT {DECISION} FROM decisions WHERE slot = %s ORDER BY journal_seq, id"
        return [decision_of(row) for row in self._session.rows(sql, (slot,))]

    def decisions_by_rule(self, rule: str) -> list[Decision]:
        sql = f"SELECT {DECISION} FROM decisions WHERE rule = %s ORDER BY journal_seq, id"
        return [decision_of(row) for row in self._session.rows(sql, (rule,))]
