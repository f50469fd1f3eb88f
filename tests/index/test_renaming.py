"""Items speak of entities by the names that they have now."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from kg_assets.graph.belief import derive_pending
from kg_assets.index.building import index_pending
from kg_assets.index.remember import remember
from kg_assets.model import Encoded
from kg_assets.novelty.scoring import Thresholds
from kg_assets.ports import Embedder, Memory
from kg_assets.text.ontology import load_ontology
from kg_assets.triples.backlog import extract_pending
from kg_assets.triples.extraction import build_extractor
from kg_assets.utterances.intake import check
from resources.embedder import build_embedder
from tests.novelty.memories import ORIGIN, SAID_AT, new_memory

ROUTES = ("immediate", "batch", "log")


class Counting:
    """An encoder that notes which texts it was given; it breaks off after some calls."""

    def __init__(self, calls: int = 1000) -> None:
        self.inner = build_embedder("hashing")
        self.version, self.dim, self.projection = self.inner.version, self.inner.dim, self.inner.projection
        self.texts: list[str] = []
        self.calls = calls

    def encode(self, texts: Sequence[str]) -> list[Encoded]:
        self.calls -= 1
        if self.calls < 0:
            raise KeyboardInterrupt
        self.texts += texts
        return self.inner.encode(texts)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    opened = new_memory(tmp_path)
    yield opened
    opened.close()


def say(memory: Memory, *texts: str) -> None:
    for text in texts:
        day = memory.ledger.head().seq + 1
        raw = {"id": text, "text": text, "said_at": f"2026-05-{day:02d}T18:04:00Z", "session": "s"}
        remember(
            memory,
            [check(raw, where="")],
            embedder=build_embedder("hashing"),
            ontology=load_ontology(),
            thresholds=Thresholds(),
            origin=ORIGIN,
            clock=lambda: SAID_AT,
            cap_at_batch=False,
        )
    extract_pending(memory, build_extractor(), routes=ROUTES, origin=ORIGIN, clock=lambda: SAID_AT)
    derive_pending(memory, load_ontology(), routes=ROUTES, origin=ORIGIN, clock=lambda: SAID_AT)


def build(memory: Memory, embedder: Embedder | None = None) -> None:
    index_pending(memory, embedder or Counting(), load_ontology(), origin=ORIGIN, clock=lambda: SAID_AT)


def texts(memory: Memory) -> set[str]:
    return {item.text for item in memory.ledger.items_after(0) if item.kind == "fact"}


def test_a_name_given_later_stands_in_the_items_of_older_facts(memory: Memory) -> None:
    say(memory, "I live in Porto.", "I work at Nordwind.")
    build(memory)
    assert texts(memory) == {"user lives in Porto.", "user works at Nordwind."}
    say(memory, "My name is Ana.")
    build(memory)
    assert {"Ana lives in Porto.", "Ana works at Nordwind."} < texts(memory)
    assert not any(text.startswith("user") for text in texts(memory))
    assert {item.speaker for item in memory.ledger.items_after(0) if item.kind == "fact"} == {"Ana"}


def test_only_the_items_that_say_the_old_name_are_encoded_again(memory: Memory) -> None:
    say(memory, "I live in Porto.", "My friend Tom works at Nordwind.")
    build(memory)
    of_tom = {text for text in texts(memory) if "user" not in text}
    say(memory, "My name is Ana.")
    encoder = Counting()
    build(memory, encoder)
    assert "Ana lives in Porto." in encoder.texts
    assert of_tom
    assert of_tom.isdisjoint(encoder.texts)


def test_a_run_that_breaks_off_leaves_no_old_name_behind(memory: Memory) -> None:
    say(memory, "I live in Porto.", "I work at Nordwind.")
    build(memory)
    say(memory, "My name is Ana.")
    for calls in (0, 1, 1):  # at the turns, at the old facts, at the new one
        with pytest.raises(KeyboardInterrupt):
            build(memory, Counting(calls))
    build(memory)
    assert not any(text.startswith("user") for text in texts(memory))
    assert memory.value("index.journal_seq") == str(memory.ledger.head().journal_seq)


def test_what_was_believed_under_the_old_name_keeps_it(memory: Memory) -> None:
    say(memory, "I live in Porto.")
    build(memory)
    say(memory, "I live in Lisbon now.")
    build(memory)
    say(memory, "My name is Ana.")
    build(memory)
    (retired,) = [item for item in memory.ledger.items_after(0, retired=True) if "Porto" in item.text]
    assert retired.text == "user lives in Porto."
