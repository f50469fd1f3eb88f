"""Keyed ids. Every id that derives from content is an HMAC under the memory's own key.

Erasure destroys the key, so that nobody can confirm erased content by guessing it.
"""

import hashlib
import hmac
from typing import Any

import msgspec

ID_BYTES = 16


def canonical_json(value: Any) -> bytes:
    """Sorted keys, no spaces, UTF-8: the one byte form that is hashed."""
    return msgspec.json.encode(value, order="sorted")


def keyed_id(key: bytes, kind: str, *parts: Any) -> str:
    """32 hex digits naming (kind, parts) under one memory's key."""
    message = canonical_json([kind, *parts])
    return hmac.new(key, message, hashlib.sha256).digest()[:ID_BYTES].hex()


def fact_id(key: bytes, subject_id: str, predicate: str, object_key: str) -> str:
    """The statement: the same for every version of its history."""
    return keyed_id(key, "fact", subject_id, predicate, object_key)


def version_id(
    key: bytes, fact: str, valid_from: int | None, valid_to: int | None, generation: int, journal_seq: int
) -> str:
    """One row of a statement's history."""
    return keyed_id(key, "version", fact, valid_from, valid_to, generation, journal_seq)


def entity_id(key: bytes, canonical_key: str) -> str:
    """An entity, by the normal form of its first mention."""
    return keyed_id(key, "entity", canonical_key)


def content_hash(*parts: Any) -> str:
    """Plain SHA-256 over canonical JSON, 64 hex digits; for comparing content, never published for one person."""
    return hashlib.sha256(canonical_json(list(parts))).hexdigest()
