"""Curation over HTTP: by a curator and by the person themselves, derived before it is answered, and never an edit."""

from typing import Any

import pytest

from kg_assets.journal import first_broken
from tests.serving.conftest import Service
from tests.serving.test_acting_for_others import acting
from tests.serving.test_facts import LISBON, PORTO, learn


def facts(service: Service, **more: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = service.get("/v1/facts", query_string="predicate=lives_in", **more).json["facts"]
    return found


def send(service: Service, path: str, body: dict[str, Any], role: str = "") -> dict[str, Any]:
    """As Ana, or as somebody of this role who names her memory."""
    who: dict[str, Any] = {"user": None, "headers": acting(service, role)} if role else {}
    result = service.post(path, body, **who)
    assert result.status_code in (200, 201), result.text
    view: dict[str, Any] = result.json
    return view


def homes(view: dict[str, Any] | list[dict[str, Any]]) -> list[tuple[str, str | None, str | None, str]]:
    found = view["facts"] if isinstance(view, dict) else view
    return sorted((each["object"]["name"], each["valid_from"], each["valid_to"], each["authority"]) for each in found)


@pytest.fixture
def ana(service: Service) -> Service:
    learn(service, "run-1", PORTO)
    return service


def test_a_curators_statement_is_believed_in_the_answer_and_journaled(ana: Service) -> None:
    body = {"subject": "Ana", "predicate": "lives_in", "object": "Lisbon", "valid_from": "2025-05", "note": "letter"}
    view = send(ana, "/v1/facts", body, "curator")
    assert homes(view) == [
        ("Lisbon", "2025-05-01T00:00:00Z", None, "curated"),
        ("Porto", "2025-01-01T00:00:00Z", "2025-05-01T00:00:00Z", "user"),
    ]
    assert view["changed"] == {"supersede": 1}
    with ana.memory() as memory:
        entries = memory.ledger.journal_after(0, 1000)
        assert first_broken(entries) is None
        made = [each for each in entries if each.op in ("remember", "extract", "supersede")][-3:]
        assert {each.actor for each in made} == {"curator"}
        assert {each.cause.split()[0] for each in made} == {"request"}
        told = memory.ledger.utterance(view["utterances"][0])
        assert told is not None
        assert (told.text, told.metadata) == ("Ana lives in Lisbon.", {"act": "assert", "note": "letter"})
        assert memory.ledger.pending("derive", ("immediate",)) == []


def test_what_a_person_asserts_of_themselves_is_their_word_and_of_others_hearsay(ana: Service) -> None:
    own = send(ana, "/v1/facts", {"subject": "me", "predicate": "lives_in", "object": "Lisbon"})
    other = send(ana, "/v1/facts", {"subject": "Bea", "predicate": "lives_in", "object": "Lisbon"})
    assert {each["authority"] for each in own["facts"]} == {"user"}
    assert [each["authority"] for each in other["facts"]] == ["document"]


def test_the_first_thing_a_person_asserts_is_their_own_word_too(service: Service) -> None:
    view = send(service, "/v1/facts", {"subject": "me", "predicate": "lives_in", "object": "Lisbon"})
    assert [each["authority"] for each in view["facts"]] == ["user"]


def test_a_retraction_leaves_nothing_of_a_fact_but_its_history(ana: Service) -> None:
    learn(ana, "run-2", LISBON)
    (lisbon,) = [each for each in facts(ana) if each["object"]["name"] == "Lisbon"]
    view = send(ana, f"/v1/facts/{lisbon['id']}/retract", {"note": "never was"})
    assert homes(view) == [("Porto", "2025-01-01T00:00:00Z", None, "user")]
    history = ana.get(f"/v1/facts/{lisbon['id']}/history").json["versions"]
    assert [each["fact"]["recorded_to"] is None for each in history] == [False]
    assert ana.post(f"/v1/facts/{lisbon['id']}/retract", {}).status_code == 409


@pytest.mark.parametrize("role", ["", "curator"])
def test_a_correction_replaces_the_object_and_keeps_the_time(ana: Service, role: str) -> None:
    (porto,) = facts(ana)
    view = send(ana, f"/v1/facts/{porto['id']}/correct", {"object": "Braga"}, role)
    assert homes(view) == [("Braga", "2025-01-01T00:00:00Z", None, "curated" if role else "user")]


def test_a_correction_replaces_the_interval_and_what_is_absent_stays(ana: Service) -> None:
    (porto,) = facts(ana)
    view = send(ana, f"/v1/facts/{porto['id']}/correct", {"valid_from": "2024", "valid_to": "2026"}, "curator")
    assert homes(view) == [("Porto", "2024-01-01T00:00:00Z", "2026-01-01T00:00:00Z", "curated")]
    (again,) = view["facts"]
    assert (again["id"], again["precision"]) == (porto["id"], "year")
    view = send(ana, f"/v1/facts/{porto['id']}/correct", {"valid_to": None}, "curator")
    assert homes(view) == [("Porto", "2024-01-01T00:00:00Z", None, "curated")]


@pytest.mark.parametrize(
    ("body", "where"),
    [
        ({}, "/"),
        ({"valid_to": "2024"}, "/valid_to"),
        ({"object": ""}, None),
        ({"valid_from": "soon"}, None),
        ({"object": "Braga", "version_id": "none"}, "/version_id"),
        ({"objet": "Braga"}, "/objet"),
    ],
)
def test_a_correction_that_cannot_be_read_changes_nothing(ana: Service, body: dict[str, Any], where: str) -> None:
    (porto,) = facts(ana)
    with ana.memory() as memory:
        before = memory.ledger.head()
    result = ana.post(f"/v1/facts/{porto['id']}/correct", body)
    assert result.status_code == 422
    assert where is None or result.json["errors"][0]["pointer"] == where
    with ana.memory() as memory:
        assert memory.ledger.head() == before


def test_nothing_is_made_for_someone_without_a_memory(service: Service) -> None:
    for path in ("/v1/facts/abc/retract", "/v1/entities/merge"):
        body = {"keep": "a", "merge": "b"} if "merge" in path else {}
        assert service.post(path, body).status_code == 404
    assert service.get("/v1/reviews").json == {"reviews": []}
    assert service.stores.memories() == []


# ------------------------------------------------------------------------------------------------------ reviews


@pytest.fixture
def disputed(ana: Service) -> Service:
    """A curator said Braga; Ana goes on saying Porto."""
    send(
        ana,
        "/v1/facts",
        {"subject": "Ana", "predicate": "lives_in", "object": "Braga", "valid_from": "2024"},
        "curator",
    )
    view = send(ana, "/v1/facts", {"subject": "me", "predicate": "lives_in", "object": "Lisbon", "valid_from": "2026"})
    assert [each["object"]["name"] for each in view["facts"]] == ["Braga"]
    assert len(view["reviews"]) == 1
    return ana


def test_a_persons_word_against_a_curators_waits_with_both_sides(disputed: Service) -> None:
    (review,) = disputed.get("/v1/reviews").json["reviews"]
    assert review["subject"]["name"] == "Ana"
    assert (review["standing"]["object"]["name"], review["challenging"]["object"]["name"]) == ("Braga", "Lisbon")
    (said,) = review["challenging"]["assertions"]
    assert (said["authority"], said["utterance"]["text"]) == ("user", "Ana lives in Lisbon.")


@pytest.mark.parametrize(("decision", "home"), [("accept", "Lisbon"), ("reject", "Braga")])
def test_a_curators_decision_settles_it_for_good(disputed: Service, decision: str, home: str) -> None:
    (review,) = disputed.get("/v1/reviews").json["reviews"]
    view = send(disputed, f"/v1/reviews/{review['id']}", {"decision": decision}, "curator")
    assert [each["object"]["name"] for each in view["facts"] if each["valid_to"] is None] == [home]
    assert view["reviews"] == []
    again = disputed.post(
        f"/v1/reviews/{review['id']}", {"decision": decision}, user=None, headers=acting(disputed, "curator")
    )
    assert again.status_code == 404


def test_only_a_curator_decides(disputed: Service) -> None:
    (review,) = disputed.get("/v1/reviews").json["reviews"]
    path, body = f"/v1/reviews/{review['id']}", {"decision": "accept"}
    assert disputed.post(path, body).status_code == 403
    for role in ("auditor", "service"):
        assert disputed.post(path, body, user=None, headers=acting(disputed, role)).status_code == 403
    unknown = disputed.post(path, {"decision": "maybe"}, user=None, headers=acting(disputed, "curator"))
    assert (unknown.status_code, unknown.json["errors"][0]["pointer"]) == (422, "/decision")
    assert disputed.get("/v1/reviews", user=None, headers=acting(disputed, "auditor")).status_code == 200
