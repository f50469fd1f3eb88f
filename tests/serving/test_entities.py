"""Entities over HTTP: their names, and merging and splitting them, each undone by the other."""

from typing import Any

import pytest

from tests.serving.conftest import Service
from tests.serving.test_acting_for_others import acting
from tests.serving.test_curation import send


def liked_by(service: Service, name: str) -> list[str]:
    page = service.get("/v1/facts", query_string=f"subject={name}&predicate=likes").json
    return sorted(each["object"]["name"] for each in page["facts"])


@pytest.fixture
def known(service: Service) -> Service:
    for who, what in (("Mel", "tea"), ("Melanie", "rain"), ("Bea", "sun")):
        send(service, "/v1/facts", {"subject": who, "predicate": "likes", "object": what})
    return service


def detail(service: Service, name: str) -> dict[str, Any]:
    found: dict[str, Any] = service.get(f"/v1/entities/{name}").json
    return found


def test_entities_are_listed_found_by_name_and_shown_with_their_mentions(known: Service) -> None:
    page = known.get("/v1/entities", query_string="limit=2").json
    rest = known.get("/v1/entities", query_string=f"limit=100&cursor={page['next']}").json
    names = [each["name"] for each in page["entities"] + rest["entities"]]
    assert sorted(names) == ["Bea", "Mel", "Melanie", "rain", "sun", "tea"]
    (mel,) = known.get("/v1/entities", query_string="name=mel").json["entities"]
    found = detail(known, mel["id"])
    assert (found["name"], found["aliases"], found["links"]) == ("Mel", ["mel"], [])
    assert [(each["name"], each["count"]) for each in found["mentions"]] == [("Mel", 1)]
    assert known.get("/v1/entities/nobody").status_code == 404
    assert known.get("/v1/entities", query_string="nmae=mel").status_code == 422


def test_a_merge_brings_the_facts_together_and_a_split_parts_them_again(known: Service) -> None:
    view = send(known, "/v1/entities/merge", {"keep": "Melanie", "merge": "Mel"}, "curator")
    (joined,) = view["entities"]
    assert (joined["name"], joined["aliases"]) == ("Melanie", ["mel", "melanie"])
    assert [(each["affirmed"], each["authority"]) for each in joined["links"]] == [(True, "curated")]
    assert liked_by(known, "Mel") == liked_by(known, "Melanie") == ["rain", "tea"]

    view = send(known, "/v1/entities/split", {"entity": "Melanie", "apart": ["Mel"]}, "curator")
    assert sorted(each["name"] for each in view["entities"]) == ["Mel", "Melanie"]
    assert (liked_by(known, "Mel"), liked_by(known, "Melanie")) == (["tea"], ["rain"])

    send(known, "/v1/entities/merge", {"keep": "Mel", "merge": "Melanie"}, "curator")
    assert detail(known, "melanie")["name"] == "Mel"
    with known.memory() as memory:
        acts = [entry.actor for entry in memory.ledger.journal_after(0, 1000) if entry.op == "resolve"]
    assert acts[-3:] == ["curator"] * 3


def test_a_curators_word_on_names_stands_above_a_later_one_of_the_person(known: Service) -> None:
    send(known, "/v1/entities/merge", {"keep": "Melanie", "merge": "Mel"}, "curator")
    view = send(known, "/v1/entities/split", {"entity": "Melanie", "apart": ["Mel"]})
    assert [each["aliases"] for each in view["entities"]] == [["mel", "melanie"]]
    assert "assert" not in view["changed"]


def test_a_person_joins_and_parts_names_on_their_own_word(known: Service) -> None:
    send(known, "/v1/entities/merge", {"keep": "Melanie", "merge": "Mel"})
    assert liked_by(known, "Mel") == ["rain", "tea"]
    send(known, "/v1/entities/split", {"entity": "Mel", "apart": ["melanie"]})
    assert liked_by(known, "Mel") == ["tea"]


def test_reading_an_entity_tells_how_much_it_matters_and_changes_nothing(known: Service) -> None:
    send(known, "/v1/facts", {"subject": "Mel", "predicate": "likes", "object": "sun"})
    with known.memory() as memory:
        before = memory.ledger.head()
    rows = known.get("/v1/entities").json["entities"]
    weight = {each["name"]: each["weight"] for each in rows}
    assert (weight["Mel"]["mentions"], weight["Mel"]["facts"], weight["Mel"]["sessions"]) == (2, 2, 0)
    assert (weight["sun"]["mentions"], weight["sun"]["facts"]) == (2, 2)
    assert weight["Mel"]["importance"] > weight["Bea"]["importance"] > 0.7
    assert detail(known, "mel")["weight"]["mentions"] == 2
    with known.memory() as memory:
        assert memory.ledger.head() == before


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("merge", {"keep": "Mel", "merge": "mel"}, 422),
        ("merge", {"keep": "Mel", "merge": "Nobody"}, 404),
        ("split", {"entity": "Mel", "apart": []}, 422),
        ("split", {"entity": "Mel", "apart": ["Mel"]}, 422),
        ("split", {"entity": "Mel", "apart": ["Bea"]}, 422),
        ("split", {"entity": "Mel"}, 422),
    ],
)
def test_what_cannot_be_joined_or_parted_is_refused(
    known: Service, path: str, body: dict[str, Any], status: int
) -> None:
    headers = acting(known, "curator")
    assert known.post(f"/v1/entities/{path}", body, user=None, headers=headers).status_code == status
