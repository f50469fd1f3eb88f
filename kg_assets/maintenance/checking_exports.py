"""Whether an export is whole: no line is missing, no word was altered, and the journal in it is a chain.

Who wrote the export could have written another; what is found is whether it was changed since. A statement that was
asserted without a text is held by its id and place only.
"""

from collections.abc import Iterable
from typing import Any

import msgspec

from kg_assets.errors import InvalidInput
from kg_assets.identity import canonical_json
from kg_assets.journal import GENESIS, first_broken
from kg_assets.maintenance.export import FORMAT
from kg_assets.model import JournalEntry
from kg_assets.payloads import ERASE, RESTATE, Erasure, Restatement
from kg_assets.text.instants import parse_instant
from kg_assets.utterances.intake import FIELDS, check
from kg_assets.utterances.sealing import hash_of

Line = dict[str, Any]


def checked_export(lines: Iterable[Line]) -> Line:
    """The header. Raises `InvalidInput` naming the first line that is not as it was exported; O(utterances) memory."""
    header: Line | None = None
    last: Line = {}
    count, seq, head = 0, 0, GENESIS
    said: dict[str, str] = {}
    told: set[str] = set()
    missing: dict[int, tuple[int, str]] = {}  # entry whose payload is missing → line, hash of its header
    for line in lines:
        count, last = count + 1, line
        if header is None:
            header = _header(line)
        elif line.get("kind") == "utterance":
            said[str(line.get("id"))] = _content(line, count)
        elif line.get("kind") == "journal":
            entry = _entry(line, count)
            broken = first_broken([entry], after_hash=head, after_seq=seq, erased=lambda _: True)
            if broken:
                raise InvalidInput(f"line {count}: {broken}; export it again")
            seq, head = entry.seq, entry.hash
            if entry.payload is None:
                missing[entry.seq] = (count, entry.hash)
            else:
                told |= _told(entry, line["payload"], missing, count)
    if header is None or last.get("kind") != "end" or last.get("lines") != count:
        raise InvalidInput(f"was cut: it has {count} lines and no end that says so; export it again")
    if (seq, head, len(said)) != (header.get("journal_entries"), header.get("journal_head"), header.get("utterances")):
        raise InvalidInput("does not hold the utterances and the journal that its first line tells of; export it again")
    if missing:
        number, _ = min(missing.values())
        raise InvalidInput(f"line {number}: its payload is missing and no erasure says so; export it again")
    strange = next((name for name, content in said.items() if content not in told), None)
    if strange is not None:
        raise InvalidInput(f"utterance {strange!r} is not the one that its journal tells of; export it again")
    return header


def _header(line: Line) -> Line:
    if line.get("format") != FORMAT:
        raise InvalidInput(f"is no export in the format {FORMAT}; make one with `palimpsest export`")
    return line


def _content(line: Line, number: int) -> str:
    draft = check({field: line[field] for field in FIELDS if field in line}, where=f"line {number}")
    if hash_of(draft) != line.get("content_hash"):
        raise InvalidInput(f"line {number}: utterance {draft.id!r} was altered (its content_hash differs)")
    return hash_of(draft)


def _told(entry: JournalEntry, payload: Line, missing: dict[int, tuple[int, str]], number: int) -> set[str]:
    """Hashes of the utterances that an entry tells of. An erasure takes the entries that it names off `missing`."""
    try:
        if entry.op == ERASE:
            for seq, header in msgspec.convert(payload, Erasure).dropped:
                if seq in missing and missing[seq][1] == header:
                    del missing[seq]
        elif entry.op == RESTATE:
            left = [each.payload for each in msgspec.convert(payload, Restatement).entries]
            return {str(each["content_hash"]) for each in left if "content_hash" in each}
        elif entry.op == "remember":
            return {str(payload.get("content_hash"))}
    except msgspec.ValidationError as ex:
        raise InvalidInput(f"line {number}: tells of an erasure in another form ({ex}); export it again") from ex
    return set()


def _entry(line: Line, number: int) -> JournalEntry:
    try:
        return JournalEntry(
            seq=line["seq"],
            op=line["op"],
            recorded_at=parse_instant(line["recorded_at"]),
            actor=line["actor"],
            cause=line["cause"],
            run_id=line["run_id"],
            code_version=line["code_version"],
            payload_hash=line["payload_hash"],
            prev_hash=line["prev_hash"],
            hash=line["hash"],
            payload=None if line["payload"] is None else canonical_json(line["payload"]),
            salt=None if line["salt"] is None else bytes.fromhex(line["salt"]),
        )
    except (KeyError, TypeError, ValueError) as ex:
        raise InvalidInput(f"line {number}: is no journal entry ({ex})") from ex
