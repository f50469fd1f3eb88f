"""Facts over HTTP as of two times, their history, and their lineage down to the run."""

import base64
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from kg_assets.graph.belief import derive_pending
from kg_assets.identity import keyed_id
from kg_assets.model import SELF_KEY, Assertion, Literal, Materialisation, Mention, Origin
from kg_assets.text.instants import format_instant, parse_instant
from kg_assets.text.names import normal_form
from kg_assets.text.ontology import load_ontology
from resources.clock import system_clock
from serving.fact_queries import FactQuery, asked
from tests.serving.conftest import Service


def learn(
    service: Service, run: str, *told: tuple[str, str, str | int, str, str], user: str = "ana"
) -> list[Assertion]:
    """Append utterances and derive their facts under a run, as the assets do.

    The evidence is written by hand, so that these tests depend on no extractor.
    """
    texts = [text for text, *_ in told]
    receipts = service.say(*texts, user=user)
    with service.memory(user) as memory:
        utterances = [memory.ledger.utterance(each["id"]) for each in receipts]
        made = []
        for utterance, (text, predicate, target, since, polarity) in zip(utterances, told, strict=True):
            assert utterance is not None
            made.append(
                Assertion(
                    id=keyed_id(memory.key, "assertion", utterance.id, predicate, target, polarity),
                    utterance_id=utterance.id,
                    seq=utterance.seq,
                    said_at=utterance.said_at,
                    subject=Mention(surface="Ana", key=SELF_KEY, type="person"),
                    predicate=predicate,
                    object=Mention(surface=target, key=normal_form(target), type="place")
                    if isinstance(target, str)
                    else Literal(value=target, type="number"),
                    polarity=polarity,  # type: ignore[arg-type]
                    valid_from=parse_instant(since),
                    valid_to=None,
                    start_known=True,
                    precision="day",
                    confidence=900,
                    authority="user",
                    extractor="rules",
                    extractor_version="test",
                    span=(0, len(text)),
                    run_id=run,
                )
            )
        seqs = [each.seq for each in made]
        with memory.transaction():
            memory.ledger.add_assertions(made)
            memory.ledger.done("extract", seqs)
            memory.ledger.enqueue("derive", seqs)
        origin = Origin(actor="temporal_graph", cause="asset temporal_graph", run_id=run, code_version="7")
        derive_pending(memory, load_ontology(), routes=("immediate", "batch", "log"), origin=origin, clock=system_clock)
        now = system_clock()
        for partition in (memory.info.shard, "shard-other"):
            service.stores.add_materialisation(
                Materialisation(
                    run_id=run, asset="temporal_graph", partition=partition, code_version="7", data_version="d",
                    started_at=now, finished_at=now,
                )
            )  # fmt: skip
    return made


PORTO = ("I live in Porto.", "lives_in", "Porto", "2025-01-01T00:00:00Z", "affirmed")
LISBON = ("I moved to Lisbon.", "lives_in", "Lisbon", "2025-05-01T00:00:00Z", "affirmed")
TEA = ("I like tea.", "likes", "tea", "2025-01-01T00:00:00Z", "affirmed")
AGE = ("I am 34.", "age", 34, "2025-01-01T00:00:00Z", "affirmed")


def facts(service: Service, user: str = "ana", **params: Any) -> list[dict[str, Any]]:
    result = service.get("/v1/facts", params=params, user=user)
    assert result.status_code == 200, result.text
    found: list[dict[str, Any]] = result.json["facts"]
    return found


def objects(found: Sequence[dict[str, Any]]) -> list[Any]:
    return sorted((each["object"].get("name") or each["object"].get("value") for each in found), key=str)


def test_a_fact_has_the_fields_of_the_contract(service: Service) -> None:
    learn(service, "run-1", LISBON)
    (fact,) = facts(service)
    assert fact["subject"]["name"] == "Ana"
    assert fact["subject"]["type"] == "person"
    assert fact["predicate"] == "lives_in"
    assert fact["object"]["name"] == "Lisbon"
    assert (fact["valid_from"], fact["valid_to"]) == ("2025-05-01T00:00:00Z", None)
    assert fact["recorded_to"] is None
    assert (fact["confidence"], fact["authority"], fact["support"]) == (0.9, "user", 1)


def test_a_literal_object_is_a_value_with_a_type(service: Service) -> None:
    learn(service, "run-1", AGE)
    (fact,) = facts(service, object="34")
    assert fact["object"] == {"value": 34, "type": "number"}


