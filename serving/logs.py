"""Structured log lines: one JSON object each, with ids and counts, never a text, a name or a query string."""

import logging
import sys
import time
import uuid
from typing import Any

import falcon.asgi
import msgspec

LOGGER = logging.getLogger("palimpsest.serving")


def log(event: str, *, level: int = logging.INFO, **fields: Any) -> None:
    """Write one line. The fields are the caller's responsibility: ids, numbers, routes."""
    LOGGER.log(level, event, extra={"fields": fields})


class JsonLines(logging.Formatter):
    """A log record as one JSON object; messages of other libraries keep their text but lose their traceback."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        return msgspec.json.encode(line).decode()


def log_to_stderr() -> None:
    """Send the lines of this service to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    LOGGER.handlers[:] = [handler]
    LOGGER.setLevel(logging.INFO)
    LOGGER.propagate = False


def request_id(req: falcon.asgi.Request) -> str:
    """The id of this request, made at first use; journal entries, problems and log lines carry it."""
    if not hasattr(req.context, "request_id"):
        req.context.request_id = str(uuid.uuid4())
    return str(req.context.request_id)


class RequestLog:
    """Middleware: one line a request, with the route's template instead of its path."""

    async def process_request(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:
        req.context.started = time.perf_counter()
        resp.set_header("X-Request-Id", request_id(req))

    async def process_response(
        self, req: falcon.asgi.Request, resp: falcon.asgi.Response, _resource: object, _succeeded: bool
    ) -> None:
        caller = getattr(req.context, "caller", None)
        started = getattr(req.context, "started", time.perf_counter())
        log(
            "request",
            request=request_id(req),
            method=req.method,
            route=req.uri_template,
            status=resp.status_code,
            ms=round((time.perf_counter() - started) * 1000, 2),
            memory=caller.memory_id if caller else None,
        )
