"""A small real server that speaks OpenAI's chat completions and fails in the ways that real ones do."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import msgspec

from resources.llm import build_language_model
from resources.llm.chat_completions import ChatCompletions
from resources.settings import LanguageModelSettings


class Answer(msgspec.Struct, frozen=True):
    """What the server does with one request: `text` as a completion, or `body` as it is."""

    text: str = ""
    status: int = 200
    headers: dict[str, str] = {}
    body: bytes | None = None
    silent: bool = False  # nothing comes until the server ends
    drips: bool = False  # the body comes a byte at a time, and never ends
    tokens: int | None = 30

    def content(self) -> bytes:
        if self.body is not None:
            return self.body
        usage = {} if self.tokens is None else {"usage": {"total_tokens": self.tokens}}
        message = {"role": "assistant", "content": self.text}
        return json.dumps({"choices": [{"index": 0, "message": message}], **usage}).encode()


class Endpoint:
    """`answers` are given one after another, the last one from then on; `asked` holds each body, `keys` each header."""

    def __init__(self, *answers: Answer | str) -> None:
        self.answers = [Answer(each) if isinstance(each, str) else each for each in answers]
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.ended = threading.Event()
        self.url = ""

    def model(self, **settings: Any) -> ChatCompletions:
        """The adapter, set to ask here."""
        chosen = LanguageModelSettings(**{"url": self.url, "model": "tiny", "retries": 0, **settings})
        model = build_language_model(chosen, {"KEY": "s3cret-key"})
        assert isinstance(model, ChatCompletions)
        return model

    def next(self, body: bytes, key: str | None) -> Answer:
        self.asked.append(json.loads(body))
        self.keys.append(key)
        return self.answers[min(len(self.asked), len(self.answers)) - 1]


@contextmanager
def serving(*answers: Answer | str) -> Iterator[Endpoint]:
    endpoint = Endpoint(*answers)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            answer = endpoint.next(body, self.headers["authorization"])
            if answer.silent:
                endpoint.ended.wait()
                return
            content = answer.content()
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.send_header("content-length", str(10**6 if answer.drips else len(content)))
            self.end_headers()
            if not answer.drips:
                self.wfile.write(content)
            while answer.drips and not endpoint.ended.wait(0.01):
                self.wfile.write(b" ")

        def log_message(self, *_: object) -> None:
            pass

        def handle(self) -> None:
            try:
                super().handle()
            except ConnectionError:  # the client had enough
                self.close_connection = True

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    endpoint.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield endpoint
    finally:
        endpoint.ended.set()
        server.shutdown()
        thread.join()
        server.server_close()
