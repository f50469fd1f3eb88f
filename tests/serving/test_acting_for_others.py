"""The header Palimpsest-User: for whom, for what, and what it leaves behind in the journal."""

import msgspec
import pytest

from kg_assets.model import JournalEntry
from tests.serving.conftest import Service, shortened, spoken


@pytest.fixture
def ana(service: Service) -> Service:
    service.say("I moved to Lisbon.")
    return service


def acting(service: Service, role: str, subject: str = "bea", named: str = "ana") -> dict[str, str]:
    return {"Authorization": f"Bearer {service.token_for(subject, roles=[role])}", "Palimpsest-User": named}


def accesses(service: Service) -> list[JournalEntry]:
    with service.memory() as memory:
        return [entry for entry in memory.ledger.journal_after(0, 1000) if entry.op == "access"]


@pytest.mark.parametrize("role", ["auditor", "curator", "service"])
def test_each_use_is_journaled_in_the_memory_that_was_read(ana: Service, role: str) -> None:
    result = ana.post("/v1/recall", {"query": "Lisbon"}, user=None, headers=acting(ana, role))
    assert [each["text"] for each in result.json["results"]] == ["I moved to Lisbon."]
    (entry,) = accesses(ana)
    assert (entry.actor, entry.cause) == (role, f"request {result.headers['x-request-id']}")
    assert entry.payload is not None
    assert msgspec.json.decode(entry.payload)["subject"] == "bea"


def test_reading_ones_own_memory_leaves_no_entry(ana: Service) -> None:
    ana.recall("Lisbon")
    ana.get("/v1/facts")
    assert accesses(ana) == []


@pytest.mark.parametrize("role", ["user", "admin"])
def test_other_roles_are_refused_and_nothing_is_read(ana: Service, role: str) -> None:
    result = ana.post("/v1/recall", {"query": "Lisbon"}, user=None, headers=acting(ana, role))
    assert (result.status_code, result.json["type"]) == (403, "urn:palimpsest:problem:forbidden")
    assert accesses(ana) == []


def test_an_auditor_cannot_write(ana: Service) -> None:
    body = {"utterances": [spoken("I was never in Lisbon.")]}
    result = ana.post("/v1/utterances", body, user=None, headers=acting(ana, "auditor"))
    assert result.status_code == 403
    own = {"Authorization": f"Bearer {ana.token_for('bea', roles=['auditor'])}"}
    assert ana.post("/v1/utterances", body, user=None, headers=own).status_code == 403
    with ana.memory() as memory:
        assert memory.ledger.head().seq == 1


def test_a_service_writes_for_its_users_and_opens_new_memories(ana: Service) -> None:
    body = {"utterances": [spoken("Hello.")]}
    for user in ("ana", "newcomer"):
        headers = acting(ana, "service", "chat-backend", user)
        assert ana.post("/v1/utterances", body, user=None, headers=headers).status_code == 202
    assert [each["text"] for each in ana.recall("Hello", user="newcomer")] == ["Hello."]


@pytest.mark.parametrize("role", ["auditor", "curator"])
def test_a_reader_opens_no_new_memory(ana: Service, role: str) -> None:
    result = ana.get("/v1/facts", user=None, headers=acting(ana, role, named="nobody"))
    assert result.status_code == 404
    assert [info.name for info in ana.stores.memories()] == ["ana"]


def test_a_name_beyond_ascii_is_read_as_utf8(service: Service) -> None:
    service.say("Olá.", user="José")
    headers = acting(service, "auditor", named="José".encode().decode("latin-1"))
    result = service.post("/v1/recall", {"query": "olá"}, user=None, headers=headers)
    assert [each["text"] for each in result.json["results"]] == ["Olá."]


@pytest.mark.parametrize("named", ["", "   ", "x" * 513, "\xff", "a\xc2\xa0"], ids=shortened)
def test_a_name_that_is_none_is_refused(ana: Service, named: str) -> None:
    result = ana.get("/v1/facts", user=None, headers=acting(ana, "auditor", named=named))
    assert result.status_code == 422


def test_reading_for_a_user_without_a_memory_makes_none(ana: Service) -> None:
    for path in ("/v1/facts", "/v1/facts/abc/history"):
        assert ana.get(path, user=None, headers=acting(ana, "service", named="nobody-typo")).status_code == 404
    assert [info.name for info in ana.stores.memories()] == ["ana"]


def test_ones_own_memory_is_empty_before_the_first_word_and_not_made_by_reading(service: Service) -> None:
    page = service.get("/v1/facts", user="bea")
    assert (page.status_code, page.json) == (200, {"facts": [], "next": None})
    found = service.post("/v1/recall", {"query": "Lisbon"}, user="bea")
    assert (found.status_code, found.json["results"]) == (200, [])
    assert found.json["watermark"] == {"log": 0, "graph": 0}
    answer = service.post("/v1/ask", {"question": "Where do I live?"}, user="bea")
    assert (answer.status_code, answer.json["known"], answer.json["answer"]) == (200, False, "not known")
    assert service.get("/v1/facts/abc/history", user="bea").status_code == 404
    assert service.get("/v1/facts", user="bea", query_string="limit=0").status_code == 422
    assert service.stores.memories() == []
    service.say("I moved to Lisbon.", user="bea")
    assert [each["text"] for each in service.recall("Lisbon", user="bea")] == ["I moved to Lisbon."]
