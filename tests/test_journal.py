"""The hash chain: every alteration is found, and the first broken entry is named."""

import random
from pathlib import Path

import msgspec
import pytest

from kg_assets.journal import GENESIS, first_broken, instant, record
from kg_assets.model import Change, JournalEntry, Origin
from kg_assets.ports import Memory
from resources.sqlite import SqliteStores

ORIGIN = Origin(actor="user", cause="test", run_id=None, code_version="1")
NOW = 1_700_000_000_000_000
MUTATIONS = 1000


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    stores = SqliteStores(tmp_path, b"secret", clock=lambda: NOW)
    return stores.open(stores.create("test", "ana", now=NOW).id)


@pytest.fixture
def entries(memory: Memory) -> list[JournalEntry]:
    for number in range(20):
        with memory.transaction():
            at = instant(memory.ledger, lambda: NOW)
            changes = [Change(op="assert", payload={"n": number, "k": k}) for k in range(2)]
            record(memory.ledger, changes, origin=ORIGIN, at=at)
    return memory.ledger.journal_after(0, 1000)


def test_an_untouched_journal_holds(entries: list[JournalEntry]) -> None:
    assert len(entries) == 40
    assert entries[0].prev_hash == GENESIS
    assert first_broken(entries) is None


def test_recorded_times_of_transactions_always_grow_even_if_the_clock_stands(entries: list[JournalEntry]) -> None:
    times = [each.recorded_at for each in entries]
    assert sorted(times) == times
    assert len(set(times)) == 20


def test_a_part_can_be_checked_from_where_the_last_check_ended(entries: list[JournalEntry]) -> None:
    assert first_broken(entries[10:], after_hash=entries[9].hash, after_seq=10) is None


def test_every_one_of_a_thousand_random_alterations_is_found(entries: list[JournalEntry]) -> None:
    rng = random.Random(1)
    for _ in range(MUTATIONS):
        place = rng.randrange(len(entries))
        altered = list(entries)
        altered[place] = flipped(entries[place], rng)
        assert f"entry {place + 1}" in (first_broken(altered) or "")


def flipped(entry: JournalEntry, rng: random.Random) -> JournalEntry:
    """The entry with one bit of one field turned."""
    name = rng.choice([each for each in entry.__struct_fields__ if getattr(entry, each) is not None])
    value = getattr(entry, name)
    if isinstance(value, int):
        changed: object = value ^ (1 << rng.randrange(30))
    else:
        raw = bytearray(value.encode() if isinstance(value, str) else value)
        raw[rng.randrange(len(raw))] ^= 1 << rng.randrange(7)
        changed = raw.decode("latin-1") if isinstance(value, str) else bytes(raw)
    return msgspec.structs.replace(entry, **{name: changed})


def test_a_removed_entry_is_found(entries: list[JournalEntry]) -> None:
    for place in range(len(entries) - 1):
        assert f"expected entry {place + 1}" in (first_broken(entries[:place] + entries[place + 1 :]) or "")


def test_two_entries_that_changed_places_are_found(entries: list[JournalEntry]) -> None:
    for place in range(len(entries) - 1):
        swapped = [*entries[:place], entries[place + 1], entries[place], *entries[place + 2 :]]
        assert first_broken(swapped) is not None


def test_a_missing_payload_without_an_erasure_is_tampering(entries: list[JournalEntry]) -> None:
    altered = [*entries[:5], msgspec.structs.replace(entries[5], payload=None, salt=None), *entries[6:]]
    assert "payload is missing" in (first_broken(altered) or "")
