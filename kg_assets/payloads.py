"""Journal entries whose payload went with an erasure, and what is left of each.

An `erase` entry names the headers whose payloads went, by number and hash; it holds no text, no name and no id of what
was said, and is never erased itself. Where such a payload also told of rows that stay, a `restate` entry after it holds
what is left of the payload; it may go with a later erasure, which restates all of it that stays. So the last word on an
entry is that of the last `restate` entry that is there.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from kg_assets.identity import canonical_json
from kg_assets.model import Drop, EntityChange, Flip, GraphChange, JournalEntry, SlotChange
from kg_assets.ports import Ledger

ERASE, RESTATE = "erase", "restate"
NOTHING_LEFT = "erased"  # the operation under which an entry is shown of which nothing is left
LAST_ERASURE = "erasure.last"  # named value: the last `erase` entry; readers that saw another one begin anew
CHUNK = 1000
GRAPH_CHANGES: tuple[type[GraphChange], ...] = (SlotChange, EntityChange, Flip, Drop)
_FIELDS = [(kind, {each.name for each in msgspec.structs.fields(kind) if each.required}) for kind in GRAPH_CHANGES]


class Erasure(msgspec.Struct, frozen=True, kw_only=True):
    """The payload of an `erase` entry. `upto` is the last utterance that the log had."""

    certificate: dict[str, Any]
    dropped: tuple[tuple[int, str], ...]  # (entry, hash of its header)
    upto: int


class Left(msgspec.Struct, frozen=True):
    """What is left of one entry's payload."""

    entry: int
    payload: dict[str, Any]


class Restatement(msgspec.Struct, frozen=True):
    """The payload of a `restate` entry."""

    entries: tuple[Left, ...]


def graph_change(entry: JournalEntry) -> GraphChange | None:
    """What an entry changed of the graph; None where it changed nothing, or nothing is left of it.

    It is told by what the payload holds and not by the name of the operation, so that a new operation is not passed
    over. Raises `msgspec.ValidationError` where the payload holds something else under these names.
    """
    payload: dict[str, Any] = msgspec.json.decode(entry.payload) if entry.payload is not None else {}
    for kind, fields in _FIELDS:
        if fields <= payload.keys():
            return msgspec.convert(payload, kind)
    return None


class Payloads:
    """Which payloads may be missing, and what is left of them, as far as the entries given tell."""

    def __init__(self, entries: Iterable[JournalEntry] = ()) -> None:
        self.missing: dict[int, str] = {}  # entries without their payload, and the hashes of their headers
        self.dropped: dict[int, str] = {}  # those that an erasure names, likewise
        self.left: dict[int, dict[str, Any]] = {}
        self.told_by: dict[int, int] = {}  # entry → the `restate` entry with the last word on it
        for entry in entries:
            self.note(entry)

    def note(self, entry: JournalEntry) -> None:
        """Take in one entry, in the order of the journal; all but two operations are passed over."""
        if entry.payload is None:
            self.missing[entry.seq] = entry.hash
        elif entry.op == ERASE:
            self.dropped.update(dict(msgspec.json.decode(entry.payload, type=Erasure).dropped))
        elif entry.op == RESTATE:
            for each in msgspec.json.decode(entry.payload, type=Restatement).entries:
                self.left[each.entry], self.told_by[each.entry] = each.payload, entry.seq

    def justify(self, entry: JournalEntry) -> bool:
        return self.dropped.get(entry.seq) == entry.hash

    def unjustified(self) -> int | None:
        """The first entry whose payload is missing while no erasure names it."""
        return min((seq for seq, header in self.missing.items() if self.dropped.get(seq) != header), default=None)

    def told(self, entry: JournalEntry) -> JournalEntry:
        """The entry with what is left of a payload that went, or shown as `NOTHING_LEFT`."""
        if entry.payload is not None:
            return entry
        if entry.seq not in self.left:
            return msgspec.structs.replace(entry, op=NOTHING_LEFT)
        return msgspec.structs.replace(entry, payload=canonical_json(self.left[entry.seq]))


class History:
    """The journal as it stood when it was read, with what is left of the payloads that went; all of it in memory."""

    def __init__(self, ledger: Ledger) -> None:
        self.entries = list(entries_of(ledger))
        self.payloads = Payloads(self.entries)

    def told(self) -> Iterator[JournalEntry]:
        return map(self.payloads.told, self.entries)


def entries_of(ledger: Ledger, after: int = 0) -> Iterator[JournalEntry]:
    while entries := ledger.journal_after(after, CHUNK):
        yield from entries
        after = entries[-1].seq
