"""POST /v1/recall."""

from typing import Any

import falcon.asgi
import msgspec

from kg_assets.errors import InvalidInput
from kg_assets.model import Micros, Watermark
from kg_assets.ports import Clock, Embedder, Memory
from kg_assets.recall.read_model import ReadModel
from kg_assets.recall.retrieve import RecallRequest, recall
from serving.bodies import instant_or_none, read_json
from serving.contract import encode, when
from serving.logs import request_id
from serving.memories import Memories, OpenMemory

KINDS = ("utterance", "fact", "summary", "document")
MOST = 1000
BODY_BYTES = 64 * 1024
QUERY_CHARACTERS = 2000


class RecallBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    query: str
    k: int = 10
    strategy: str | None = None
    kinds: tuple[str, ...] = KINDS
    filters: dict[str, Any] = {}
    valid_at: str | None = None
    known_at: str | None = None
    explain: bool = False
