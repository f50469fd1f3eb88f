"""Recall over a real memory: what is found, in which order, and why."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kg_assets.errors import InvalidInput
from kg_assets.index.building import index_pending
from kg_assets.index.remember import remember
from kg_assets.model import Draft, Encoded
from kg_assets.novelty.scoring import Thresholds
from kg_assets.ports import Embedder, Memory
from kg_assets.recall.read_model import ReadModel
from kg_assets.recall.retrieve import Recalled, RecallRequest, recall
from kg_assets.recall.strategies import STRATEGIES
from kg_assets.text.instants import format_instant
from kg_assets.text.ontology import load_ontology
from resources.embedder import build_embedder
from tests.novelty.drafts import SAID_AT, draft
from tests.novelty.memories import ORIGIN, new_memory

EMBEDDER = build_embedder("hashing")
DAY = 86_400_000_000
TALK = [
    ("The kettle is on the stove", "Ana", "kitchen"),
    ("My violin lesson was moved to Thursday", "Ana", "music"),
    ("Which teacher do you have now?", "Ben", "music"),
    ("Professor Lindqvist, she is strict", "Ana", "music"),
    ("We ran out of tea", "Ben", "kitchen"),
]


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    opened = new_memory(tmp_path)
    yield opened
    opened.close()


def turns() -> list[Draft]:
    return [
        msgspec.structs.replace(
            draft(text),
            id=f"u{day}",
            speaker=speaker,
            role="user" if speaker == "Ana" else "other",
            session=session,
            said_at=SAID_AT - (10 - day) * DAY,
            tags=("asked",) if text.endswith("?") else (),
            metadata={"day": day},
        )
        for day, (text, speaker, session) in enumerate(TALK)
    ]


def say(memory: Memory, drafts: Sequence[Draft], at: int = SAID_AT) -> None:
    remember(
        memory,
        drafts,
        embedder=EMBEDDER,
        ontology=load_ontology(),
        thresholds=Thresholds(),
        origin=ORIGIN,
        clock=lambda: at,
        cap_at_batch=True,
    )


def ask(memory: Memory, query: str, model: ReadModel | None = None, **more: Any) -> Recalled:
    model = model or ReadModel(EMBEDDER)
    model.refresh(memory)
    return recall(model, RecallRequest(query=query, **more), EMBEDDER, SAID_AT)


def ids(found: Recalled) -> list[str]:
    return [result.id for result in found.results]


@pytest.mark.parametrize("strategy", sorted(STRATEGIES))
def test_the_turn_that_says_it_comes_first(memory: Memory, strategy: str) -> None:
    say(memory, turns())
    assert ids(ask(memory, "When is the violin lesson?", strategy=strategy))[0] == "u1"
    assert ids(ask(memory, "violin lesson", strategy=strategy, k=1)) == ["u1"]


def test_an_empty_memory_finds_nothing(memory: Memory) -> None:
    assert ids(ask(memory, "anything")) == []


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ({"session": "kitchen"}, {"u0", "u4"}),
        ({"session": ["kitchen", "music"], "speaker": "BEN"}, {"u2", "u4"}),
        ({"role": "user"}, {"u0", "u1", "u3"}),
        ({"tags": ["asked"]}, {"u2"}),
        ({"metadata": {"day": 3}}, {"u3"}),
        ({"said_from": format_instant(SAID_AT - 7 * DAY), "said_to": format_instant(SAID_AT - 6 * DAY)}, {"u3"}),
        ({}, {"u0", "u1", "u2", "u3", "u4"}),
    ],
)
def test_filters_say_what_may_be_found(memory: Memory, filters: dict[str, Any], found: set[str]) -> None:
    say(memory, turns())
    assert set(ids(ask(memory, "What about tea and violin?", filters=filters))) == found


@pytest.mark.parametrize(
    ("request_of", "where"),
    [
        ({"query": "  "}, "/query"),
        ({"query": "a" * 9000}, "/query"),
        ({"query": "tea", "k": 0}, "/k"),
        ({"query": "tea", "strategy": "magic"}, "/strategy"),
        ({"query": "tea", "filters": {"colour": "red"}}, "/filters/colour"),
        ({"query": "tea", "filters": {"session": 5}}, "/filters/session"),
        ({"query": "tea", "filters": {"said_to": "yesterday"}}, "/filters/said_to"),
        ({"query": "tea", "filters": {"metadata": "x"}}, "/filters/metadata"),
    ],
)
def test_a_question_that_cannot_be_read_is_told_by_its_place(
    memory: Memory, request_of: dict[str, Any], where: str
) -> None:
    say(memory, turns())
    with pytest.raises(InvalidInput) as told:
        ask(memory, **request_of)
    assert told.value.where == where


def test_what_was_recorded_later_is_not_known_yet(memory: Memory) -> None:
    say(memory, turns()[:2])
    then = memory.ledger.head().recorded_at
    say(memory, turns()[2:], at=SAID_AT + DAY)
    assert set(ids(ask(memory, "tea violin teacher", known_at=then))) == {"u0", "u1"}
    assert len(ids(ask(memory, "tea violin teacher"))) == len(TALK)


def test_a_model_that_followed_each_change_finds_what_a_new_one_finds(memory: Memory) -> None:
    followed = ReadModel(EMBEDDER)
    for each in turns():
        say(memory, [each])
        ask(memory, "tea", followed)
    index_pending(memory, EMBEDDER, load_ontology(), origin=ORIGIN, clock=lambda: SAID_AT)
    with memory.transaction():
        memory.ledger.delete_items(["u4"])
    for query in ("violin", "Is there tea?", "What does Ana's teacher teach?"):
        one, other = ask(memory, query, followed), ask(memory, query)
        assert [(each.id, round(each.score, 5)) for each in one.results] == [
            (each.id, round(each.score, 5)) for each in other.results
        ]
        assert "u4" not in ids(one)


def test_what_another_encoder_wrote_is_found_by_its_words_only(memory: Memory) -> None:
    class Other:
        version, dim, projection = "another", EMBEDDER.dim, EMBEDDER.projection

        def encode(self, texts: Sequence[str]) -> list[Encoded]:
            return EMBEDDER.encode(texts)

    say(memory, turns())
    other: Embedder = Other()
    model = ReadModel(other)
    model.refresh(memory)
    found = recall(model, RecallRequest(query="violin", explain=True), other, SAID_AT).results[0]
    assert found.id == "u1"
    assert found.explain is not None
    assert (found.explain["arms"]["dense"], found.explain["arms"]["bm25"]) == (0.0, 1.0)


def test_a_result_explains_itself(memory: Memory) -> None:
    say(memory, turns())
    best, *rest = ask(memory, "What did Ana say of the violin?", explain=True).results
    assert best.explain is not None
    assert best.explain["words"] == ["ana", "violin"]
    assert set(best.explain["arms"]) == {"late_interaction", "bm25", "speaker", "dense"}
    assert best.explain["arms"]["speaker"] == 1
    assert (best.explain["seq"], best.explain["provisional"]) == (2, True)
    assert [each.score for each in rest] == sorted((each.score for each in rest), reverse=True)
    assert all(each.explain is None for each in ask(memory, "violin").results)
