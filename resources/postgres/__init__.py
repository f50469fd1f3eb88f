"""The production ledger: all memories in one Postgres database, each behind row-level security."""

from resources.postgres.memory import PostgresMemory
from resources.postgres.stores import PostgresStores

__all__ = ["PostgresMemory", "PostgresStores"]
