"""The whole line, from words to belief: order, batch sizes and repetition do not change what is believed."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kg_assets.graph.belief import derive_pending
from kg_assets.graph.state import state_hash
from kg_assets.index.remember import remember
from kg_assets.model import Draft, Origin, Route
from kg_assets.novelty.scoring import Thresholds
from kg_assets.ports import Memory
from kg_assets.text.ontology import load_ontology
from kg_assets.triples.backlog import extract_pending
from kg_assets.triples.extraction import build_extractor
from kg_assets.utterances.formats import read
from resources.embedder import build_embedder
from resources.sqlite import SqliteStores

SAMPLE = sorted((Path(__file__).parent.parent / "examples").glob("*.chat"))
ORIGIN = Origin(actor="test", cause="test", run_id="run", code_version="1")
NOW = 1_800_000_000_000_000
ALL: tuple[Route, ...] = ("immediate", "batch", "log")


def sample() -> list[Draft]:
    return [draft for path in SAMPLE for _, draft in read(path, "chat") if isinstance(draft, Draft)]


def remembered(stores: SqliteStores, name: str, batches: Sequence[Sequence[Draft]], *, cap: bool) -> Memory:
    memory = stores.open(stores.create("test", name, multi_speaker=True, now=NOW).id)
    for batch in batches:
        remember(
            memory,
            batch,
            embedder=build_embedder("hashing"),
            ontology=load_ontology(),
            thresholds=Thresholds(),
            origin=ORIGIN,
            clock=lambda: NOW,
            cap_at_batch=cap,
        )
    return memory


def process(memory: Memory, routes: Sequence[Route], *, extract_chunk: int = 64, derive_chunk: int = 200) -> None:
    extract_pending(memory, build_extractor(), routes=routes, origin=ORIGIN, clock=lambda: NOW, chunk=extract_chunk)
    derive_pending(memory, load_ontology(), routes=routes, origin=ORIGIN, clock=lambda: NOW, chunk=derive_chunk)


def cut(drafts: Sequence[Draft], size: int) -> list[Sequence[Draft]]:
    return [drafts[start : start + size] for start in range(0, len(drafts), size)]


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The state hash of the sample, processed at once."""
    stores = SqliteStores(tmp_path_factory.mktemp("expected"), b"secret", clock=lambda: NOW)
    memory = remembered(stores, "expected", [sample()], cap=True)
    process(memory, ALL)
    return state_hash(memory)


def test_the_sample_leads_to_beliefs_at_all(expected: str, tmp_path: Path) -> None:
    stores = SqliteStores(tmp_path, b"secret", clock=lambda: NOW)
    memory = remembered(stores, "again", [sample()], cap=True)
    assert state_hash(memory) != expected
    process(memory, ALL)
    assert len(memory.graph.facts(valid_at=None, known_at=None)) > 10
    assert state_hash(memory) == expected


@settings(deadline=None, max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    append=st.sampled_from([1, 7, 50]),
    extract_chunk=st.sampled_from([1, 5, 64]),
    derive_chunk=st.sampled_from([1, 3, 200]),
    routes=st.permutations(ALL),
    cap=st.booleans(),
    twice=st.booleans(),
)
def test_the_state_hash_does_not_depend_on_how_the_log_was_processed(
    expected: str,
    tmp_path_factory: pytest.TempPathFactory,
    append: int,
    extract_chunk: int,
    derive_chunk: int,
    routes: list[Route],
    cap: bool,
    twice: bool,
) -> None:
    stores = SqliteStores(tmp_path_factory.mktemp("run"), b"secret", clock=lambda: NOW)
    memory = remembered(stores, "run", cut(sample(), append), cap=cap)
    for route in routes:  # by route: later words may be read long before earlier ones
        process(memory, [route], extract_chunk=extract_chunk, derive_chunk=derive_chunk)
    if twice:
        with memory.transaction():
            memory.ledger.enqueue("extract", [each.seq for each in memory.ledger.utterances_after(0, 1000)])
        process(memory, ALL)
    assert state_hash(memory) == expected
