"""What erasures say: which payloads may be missing, what is left of them, and that who erased held the signing key."""

import hashlib
from contextlib import suppress
from functools import cached_property

import msgspec

from kg_assets.errors import Corrupt
from kg_assets.identity import canonical_json
from kg_assets.maintenance.erasure import Certificate, Verify, sound
from kg_assets.model import JournalEntry
from kg_assets.payloads import ERASE, RESTATE, Erasure, Payloads, Restatement, entries_of
from kg_assets.ports import Memory
from quality.told_evidence import UNREADABLE, read


class ToldErasures:
    """What later entries tell of earlier ones is read ahead where the first payload is missing, and believed for the
    time being: each of those entries is then checked in its turn."""

    def __init__(self, memory: Memory, verify: Verify | None) -> None:
        self.memory, self.verify = memory, verify
        self.head = ""  # hash of the entry before

    @cached_property
    def _payloads(self) -> Payloads:
        found = Payloads()
        with suppress(msgspec.DecodeError, Corrupt):  # what was altered is found in its turn
            for entry in entries_of(self.memory.ledger):
                found.note(entry)
        return found

    def justify(self, entry: JournalEntry) -> bool:
        return self._payloads.justify(entry)

    def unjustified(self) -> str | None:
        """The first missing payload that no erasure names: what it told of other entries is missing with it."""
        seq = self._payloads.unjustified()
        return f"journal entry {seq}: its payload is missing and no erasure says so" if seq else None

    def told(self, entry: JournalEntry) -> JournalEntry:
        """The entry with what is left of its payload."""
        return entry if entry.payload is not None else self._payloads.told(entry)

    def differs(self, entry: JournalEntry) -> str | None:
        """What an erasure tells that is not so."""
        if entry.op == RESTATE:
            return None if read(entry, Restatement) else UNREADABLE
        if entry.op != ERASE:
            return None
        told = read(entry, Erasure)
        if told is None:
            return UNREADABLE
        try:
            certificate = msgspec.convert(told.certificate, Certificate)
        except msgspec.ValidationError:
            return UNREADABLE
        if self.verify and not sound(certificate, self.verify):
            return "the certificate of its erasure was altered, or was signed with another key"
        if hashlib.sha256(canonical_json(told.dropped)).hexdigest() != certificate.chain_hash:
            return "it names other headers than its certificate covers"
        kept = {each.seq for each in self.memory.ledger.journal([seq for seq, _ in told.dropped]) if each.payload}
        return f"the payload of entry {min(kept)}, which it erased, is there" if kept else None
