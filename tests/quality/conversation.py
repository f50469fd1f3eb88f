"""A memory with something in every table, made by the stages themselves, for tests that look at the whole of it."""

from kg_assets.graph.belief import derive_pending
from kg_assets.index.building import index_pending
from kg_assets.index.remember import remember
from kg_assets.maintenance.generations import Circumstances, rebuild
from kg_assets.model import Micros, Origin, Route
from kg_assets.novelty.scoring import Thresholds
from kg_assets.ports import Memory
from kg_assets.text.instants import parse_instant
from kg_assets.text.ontology import load_ontology
from kg_assets.triples.asserting import assert_statements, check_statement
from kg_assets.triples.backlog import extract_pending
from kg_assets.triples.extraction import build_extractor
from kg_assets.utterances.intake import check
from kg_assets.utterances.sealing import seal_pending
from resources.embedder import build_embedder

NOW: Micros = parse_instant("2026-11-01T00:00:00Z")
ORIGIN = Origin(actor="test", cause="test/shard-00", run_id="run-1", code_version="1")
ALL: tuple[Route, ...] = ("immediate", "batch", "log")
DAYS = [  # each is read and derived before the next is told; what is told last waits
    (
        "I live in Porto.",
        "My sister lives in Braga.",
        "I work at Nordwind.",
        "I like rice.",
        "My brother's name is Tom.",
        "I am 34 years old.",
        "I have a dog.",
        "I speak Portuguese.",
    ),
    (
        "I moved to Lisbon in May 2026.",
        "My sister's name is Anna.",
        "I started working at Acme in June 2026.",
        "Anna likes tea.",
        "Tom lives in Faro.",
        "I play the piano.",
        "I don't like rice.",
        "My dog's name is Rex.",
    ),
    (
        "I no longer live in Lisbon.",
        "I like coffee.",
        "My sister's name is Berta, not Anna.",
        "Tom works at Nordwind.",
        "I was born in Coimbra.",
        "My favourite colour is green.",
        "I quit my job at Acme.",
        "I live in Évora.",
    ),
    (
        "Tom moved to Braga in September 2026.",
        "I am allergic to peanuts.",
        "My brother is a nurse.",
        "I own a bicycle.",
        "I like chess.",
        "Berta is married to Carlos.",
        "I started working at Blau in October 2026.",
        "We talked about the weather for a while.",
    ),
    ("I like swimming.", "My sister lives in Porto.", "I live in Setúbal."),
]
REBUILT_AFTER = 1  # so that facts and entities of two generations are there
CIRCUMSTANCES = Circumstances(
    ontology=load_ontology(), embedder=build_embedder("hashing"), origin=ORIGIN, clock=lambda: NOW
)
STATED = {"subject": "Tom", "predicate": "works_at", "object": "Acme", "valid_from": "2026-10"}


def converse(memory: Memory) -> None:
    """Some 35 utterances in two sessions: facts that end, a name that is corrected, a second generation of belief,
    a statement without a text."""
    turns = 0
    for day, texts in enumerate(DAYS):
        for text in texts:
            turns += 1
            said = {"text": text, "said_at": f"2026-10-{day + 1:02}T10:{turns:02}:00Z", "id": f"turn {turns}"}
            about = {"session": f"s-{turns % 2}", "speaker": "Ana", "tags": ["told"], "metadata": {"line": turns}}
            remember(
                memory,
                [check({**said, **about}, where="")],
                embedder=build_embedder("hashing"),
                ontology=load_ontology(),
                thresholds=Thresholds(),
                origin=ORIGIN,
                clock=lambda: NOW,
                cap_at_batch=False,
            )
        if texts is not DAYS[-1]:
            process(memory)
        if day == REBUILT_AFTER:
            rebuild(memory, CIRCUMSTANCES)
    statement = check_statement(STATED, load_ontology(), where="")
    assert_statements(memory, [statement], load_ontology(), clock=lambda: NOW, origin=ORIGIN)


def process(memory: Memory) -> None:
    """All stages over what waits."""
    seal_pending(memory, origin=ORIGIN, clock=lambda: NOW)
    extract_pending(memory, build_extractor(("rules",)), routes=ALL, origin=ORIGIN, clock=lambda: NOW)
    derive_pending(memory, load_ontology(), routes=ALL, origin=ORIGIN, clock=lambda: NOW)
    index_pending(memory, build_embedder("hashing"), load_ontology(), origin=ORIGIN, clock=lambda: NOW)
