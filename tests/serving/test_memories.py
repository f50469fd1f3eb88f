"""How many memories stay open at once."""

import asyncio

import pytest
from falcon.testing import create_asgi_req

from resources.clock import system_clock
from resources.settings import DEV_ISSUER
from serving.auth import Caller
from serving.memories import Memories, OpenMemory
from tests.serving.conftest import Service

USERS = ("ana", "ben", "cleo")


def size(opened: OpenMemory) -> int:
    opened.read_model()
    return opened.nbytes


@pytest.mark.parametrize(("limit", "models", "left"), [(64, 3, 3), (64, 2, 2), (64, 0, 1), (1, 3, 1)])
def test_the_memories_that_were_used_last_stay_open_within_the_budget(
    service: Service, limit: int, models: int, left: int
) -> None:
    for user in USERS:
        service.say("I live in Porto.", user=user)

    async def opened() -> tuple[list[int], list[str]]:
        memories = Memories(service.stores, service.embedder, system_clock, limit=limit, budget=models * each)
        sizes = []
        for user in USERS:
            request = create_asgi_req()
            request.context.caller = Caller(service.stores.memory_id(DEV_ISSUER, user), DEV_ISSUER, user, user)
            sizes.append(await memories.work(request, size))
        still_open = list(memories._slots)
        await memories.process_shutdown({}, {})
        assert not memories._slots
        return sizes, still_open

    each = 1 << 30
    each = max(asyncio.run(opened())[0])
    sizes, still_open = asyncio.run(opened())
    assert min(sizes) > 1000
    assert still_open == [service.stores.memory_id(DEV_ISSUER, user) for user in USERS[-left:]]
