"""Documents over HTTP: into the token's memory, all of one or nothing, and never twice."""

from typing import Any

import pytest
from falcon.testing import Result

from serving.documents import BODY_BYTES
from tests.serving.conftest import Service, shortened

GUIDE = "# Handbook\n\nNordwind was founded by Carla Reis.\n\n## Homes\n\nBen lives in Porto.\n"


def send(
    service: Service,
    body: str | bytes,
    media_type: str = "text/markdown",
    *,
    query: str = "name=handbook.md",
    **more: Any,
) -> Result:
    headers = {"Content-Type": media_type, **more.pop("headers", {})}
    raw = body.encode() if isinstance(body, str) else body
    request = service.request("POST", "/v1/documents", body=raw, query_string=query, headers=headers, **more)
    return service.runner.run(request)


def test_a_document_is_in_the_next_recall_chunk_by_chunk(service: Service) -> None:
    result = send(service, GUIDE, query="name=handbook.md&said_at=2026-01-02T03:04:05Z")
    assert result.status_code == 202, result.text
    assert len(result.json["utterances"]) == 2
    assert result.json["watermark"] == {"log": 2, "graph": 0}
    found = service.recall("Who founded Nordwind?", kinds=["document"])
    assert (found[0]["kind"], found[0]["speaker"], found[0]["said_at"]) == (
        "document",
        "Handbook",
        "2026-01-02T03:04:05Z",
    )
    assert found[0]["metadata"]["document"] == "handbook.md"
    assert service.recall("Nordwind", kinds=["utterance"]) == []


def test_the_same_document_again_changes_nothing(service: Service) -> None:
    first = send(service, GUIDE)
    again = send(service, GUIDE, query="name=other.md")
    assert (again.status_code, again.json) == (202, first.json)
    with service.memory() as memory:
        assert memory.ledger.head().seq == 2


def test_html_and_plain_text_are_read_as_what_they_are_called(service: Service) -> None:
    html = "<p>Ben lives in Porto.<script>Eve lives in Oslo.</script>"
    assert send(service, html, "text/html; charset=utf-8").status_code == 202
    assert send(service, "<p> is a tag.", "text/plain").status_code == 202
    texts = {each["text"] for each in service.recall("Porto tag Oslo", kinds=["document"])}
    assert texts == {"Ben lives in Porto.", "<p> is a tag."}


def test_it_goes_into_the_memory_of_the_token_alone(service: Service) -> None:
    assert send(service, GUIDE, user="ana", query="name=a.md&user=ben").status_code == 202
    assert service.recall("Nordwind", user="ben") == []
    assert send(service, GUIDE, user=None).status_code == 401


@pytest.mark.parametrize(
    ("body", "media_type", "query", "status"),
    [
        (b"\xff", "text/markdown", "name=a.md", 422),
        ("<div>" * 9_000, "text/html", "name=a.html", 422),
        ("  ", "text/markdown", "name=a.md", 422),
        (GUIDE, "text/markdown", "", 422),
        (GUIDE, "text/markdown", "name=" + "x" * 201, 422),
        (GUIDE, "text/markdown", "name=a%00.md", 422),
        (GUIDE, "text/markdown", "name=a.md&said_at=soon", 422),
        (GUIDE, "application/json", "name=a.md", 415),
        (b"%PDF-1.4", "application/pdf", "name=a.pdf", 415),
        (b"x" * (BODY_BYTES + 1), "text/plain", "name=a.txt", 413),
    ],
    ids=shortened,
)
def test_what_cannot_be_read_is_a_problem_and_leaves_nothing(
    service: Service, body: str | bytes, media_type: str, query: str, status: int
) -> None:
    result = send(service, body, media_type, query=query)
    assert (result.status_code, result.headers["content-type"]) == (status, "application/problem+json")
    assert service.stores.memories() == []


def test_an_auditor_cannot_write_one(service: Service, token_for: Any) -> None:
    token = token_for("eve", roles=["auditor"])
    result = send(service, GUIDE, user=None, headers={"Authorization": f"Bearer {token}"})
    assert result.status_code == 403