def test_facts_are_read_as_of_a_valid_time(service: Service) -> None:
    learn(service, "run-1", PORTO, LISBON)
    assert objects(facts(service)) == ["Lisbon"]
    assert objects(facts(service, valid_at="2025-03-01T00:00:00Z")) == ["Porto"]
    assert objects(facts(service, valid_at="2025-05-01T00:00:00Z")) == ["Lisbon"]
    assert objects(facts(service, valid_at="2025-04-30T23:59:59.999999Z")) == ["Porto"]
    assert objects(facts(service, valid_at="2024-01-01T00:00:00Z")) == []


def test_facts_are_read_as_of_a_recorded_time(service: Service) -> None:
    learn(service, "run-1", PORTO)
    between = format_instant(system_clock())
    learn(service, "run-2", LISBON)
    assert objects(facts(service)) == ["Lisbon"]
    assert objects(facts(service, known_at=between)) == ["Porto"]
    assert objects(facts(service, known_at=between, valid_at="2025-06-01T00:00:00Z")) == ["Porto"]
    assert objects(facts(service, known_at="2001-01-01T00:00:00Z")) == []


def test_an_offset_that_lost_its_plus_in_the_query_string_is_understood(service: Service) -> None:
    learn(service, "run-1", PORTO)
    result = service.get("/v1/facts?valid_at=2025-03-01T00:00:00+01:00")
    assert objects(result.json["facts"]) == ["Porto"]


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({"predicate": "lives_in"}, ["Lisbon"]),
        ({"predicate": "lives in"}, ["Lisbon"]),
        ({"predicate": "unheard_of"}, []),
        ({"subject": "Ana"}, ["Lisbon", "tea"]),
        ({"subject": "ANA"}, ["Lisbon", "tea"]),
        ({"subject": "Nobody"}, []),
        ({"object": "Lisbon"}, ["Lisbon"]),
        ({"object": "lisbon", "predicate": "likes"}, []),
        ({"object": "Atlantis"}, []),
        ({"subject": "", "predicate": "", "object": "", "limit": ""}, ["Lisbon", "tea"]),
    ],
    ids=str,
)
def test_facts_are_found_by_names(service: Service, asked: dict[str, str], expected: list[str]) -> None:
    learn(service, "run-1", LISBON, TEA)
    assert objects(facts(service, **asked)) == expected


def test_facts_are_found_by_the_ids_of_entities(service: Service) -> None:
    learn(service, "run-1", LISBON, TEA)
    fact = facts(service, predicate="lives_in")[0]
    assert objects(facts(service, subject=fact["subject"]["id"])) == ["Lisbon", "tea"]
    assert objects(facts(service, object=fact["object"]["id"])) == ["Lisbon"]


def test_pages_together_are_the_whole_and_show_one_moment(service: Service) -> None:
    drinks = [(f"I like drink {n}.", "likes", f"drink {n}", "2025-01-01T00:00:00Z", "affirmed") for n in range(7)]
    learn(service, "run-1", *drinks)
    found, cursor = [], None
    for size in (3, 3, 1):
        result = service.get("/v1/facts", params={"limit": 3, **({"cursor": cursor} if cursor else {})})
        assert len(result.json["facts"]) == size
        found += result.json["facts"]
        cursor = result.json["next"]
        learn(service, "run-later", TEA)  # what is learned between two pages is not in them
    assert cursor is None
    assert objects(found) == [f"drink {n}" for n in range(7)]


def test_a_cursor_answers_only_the_question_it_came_from(service: Service) -> None:
    learn(service, "run-1", LISBON, TEA)
    cursor = service.get("/v1/facts", params={"limit": 1}).json["next"]
    result = service.get("/v1/facts", params={"limit": 1, "cursor": cursor, "predicate": "likes"})
    assert (result.status_code, "cursor" in result.json["detail"]) == (422, True)


@pytest.mark.parametrize(("after", "time"), [("", 10**30), ("", -(10**17)), ("x\0", 0), ("'; --", 0)])
def test_a_cursor_that_nobody_was_given_is_refused(service: Service, after: str, time: int) -> None:
    learn(service, "run-1", LISBON, TEA)
    crafted = msgspec.json.encode([after, time, time, asked(FactQuery())])
    cursor = base64.urlsafe_b64encode(crafted).decode().rstrip("=")
    result = service.get("/v1/facts", params={"cursor": cursor})
    assert (result.status_code, result.json["errors"][0]["pointer"]) == (422, "cursor")


def test_history_shows_every_version_and_what_made_it(service: Service) -> None:
    learn(service, "run-1", PORTO)
    (porto,) = facts(service)
    learn(service, "run-2", LISBON)
    history = service.get(f"/v1/facts/{porto['id']}/history").json
    assert history["id"] == porto["id"]
    first, second = history["versions"]
    assert (first["fact"]["valid_to"], second["fact"]["valid_to"]) == (None, "2025-05-01T00:00:00Z")
    assert first["fact"]["recorded_to"] == second["fact"]["recorded_from"]
    assert second["fact"]["recorded_to"] is None
    assert (first["opened_by"]["op"], first["opened_by"]["run_id"]) == ("assert", "run-1")
    assert first["closed_by"] == second["opened_by"]
    assert (second["opened_by"]["op"], second["opened_by"]["run_id"]) == ("supersede", "run-2")
    assert second["closed_by"] is None
    assert [each["rule"] for each in second["decisions"]] == ["later_valid_from"]


