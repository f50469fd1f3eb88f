"""The journal with its payloads, and the decisions that it records."""

from collections.abc import Sequence

from msgspec.json import decode

from kg_assets.errors import Conflict
from kg_assets.model import Decision, JournalEntry
from resources.rows import DECISION, HEADER, decision_of, entry_of, header_of, row_of_decision
from resources.sqlite.session import Session

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
            f"INSERT INTO journal ({HEADER}) VALUES (?,?,?,?,?,?,?,?,?,?)", [header_of(entry) for entry in entries]
        )
        self._session.write_many(
            "INSERT INTO journal_payloads VALUES (?,?,?)",
            [(e.seq, e.payload, e.salt) for e in entries if e.payload is not None and e.salt is not None],
        )
        self._session.write(
            "UPDATE state SET journal_seq = ?, journal_hash = ?, recorded_at = ?",
            (seq, previous, entries[-1].recorded_at),
        )

    def journal_after(self, seq: int, limit: int) -> list[JournalEntry]:
        rows = self._session.rows(f"{_ENTRY} WHERE journal.seq > ? ORDER BY journal.seq LIMIT ?", (seq, limit))
        return [entry_of(row) for row in rows]

    def journal(self, seqs: Sequence[int]) -> list[JournalEntry]:
        rows = self._session.rows_of(
            f"{_ENTRY} WHERE journal.seq IN (SELECT value FROM json_each(?)) ORDER BY journal.seq", seqs
        )
        return [entry_of(row) for row in rows]

    def add_decisions(self, decisions: Sequence[Decision]) -> None:
        self._session.must_write("add_decisions")
        self._session.write_many(
            "INSERT OR IGNORE INTO decisions VALUES (?,?,?,?,?,?,?,?)",
            [row_of_decision(decision) for decision in decisions],
        )

    def decisions(self, slot: str) -> list[Decision]:
        sql = f"SELECT {DECISION} FROM decisions WHERE slot = ? ORDER BY journal_seq, id"
        return [decision_of(row, decode) for row in self._session.rows(sql, (slot,))]

    def decisions_by_rule(self, rule: str) -> list[Decision]:
        sql = f"SELECT {DECISION} FROM decisions WHERE rule = ? ORDER BY journal_seq, id"
        return [decision_of(row, decode) for row in self._session.rows(sql, (rule,))]
