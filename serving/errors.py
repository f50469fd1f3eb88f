"""problem+json (RFC 9457) for everything that goes wrong. `type` is stable; nothing internal is ever in a body."""

import logging
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import falcon
import falcon.asgi
import msgspec

from kg_assets.errors import Conflict, InvalidInput, LeaseLost, NotFound, NotReady, PalimpsestError
from serving.credentials import Forbidden, Unauthenticated
from serving.logs import log, request_id

TYPE_PREFIX = "urn:palimpsest:problem:"
CHALLENGE = 'Bearer realm="palimpsest"'

# status → (last part of the type, what to say where nothing better is known)
KINDS: dict[int, tuple[str, str]] = {
    400: ("malformed-request", "The request cannot be read; check its syntax."),
    401: ("unauthenticated", "Send a valid token: `Authorization: Bearer …`."),
    403: ("forbidden", "The roles of this token do not allow this."),
    404: ("not-found", "There is nothing at this address."),
    405: ("method-not-allowed", "This address does not take this method; see the header Allow."),
    409: ("conflict", "The id is already taken by other content."),
    413: ("too-large", "The body is over the limit; send less at a time."),
    415: ("unsupported-media-type", "Send JSON with `Content-Type: application/json`."),
    422: ("invalid-input", "What was sent cannot be accepted; nothing was changed."),
    500: (
        "internal",
        "Something failed on our side. Tell an operator the `instance`; nothing of this request was stored.",
    ),
    503: ("not-ready", "A part of the service is not ready; try again shortly."),
}


class Place(msgspec.Struct, frozen=True):
    """One thing that is wrong, and the JSON pointer (RFC 6901) to it."""

    pointer: str
    detail: str


class InvalidBody(InvalidInput):
    """A body in which one or more places cannot be accepted."""

    def __init__(self, places: Sequence[Place]) -> None:
        super().__init__(places[0].detail, where=places[0].pointer)
        self.places = tuple(places)


class Problem(msgspec.Struct, omit_defaults=True):
    type: str
    title: str
    status: int
    detail: str
    instance: str
    errors: tuple[Place, ...] = ()


def install(app: falcon.asgi.App[Any, Any]) -> None:
    """Answer every error of this application with a problem."""
    app.add_error_handler(Exception, on_unknown)
    app.add_error_handler(falcon.HTTPError, on_http_error)
    app.add_error_handler(PalimpsestError, on_known)


async def on_known(req: falcon.asgi.Request, resp: falcon.asgi.Response, ex: PalimpsestError, params: Any) -> None:
    """Errors that the project raises on purpose; their messages are written for the caller."""
    if isinstance(ex, InvalidInput):
        places = ex.places if isinstance(ex, InvalidBody) else (Place(ex.where, ex.reason),) if ex.where else ()
        answer(req, resp, 422, detail=str(ex), errors=places)
    elif isinstance(ex, Conflict):
        answer(req, resp, 409, detail=str(ex))
    elif isinstance(ex, NotFound):
        answer(req, resp, 404, detail=str(ex))
    elif isinstance(ex, Unauthenticated):
        resp.set_header("WWW-Authenticate", f'{CHALLENGE}, error="invalid_token"' if ex.presented else CHALLENGE)
        answer(req, resp, 401, detail=str(ex))
    elif isinstance(ex, Forbidden):
        answer(req, resp, 403, detail=str(ex))
    elif isinstance(ex, NotReady | LeaseLost):
        # The message may name paths of this machine: it is for the operator.
        log("not ready", level=logging.WARNING, request=request_id(req), reason=str(ex))
        resp.set_header("Retry-After", "1")
        answer(req, resp, 503)
    else:
        await on_unknown(req, resp, ex, params)


async def on_http_error(
    req: falcon.asgi.Request, resp: falcon.asgi.Response, ex: falcon.HTTPError, _params: Any
) -> None:
    """What the framework refuses: no such address, no such method, a header it cannot read."""
    resp.set_headers(ex.headers or {})
    answer(req, resp, ex.status_code, detail=ex.description or "", title=ex.title or "")


async def on_unknown(req: falcon.asgi.Request, resp: falcon.asgi.Response, ex: Exception, _params: Any) -> None:
    """A defect: its id to the caller, its place in the code to the log. Messages may quote texts: none is logged."""
    log("failed", level=logging.ERROR, request=request_id(req), error=type(ex).__name__, at=places_of(ex))
    answer(req, resp, 500)


def places_of(ex: BaseException) -> list[str]:
    """The innermost frames as `file:line function`, innermost last; no values."""
    frames = traceback.extract_tb(ex.__traceback__)[-8:]
    return [f"{Path(each.filename).name}:{each.lineno} {each.name}" for each in frames]


def answer(
    req: falcon.asgi.Request,
    resp: falcon.asgi.Response,
    status: int,
    *,
    detail: str = "",
    title: str = "",
    errors: tuple[Place, ...] = (),
) -> None:
    """Fill the response with the problem of this status."""
    kind, usual = KINDS.get(status, (KINDS[400] if status < 500 else KINDS[500]))
    problem = Problem(
        type=TYPE_PREFIX + kind,
        title=title or kind.replace("-", " ").capitalize(),
        status=status,
        detail=detail or usual,
        instance=f"urn:uuid:{request_id(req)}",
        errors=errors,
    )
    resp.status = status
    resp.content_type = "application/problem+json"
    resp.data = msgspec.json.encode(problem)
