"""rebuild, generations, flip, diff and replay: belief derived again, and the graph made again from the journal."""

import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

import msgspec

from kg_assets.errors import InvalidInput, NotReady
from kg_assets.graph.generations import belief_version, generations
from kg_assets.graph.policies import Policy
from kg_assets.graph.sources import generation_of
from kg_assets.graph.state import state_hash
from kg_assets.maintenance.comparing import Difference, difference
from kg_assets.maintenance.dropping import Dropped, beyond, drop
from kg_assets.maintenance.generations import Circumstances, Rebuilt, flip, rebuild
from kg_assets.maintenance.replaying import Replayed, replay
from kg_assets.model import MemoryInfo, Origin
from kg_assets.ports import Memory
from kg_assets.shards import granted, opened, renewed
from kg_assets.text.instants import format_instant
from kg_assets.triples.spans import size
from palimpsest.home import Home, language_voter_of, voters_of

if TYPE_CHECKING:
    from kg_assets.triples.reading_again import AgainReader


class ServedSpan(msgspec.Struct, frozen=True, kw_only=True):
    """A stretch of recorded time, half-open; null is unbounded."""

    recorded_from: str | None
    recorded_to: str | None


class GenerationView(msgspec.Struct, frozen=True, kw_only=True):
    """`up_to_date`: made by the ontology and policy of today. `served`: when it answered. `reader`: the extractor by
    which was read again for it; empty where nothing was. `missed`: how many utterances it was to read again, and did
    not. `dropped`: its rows are gone, and nothing answers as of when it served."""

    generation: int
    rules: str
    up_to_date: bool
    whole: bool
    serves: bool
    state_hash: str
    served: list[ServedSpan]
    reader: str = ""
    missed: int = 0
    dropped: bool = False


class RebuiltMemory(msgspec.Struct, frozen=True, kw_only=True):
    user: str
    rebuilt: Rebuilt | None
    problem: str = ""


def rebuild_memories(
    home: Home, user: str | None, *, read_again: bool, flip_to_it: bool, most_lost: float
) -> Iterator[RebuiltMemory]:
    """One memory, or each in turn; one that fails does not stop the others. `read_again` by the voters of today.

    Raises `NotReady` where a voter has nothing to read with.
    """
    with again_reader(home) if read_again else nullcontext() as reader:
        for info in [home.info(user)] if user else home.stores.memories():
            try:
                with working_on(home, info, "rebuild") as (memory, at):
                    made = rebuild(memory, at, flip_to_it=flip_to_it, most_lost=most_lost, reader=reader)
                yield RebuiltMemory(user=info.name, rebuilt=made)
            except NotReady as ex:
                yield RebuiltMemory(user=info.name, rebuilt=None, problem=str(ex))


@contextmanager
def again_reader(home: Home) -> "Iterator[AgainReader]":
    """As the settings say who reads, and where."""
    from kg_assets.triples.reading_again import AgainReader
    from resources.compute import open_compute

    language = language_voter_of(home.settings, home.ontology)
    extractor = voters_of(home.settings).extractor(home.ontology, language.version if language else "")
    compute = open_compute(home.settings.compute)
    try:
        yield AgainReader(extractor, language=language, compute=compute)
    finally:
        compute.close()


def flip_memory(home: Home, user: str, generation: int) -> list[GenerationView]:
    """Raises `InvalidInput` where there is no such generation, `NotReady` where a check stands against it."""
    with working_on(home, home.info(user), "flip") as (memory, at):
        flip(memory, generation, at)
    return generations_of(home, user)


def replay_memory(home: Home, user: str) -> Replayed:
    """Raises `NotReady` while a run works on the memory."""
    with working_on(home, home.info(user), "replay") as (memory, at):
        return replay(memory, origin=at.origin, clock=at.clock)


def generations_of(home: Home, user: str) -> list[GenerationView]:
    rules = belief_version(home.ontology, policy_of(home))
    with home.memory(user) as memory, memory.snapshot():
        served = memory.graph.served()
        return [
            GenerationView(
                generation=each.generation,
                rules=each.rules,
                up_to_date=each.rules == rules,
                whole=each.whole,
                serves=each.generation == memory.graph.generation,
                state_hash="" if each.dropped else state_hash(generation_of(memory, each.generation)),
                served=[
                    ServedSpan(
                        recorded_from=None if span.recorded_from is None else format_instant(span.recorded_from),
                        recorded_to=None if span.recorded_to is None else format_instant(span.recorded_to),
                    )
                    for span in served
                    if span.generation == each.generation
                ],
                reader=each.reader,
                dropped=each.dropped > 0,
                missed=size(each.again[-1].missed) if each.reader else 0,
            )
            for each in generations(memory)
        ]


class DroppedMemory(msgspec.Struct, frozen=True, kw_only=True):
    user: str
    dropped: Dropped | None
    problem: str = ""


def drop_generations(home: Home, user: str, numbers: Sequence[int]) -> DroppedMemory:
    """Raises `InvalidInput` where one serves or is not there: then none goes."""
    return _dropped(home, home.info(user), lambda _: numbers)


def keep_generations(home: Home, user: str | None, keep: int | None) -> Iterator[DroppedMemory]:
    """Of one memory, or of each in turn, all but the last to serve (None: as many as the settings say); one that a run
    works on does not stop the others. Raises `InvalidInput` for less than one."""
    most = home.settings.belief.keep_generations if keep is None else keep
    if most < 1:
        raise InvalidInput("at least the generation that serves is kept; name 1 or more", where="--keep")
    for info in [home.info(user)] if user else home.stores.memories():
        try:
            yield _dropped(home, info, lambda memory: beyond(memory, most))
        except NotReady as ex:
            yield DroppedMemory(user=info.name, dropped=None, problem=str(ex))


def _dropped(home: Home, info: MemoryInfo, choose: Callable[[Memory], Sequence[int]]) -> DroppedMemory:
    with working_on(home, info, "generations") as (memory, at):
        done = drop(memory, choose(memory), origin=at.origin, clock=at.clock)
    if done.dropped:
        home.stores.scrub(info.id)  # else the next sweep gives the disk back
    return DroppedMemory(user=info.name, dropped=done)


def difference_of(home: Home, user: str, a: int, b: int) -> Difference:
    with home.memory(user) as memory:
        return difference(memory, a, b, home.ontology)


def policy_of(home: Home) -> Policy:
    return Policy(home.settings.belief.policy)


@contextmanager
def working_on(home: Home, info: MemoryInfo, command: str) -> Iterator[tuple[Memory, Circumstances]]:
    """The memory under a lease, so that no run derives meanwhile. Raises `NotReady` while one does."""
    holder = f"{command}-{secrets.token_hex(4)}"
    lease = granted(home.stores, info.id, holder=holder, clock=home.clock)
    origin = Origin(actor="command", cause=f"palimpsest {command}")
    at = Circumstances(
        ontology=home.ontology, embedder=home.embedder, origin=origin, clock=home.clock, policy=policy_of(home)
    )
    try:
        with opened(home.stores, info.id, lease) as memory, renewed(home.stores, lease, home.clock):
            yield memory, at
    finally:
        home.stores.release(lease)
