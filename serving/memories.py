"""The memories that are open: least recently used out first, one lock each, blocking work off the event loop.

Waiting for a memory happens on the loop, so that a slow one holds at most one thread of the pool and never all of them.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

import falcon.asgi

from kg_assets import journal
from kg_assets.errors import Corrupt, NotFound, PalimpsestError
from kg_assets.model import Change, Micros, Origin
from kg_assets.ports import Clock, Embedder, Memory, Stores
from kg_assets.recall.read_model import ReadModel, ReadModels
from serving.auth import Caller
from serving.logs import request_id

Result = TypeVar("Result")


class OpenMemory:
    """One memory with its read model. Only one thread uses it at a time."""

    def __init__(self, memory: Memory, embedder: Embedder) -> None:
        self.memory = memory
        self._models = ReadModels(embedder)

    def read_model(self, known_at: Micros | None = None) -> ReadModel:
        """Brought up to the memory's revision, so that it holds every acknowledged write of any process."""
        return self._models.at(self.memory, known_at)

    @property
    def nbytes(self) -> int:
        return self._models.nbytes


class Slot:
    """A place in the LRU; `users` counts those that wait or work, and keeps it from being closed."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.users = 0
        self.opened: OpenMemory | None = None
        self.nbytes = 0  # of its read models, after the last use


class Memories:
    """Runs work on the caller's memory.

    At most `limit` memories stay open, and as many as have read models of `budget` bytes together.
    """

    def __init__(
        self,
        stores: Stores,
        embedder: Embedder,
        clock: Clock,
        *,
        limit: int = 64,
        budget: int = 1 << 30,
        threads: int = 4,
    ) -> None:
        self.stores = stores
        self.embedder = embedder
        self.clock = clock
        self.limit, self.budget = limit, budget
        self._slots: OrderedDict[str, Slot] = OrderedDict()
        self._threads = ThreadPoolExecutor(max_workers=threads, thread_name_prefix="memory")
        self._bulk = ThreadPoolExecutor(max_workers=1, thread_name_prefix="bulk")

    async def work(
        self,
        req: falcon.asgi.Request,
        task: Callable[[OpenMemory], Result],
        *,
        nothing: Callable[[], Result] | None = None,
        bulk: bool = False,
    ) -> Result:
        """The result of `task` on the memory of this request's caller; nobody else in this process uses it meanwhile.

        Acting for another is written into that memory's journal first. Only what writes makes a memory; where there is
        none, callers read `nothing` from their own. Raises `NotFound` where another's is named, or without `nothing`.
        `bulk` work stands in a queue of its own, so that imports never hold up everyone else.
        """
        caller: Caller = req.context.caller
        slot = self._slots.setdefault(caller.memory_id, Slot())
        self._slots.move_to_end(caller.memory_id)
        slot.users += 1
        try:
            async with slot.lock:
                job = partial(self._run, slot, caller, request_id(req), task, nothing)
                return await self._in_thread(job, self._bulk if bulk else self._threads)
        finally:
            slot.users -= 1
            await self._close_oldest()

    async def aside(self, task: Callable[[], Result]) -> Result:
        """Blocking work that needs no memory."""
        return await self._in_thread(task, self._threads)

    async def _in_thread(self, task: Callable[[], Result], threads: ThreadPoolExecutor) -> Result:
        job = asyncio.get_running_loop().run_in_executor(threads, task)
        try:
            return await asyncio.shield(job)
        finally:
            if not job.done():  # cancelled: the lock must outlast the thread
                await asyncio.wait([job])

    def _run(
        self,
        slot: Slot,
        caller: Caller,
        request: str,
        task: Callable[[OpenMemory], Result],
        nothing: Callable[[], Result] | None,
    ) -> Result:
        opened, slot.opened = self._standing(slot.opened) or self._open(caller), None
        if opened is None:
            if caller.acting_as or nothing is None:
                raise NotFound("there is no memory of this user; it begins with the first utterance")
            return nothing()
        healthy = False
        try:
            if caller.acting_as:
                journal_access(opened.memory, caller, request, self.clock)
            result = task(opened)
            healthy = True
            return result
        except PalimpsestError as ex:
            healthy = not isinstance(ex, Corrupt)  # the file may be replaced by a whole one
            raise
        finally:
            if healthy:
                slot.opened, slot.nbytes = opened, opened.nbytes
            else:  # what an unexpected error left behind is not used again
                opened.memory.close()

    def _standing(self, opened: OpenMemory | None) -> OpenMemory | None:
        """Unless it was erased since: then what is open is a ghost, and must neither be read nor written."""
        if opened is None or self.stores.find(opened.memory.info.id) == opened.memory.info:
            return opened
        opened.memory.close()
        return None

    def _open(self, caller: Caller) -> OpenMemory | None:
        """None where there is no memory and this request makes none."""
        if caller.may_register:
            self.stores.create(caller.issuer, caller.subject, now=self.clock())
        elif self.stores.find(caller.memory_id) is None:
            return None
        return OpenMemory(self.stores.open(caller.memory_id), self.embedder)

    async def _close_oldest(self) -> None:
        """Those not used for longest, down to the limit and the budget; the one used last stays, however large."""
        for memory_id in [each for each, slot in self._slots.items() if not slot.users]:
            held = sum(slot.nbytes for slot in self._slots.values())
            if len(self._slots) <= self.limit and (held <= self.budget or len(self._slots) == 1):
                return
            slot = self._slots.get(memory_id)
            if slot is None or slot.users:  # somebody came while another was closed
                continue
            opened = self._slots.pop(memory_id).opened
            if opened:
                await self._in_thread(opened.memory.close, self._threads)

    async def process_shutdown(self, _scope: dict[str, Any], _event: dict[str, Any]) -> None:
        """Middleware: close what is open when the server stops."""
        self.limit = 0
        await self._close_oldest()
        for each in (self._threads, self._bulk):
            each.shutdown(wait=True)


def journal_access(memory: Memory, caller: Caller, request: str, clock: Clock) -> None:
    """Write down that someone else opened this memory, under which role and as whom."""
    payload = {"role": caller.acting_as, "issuer": caller.issuer, "subject": caller.bearer}
    with memory.transaction():
        journal.record(
            memory.ledger,
            [Change(op="access", payload=payload)],
            origin=Origin(actor=caller.acting_as, cause=f"request {request}"),
            at=journal.instant(memory.ledger, clock),
        )
