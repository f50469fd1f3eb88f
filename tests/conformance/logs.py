"""Logs of evidence, told to a memory and derived through the domain's own path."""

import random
from collections.abc import Sequence

from kg_assets.graph.belief import derive_pending
from kg_assets.model import SAME_AS, Assertion, Entity, Fact, Literal, NoveltyScore, Origin, Route, Utterance
from kg_assets.ports import Memory
from kg_assets.text.ontology import load_ontology
from tests.graph.evidence import DAY, assertion, mention

ORIGIN = Origin(actor="tests", cause="a log", run_id="run-1", code_version="1")
ROUTES: tuple[Route, ...] = ("immediate", "batch", "log")
PEOPLE, PLACES = ("ana", "ben", "cleo", "ana's sister", "cléo"), ("lisbon", "porto", "bern", "oslo", "pórto")


def random_log(seed: int, length: int) -> list[Assertion]:
    """One assertion a day: moves and employments, likings, marriages, ages, denials, and names that join and part."""
    chance = random.Random(seed)
    log = []
    for day in range(1, length + 1):
        subject = chance.choice(PEOPLE)
        predicate = chance.choice(["lives_in", "works_at", "likes", "spouse", "age", "a_predicate_of_no_ontology"])
        target = chance.choice(PEOPLE if predicate == "spouse" else PLACES)
        polarity = chance.choices(["affirmed", "denied", "retracted"], [8, 1, 1])[0]
        since = chance.choice([None, max(1, day - chance.randrange(20))])
        told = assertion(subject, predicate, target, said=day, since=since, polarity=polarity)
        if predicate == "age":
            age = Literal(value=chance.choice([34, 34.5, "thirty-four", True]), type="number")
            told = assertion(subject, predicate, target, said=day, object=age)
        elif chance.random() < 0.1:
            told = assertion(
                "ana's sister", SAME_AS, "cleo", said=day, object=mention("cleo", "person"), polarity=polarity
            )
        log.append(told)
    return log


def tell(memory: Memory, log: Sequence[Assertion]) -> None:
    """An utterance for each assertion, in one transaction, as if it had been extracted."""
    with memory.transaction():
        for each in log:
            utterance = Utterance(
                id=each.utterance_id, session="s", speaker="Ana", role="other", text="…", said_at=each.said_at,
                seq=each.seq, recorded_at=each.said_at, content_hash="",
            )  # fmt: skip
            score = NoveltyScore(
                seq=each.seq, score=50.0, route="batch", parts={}, features={}, conflicts=(), version="test"
            )
            memory.ledger.append([(utterance, score, {})])
            memory.ledger.done("extract", [each.seq])
        memory.ledger.add_assertions(log)
        memory.ledger.enqueue("derive", [each.seq for each in log])


def derive(memory: Memory, *, now: int, chunk: int = 200) -> None:
    derive_pending(memory, load_ontology(), routes=ROUTES, origin=ORIGIN, clock=lambda: now, chunk=chunk)


def live_through(memory: Memory, log: Sequence[Assertion], *, days: int = 5) -> None:
    """Told and derived every few days, so that belief has a history; the same recorded times in every store."""
    for start in range(0, len(log), days):
        told = log[start : start + days]
        tell(memory, told)
        derive(memory, now=told[-1].said_at + DAY, chunk=2)


def content(fact: Fact) -> tuple[object, ...]:
    """All of a row but its ids, which are keyed with the memory's own key, and what is ordered by them: the numbers of
    journal entries inside one transaction."""
    b = fact.belief
    return (
        *(b.subject_key, b.predicate, b.object_key, repr(b.value), b.valid_from, b.valid_to, b.start_known),
        *(b.precision, b.confidence, b.authority, b.assertions, b.utterances),
        *(fact.generation, fact.recorded_from, fact.recorded_to, fact.run_id),
    )


def naming(entity: Entity) -> tuple[object, ...]:
    return (entity.key, entity.name, entity.type, entity.first_seq, entity.aliases)
