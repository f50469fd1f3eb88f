"""The memory of a request is that of its token, whatever else the request says."""

import asyncio
from typing import Any

import pytest

from resources.settings import DEV_ISSUER
from tests.serving.conftest import Service, TokenMaker, spoken

SECRETS = {
    user: f"the passphrase of {user} is {word}" for user, word in zip("abcd", ["elm", "oak", "ash", "fir"], strict=True)
}


def test_users_at_the_same_time_never_see_each_other(service: Service) -> None:
    """Four users append and recall at once, forty requests in flight; each result is checked for others' words."""

    async def live(user: str) -> None:
        for turn in range(10):
            body = {"utterances": [spoken(f"{SECRETS[user]}, turn {turn}", id=f"u-{turn}")]}
            appended = await service.request("POST", "/v1/utterances", json=body, user=user)
            assert appended.status_code == 202
            assert appended.json["watermark"]["log"] == turn + 1
            found = await service.request("POST", "/v1/recall", json={"query": "passphrase", "k": 50}, user=user)
            texts = [each["text"] for each in found.json["results"]]
            assert len(texts) == turn + 1
            assert all(text.startswith(SECRETS[user]) for text in texts)

    async def everyone() -> None:
        await asyncio.gather(*(live(user) for user in SECRETS))

    service.runner.run(everyone())


def test_the_same_subject_of_another_issuer_is_another_memory(service: Service) -> None:
    mine = service.stores.memory_id(DEV_ISSUER, "ana")
    assert mine != service.stores.memory_id("another-issuer", "ana")
    assert mine != service.stores.memory_id(DEV_ISSUER, "Ana")


@pytest.mark.parametrize(
    "attempt",
    [
        {"json": {"query": "passphrase", "user": "a"}},
        {"json": {"query": "passphrase", "memory_id": "a"}},
        {"json": {"query": "passphrase"}, "headers": {"Palimpsest-User": "a"}},
        {"json": {"query": "passphrase"}, "headers": {"X-User": "a"}},
        {"json": {"query": "passphrase"}, "query_string": "user=a&sub=a"},
        {"json": {"query": "passphrase", "filters": {"user": "a"}}},
    ],
    ids=str,
)
def test_naming_another_user_opens_nothing_of_theirs(service: Service, attempt: dict[str, Any]) -> None:
    service.say(SECRETS["a"], user="a")
    service.say("nothing to hide", user="mallory")
    result = service.runner.run(service.request("POST", "/v1/recall", user="mallory", **attempt))
    assert "elm" not in result.text
    assert result.status_code in (200, 403, 422)


def test_ids_of_another_memory_lead_nowhere(service: Service) -> None:
    receipt = service.say(SECRETS["a"], user="a", id="shared-id")[0]
    assert receipt["id"] == "shared-id"
    other = service.say("my own", user="b", id="shared-id")[0]
    assert other["id"] == "shared-id"
    assert [each["text"] for each in service.recall("passphrase", user="b")] == ["my own"]


def test_each_forged_token_is_refused_everywhere(service: Service, token_for: TokenMaker) -> None:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    bad = {
        "none": None,
        "forged": token_for("a", key=Ed25519PrivateKey.generate()),
        "expired": token_for("a", exp=1),
        "issuer": token_for("a", iss="elsewhere"),
        "audience": token_for("a", aud="elsewhere"),
    }
    for path in ("/v1/utterances", "/v1/recall", "/v1/ask", "/v1/facts", "/v1/facts/abc/history"):
        for kind, token in bad.items():
            headers = {"Authorization": f"Bearer {token}"} if token else {}
            method = "GET" if "facts" in path else "POST"
            result = service.runner.run(service.request(method, path, user=None, headers=headers))
            assert result.status_code == 401, (path, kind)
            assert result.json["type"] == "urn:palimpsest:problem:unauthenticated"
            assert result.headers["www-authenticate"].startswith("Bearer")
