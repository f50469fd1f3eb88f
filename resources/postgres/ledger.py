"""The ledger of one memory in Postgres: evidence, journal and index items."""

from kg_assets.model import Head
from resources.postgres.assertion_rows import AssertionRows
from resources.postgres.forgetting import Forgetting
from resources.postgres.item_rows import ItemRows
from resources.postgres.journal_rows import JournalRows
from resources.postgres.session import Session
from resources.postgres.utterance_rows import UtteranceRows
from resources.rows import HEAD, head_of


class PostgresLedger(UtteranceRows, AssertionRows, JournalRows, ItemRows, Forgetting):
    """Implements `ports.Ledger`, one part a table group."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def head(self) -> Head:
        return head_of(self._session.rows(f"SELECT {HEAD} FROM state")[0])
