"""The state hash: what is believed now, in one number that does not depend on backend, order, batches or Python."""

import hashlib
from collections.abc import Iterable

from kg_assets.graph.sources import Sources
from kg_assets.identity import canonical_json
from kg_assets.model import Belief


def slot_hash(beliefs: Iterable[Belief]) -> str:
    """SHA-256 over the current beliefs of one slot; empty where there are none.

    Recorded times, ids, run ids, scores and versions are left out: they differ between two honest rebuilds.
    """
    rows = sorted(canonical_json(content(belief)) for belief in beliefs)
    return hashlib.sha256(b"\n".join(rows)).hexdigest() if rows else ""


def content(belief: Belief) -> list[object]:
    """What two stores must agree on about one belief."""
    return [
        belief.subject_key,
        belief.predicate,
        belief.object_key,
        belief.valid_from,
        belief.valid_to,
        belief.precision,
        belief.start_known,
        "affirmed",
        sorted(belief.utterances),
        belief.confidence,
        belief.authority,
    ]


def state_hash(memory: Sources) -> str:
    """SHA-256 over the sorted slot hashes of current belief.

    It costs a read of them all: for the end of a run, and for who asks, never for each change.
    """
    return hashlib.sha256("\n".join(sorted(memory.graph.slot_hashes())).encode()).hexdigest()
