"""The adapter of language models against a real server that fails as real ones do."""

import logging
import socket

import pytest

from kg_assets.errors import InvalidInput, NotReady, Unavailable
from kg_assets.model import Message
from resources.llm import build_language_model, chat_completions
from resources.settings import LanguageModelSettings
from tests.resources.chat_endpoint import Answer, serving

ASKED = [Message("system", "Read."), Message("user", "I live in Porto.")]
SCHEMA = {"type": "object"}


@pytest.fixture(autouse=True)
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """What it would have slept between attempts."""
    slept: list[float] = []
    monkeypatch.setattr(chat_completions.time, "sleep", slept.append)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    return slept


def test_it_asks_with_the_schema_and_returns_text_and_tokens() -> None:
    with serving(Answer("{}", tokens=12)) as endpoint:
        reply = endpoint.model(max_tokens=50).complete(ASKED, SCHEMA)
    assert (reply.text, reply.tokens) == ("{}", 12)
    (asked,) = endpoint.asked
    assert asked["messages"][1] == {"role": "user", "content": "I live in Porto."}
    assert (asked["model"], asked["max_tokens"], asked["temperature"]) == ("tiny", 50, 0)
    assert asked["response_format"]["json_schema"]["schema"] == SCHEMA
    assert endpoint.keys == [None]


def test_the_schema_takes_the_form_that_the_endpoint_knows() -> None:
    with serving("{}") as endpoint:
        endpoint.model(schema="json_object").complete(ASKED, SCHEMA)
        endpoint.model(schema="none").complete(ASKED, SCHEMA)
        endpoint.model().complete(ASKED)
    assert endpoint.asked[0]["response_format"] == {"type": "json_object", "schema": SCHEMA}
    assert "response_format" not in endpoint.asked[1]
    assert "response_format" not in endpoint.asked[2]


def test_an_endpoint_that_counts_no_tokens_is_estimated() -> None:
    with serving(Answer("x" * 300, tokens=None)) as endpoint:
        assert endpoint.model().complete(ASKED).tokens >= 100


def test_what_fails_in_passing_is_asked_again_and_waits_as_long_as_it_is_told(waits: list[float]) -> None:
    busy = Answer(status=429, headers={"retry-after": "7"})
    with serving(busy, Answer(status=500), Answer(body=b"<html>"), "{}") as endpoint:
        assert endpoint.model(retries=3).complete(ASKED).text == "{}"
    assert len(endpoint.asked) == 4
    assert waits[0] == 7
    assert waits[1] < waits[2] < chat_completions.LONGEST_WAIT


def test_nobody_waits_as_long_as_an_endpoint_likes(waits: list[float]) -> None:
    with serving(Answer(status=503, headers={"retry-after": "86400"}), "{}") as endpoint:
        endpoint.model(retries=1).complete(ASKED)
    assert waits == [chat_completions.LONGEST_WAIT]


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (Answer(status=500), "status 500"),
        (Answer(status=429, headers={"retry-after": "soon"}), "status 429"),
        (Answer(body=b"\xff\xfe not JSON"), "no completion"),
        (Answer(body=b'{"choices": []}'), "no completion"),
        (Answer(body=b"[" * 100_000), "no completion"),
        (Answer(body=b" " * (chat_completions.MOST_BYTES + 1)), "too long"),
        (Answer(silent=True), "timeout"),
        (Answer(drips=True), "timeout"),
    ],
)
def test_what_fails_each_time_is_unavailable_after_the_retries(answer: Answer, reason: str) -> None:
    with serving(answer) as endpoint, pytest.raises(Unavailable, match=reason) as caught:
        endpoint.model(retries=1, timeout=0.3 if reason == "timeout" else 60.0).complete(ASKED)
    assert len(endpoint.asked) == 2
    assert (caught.value.reason, caught.value.for_good) == (reason, False)


def test_what_the_settings_have_wrong_is_not_asked_again() -> None:
    with serving(Answer(status=401)) as endpoint, pytest.raises(Unavailable) as caught:
        endpoint.model(retries=3).complete(ASKED)
    assert (len(endpoint.asked), caught.value.for_good) == (1, True)


def test_a_refused_connection_is_unavailable() -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))  # nobody listens
        settings = LanguageModelSettings(url=f"http://127.0.0.1:{held.getsockname()[1]}", model="tiny", retries=0)
        model = build_language_model(settings, {})
        assert model is not None
        with pytest.raises(Unavailable, match="connection"):
            model.complete(ASKED)


def test_a_redirect_is_not_followed_so_that_nobody_else_gets_the_key_or_the_text() -> None:
    with (
        serving("{}") as other,
        serving(Answer(status=307, headers={"location": other.url})) as endpoint,
        pytest.raises(Unavailable, match="status 307"),
    ):
        endpoint.model(api_key_env="KEY").complete(ASKED)
    assert other.asked == []


def test_the_key_comes_from_the_environment_and_is_shown_nowhere(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with serving(Answer(status=401)) as endpoint:
        model = endpoint.model(api_key_env="KEY")
        with pytest.raises(Unavailable) as caught:
            model.complete(ASKED)
    assert endpoint.keys == ["Bearer s3cret-key"]
    shown = f"{caught.value} {caught.value!r} {model.endpoint!r} {model.version} {caplog.text}"
    assert "s3cret" not in shown
    assert "Porto" not in shown


def test_there_is_no_model_where_the_settings_name_none() -> None:
    assert build_language_model(LanguageModelSettings(), {}) is None


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"url": "file:///etc/passwd"}, "llm.url"),
        ({"url": "http://host:99999/v1"}, "llm.url"),
        ({"url": "http://ana:secret@host/v1"}, "llm.url"),
        ({"url": "http://host/v1?key=secret"}, "llm.url"),
        ({"url": "http://host/v1", "model": ""}, "llm.model"),
        ({"url": "http://host/v1", "api_key_env": "BROKEN"}, "BROKEN"),
    ],
)
def test_settings_that_cannot_be_right_are_named_and_no_secret_is_repeated(
    settings: dict[str, str], named: str
) -> None:
    with pytest.raises(InvalidInput, match=named) as caught:
        build_language_model(LanguageModelSettings(**{"model": "tiny", **settings}), {"BROKEN": "s3\ncret"})
    assert "secret" not in str(caught.value)


def test_a_key_that_is_not_set_is_missed_by_the_name_of_its_variable() -> None:
    with pytest.raises(NotReady, match="PALIMPSEST_KEY"):
        build_language_model(
            LanguageModelSettings(url="http://host", model="tiny", api_key_env="PALIMPSEST_KEY"), {"PALIMPSEST_KEY": ""}
        )


def test_the_version_names_the_model_and_what_decides_its_answers() -> None:
    with serving("{}") as one, serving("{}") as other:
        assert one.model().version == other.model(timeout=5.0, api_key_env="KEY").version
        assert one.model().version.startswith("tiny-")
        assert len({one.model().version, one.model(max_tokens=99).version, one.model(schema="none").version}) == 3
