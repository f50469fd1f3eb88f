"""Neighbourhoods and ways over HTTP, and that an answer can be asked for again."""

from typing import Any

import pytest

from tests.serving.conftest import Service
from tests.serving.test_curation import send


@pytest.fixture
def known(service: Service) -> Service:
    for subject, predicate, target, since in (
        ("Ana", "works_at", "Nordwind", "2025"),
        ("Bea", "works_at", "Nordwind", "2026"),
        ("Bea", "age", "34", "2026"),
    ):
        body = {"subject": subject, "predicate": predicate, "object": target, "valid_from": since}
        send(service, "/v1/facts", body)
    return service


def get(service: Service, path: str, **params: Any) -> dict[str, Any]:
    result = service.get(path, params=params)
    assert result.status_code == 200, result.text
    view: dict[str, Any] = result.json
    return view


def test_what_stands_around_an_entity_with_how_far_it_is(known: Service) -> None:
    view = get(known, "/v1/entities/Ana/neighbourhood", hops=3)
    assert [(each["distance"], each["entity"]["name"]) for each in view["entities"]] == [
        (0, "Ana"),
        (1, "Nordwind"),
        (2, "Bea"),
    ]
    assert [each["distance"] for each in view["facts"]] == [1, 2, 3]
    assert (view["start"]["name"], view["cut"]) == ("Ana", False)
    cut = get(known, "/v1/entities/Ana/neighbourhood", hops=3, limit=1)
    assert (len(cut["facts"]), cut["cut"]) == (1, True)
    then = get(known, "/v1/entities/Ana/neighbourhood", hops=3, valid_at="2025-12-31T00:00:00Z")
    assert len(then["facts"]) == 1


def test_the_same_times_give_the_same_answer_after_a_correction(known: Service) -> None:
    before = get(known, "/v1/entities/Ana/neighbourhood", hops=3)
    way = get(known, "/v1/paths", **{"from": "Ana", "to": "Bea"})
    (fact,) = (each["fact"]["id"] for each in before["facts"] if each["distance"] == 1)
    send(known, f"/v1/facts/{fact}/correct", {"object": "Helix"})
    times = {"valid_at": before["valid_at"], "known_at": before["known_at"]}
    again = get(known, f"/v1/entities/{before['start']['id']}/neighbourhood", hops=3, **times)
    assert [each["fact"]["version_id"] for each in again["facts"]] == [
        each["fact"]["version_id"] for each in before["facts"]
    ]
    assert get(known, "/v1/paths", **{"from": "Ana", "to": "Bea"})["hops"] is None
    times = {"valid_at": way["valid_at"], "known_at": way["known_at"]}
    assert get(known, "/v1/paths", **{"from": "Ana", "to": "Bea"}, **times)["hops"] == 2


def test_the_shortest_way_with_its_facts(known: Service) -> None:
    view = get(known, "/v1/paths", **{"from": "Ana", "to": "bea"})
    assert (view["hops"], view["cut"]) == (2, False)
    assert [(each["fact"]["predicate"], each["forward"], each["to"]["name"]) for each in view["steps"]] == [
        ("works_at", True, "Nordwind"),
        ("works_at", False, "Bea"),
    ]
    assert get(known, "/v1/paths", **{"from": "Ana", "to": "Bea", "max_hops": 1})["hops"] is None


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/v1/entities/nobody/neighbourhood", 404),
        ("/v1/entities/Ana/neighbourhood?hops=5", 422),
        ("/v1/entities/Ana/neighbourhood?hops=two", 422),
        ("/v1/entities/Ana/neighbourhood?limit=0", 422),
        ("/v1/entities/Ana/neighbourhood?deep=1", 422),
        ("/v1/entities/Ana/neighbourhood?valid_at=soon", 422),
        ("/v1/paths?from=Ana", 422),
        ("/v1/paths?from=Ana&to=nobody", 404),
        ("/v1/paths?from=Ana&to=Bea&max_hops=9", 422),
    ],
)
def test_what_cannot_be_walked_is_refused(known: Service, path: str, status: int) -> None:
    assert known.get(path).status_code == status


def test_nobody_walks_in_the_memory_of_another(known: Service) -> None:
    ana = get(known, "/v1/entities/Ana")
    send_as = {"subject": "Eve", "predicate": "likes", "object": "tea"}
    assert known.post("/v1/facts", send_as, user="eve").status_code == 201
    assert known.get(f"/v1/entities/{ana['id']}/neighbourhood", user="eve").status_code == 404
