"""Memories of one shard, with work in them, and ways to hurt one."""

from itertools import count
from pathlib import Path

import apsw

from kg_assets.identity import content_hash
from kg_assets.index.remember import remember
from kg_assets.model import MemoryInfo, Micros, Origin
from kg_assets.novelty.scoring import Thresholds
from kg_assets.partitions import shard_of
from kg_assets.ports import Stores
from kg_assets.shards import opened
from kg_assets.text.ontology import load_ontology
from kg_assets.utterances.intake import check
from resources.embedder import build_embedder

NOW = 1_800_000_000_000_000
ORIGIN = Origin(actor="test", cause="test", run_id="run-1")


def of_one_shard(stores: Stores, number: int) -> list[MemoryInfo]:
    """As many memories as asked for, all of the shard of the first."""
    first = stores.create("test", "user 0", now=NOW)
    found = [first]
    for each in count(1):
        if len(found) == number:
            return found
        if shard_of(stores.memory_id("test", f"user {each}")) == first.shard:
            found.append(stores.create("test", f"user {each}", now=NOW))
    raise AssertionError


def say(stores: Stores, info: MemoryInfo, text: str, *, now: Micros = NOW, cap_at_batch: bool = True) -> None:
    with opened(stores, info.id) as memory:
        raw = {"id": content_hash(text, now), "text": text, "said_at": "2026-05-30T18:04:00Z", "session": "s"}
        remember(
            memory,
            [check(raw, where="")],
            embedder=build_embedder("hashing"),
            ontology=load_ontology(),
            thresholds=Thresholds(),
            origin=ORIGIN,
            clock=lambda: now,
            cap_at_batch=cap_at_batch,
        )


def damage(data_dir: Path, info: MemoryInfo, table: str) -> None:
    """Overwrite the first page of a table, as a failing disk does."""
    path = data_dir / "memories" / f"{info.id}.db"
    connection = apsw.Connection(str(path))
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    size = connection.pragma("page_size")
    page = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (table,)).get
    connection.close()
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xa5" * size)
