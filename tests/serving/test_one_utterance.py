"""GET of one utterance: why it was routed as it was, for its own person only."""

import pytest

from tests.serving.conftest import Service


def test_a_score_is_explained_and_its_points_add_up_to_it(service: Service) -> None:
    service.say("We had soup.", id="u0")
    (receipt,) = service.say("I moved to Lisbon in May with my wife Eva.", id="u/1", session="s 1")
    result = service.get("/v1/utterances/u%2F1")
    assert result.status_code == 200, result.text
    said = result.json
    assert (said["id"], said["seq"], said["session"]) == ("u/1", 2, "s 1")
    assert said["text"] == "I moved to Lisbon in May with my wife Eva."
    novelty = said["novelty"]
    assert {name: novelty[name] for name in ("score", "route", "conflicts")} == {
        name: receipt["novelty"][name] for name in ("score", "route", "conflicts")
    }
    assert novelty["points"]
    assert novelty["features"]["words"] == 10
    assert sum(novelty["points"].values()) == pytest.approx(novelty["score"], abs=0.2)
    assert sum(novelty["parts"].values()) == pytest.approx(novelty["score"], abs=0.3)
    assert not [name for name in novelty["features"] if name.startswith("points.")]
    assert (said["waits"], said["assertions"], said["facts"]) == (["seal", "extract", "index"], [], [])


def test_nobody_reads_an_utterance_of_another_memory(service: Service) -> None:
    service.say("I moved to Lisbon.", id="u1")
    service.say("I moved to Porto.", id="u2", user="ben")
    for user, path in (("ben", "u1"), ("ana", "u2"), ("ana", "u3"), ("eve", "u1")):
        assert service.get(f"/v1/utterances/{path}", user=user).status_code == 404
    assert service.get("/v1/utterances/u1", user=None).status_code == 401
    assert service.stores.find(service.stores.memory_id("palimpsest-dev", "eve")) is None


def test_an_auditor_who_reads_one_is_journaled(service: Service) -> None:
    service.say("I moved to Lisbon.", id="u1")
    token = service.token_for("eva", roles=["auditor"])
    headers = {"Authorization": f"Bearer {token}", "Palimpsest-User": "ana"}
    assert service.get("/v1/utterances/u1", user=None, headers=headers).json["text"] == "I moved to Lisbon."
    with service.memory() as memory:
        assert memory.ledger.journal_after(0, 100)[-1].op == "access"
