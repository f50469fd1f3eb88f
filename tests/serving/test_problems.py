"""Every error is problem+json with a stable type; nothing internal is in it, and no text is in the log."""

import json
import logging
from typing import Any

import pytest

from tests.serving.conftest import Service, shortened, spoken


def problem(service: Service, method: str, path: str, **more: Any) -> dict[str, Any]:
    result = service.runner.run(service.request(method, path, **more))
    assert result.headers["content-type"] == "application/problem+json"
    found: dict[str, Any] = result.json
    assert set(found) - {"errors"} == {"type", "title", "status", "detail", "instance"}
    assert found["status"] == result.status_code
    assert found["instance"] == f"urn:uuid:{result.headers['x-request-id']}"
    assert found["type"].startswith("urn:palimpsest:problem:")
    return found


@pytest.mark.parametrize(
    ("method", "path", "status", "kind"),
    [
        ("GET", "/", 404, "not-found"),
        ("GET", "/v1/nothing", 404, "not-found"),
        ("GET", "/v1/facts/", 404, "not-found"),
        ("GET", "/v1/facts/0123456789abcdef/history", 404, "not-found"),
        ("GET", "/v1/facts/0123456789abcdef/lineage", 404, "not-found"),
        ("GET", "/v1/utterances", 405, "method-not-allowed"),
        ("DELETE", "/v1/facts", 405, "method-not-allowed"),
        ("PUT", "/health/live", 405, "method-not-allowed"),
    ],
)
def test_a_wrong_address_or_method(service: Service, method: str, path: str, status: int, kind: str) -> None:
    found = problem(service, method, path)
    assert (found["status"], found["type"]) == (status, f"urn:palimpsest:problem:{kind}")


WRAPPED = {
    "/v1/utterances": b'{"utterances": [{"text": "%b"}]}',
    "/v1/recall": b'{"query": "%b"}',
    "/v1/ask": b'{"question": "%b"}',
}


@pytest.mark.parametrize("path", WRAPPED)
@pytest.mark.parametrize("body", [b"", b"{", b'{"', b"\xff", b"\xfe\xff\x00{"], ids=shortened)
def test_a_body_that_is_no_json(service: Service, path: str, body: bytes) -> None:
    found = problem(service, "POST", path, body=body, content_type="application/json")
    assert (found["status"], found["type"]) == (400, "urn:palimpsest:problem:malformed-request")


@pytest.mark.parametrize("path", WRAPPED)
@pytest.mark.parametrize("text", [b"\xff", b"\\ud800", b"\xed\xa0\x80", b"\\x", b"\n"], ids=shortened)
def test_a_text_that_is_no_text(service: Service, path: str, text: bytes) -> None:
    found = problem(service, "POST", path, body=WRAPPED[path] % text, content_type="application/json")
    assert (found["status"], found["type"]) == (400, "urn:palimpsest:problem:malformed-request")


@pytest.mark.parametrize("path", WRAPPED)
@pytest.mark.parametrize("body", [b"null", b"{}", b"[]", b"7", b'{"surprise": 1}', b"[" * 50_000], ids=shortened)
def test_a_body_of_another_shape(service: Service, path: str, body: bytes) -> None:
    found = problem(service, "POST", path, body=body, content_type="application/json")
    assert (found["status"], found["type"]) == (422, "urn:palimpsest:problem:invalid-input")


@pytest.mark.parametrize("path", ["/v1/utterances", "/v1/recall", "/v1/ask"])
def test_a_body_over_the_limit(service: Service, path: str) -> None:
    found = problem(service, "POST", path, body=b'{"x": "' + b"a" * 5_000_000 + b'"}', content_type="application/json")
    assert (found["status"], found["type"]) == (413, "urn:palimpsest:problem:too-large")


