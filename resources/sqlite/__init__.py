"""The embedded default: one SQLite file per memory and one control file."""

from resources.sqlite.memory import SqliteMemory
from resources.sqlite.stores import SqliteStores

__all__ = ["SqliteMemory", "SqliteStores"]
