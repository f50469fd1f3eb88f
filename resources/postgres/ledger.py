"""The ledger of one memory in Postgres: evidence, journal and index items."""

from kg_assets.model import Head
from resources.postgres.assertion_rows import AssertionRows
from resources.postgres.item_rows import ItemRows
from resources.postgres.journal_rows import JournalRows
from resources.postgres.session import Session
from resources.postgres.utterance_rows import UtteranceRows


class PostgresLedger(UtteranceRows, AssertionRows, JournalRows, ItemRows):
    """Implements `ports.Ledger`, one part a table group."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def head(self) -> Head:
        sql = "SELECT seq, journal_seq, journal_hash, recorded_at, revision, generation FROM state"
        row = self._session.rows(sql)[0]
        return Head(
            seq=row[0],
            journal_seq=row[1],
            journal_hash=row[2],
            recorded_at=row[3],
            revision=row[4],
            generation=row[5],
        )
