"""What the journal tells of index items as rows, vectors and all: a hash of each as it was last written."""

from collections.abc import Iterable

import msgspec

from kg_assets.journal import item_hashes
from kg_assets.model import Item, JournalEntry
from quality.told_evidence import read

SUMMARISED = b'"items":{'  # only payloads that hold it are decoded


class Items(msgspec.Struct, frozen=True):
    """The part of any payload that tells of items."""

    items: dict[str, str]


class ToldVectors:
    """`note` each entry, then `differs` for the items that are there. Held in memory: one hash an item.

    An item that no entry tells of was written before this was journaled; its vectors are not held against anything.
    """

    def __init__(self) -> None:
        self.hashes: dict[str, tuple[int, bytes]] = {}  # item → (journal entry, hash)

    def note(self, entry: JournalEntry) -> None:
        if SUMMARISED in (entry.payload or b"") and (told := read(entry, Items)):
            self.hashes |= {item_id: (entry.seq, bytes.fromhex(found)) for item_id, found in told.items.items()}

    def forget(self, item_ids: Iterable[str]) -> None:
        """Items that have to be gone."""
        for item_id in item_ids:
            self.hashes.pop(item_id, None)

    def differs(self, items: Iterable[Item]) -> str | None:
        """Takes the items that it is given off what it expects."""
        for item_id, found in item_hashes(items := list(items)).items():
            seq, told = self.hashes.pop(item_id, (0, b""))
            if told and told.hex() != found:
                return f"the index item of {name(items, item_id)} is not the row that journal entry {seq} wrote"
        return None

    def left_over(self) -> str | None:
        """Items that were told of and not given to `differs`."""
        for item_id, (seq, _) in self.hashes.items():
            return f"index item {item_id}, which journal entry {seq} wrote, is gone"
        return None


def name(items: Iterable[Item], item_id: str) -> str:
    (item,) = (each for each in items if each.id == item_id)
    return f"utterance {item.seq}" if item.kind == "utterance" else f"{item.kind} version {item_id}"
