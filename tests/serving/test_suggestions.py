"""Suggestions over HTTP: listed with their reasons, accepted as a merge, or declined for good."""

import pytest

from tests.serving.conftest import Service
from tests.serving.test_acting_for_others import acting
from tests.serving.test_curation import send
from tests.serving.test_entities import liked_by

PATH = "/v1/entities/suggestions"


@pytest.fixture
def known(service: Service) -> Service:
    for who, what in (("Jonh Smith", "tea"), ("John Smith", "rain"), ("Bea", "sun")):
        send(service, "/v1/facts", {"subject": who, "predicate": "likes", "object": what})
    return service


def test_a_suggestion_tells_what_speaks_for_and_against(known: Service) -> None:
    (found,) = known.get(PATH).json["suggestions"]
    assert {found["keep"]["name"], found["merge"]["name"]} == {"Jonh Smith", "John Smith"}
    assert found["reasons"][0] == {"reason": "'john smith' and 'jonh smith': nearly the same letters", "weight": 0.8}
    assert found["score"] == 0.8
    assert known.get(PATH, query_string="name=Bea").json == {"suggestions": []}
    assert known.get(PATH, query_string="name=john+smith").json["suggestions"] == [found]


@pytest.mark.parametrize("role", ["", "curator"])
def test_an_accepted_one_is_merged_and_a_declined_one_stays_away(known: Service, role: str) -> None:
    (found,) = known.get(PATH).json["suggestions"]
    view = send(known, f"{PATH}/{found['id']}", {"decision": "reject", "note": "two people"}, role)
    assert sorted(each["name"] for each in view["entities"]) == ["John Smith", "Jonh Smith"]
    assert [link["affirmed"] for link in view["entities"][0]["links"]] == [False]
    assert known.get(PATH).json == {"suggestions": []}

    send(known, "/v1/facts", {"subject": "Johnn Smith", "predicate": "likes", "object": "sun"})
    (other,) = [each for each in known.get(PATH).json["suggestions"] if "John Smith" in str(each)]
    view = send(known, f"{PATH}/{other['id']}", {"decision": "accept"}, role)
    assert len(view["entities"]) == 1
    assert liked_by(known, "Johnn Smith") == ["rain", "sun"]
    with known.memory() as memory:
        assert "resolve" in {entry.op for entry in memory.ledger.journal_after(0, 1000)}


def test_what_is_no_suggestion_cannot_be_decided(known: Service) -> None:
    (found,) = known.get(PATH).json["suggestions"]
    for path, body, status in (
        ("nothing", {"decision": "accept"}, 404),
        (found["id"], {"decision": "perhaps"}, 422),
        (found["id"], {}, 422),
    ):
        assert known.post(f"{PATH}/{path}", body).status_code == status
    assert known.get(PATH, query_string="limit=0").status_code == 422
    assert known.get(PATH, query_string="name=Nobody").status_code == 404
    assert known.get(PATH).json["suggestions"] == [found]


def test_what_one_entity_is_suggested_to_be_is_suggested_among_all_and_can_be_decided(service: Service) -> None:
    for who in ("Sam", "Sam Baker", "Sam Miller", "Sam Stone", "Samm Baker"):
        send(service, "/v1/facts", {"subject": who, "predicate": "likes", "object": "tea"})
    all_of_them = service.get(PATH).json["suggestions"]
    for who in ("Sam", "Sam+Baker", "Sam+Miller", "Samm+Baker"):
        for each in service.get(PATH, query_string=f"name={who}").json["suggestions"]:
            assert each in all_of_them
            assert service.get(PATH, query_string=f"name={each['keep']['name']}").json["suggestions"]
    for each in all_of_them:
        send(service, f"{PATH}/{each['id']}", {"decision": "reject"})


def test_an_auditor_reads_suggestions_and_decides_none(known: Service) -> None:
    headers = acting(known, "auditor")
    (found,) = known.get(PATH, user=None, headers=headers).json["suggestions"]
    body = {"decision": "accept"}
    assert known.post(f"{PATH}/{found['id']}", body, user=None, headers=headers).status_code == 403


def test_somebody_without_a_memory_has_no_suggestions(service: Service) -> None:
    assert service.get(PATH).json == {"suggestions": []}
    assert service.stores.memories() == []
