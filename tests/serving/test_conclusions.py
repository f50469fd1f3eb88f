"""What follows from facts, over HTTP: marked, resting on facts that have a lineage, and gone with them."""

from typing import Any

import pytest

from kg_assets.text.instants import format_instant
from resources.clock import system_clock
from tests.serving.conftest import Service

FAMILY = (("Maria", "parent_of", "Ana"), ("Rosa", "parent_of", "Maria"))


@pytest.fixture
def family(service: Service) -> Service:
    for subject, predicate, target in FAMILY:
        body = {"subject": subject, "predicate": predicate, "object": target}
        assert service.post("/v1/facts", body).status_code == 201
    return service


def page(service: Service, **params: Any) -> dict[str, Any]:
    result = service.get("/v1/facts", params=params)
    assert result.status_code == 200, result.text
    found: dict[str, Any] = result.json
    return found


def test_a_conclusion_names_its_rule_and_its_premises(family: Service) -> None:
    found = page(family, subject="Rosa", inferred="true")
    (told,) = found["facts"]
    (concluded,) = found["conclusions"]
    assert found["cut"] is False
    assert (concluded["subject"]["name"], concluded["predicate"], concluded["object"]["name"]) == (
        "Rosa",
        "grandparent_of",
        "Ana",
    )
    assert concluded["inferred"]["rule"] == "a parent's parent"
    assert told["id"] in concluded["inferred"]["premises"]
    assert told["version_id"] in concluded["inferred"]["versions"]
    assert concluded["confidence"] <= told["confidence"]
    for premise in concluded["inferred"]["premises"]:
        assert family.get(f"/v1/facts/{premise}/lineage").json["assertions"]


def test_it_is_told_only_where_it_is_asked_for(family: Service) -> None:
    assert set(page(family, subject="Rosa")) == {"facts", "next"}
    assert page(family, subject="Rosa", inferred="false") == page(family, subject="Rosa")
    assert page(family, subject="nobody", inferred="true") == {
        "facts": [],
        "next": None,
        "conclusions": [],
        "cut": False,
    }


def test_it_goes_with_a_premise_that_is_retracted_and_the_past_keeps_it(family: Service) -> None:
    before = format_instant(system_clock())
    (told,) = page(family, subject="Rosa")["facts"]
    assert family.post(f"/v1/facts/{told['id']}/retract", {}).status_code == 200
    assert page(family, object="Ana", inferred="true")["conclusions"] == []
    (then,) = page(family, object="Ana", inferred="true", known_at=before)["conclusions"]
    assert then["subject"]["name"] == "Rosa"


def test_it_stands_on_the_first_page_only(family: Service) -> None:
    assert family.post("/v1/facts", {"subject": "Rosa", "predicate": "likes", "object": "tea"}).status_code == 201
    first = page(family, subject="Rosa", inferred="true", limit=1)
    assert len(first["conclusions"]) == 1
    second = page(family, subject="Rosa", inferred="true", limit=1, cursor=first["next"])
    assert set(second) == {"facts", "next"}


@pytest.mark.parametrize("params", [{"inferred": "true"}, {"inferred": "true", "predicate": "sibling"}])
def test_what_follows_from_a_whole_memory_is_refused(family: Service, params: dict[str, str]) -> None:
    for user in ("ana", "somebody new"):
        result = family.get("/v1/facts", params=params, user=user)
        assert result.status_code in (400, 422)
        assert "name a subject or an object" in result.text


def test_another_word_than_true_or_false_is_refused(family: Service) -> None:
    result = family.get("/v1/facts", params={"subject": "Ana", "inferred": "perhaps"})
    assert result.status_code in (400, 422)
    assert "true or false" in result.text


def test_nobody_sees_what_follows_in_anothers_memory(family: Service) -> None:
    found = family.get("/v1/facts", params={"subject": "Rosa", "inferred": "true"}, user="eve").json
    assert found["conclusions"] == []


def test_a_question_is_answered_with_what_follows(family: Service) -> None:
    answer = family.post("/v1/ask", {"question": "Who is Ana's grandparent?"}).json
    assert (answer["known"], answer["answer"]) == (True, "Rosa")
    assert [each["rule"] for each in answer["inferred"]] == ["a parent's parent"]
    assert len(answer["facts"]) == 2
