"""Memories that were told something, read and derived, and can be asked."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from kg_assets.answers.ask import Answer, ask
from kg_assets.graph.belief import derive_pending
from kg_assets.index.remember import remember
from kg_assets.model import Micros, Origin, Route
from kg_assets.novelty.scoring import Thresholds
from kg_assets.ports import Memory
from kg_assets.recall.read_model import ReadModel
from kg_assets.text.instants import parse_instant
from kg_assets.text.ontology import load_ontology
from kg_assets.triples.backlog import extract_pending
from kg_assets.triples.extraction import build_extractor
from kg_assets.utterances.intake import check
from resources.embedder import build_embedder
from resources.sqlite import SqliteStores

ORIGIN = Origin(actor="test", cause="test", run_id="run-1")
NOW = parse_instant("2026-11-01T00:00:00Z")
ALL: tuple[Route, ...] = ("immediate", "batch", "log")


class Told:
    """A memory; `tell` brings what is said, one utterance a day, into the graph."""

    def __init__(self, folder: Path, *, multi_speaker: bool = False) -> None:
        stores = SqliteStores(folder, b"secret", clock=lambda: NOW)
        self.memory: Memory = stores.open(stores.create("test", "ana", multi_speaker=multi_speaker, now=NOW).id)

    def tell(self, *texts: str, speaker: str | None = None) -> Micros:
        """The recorded time at which all of it is believed."""
        by = {} if speaker is None else {"speaker": speaker}
        for text in texts:
            said_at = f"2026-01-{self.memory.ledger.head().seq + 1:02d}T10:00:00Z"
            remember(
                self.memory,
                [check({"text": text, "said_at": said_at, **by}, where="")],
                embedder=build_embedder("hashing"),
                ontology=load_ontology(),
                thresholds=Thresholds(),
                origin=ORIGIN,
                clock=lambda: NOW,
                cap_at_batch=False,
            )
            extract_pending(self.memory, build_extractor(), routes=ALL, origin=ORIGIN, clock=lambda: NOW)
            derive_pending(self.memory, load_ontology(), routes=ALL, origin=ORIGIN, clock=lambda: NOW)
        return self.memory.ledger.head().recorded_at

    def ask(self, question: str, known_at: Micros | None = None, *, graph: bool = True) -> Answer:
        model = ReadModel(build_embedder("hashing"))
        model.refresh(self.memory)
        return ask(
            self.memory,
            model,
            question,
            ontology=load_ontology(),
            embedder=build_embedder("hashing"),
            now=NOW,
            known_at=known_at,
            graph=graph,
        )

    def statements(self, answer: Answer) -> set[tuple[str, str]]:
        """The predicate and object key of every fact that an answer cites."""
        facts = self.memory.graph.facts(valid_at=None, known_at=None, limit=1000)
        return {(each.belief.predicate, each.belief.object_key) for each in facts if each.id in answer.facts}


@pytest.fixture
def told(tmp_path: Path) -> Told:
    return Told(tmp_path)


@pytest.fixture(scope="module")
def friends(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Told]:
    """Three people in one memory; only to be asked."""
    told = Told(tmp_path_factory.mktemp("friends"), multi_speaker=True)
    told.tell(
        "I have lived in Porto since 2019.",
        "I moved to Lisbon yesterday.",
        "We adopted a puppy yesterday, her name is Luna!",
        "I'm engaged to Rui.",
        "My sister Joana lives in Lisbon.",
        speaker="Ana",
    )
    told.tell("I play the cello.", "I work at Nordwind.", "The red lamp fell off the shelf again.", speaker="Ben")
    told.tell("I live in Milan with my husband Paolo.", "I'm a nurse.", "My daughter Mia turned 7.", speaker="Chiara")
    yield told
    told.memory.close()
