"""Appending over HTTP: durable, scored and retrievable before the answer; all of a request or nothing."""

from typing import Any

import pytest

from kg_assets.model import Erased
from resources.settings import DEV_ISSUER
from tests.serving.conftest import Service, shortened, spoken


def test_the_answer_has_the_fields_of_the_contract(service: Service) -> None:
    result = service.post("/v1/utterances", {"utterances": [spoken("I moved to Lisbon in May.", id="u-1")]})
    assert result.status_code == 202
    assert result.headers["content-type"] == "application/json"
    (receipt,) = result.json["utterances"]
    assert receipt["id"] == "u-1"
    assert set(receipt["novelty"]) == {"score", "route", "parts", "conflicts"}
    assert set(receipt["novelty"]["parts"]) == {"entity", "relation", "linguistic", "surprise"}
    assert 0 <= receipt["novelty"]["score"] <= 100
    assert receipt["novelty"]["route"] in ("immediate", "batch", "log")
    assert result.json["watermark"] == {"log": 1, "graph": 0}


def test_what_was_said_is_in_the_next_recall(service: Service) -> None:
    for number, text in enumerate(["My sister plays the cello.", "We had soup.", "Max the dog ate my shoe."]):
        service.say(text)
        found = service.recall(text)
        assert found[0]["text"] == text
        assert len(found) == number + 1


def test_what_another_process_wrote_is_in_the_next_recall(service: Service, token_for: Any) -> None:
    service.say("My sister plays the cello.")
    assert len(service.recall("cello")) == 1
    other = Service(service.settings, token_for)
    other.say("My brother plays the cello too.")
    other.close()
    assert len(service.recall("cello")) == 2


def test_a_retry_with_the_same_id_is_harmless(service: Service) -> None:
    body = {"utterances": [spoken("I moved to Lisbon.", id="u-1"), spoken("I like it.", id="u-2")]}
    first, again = service.post("/v1/utterances", body), service.post("/v1/utterances", body)
    assert (again.status_code, again.json) == (202, first.json)
    with service.memory() as memory:
        assert memory.ledger.head().seq == 2


def test_two_retries_at_once_append_once(service: Service) -> None:
    body = {"utterances": [spoken("I moved to Lisbon.", id="u-1")]}
    results = service.together(*(service.request("POST", "/v1/utterances", json=body) for _ in range(8)))
    assert {result.status_code for result in results} == {202}
    assert len({result.text for result in results}) == 1
    with service.memory() as memory:
        assert memory.ledger.head().seq == 1


def test_the_same_id_with_other_content_is_a_conflict_and_changes_nothing(service: Service) -> None:
    service.say("I moved to Lisbon.", id="u-1")
    body = {"utterances": [spoken("A new one.", id="u-2"), spoken("I moved to Porto.", id="u-1")]}
    result = service.post("/v1/utterances", body)
    assert (result.status_code, result.json["type"]) == (409, "urn:palimpsest:problem:conflict")
    with service.memory() as memory:
        assert memory.ledger.head().seq == 1
        assert memory.ledger.utterance("u-2") is None


def test_without_an_id_each_request_appends(service: Service) -> None:
    one, two = service.say("I had soup."), service.say("I had soup.")
    assert one[0]["id"] != two[0]["id"]


def test_what_was_said_comes_back_unchanged(service: Service) -> None:
    texts = [
        "naïve  café\t\n 日本語 🙂\u200d🌈",
        "<script>alert('x')</script>",
        "'; DROP TABLE utterances; --",
        "\u202eabc",
    ]
    service.say(*texts, metadata={"source": {"line": [1, None, 2.5]}}, tags=["x"], salience=2.0)
    found = {each["text"]: each for each in service.recall("anything", k=10)}
    assert set(found) == set(texts)
    assert found[texts[0]]["metadata"] == {"source": {"line": [1, None, 2.5]}}


def test_more_than_a_hundred_take_the_batch_path(service: Service) -> None:
    texts = [f"I moved to city number {number} with my wife Eva{number}." for number in range(101)]
    routes = {receipt["novelty"]["route"] for receipt in service.say(*texts)}
    assert "immediate" not in routes


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"text": ""}, "/utterances/1/text"),
        ({"text": 7}, "/utterances/1/text"),
        ({"text": "a\x00b"}, "/utterances/1/text"),
        ({"text": "x" * 70_000}, "/utterances/1/text"),
        ({"said_at": "yesterday"}, "/utterances/1/said_at"),
        ({"said_at": "2026-02-30T10:00:00Z"}, "/utterances/1/said_at"),
        ({"said_at": "2026-02-03T10:00:00"}, "/utterances/1/said_at"),
        ({"speaker": ""}, "/utterances/1/speaker"),
        ({"role": "admin"}, "/utterances/1/role"),
        ({"salience": -1}, "/utterances/1/salience"),
        ({"tags": "one"}, "/utterances/1/tags"),
        ({"metadata": []}, "/utterances/1/metadata"),
        ({"user_id": "ben"}, "/utterances/1/user_id"),
        ({"sub": "ben"}, "/utterances/1/sub"),
    ],
    ids=shortened,
)
def test_one_wrong_utterance_is_pointed_at_and_nothing_is_stored(
    service: Service, change: dict[str, Any], pointer: str
) -> None:
    body = {"utterances": [spoken("This one is good."), {**spoken("This one is not."), **change}]}
    result = service.post("/v1/utterances", body)
    assert result.status_code == 422
    assert result.json["type"] == "urn:palimpsest:problem:invalid-input"
    assert [each["pointer"] for each in result.json["errors"]] == [pointer]
    assert service.recall("good") == []


def test_every_wrong_utterance_is_named(service: Service) -> None:
    result = service.post("/v1/utterances", {"utterances": [spoken(""), spoken("fine"), 7, spoken("x", said_at="no")]})
    pointers = [each["pointer"] for each in result.json["errors"]]
    assert pointers == ["/utterances/0/text", "/utterances/2", "/utterances/3/said_at"]


@pytest.mark.parametrize("utterances", [[], [spoken("x")] * 1001], ids=shortened)
def test_a_request_holds_one_to_a_thousand(service: Service, utterances: list[Any]) -> None:
    result = service.post("/v1/utterances", {"utterances": utterances})
    assert (result.status_code, result.json["errors"][0]["pointer"]) == (422, "/utterances")


def test_a_memory_that_was_erased_while_it_was_open_is_not_read_or_written_again(service: Service) -> None:
    service.say("I live in Porto.")
    assert len(service.recall("Porto")) == 1
    memory_id = service.stores.memory_id(DEV_ISSUER, "ana")
    service.stores.erase(memory_id, Erased(id="random", erased_at=0, certificate=b"{}", chain=b"[]"))
    assert service.post("/v1/recall", {"query": "Porto"}).json["results"] == []
    service.say("I like tea.")
    assert [each["text"] for each in service.recall("Porto tea")] == ["I like tea."]
    other = service.stores.open(memory_id)
    assert [each.text for each in other.ledger.utterances_after(0, 9)] == ["I like tea."]
    other.close()
