"""Recall as of a recorded time finds what was believed then, and costs nothing when nobody asks for it."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from kg_assets.index.building import index_pending
from kg_assets.model import Encoded
from kg_assets.ports import Embedder, Memory
from kg_assets.recall.read_model import ReadModels
from kg_assets.recall.retrieve import RecallRequest, recall
from kg_assets.text.ontology import load_ontology
from resources.embedder import build_embedder
from tests.novelty.memories import ORIGIN, SAID_AT, believe, new_memory

EMBEDDER = build_embedder("hashing")


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    opened = new_memory(tmp_path)
    yield opened
    opened.close()


class Other:
    """The same vectors under another name."""

    version, dim, projection = "another", EMBEDDER.dim, EMBEDDER.projection

    def encode(self, texts: Sequence[str]) -> list[Encoded]:
        return EMBEDDER.encode(texts)


def index(memory: Memory) -> None:
    index_pending(memory, EMBEDDER, load_ontology(), origin=ORIGIN, clock=lambda: SAID_AT)


def moment(memory: Memory) -> int:
    return memory.ledger.head().recorded_at


def found(models: ReadModels, memory: Memory, known_at: int | None, embedder: Embedder = EMBEDDER) -> list[str]:
    request = RecallRequest(query="Where does Ana live?", kinds=("fact",), known_at=known_at)
    results = recall(models.at(memory, known_at), request, embedder, SAID_AT).results
    return sorted(result.text for result in results if " lives in " in result.text)


def test_a_past_read_finds_the_same_before_and_after_belief_changed(memory: Memory) -> None:
    models = ReadModels(EMBEDDER)
    believe(memory, ("lives_in", "Porto"), days_ago=50)
    index(memory)
    then = moment(memory)
    before = found(models, memory, then)
    believe(memory, ("lives_in", "Lisbon"), days_ago=10)
    index(memory)
    assert before == ["Ana lives in Porto."]
    assert found(models, memory, then) == before
    assert found(ReadModels(EMBEDDER), memory, then) == before
    now = found(models, memory, None)
    assert any(text.startswith("Ana lives in Lisbon") for text in now)
    assert found(models, memory, moment(memory)) == now
    assert "Ana lives in Porto." not in now


def test_what_was_believed_only_between_two_runs_of_the_index_is_found(memory: Memory) -> None:
    believe(memory, ("lives_in", "Porto"), days_ago=50)
    then = moment(memory)
    believe(memory, ("lives_in", "Lisbon"), days_ago=10)
    index(memory)
    assert found(ReadModels(EMBEDDER), memory, then) == ["Ana lives in Porto."]


def test_another_encoder_encodes_the_past_too(memory: Memory) -> None:
    believe(memory, ("lives_in", "Porto"), days_ago=50)
    index(memory)
    then = moment(memory)
    believe(memory, ("lives_in", "Lisbon"), days_ago=10)
    index(memory)
    other = Other()
    index_pending(memory, other, load_ontology(), origin=ORIGIN, clock=lambda: SAID_AT)
    assert {item.index_version for item in memory.ledger.items_after(0, retired=True)} == {other.version}
    assert found(ReadModels(other), memory, then, other) == ["Ana lives in Porto."]


def test_questions_about_today_hold_nothing_of_what_was_given_up(memory: Memory) -> None:
    models = ReadModels(EMBEDDER)
    for days_ago, place in enumerate(["Porto", "Lisbon", "Bern", "Oslo", "Rome"]):
        believe(memory, ("lives_in", place), days_ago=50 - 5 * days_ago)
        index(memory)
    present, past = models.at(memory, None), models.at(memory, 1)
    believed = len(memory.graph.facts(valid_at=None, known_at=None))
    retired = memory.ledger.items_after(0, retired=True)
    assert len(retired) >= 4
    utterances = len(memory.ledger.item_ids("utterance"))
    assert (len(present), len(past)) == (believed + utterances, believed + utterances + len(retired))
    assert models.at(memory, moment(memory)) is present
