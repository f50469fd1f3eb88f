"""Any endpoint that speaks OpenAI's `POST …/chat/completions`: hosted, or llama.cpp, vLLM, Ollama on one's own machine.

What may go wrong is bounded: the body of an answer ends at the time-out however slowly it drips, and at so many bytes;
what failed in passing is tried again a few times. Neither the key nor a text enters a message or a log.
"""

import random
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec

from kg_assets.errors import InvalidInput, NotReady, Unavailable
from kg_assets.identity import content_hash
from kg_assets.model import Message, Reply
from resources.keys import Secret
from resources.settings import LanguageModelSettings

if TYPE_CHECKING:
    import httpx

LONGEST_WAIT = 30.0  # seconds between two attempts, whatever the endpoint asks for
FIRST_WAIT = 0.5
MOST_BYTES = 4 * 1024 * 1024  # of one answer
_PASSING = frozenset({408, 409, 425, 429, 500, 502, 503, 504})
_FOR_GOOD = frozenset({401, 403, 404, 405})  # by the settings, whatever the text


class Endpoint(msgspec.Struct, frozen=True, kw_only=True):
    """Where a model answers, and how it is asked. `key` is None where the endpoint takes none."""

    url: str
    model: str
    key: Secret | None
    timeout: float
    max_tokens: int
    retries: int
    schema: str


def checked(settings: LanguageModelSettings, environment: Mapping[str, str]) -> Endpoint:
    """Raises `InvalidInput` naming the setting, `NotReady` where the key's variable is not set."""
    try:
        parts = urlsplit(settings.url)
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_address = False
    if not is_address:
        raise InvalidInput("is no http address; write it like https://api.example.com/v1", where="llm.url")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise InvalidInput(
            "holds more than an address; a key stands in the environment variable that llm.api_key_env names",
            where="llm.url",
        )
    if not settings.model:
        raise InvalidInput("names no model; set it beside llm.url", where="llm.model")
    key = environment.get(settings.api_key_env) if settings.api_key_env else None
    if settings.api_key_env and not key:
        raise NotReady(f"llm.api_key_env: the variable {settings.api_key_env} is not set; export the key in it")
    if key and not (key.strip().isascii() and key.strip().isprintable()):
        raise InvalidInput("holds characters that no key has; export it again", where=settings.api_key_env)
    return Endpoint(
        url=settings.url.rstrip("/") + "/chat/completions",
        model=settings.model,
        key=Secret(key.strip().encode()) if key else None,
        timeout=settings.timeout,
        max_tokens=settings.max_tokens,
        retries=settings.retries,
        schema=settings.schema,
    )


class _Usage(msgspec.Struct):
    total_tokens: int = 0


class _Turn(msgspec.Struct):
    content: str | None = None


class _Choice(msgspec.Struct):
    message: _Turn


class _Completion(msgspec.Struct):
    choices: list[_Choice]
    usage: _Usage | None = None


class _Passing(Exception):
    """A failure that may be over in a moment. `wait`: as long as the endpoint asks for."""

    def __init__(self, reason: str, wait: float | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.wait = wait


class ChatCompletions:
    """The port `LanguageModel` over HTTP."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self.answer_tokens = endpoint.max_tokens
        # The address is left out: the same model on another machine reads the same.
        self.version = f"{endpoint.model}-{content_hash(endpoint.max_tokens, endpoint.schema)[:8]}"

    def complete(self, messages: Sequence[Message], schema: Mapping[str, Any] | None = None) -> Reply:
        """At temperature 0; asks again after failures that pass. Raises `Unavailable`."""
        body = msgspec.json.encode(self._body(messages, schema))
        wait = FIRST_WAIT
        for attempt in range(self.endpoint.retries + 1):
            try:
                return self._reply(self._posted(body), messages)
            except _Passing as ex:
                if attempt == self.endpoint.retries:
                    raise self._unavailable(ex.reason) from ex
                # Some randomness, so that many workers do not come back at the same moment.
                time.sleep(min(LONGEST_WAIT, wait * random.uniform(1.0, 1.25) if ex.wait is None else ex.wait))
                wait *= 2
        raise AssertionError

    def _body(self, messages: Sequence[Message], schema: Mapping[str, Any] | None) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self.endpoint.model,
            "messages": list(messages),
            "max_tokens": self.endpoint.max_tokens,
            "temperature": 0,
        }
        if schema is not None and self.endpoint.schema == "json_schema":
            named = {"name": "answer", "schema": schema, "strict": True}
            body["response_format"] = {"type": "json_schema", "json_schema": named}
        elif schema is not None and self.endpoint.schema == "json_object":
            body["response_format"] = {"type": "json_object", "schema": schema}
        return body

    def _posted(self, body: bytes) -> bytes:
        """The answer to one request. Raises `_Passing`, or `Unavailable` where another would fail as well."""
        import httpx

        headers = {"content-type": "application/json", "accept": "application/json"}
        if self.endpoint.key is not None:
            headers["authorization"] = f"Bearer {bytes(self.endpoint.key).decode()}"
        deadline = time.monotonic() + self.endpoint.timeout
        try:
            with (
                httpx.Client(timeout=self.endpoint.timeout) as client,
                client.stream("POST", self.endpoint.url, content=body, headers=headers) as answer,
            ):
                self._check(answer)
                return _read(answer, deadline)
        except httpx.TimeoutException as ex:
            raise _Passing("timeout") from ex
        except httpx.HTTPError as ex:
            raise _Passing("connection") from ex

    def _check(self, answer: "httpx.Response") -> None:
        if answer.status_code == 200:
            return
        reason = f"status {answer.status_code}"
        if answer.status_code in _PASSING:
            raise _Passing(reason, _seconds(answer.headers.get("retry-after")))
        raise self._unavailable(reason, for_good=answer.status_code in _FOR_GOOD)

    def _reply(self, answer: bytes, messages: Sequence[Message]) -> Reply:
        try:
            completion = msgspec.json.decode(answer, type=_Completion)
            text = completion.choices[0].message.content or ""
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, IndexError) as ex:
            raise _Passing("no completion") from ex
        used = completion.usage.total_tokens if completion.usage else 0
        return Reply(text, max(used, 0) or (sum(len(each.content) for each in messages) + len(text)) // 3)

    def _unavailable(self, reason: str, *, for_good: bool = False) -> Unavailable:
        return Unavailable(
            f"{self.endpoint.model} at {self.endpoint.url}: {reason}; see what the endpoint logged, and [llm] in "
            "settings.toml",
            reason=reason,
            for_good=for_good,
        )


def _read(answer: "httpx.Response", deadline: float) -> bytes:
    """The whole body. Raises `_Passing` where it is too long, or takes too long however steadily it comes."""
    found = bytearray()
    for piece in answer.iter_bytes():
        found += piece
        if len(found) > MOST_BYTES:
            raise _Passing("too long")
        if time.monotonic() > deadline:
            raise _Passing("timeout")
    return bytes(found)


def _seconds(retry_after: str | None) -> float | None:
    """Of the form in seconds; a date is left aside, and the usual wait is taken."""
    return float(retry_after) if retry_after and retry_after.isascii() and retry_after.isdigit() else None
