"""The right to be forgotten: a memory destroyed whole, and a signed certificate that says so.

What stays names nobody: counts, the moment, and the headers of the journal, whose hashes still form a chain. By them an
older checkpoint is held against the present as before.
"""

import hashlib
from collections.abc import Callable, Sequence

import msgspec

from kg_assets.errors import InvalidInput
from kg_assets.graph.versions import versions
from kg_assets.identity import canonical_json
from kg_assets.journal import GENESIS, header_hash
from kg_assets.model import Erased, JournalEntry, Micros
from kg_assets.ports import Clock, Memory, Stores
from kg_assets.shards import granted, opened, renewed

FORMAT = "palimpsest-erasure/1"
CHUNK = 1000

Sign = Callable[[bytes], bytes]
Verify = Callable[[bytes, bytes], bool]


class Counts(msgspec.Struct, frozen=True, kw_only=True):
    """How much there was."""

    utterances: int
    assertions: int
    fact_versions: int
    entities: int
    index_items: int
    journal_entries: int


class Certificate(msgspec.Struct, frozen=True, kw_only=True):
    """`id` is random. `chain_hash` is SHA-256 over the kept headers, `journal_head` the hash of the last of them."""

    format: str
    id: str
    scope: str  # memory
    erased_at: Micros
    erased: Counts
    journal_head: str
    chain_hash: str
    signature: str  # Ed25519, hexadecimal, over all other fields


def erase_memory(
    stores: Stores, memory_id: str, *, certificate_id: str, sign: Sign, clock: Clock, holder: str
) -> Certificate:
    """Destroy a memory. Raises `NotFound`, and `NotReady` while a run works on it."""
    lease = granted(stores, memory_id, holder=holder, clock=clock, advice="erase it again")
    with renewed(stores, lease, clock), opened(stores, memory_id, lease) as memory, memory.snapshot():
        headers = headers_of(memory)
        counts = counts_of(memory, len(headers))
    chain = msgspec.json.encode(headers)
    unsigned = Certificate(
        format=FORMAT,
        id=certificate_id,
        scope="memory",
        erased_at=clock(),
        erased=counts,
        journal_head=headers[-1].hash if headers else GENESIS,
        chain_hash=hashlib.sha256(chain).hexdigest(),
        signature="",
    )
    certificate = msgspec.structs.replace(unsigned, signature=sign(signed_part(unsigned)).hex())
    stores.erase(
        memory_id,
        Erased(
            id=certificate.id,
            erased_at=certificate.erased_at,
            certificate=msgspec.json.encode(certificate),
            chain=chain,
        ),
    )
    return certificate


def headers_of(memory: Memory) -> list[JournalEntry]:
    """All entries without what they tell."""
    headers: list[JournalEntry] = []
    while entries := memory.ledger.journal_after(len(headers), CHUNK):
        headers += [msgspec.structs.replace(entry, payload=None, salt=None) for entry in entries]
    return headers


def counts_of(memory: Memory, journal_entries: int) -> Counts:
    return Counts(
        utterances=memory.ledger.utterance_count(),
        assertions=memory.ledger.assertion_count(),
        fact_versions=sum(1 for _ in versions(memory.graph)),
        entities=len(memory.graph.all_entities()),
        index_items=memory.ledger.item_count(),
        journal_entries=journal_entries,
    )


def signed_part(certificate: Certificate) -> bytes:
    return canonical_json({**msgspec.to_builtins(certificate), "signature": ""})


# ------------------------------------------------------------------------------------------------------ checking


def read(content: bytes, *, where: str) -> Certificate:
    """Raises `InvalidInput`."""
    try:
        return msgspec.json.decode(content, type=Certificate)
    except msgspec.DecodeError as ex:
        raise InvalidInput(f"is no certificate of erasure ({ex})", where=where) from ex


def sound(certificate: Certificate, verify: Verify) -> bool:
    """Signed with this key, and nothing in it was altered since. The public key alone is needed."""
    try:
        signature = bytes.fromhex(certificate.signature)
    except ValueError:
        return False
    return certificate.format == FORMAT and verify(signed_part(certificate), signature)


def broken(erased: Erased, verify: Verify) -> str | None:
    """What is wrong with what was kept of an erased memory; None where certificate and chain hold."""
    certificate = read(erased.certificate, where=erased.id)
    if not sound(certificate, verify):
        return "the certificate was altered, or was signed with another key"
    if hashlib.sha256(erased.chain).hexdigest() != certificate.chain_hash:
        return "the headers are not those that were certified"
    headers = chain_of(erased)
    previous = GENESIS
    for seq, entry in enumerate(headers, start=1):
        if (entry.seq, entry.prev_hash, entry.hash) != (seq, previous, header_hash(entry)):
            return f"journal entry {seq}: its header is not as it was"
        previous = entry.hash
    return None if previous == certificate.journal_head else "the chain does not end where the certificate says"


def chain_of(erased: Erased) -> list[JournalEntry]:
    return msgspec.json.decode(erased.chain, type=list[JournalEntry])


def held_entry(kept: Sequence[Erased], journal_seq: int, journal_hash: str) -> bool:
    """Whether one of the erased journals had this entry at this place."""
    for erased in kept:
        headers = chain_of(erased)
        if journal_seq <= len(headers) and headers[journal_seq - 1].hash == journal_hash:
            return True
    return False
