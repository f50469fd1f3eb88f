"""DELETE of an utterance and of a session: gone with the next request, by its own person only."""

import msgspec
import pytest
from falcon.testing import Result

from kg_assets.maintenance.erasure import Certificate, sound
from quality.trail import walk
from resources.checkpoints import CheckpointFolder
from resources.clock import system_clock
from resources.settings import DEV_ISSUER
from tests.serving.conftest import Service


def delete(service: Service, path: str, **more: object) -> Result:
    return service.runner.run(service.request("DELETE", path, **more))  # type: ignore[arg-type]


@pytest.fixture
def ana(service: Service) -> Service:
    service.say("I moved to Lisbon.", id="u/1", session="s 1")
    service.say("We had soup.", id="u2", session="s 1")
    service.say("Max the dog ate my shoe.", id="u3", session="s2")
    return service


def test_the_answer_is_a_certificate_that_the_public_key_proves(ana: Service) -> None:
    result = delete(ana, "/v1/utterances/u%2F1")
    assert result.status_code == 200, result.text
    certificate = msgspec.convert(result.json["certificate"], Certificate)
    assert sound(certificate, CheckpointFolder(ana.settings.home).verifies)
    assert (certificate.scope, certificate.erased.utterances) == ("utterances", 1)
    assert result.json["scrubbed"] is True
    with ana.memory() as memory:
        assert walk(memory, verify=CheckpointFolder(ana.settings.home).verifies).broken is None


def test_what_was_erased_is_not_in_the_next_recall(ana: Service) -> None:
    assert "I moved to Lisbon." in [each["text"] for each in ana.recall("Lisbon")]
    assert delete(ana, "/v1/utterances/u%2F1").status_code == 200
    assert "I moved to Lisbon." not in [each["text"] for each in ana.recall("Lisbon")]
    assert "We had soup." in [each["text"] for each in ana.recall("soup")]
    assert delete(ana, "/v1/sessions/s%201").status_code == 200
    assert [each["text"] for each in ana.recall("soup Lisbon shoe")] == ["Max the dog ate my shoe."]


def test_erasing_twice_or_what_was_never_said_is_not_found(ana: Service) -> None:
    assert delete(ana, "/v1/utterances/u2").status_code == 200
    for path in ("/v1/utterances/u2", "/v1/utterances/u99", "/v1/sessions/s99"):
        assert delete(ana, path).status_code == 404


def test_an_erased_id_is_free_again(ana: Service) -> None:
    assert delete(ana, "/v1/utterances/u2").status_code == 200
    ana.say("We had rice.", id="u2")
    assert "We had rice." in [each["text"] for each in ana.recall("rice")]


def test_nobody_erases_in_another_memory(ana: Service) -> None:
    assert delete(ana, "/v1/utterances/u2", user="ben").status_code == 404
    assert ana.stores.find(ana.stores.memory_id(DEV_ISSUER, "ben")) is None
    assert "We had soup." in [each["text"] for each in ana.recall("soup")]


def test_an_auditor_may_not_and_a_curators_use_is_journaled(ana: Service) -> None:
    def acting(role: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {ana.token_for('bea', roles=[role])}", "Palimpsest-User": "ana"}

    assert delete(ana, "/v1/utterances/u2", user=None, headers=acting("auditor")).status_code == 403
    assert delete(ana, "/v1/utterances/u2", user=None, headers=acting("curator")).status_code == 200
    with ana.memory() as memory:
        assert {"access", "erase"} <= {entry.op for entry in memory.ledger.journal_after(0, 1000)}


def test_while_a_run_works_on_the_memory_one_is_asked_to_come_again(ana: Service) -> None:
    with ana.memory() as memory:
        lease = ana.stores.lease(memory.info.id, holder="run", now=system_clock(), seconds=60)
    assert lease is not None
    result = delete(ana, "/v1/utterances/u2")
    assert (result.status_code, result.headers["retry-after"]) == (503, "1")
    ana.stores.release(lease)
    assert delete(ana, "/v1/utterances/u2").status_code == 200
