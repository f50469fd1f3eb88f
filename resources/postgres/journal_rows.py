"""The journal with its payloads, and the decisions that it records."""

from collections.abc import Sequence

from kg_assets.errors import Conflict
from kg_assets.model import Decision, JournalEntry
from resources.postgres.session import Row, Session

_HEADER = "seq, op, recorded_at, actor, cause, run_id, code_version, payload_hash, prev_hash, hash"
_ENTRY = f"SELECT {_HEADER}, p.payload, p.salt FROM journal LEFT JOIN journal_payloads p USING (seq)"


def _header_of(e: JournalEntry) -> Row:
    who = (e.actor, e.cause, e.run_id, e.code_version)
    return (e.seq, e.op, e.recorded_at, *who, e.payload_hash, e.prev_hash, e.hash)


def _entry_of(row: Row) -> JournalEntry:
    return JournalEntry(
        seq=row[0],
        op=row[1],
        recorded_at=row[2],
        actor=row[3],
        cause=row[4],
        run_id=row[5],
        code_version=row[6],
        payload_hash=row[7],
        prev_hash=row[8],
        hash=row[9],
        payload=row[10],
        salt=row[11],
    )


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
            f"INSERT INTO journal ({_HEADER}) VALUES (%s,%s,%s,%s,%s,%s,%s,%s,%s,%s)",
            [_header_of(entry) for entry in entries],
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
        return [_entry_of(row) for row in rows]

    def journal(self, seqs: Sequence[int]) -> list[JournalEntry]:
        rows = self._session.rows(f"{_ENTRY} WHERE seq = ANY(%s::bigint[]) ORDER BY seq", (list(seqs),))
        return [_entry_of(row) for row in rows]

    def add_decisions(self, decisions: Sequence[Decision]) -> None:
        self._session.must_write("add_decisions")
        self._session.write_many(
            """INSERT INTO decisions (id, slot, rule, policy, winner, losers, recorded_at, journal_seq)
               VALUES (%s,%s,%s,%s,%s,%s::text[],%s,%s) ON CONFLICT DO NOTHING""",
            [
                (d.id, d.slot, d.rule, d.policy, d.winner, list(d.losers), d.recorded_at, d.journal_seq)
                for d in decisions
            ],
        )

    def decisions(self, slot: str) -> list[Decision]:
        sql = """SELECT id, rule, policy, winner, losers, recorded_at, journal_seq FROM decisions
                 WHERE slot = %s ORDER BY journal_seq, id"""
        return [
            Decision(
                id=row[0],
                slot=slot,
                rule=row[1],
                policy=row[2],
                winner=row[3],
                losers=tuple(row[4]),
                recorded_at=row[5],
                journal_seq=row[6],
            )
            for row in self._session.rows(sql, (slot,))
        ]