@pytest.mark.parametrize(
    "headers",
    [
        {"Content-Type": "text/plain"},
        {"Content-Type": "application/x-www-form-urlencoded"},
        {"Content-Encoding": "gzip"},
    ],
    ids=shortened,
)
def test_a_body_of_another_kind(service: Service, headers: dict[str, str]) -> None:
    found = problem(service, "POST", "/v1/recall", body=b'{"query": "x"}', headers=headers)
    assert (found["status"], found["type"]) == (415, "urn:palimpsest:problem:unsupported-media-type")


@pytest.mark.parametrize(
    ("query", "where"),
    [
        ("colour=red", "?colour"),
        ("limit=ten", "?limit"),
        ("limit=0", "limit"),
        ("limit=1001", "limit"),
        ("valid_at=yesterday", "?valid_at"),
        ("known_at=2026-01-01", "?known_at"),
        ("subject=a&subject=b", "?subject"),
        ("cursor=xyz", "cursor"),
        ("predicate=%21%21", "predicate"),
    ],
)
def test_a_query_string_that_cannot_be_read(service: Service, query: str, where: str) -> None:
    found = problem(service, "GET", "/v1/facts", query_string=query)
    assert found["status"] == 422
    assert where.lstrip("?") in found["detail"]


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"query": ""}, "/query"),
        ({"query": "x" * 3000}, "/query"),
        ({"k": 0}, "/k"),
        ({"k": 100_000}, "/k"),
        ({"k": "ten"}, "/k"),
        ({"kinds": ["rumour"]}, "/kinds"),
        ({"kinds": []}, "/kinds"),
        ({"strategy": "magic"}, "/strategy"),
        ({"valid_at": "now"}, "/valid_at"),
        ({"known_at": 7}, "/known_at"),
        ({"explain": "yes"}, "/explain"),
        ({"topk": 3}, "/topk"),
    ],
    ids=shortened,
)
def test_a_recall_that_cannot_be_run(service: Service, change: dict[str, Any], pointer: str) -> None:
    found = problem(service, "POST", "/v1/recall", json={"query": "x", **change})
    assert found["status"] == 422
    assert [each["pointer"] for each in found["errors"]] == [pointer]


def test_a_defect_is_answered_with_an_id_and_logged_without_texts(
    service: Service, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("the passphrase is elm")

    monkeypatch.setattr("serving.utterances.remember", fail)
    with caplog.at_level(logging.INFO, logger="palimpsest.serving"):
        found = problem(service, "POST", "/v1/utterances", json={"utterances": [spoken("the passphrase is elm")]})
    assert (found["status"], found["type"]) == (500, "urn:palimpsest:problem:internal")
    assert "elm" not in json.dumps(found)
    lines = [json.dumps({"event": record.getMessage(), **record.fields}) for record in caplog.records]  # type: ignore[attr-defined]
    failed = next(line for line in lines if '"failed"' in line)
    assert found["instance"].removeprefix("urn:uuid:") in failed
    assert "ZeroDivisionError" in failed
    assert "elm" not in "".join(lines)


def test_the_service_goes_on_after_a_defect(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    service.say("one")
    with monkeypatch.context() as patch:
        patch.setattr("serving.utterances.remember", lambda *_, **__: 1 / 0)
        assert service.post("/v1/utterances", {"utterances": [spoken("two")]}).status_code == 500
    service.say("three")
    assert {each["text"] for each in service.recall("anything")} == {"one", "three"}


def test_the_log_holds_ids_and_routes_and_no_names_or_texts(service: Service, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        service.say("the passphrase is elm", user="mallory")
        service.get("/v1/facts?subject=elmer", user="mallory")
        service.get("/v1/elm/elm", user="mallory")
    lines = [record for record in caplog.records if record.name == "palimpsest.serving"]
    fields = [record.fields for record in lines]  # type: ignore[attr-defined]
    assert [each["route"] for each in fields] == ["/v1/utterances", "/v1/facts", None]
    assert fields[0]["memory"] == service.stores.memories()[0].id
    everything = caplog.text + json.dumps(fields)
    assert "elm" not in everything
    assert "mallory" not in everything