def test_lineage_leads_from_the_fact_to_its_words_runs_and_journal(service: Service) -> None:
    (made,) = learn(service, "run-1", LISBON)
    (fact,) = facts(service)
    lineage = service.get(f"/v1/facts/{fact['id']}/lineage").json
    assert set(lineage) == {"fact", "assertions", "decisions", "runs", "journal"}
    assert lineage["fact"] == fact
    (assertion,) = lineage["assertions"]
    assert assertion["id"] == made.id
    assert assertion["utterance"]["text"] == "I moved to Lisbon."
    assert assertion["utterance"]["speaker"] == "Ana"
    assert assertion["utterance"]["said_at"] == "2026-05-30T18:04:00Z"
    assert assertion["span"] == [0, len("I moved to Lisbon.")]
    assert (assertion["confidence"], assertion["authority"], assertion["run_id"]) == (0.9, "user", "run-1")
    (run,) = lineage["runs"]
    assert (run["run_id"], run["asset"], run["code_version"], run["data_version"]) == (
        "run-1",
        "temporal_graph",
        "7",
        "d",
    )
    assert run["partition"] == service.stores.memories()[0].shard
    (entry,) = lineage["journal"]
    assert (entry["op"], entry["actor"], entry["run_id"]) == ("assert", "temporal_graph", "run-1")
    with service.memory() as memory:
        (stored,) = memory.ledger.journal([entry["seq"]])
    assert (entry["hash"], entry["prev_hash"]) == (stored.hash, stored.prev_hash)


def test_lineage_holds_all_evidence_that_was_repeated(service: Service) -> None:
    learn(service, "run-1", LISBON)
    learn(service, "run-2", ("Lisbon is my home now.", *LISBON[1:]))
    (fact,) = facts(service)
    assert fact["support"] == 2
    lineage = service.get(f"/v1/facts/{fact['id']}/lineage").json
    assert [each["utterance"]["text"] for each in lineage["assertions"]] == [
        "I moved to Lisbon.",
        "Lisbon is my home now.",
    ]
    assert [each["run_id"] for each in lineage["runs"]] == ["run-1", "run-2"]
    assert [each["op"] for each in lineage["journal"]] == ["assert", "reinforce"]


def test_lineage_shows_what_speaks_against_a_fact(service: Service) -> None:
    learn(service, "run-1", PORTO)
    (porto,) = facts(service)
    learn(service, "run-2", LISBON)
    learn(service, "run-3", ("I never lived in Porto.", "lives_in", "Porto", "2025-01-01T00:00:00Z", "retracted"))
    assert facts(service, valid_at="2025-03-01T00:00:00Z") == []
    lineage = service.get(f"/v1/facts/{porto['id']}/lineage").json
    told = [(each["bearing"], each["polarity"], each["utterance"]["text"]) for each in lineage["assertions"]]
    assert told == [
        ("supports", "affirmed", "I live in Porto."),
        ("against", "affirmed", "I moved to Lisbon."),
        ("against", "retracted", "I never lived in Porto."),
    ]
    assert [each["run_id"] for each in lineage["runs"]] == ["run-1", "run-2", "run-3"]
    assert lineage["fact"]["recorded_to"] is not None


def test_a_fact_of_another_memory_is_not_found(service: Service) -> None:
    learn(service, "run-1", LISBON)
    (fact,) = facts(service)
    assert service.get(f"/v1/facts/{fact['id']}/history", user="ben").status_code == 404
    assert service.get(f"/v1/facts/{fact['id']}/lineage", user="ben").status_code == 404
    assert facts(service, user="ben", subject="Ana") == []


def test_a_question_is_answered_from_the_graph(service: Service) -> None:
    learn(service, "run-1", PORTO, LISBON)
    answer = service.post("/v1/ask", {"question": "Where does Ana live?"}).json
    assert (answer["known"], answer["answer"], answer["values"]) == (True, "Lisbon", ["Lisbon"])
    assert set(answer) >= {
        "known", "answer", "values", "route", "authority", "facts", "memories", "path", "cypher", "trace"
    }  # fmt: skip
    asked = {"question": "Where does Ana live?", "valid_at": "2025-03-01T00:00:00Z"}
    assert service.post("/v1/ask", asked).json["answer"] == "Porto"
    assert service.post("/v1/ask", {"question": "Where does Ana live?", "graph": False}).json["route"] == "context"
