"""The ledger of one memory in SQLite: evidence, journal and index items."""

from kg_assets.model import Head
from resources.rows import HEAD, head_of
from resources.sqlite.assertion_rows import AssertionRows
from resources.sqlite.forgetting import Forgetting
from resources.sqlite.item_rows import ItemRows
from resources.sqlite.journal_rows import JournalRows
from resources.sqlite.session import Session
from resources.sqlite.utterance_rows import UtteranceRows


class SqliteLedger(UtteranceRows, AssertionRows, JournalRows, ItemRows, Forgetting):
    """Implements `ports.Ledger`, one part a table group."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def head(self) -> Head:
        return head_of(self._session.rows(f"SELECT {HEAD} FROM state")[0])
