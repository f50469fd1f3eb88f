"""A read at (valid_at, known_at) never changes, whatever is learned, corrected, merged or taken back later."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kg_assets.graph.belief import derive_pending
from kg_assets.graph.policies import Policy
from kg_assets.graph.walking import AsOf, neighbourhood, shortest_way
from kg_assets.index.building import index_pending
from kg_assets.model import SAME_AS
from kg_assets.ports import Memory
from kg_assets.recall.read_model import ReadModels
from kg_assets.recall.retrieve import RecallRequest, recall
from kg_assets.text.ontology import load_ontology
from resources.embedder import build_embedder
from resources.sqlite import SqliteStores
from tests.graph.evidence import DAY, assertion
from tests.graph.test_belief import NOW, ORIGIN, ROUTES, new_memory, read, say

EMBEDDER = build_embedder("hashing")
PEOPLE = ("ana", "bea", "carl", "dora")
PREDICATES = ("lives_in", "likes", "spouse", "friend", SAME_AS)
ROWS = st.tuples(
    st.sampled_from(PEOPLE),
    st.sampled_from(PREDICATES),
    st.sampled_from([*PEOPLE, "porto", "tea"]),
    st.fixed_dictionaries(
        {"said": st.integers(1, 9)},
        optional={
            "since": st.integers(1, 9),
            "until": st.integers(10, 12),
            "polarity": st.sampled_from(["affirmed", "affirmed", "denied", "retracted"]),
            "authority": st.sampled_from(["user", "curated", "document"]),
        },
    ),
).filter(lambda row: row[0] != row[2])
HISTORIES = st.lists(st.lists(ROWS, min_size=1, max_size=4), min_size=2, max_size=4)


def learn(memory: Memory, rows: list[Any], policy: Policy) -> None:
    read(memory, [assertion(*row[:3], **row[3]) for row in rows])
    derive_pending(memory, load_ontology(), routes=ROUTES, origin=ORIGIN, clock=lambda: NOW, policy=policy)
    index_pending(memory, EMBEDDER, load_ontology(), origin=ORIGIN, clock=lambda: NOW)


def seen(memory: Memory, models: ReadModels, valid_at: int, known_at: int) -> list[Any]:
    """What every kind of read answers as of these times. Ids stand for content: names may be corrected later."""
    as_of = AsOf(valid_at=valid_at, known_at=known_at)
    with memory.snapshot():
        facts = memory.graph.facts(valid_at=valid_at, known_at=known_at, limit=1000)
        entities = sorted({each.belief.subject_id for each in facts})
        around = [neighbourhood(memory.graph, each, hops=3, limit=1000, as_of=as_of) for each in entities]
        ways = [
            shortest_way(memory.graph, source, target, max_hops=4, limit=1000, as_of=as_of)
            for source in entities
            for target in entities
        ]
        request = RecallRequest(query="Where does Ana live?", k=1000, valid_at=valid_at, known_at=known_at)
        recalled = recall(models.at(memory, known_at), request, EMBEDDER, NOW).results
    return [
        [(each.version_id, each.belief) for each in facts],
        [([(met, fact.version_id) for met, fact in each.facts], each.distances, each.cut) for each in around],
        [None if each.steps is None else [(one.fact.version_id, one.forward) for one in each.steps] for each in ways],
        sorted((each.kind, each.id) for each in recalled),
    ]


@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(HISTORIES, st.integers(0, 13), st.lists(st.sampled_from(["latest_valid", "manual_review"]), min_size=4))
def test_a_read_of_the_past_never_changes(
    tmp_path_factory: pytest.TempPathFactory, history: list[Any], day: int, policies: list[Any]
) -> None:
    stores = SqliteStores(tmp_path_factory.mktemp("stores"), b"secret", clock=lambda: NOW)
    memory, models = new_memory(stores), ReadModels(EMBEDDER)
    say(memory, [assertion("ana", "likes", "tea", said=9)])
    moments: dict[int, list[Any]] = {}
    for rows, policy in zip(history, policies, strict=False):
        learn(memory, rows, Policy(policy))
        known_at = memory.ledger.head().recorded_at
        moments[known_at] = seen(memory, models, day * DAY, known_at)
    assert {known_at: seen(memory, models, day * DAY, known_at) for known_at in moments} == moments
    fresh = ReadModels(EMBEDDER)
    assert {known_at: seen(memory, fresh, day * DAY, known_at) for known_at in moments} == moments
    memory.close()
    stores.close()
