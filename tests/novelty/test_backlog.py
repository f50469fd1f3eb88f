from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from kg_assets.model import Utterance
from kg_assets.novelty.backlog import NoveltyReport, score_pending
from kg_assets.novelty.scoring import VERSION, Thresholds
from kg_assets.ports import Memory
from kg_assets.text.ontology import load_ontology
from kg_assets.text.tokens import terms
from kg_assets.utterances.sealing import hash_of
from resources.embedder import build_embedder
from tests.novelty.drafts import SAID_AT, draft
from tests.novelty.memories import ORIGIN, believe, fact_ids, judged, new_memory

TEXTS = ["Hi!", "I moved to Lisbon in May", "We went for a long walk along the river with the dogs", "I hate tea"]


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    opened = new_memory(tmp_path)
    yield opened
    opened.close()


def import_unscored(memory: Memory, texts: list[str]) -> None:
    rows = []
    for seq, text in enumerate(texts, start=memory.ledger.head().seq + 1):
        said = draft(text)
        fields = msgspec.structs.asdict(said)
        row = Utterance(**fields, seq=seq, recorded_at=SAID_AT, content_hash=hash_of(said))
        rows.append((row, None, Counter(terms(text))))
    with memory.transaction():
        memory.ledger.append(rows)


def scored(memory: Memory, chunk: int = 2) -> NoveltyReport:
    return score_pending(
        memory,
        embedder=build_embedder("hashing"),
        ontology=load_ontology(),
        thresholds=Thresholds(),
        origin=ORIGIN,
        clock=lambda: SAID_AT,
        chunk=chunk,
    )


def test_only_what_has_no_score_is_scored_and_only_once(memory: Memory) -> None:
    believe(memory, ("likes", "tea"))
    import_unscored(memory, TEXTS)
    report = scored(memory)
    assert (report.utterances, report.scored, report.contradictions) == (5, 4, 1)
    assert sum(report.histogram) == sum(report.routes.values()) == 5
    found = memory.ledger.novelty(range(1, 6))
    assert [each.version for each in found] == ["test", *[VERSION] * 4]
    assert found[4].conflicts == fact_ids(memory, "likes")
    head = memory.ledger.head()
    assert scored(memory) == NoveltyReport(
        utterances=0, scored=0, histogram=(0,) * 10, routes={"immediate": 0, "batch": 0, "log": 0}, contradictions=0
    )
    assert memory.ledger.head() == head
    assert memory.ledger.novelty(range(1, 6)) == found


def test_an_imported_utterance_does_not_look_familiar_to_itself(memory: Memory) -> None:
    fresh = judged(memory, "The ferry to Zanzibar was late")
    import_unscored(memory, ["The ferry to Zanzibar was late"])
    scored(memory)
    (found,) = memory.ledger.novelty([1])
    assert (found.score, found.features) == (fresh.score, fresh.features)


def test_the_size_of_the_chunks_does_not_matter(tmp_path: Path) -> None:
    results = []
    for chunk in (1, 3, 500):
        memory = new_memory(tmp_path / str(chunk))
        import_unscored(memory, TEXTS * 2)
        scored(memory, chunk)
        results.append(memory.ledger.novelty(range(1, 9)))
        memory.close()
    assert results[0] == results[1] == results[2]
    assert len(results[0]) == 8
