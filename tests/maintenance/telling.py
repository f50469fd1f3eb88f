"""A memory that is told things and goes through all stages, and utterances erased from it."""

from collections.abc import Sequence

import msgspec

from kg_assets.graph.belief import derive_pending
from kg_assets.graph.policies import LATEST_VALID
from kg_assets.index.building import index_pending
from kg_assets.index.remember import remember
from kg_assets.maintenance.erasure import Sign
from kg_assets.maintenance.forgetting import Forgetting, Forgotten, erase_utterances
from kg_assets.maintenance.selecting import said, said_in
from kg_assets.model import Origin, Route
from kg_assets.novelty.scoring import Thresholds
from kg_assets.ports import Memory, Stores
from kg_assets.text.instants import parse_instant
from kg_assets.text.ontology import load_ontology
from kg_assets.triples.backlog import extract_pending
from kg_assets.triples.extraction import build_extractor
from kg_assets.utterances.intake import check
from kg_assets.utterances.sealing import seal_pending
from resources.embedder import build_embedder

ORIGIN = Origin(actor="test", cause="test", run_id="run-1")
NOW = parse_instant("2026-11-01T00:00:00Z")
ALL: tuple[Route, ...] = ("immediate", "batch", "log")
RULES = ("rules",)
DAY = 86_400_000_000


def clock() -> int:
    return NOW


def say(memory: Memory, text: str, day: int, **fields: str) -> None:
    """Under the id `u<day>`, on that day of the year 2026."""
    at = parse_instant("2026-01-01T10:00:00Z") + day * DAY
    raw = {"text": text, "said_at": "2026-01-01T10:00:00Z", "id": f"u{day}", "session": "s", "speaker": "Ana", **fields}
    draft = check(raw, where="")
    remember(
        memory,
        [msgspec.structs.replace(draft, said_at=at)],
        embedder=build_embedder("hashing"),
        ontology=load_ontology(),
        thresholds=Thresholds(),
        origin=ORIGIN,
        clock=clock,
        cap_at_batch=False,
    )


def process(memory: Memory, methods: tuple[str, ...] = RULES) -> None:
    seal_pending(memory, origin=ORIGIN, clock=clock)
    extract_pending(memory, build_extractor(methods), routes=ALL, origin=ORIGIN, clock=clock)
    derive_pending(memory, load_ontology(), routes=ALL, origin=ORIGIN, clock=clock)
    index_pending(memory, build_embedder("hashing"), load_ontology(), origin=ORIGIN, clock=clock)


def how(sign: Sign | None = None, scope: str = "utterances") -> Forgetting:
    return Forgetting(
        certificate_id="c" * 32,
        scope=scope,
        sign=sign or (lambda _: b"signed"),
        clock=clock,
        origin=ORIGIN,
        embedder=build_embedder("hashing"),
        ontology=load_ontology(),
        policy=LATEST_VALID,
    )


def erase(stores: Stores, memory: Memory, *ids: str, sign: Sign | None = None) -> Forgotten:
    return erase_utterances(
        stores, memory.info.id, lambda opened: said(opened, ids), how=how(sign), holder="an erasure"
    )


def erase_sessions(stores: Stores, memory: Memory, sessions: Sequence[str], sign: Sign | None = None) -> Forgotten:
    return erase_utterances(
        stores,
        memory.info.id,
        lambda opened: said_in(opened, sessions),
        how=how(sign, "session"),
        holder="an erasure",
    )
