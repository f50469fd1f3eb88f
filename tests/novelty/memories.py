"""A real memory of Ana's, and what it believes."""

from pathlib import Path

from kg_assets.graph.belief import derive_pending
from kg_assets.index.remember import remember
from kg_assets.model import SELF_KEY, Assertion, Literal, Mention, NoveltyScore, Origin, Role, Utterance
from kg_assets.novelty.known import known_of
from kg_assets.novelty.nearness import spoken
from kg_assets.novelty.reading import read
from kg_assets.novelty.scoring import Thresholds, score
from kg_assets.ports import Memory
from kg_assets.text.names import normal_form
from kg_assets.text.ontology import load_ontology
from resources.embedder import build_embedder
from resources.sqlite import SqliteStores
from tests.novelty.drafts import SAID_AT, draft

ORIGIN = Origin(actor="test", cause="test", run_id="run-1")
DAY = 86_400_000_000


def new_memory(folder: Path, name: str = "ana") -> Memory:
    stores = SqliteStores(folder, b"secret", clock=lambda: SAID_AT)
    return stores.open(stores.create("test", name, now=SAID_AT).id)


def believe(memory: Memory, *statements: tuple[str, str | Literal], days_ago: int = 100) -> None:
    """Let the memory hold (predicate, object) of its own person, since some days."""
    seq = memory.ledger.head().seq + 1
    said_at = SAID_AT - days_ago * DAY
    utterance = Utterance(
        id=f"said {seq}",
        session="s",
        speaker="Ana",
        role="user",
        text="…",
        said_at=said_at,
        seq=seq,
        recorded_at=SAID_AT,
        content_hash="",
    )
    unread = NoveltyScore(seq=seq, score=50.0, route="batch", parts={}, features={}, conflicts=(), version="test")
    with memory.transaction():
        memory.ledger.append([(utterance, unread, {})])
        memory.ledger.done("extract", [seq])
        memory.ledger.add_assertions([_assertion(utterance, *statement) for statement in statements])
        memory.ledger.enqueue("derive", [seq])
    derive_pending(memory, load_ontology(), routes=("batch",), origin=ORIGIN, clock=lambda: SAID_AT)


def _assertion(utterance: Utterance, predicate: str, target: str | Literal) -> Assertion:
    named = target if isinstance(target, Literal) else Mention(surface=target, key=normal_form(target), type="thing")
    return Assertion(
        id=f"{utterance.id} {predicate} {target}",
        utterance_id=utterance.id,
        seq=utterance.seq,
        said_at=utterance.said_at,
        subject=Mention(surface="Ana", key=SELF_KEY, type="person"),
        predicate=predicate,
        object=named,
        polarity="affirmed",
        valid_from=utterance.said_at,
        valid_to=None,
        start_known=False,
        precision="unknown",
        confidence=900,
        authority="user",
        extractor="rules",
        extractor_version="test",
        span=None,
    )


def judged(memory: Memory, text: str, *, role: Role = "user", cap_at_batch: bool = False) -> NoveltyScore:
    """The score that a text would get now."""
    ontology = load_ontology()
    found = read(
        draft(text, role=role, speaker="Ana" if role == "user" else "Helper"),
        ontology,
        multi_speaker=memory.info.multi_speaker,
    )
    embedder = build_embedder("hashing")
    own = spoken(found, embedder.encode([text])[0], embedder.projection)
    known = known_of(memory, [found], ontology, embedder.version)
    return score(found, own, known, Thresholds(), seq=memory.ledger.head().seq + 1, cap_at_batch=cap_at_batch)


def fact_ids(memory: Memory, predicate: str) -> tuple[str, ...]:
    facts = memory.graph.facts(valid_at=SAID_AT, known_at=None, predicates=[predicate])
    return tuple(sorted(fact.id for fact in facts))


def remember_text(memory: Memory, text: str) -> None:
    """Append it, with its vectors."""
    remember(
        memory,
        [draft(text)],
        embedder=build_embedder("hashing"),
        ontology=load_ontology(),
        thresholds=Thresholds(),
        origin=ORIGIN,
        clock=lambda: SAID_AT,
        cap_at_batch=False,
    )
