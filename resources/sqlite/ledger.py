"""The ledger of one memory in SQLite: evidence, journal and index items."""

from kg_assets.model import Head
from resources.sqlite.assertion_rows import AssertionRows
from resources.sqlite.item_rows import ItemRows
from resources.sqlite.journal_rows import JournalRows
from resources.sqlite.session import Session
from resources.sqlite.utterance_rows import UtteranceRows


class SqliteLedger(UtteranceRows, AssertionRows, JournalRows, ItemRows):
    """Implements `ports.Ledger`, one part a table group."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def head(self) -> Head:
        row = self._session.rows("SELECT seq, journal_seq, journal_hash, recorded_at, revision, generation FROM state")[
            0
        ]
        return Head(
            seq=row[0],
            journal_seq=row[1],
            journal_hash=row[2],
            recorded_at=row[3],
            revision=row[4],
            generation=row[5],
        )
