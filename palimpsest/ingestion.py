"""From a file into memories, in batches; a second ingest of the same file changes nothing."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec

from kg_assets.errors import Conflict, InvalidInput
from kg_assets.index.remember import Receipt, remember
from kg_assets.model import Draft, MemoryInfo, Origin, Watermark
from kg_assets.ports import Memory
from kg_assets.utterances.documents.reading import as_stored
from kg_assets.utterances.formats import ANY_MEMORY, MULTI_SPEAKER, read
from kg_assets.utterances.jsonl import read_jsonl
from kg_assets.utterances.lines import Problem, Reading, Source
from palimpsest.home import Home
from palimpsest.progress import Progress
from serving.contract import NoveltyView, novelty_view

BATCH = 200
ORIGIN = Origin(actor="user", cause="command ingest")


class IngestedUtterance(msgspec.Struct, frozen=True, kw_only=True):
    user: str
    id: str
    novelty: NoveltyView


class IngestedMemory(msgspec.Struct, frozen=True, kw_only=True):
    user: str
    new: int
    known: int
    routes: dict[str, int]
    watermark: Watermark


class IngestReport(msgspec.Struct, frozen=True, kw_only=True):
    """`watermark` is that of the memory, where the file went into one."""

    new: int
    known: int
    problems: list[Problem]
    memories: list[IngestedMemory]
    watermark: Watermark | None
    utterances: list[IngestedUtterance]


def ingest_file(
    home: Home, path: Path, format_name: str, user: str, *, on_problem: Callable[[str], None]
) -> IngestReport:
    """Append what the file holds. Problems are told as they come up and counted in the report."""
    intake = Intake(home, path, format_name)
    with Progress("ingesting", total=lambda: sum(1 for _ in read(path, format_name))) as progress:
        for name, found in grouped(read(path, format_name), user):
            progress.advance(len(found))
            drafts = [each for each in found if isinstance(each, Draft)]
            problems = [each for each in found if isinstance(each, Problem)]
            problems += intake.append(name, drafts) if drafts else []
            for each in problems:
                on_problem(f"{each.where}: {each.message}")
            intake.problems += problems
    return intake.report()


def grouped(readings: Iterator[Reading], user: str) -> Iterator[tuple[str, list[Draft | Problem]]]:
    """Batches that belong to one memory."""
    batch: list[Draft | Problem] = []
    current = user
    for name, found in readings:
        if batch and (len(batch) == BATCH or (name or user) != current):
            yield current, batch
            batch = []
        current = name or user
        batch.append(found)
    if batch:
        yield current, batch


class Intake:
    """Appends batches and keeps the books of one ingest."""

    def __init__(self, home: Home, path: Path, format_name: str) -> None:
        self.home = home
        self.path = path
        self.format_name = format_name
        self.problems: list[Problem] = []
        self.receipts: dict[str, list[Receipt]] = {}

    def append(self, user: str, drafts: Sequence[Draft]) -> list[Problem]:
        with self.home.opened(self.registered(user)) as memory:
            receipts, conflicts = remember_all(self.home, memory, [as_stored(memory, draft) for draft in drafts])
        self.receipts.setdefault(user, []).extend(receipts)
        return self.placed(conflicts)

    def registered(self, user: str) -> MemoryInfo:
        """The memory, made if need be. Raises `InvalidInput` where it is of the other kind."""
        several = self.format_name in MULTI_SPEAKER
        info = self.home.registered(user, multi_speaker=several)
        if self.format_name in ANY_MEMORY:
            return info
        if info.multi_speaker != several:
            kinds = ("one person's, told by roles", "a conversation of several speakers")
            raise InvalidInput(
                f"the memory of {user!r} is {kinds[info.multi_speaker]}, this file is {kinds[several]}; "
                "ingest it under another --user",
                where=str(self.path),
            )
        return info

    def placed(self, conflicts: Sequence[tuple[Draft, str]]) -> list[Problem]:
        """Conflicts as problems; where lines are utterances, with the line."""
        if not conflicts:
            return []
        lines = list(lines_of(self.path)) if self.format_name == "jsonl" else []
        problems = []
        for draft, message in conflicts:
            where = next((where for where, found in lines if found == draft), f"{self.path.name}: id {draft.id}")
            problems.append(Problem(where=where, message=message))
        return problems

    def report(self) -> IngestReport:
        memories, utterances = [], []
        for user, receipts in self.receipts.items():
            utterances += [
                IngestedUtterance(user=user, id=each.id, novelty=novelty_view(each.novelty)) for each in receipts
            ]
            memories.append(self.summary(user, receipts))
        return IngestReport(
            new=sum(each.new for each in memories),
            known=sum(each.known for each in memories),
            problems=self.problems,
            memories=memories,
            watermark=memories[0].watermark if len(memories) == 1 else None,
            utterances=utterances,
        )

    def summary(self, user: str, receipts: Sequence[Receipt]) -> IngestedMemory:
        fresh = [each for each in receipts if not each.repeated]
        routes: dict[str, int] = {}
        for each in fresh:
            routes[each.novelty.route] = routes.get(each.novelty.route, 0) + 1
        with self.home.memory(user) as memory:
            watermark = memory.ledger.watermark()
        return IngestedMemory(
            user=user, new=len(fresh), known=len(receipts) - len(fresh), routes=routes, watermark=watermark
        )


def remember_all(home: Home, memory: Memory, drafts: Sequence[Draft]) -> tuple[list[Receipt], list[tuple[Draft, str]]]:
    """Remember a batch; one whose id is taken by other content is set aside, and all the others are kept.

    A conflict refuses its whole batch, so a batch with one is halved until it stands alone.
    """
    try:
        receipts = remember(
            memory,
            drafts,
            embedder=home.embedder,
            ontology=home.ontology,
            thresholds=home.thresholds,
            origin=ORIGIN,
            clock=home.clock,
            cap_at_batch=True,
        )
    except Conflict as ex:
        if len(drafts) == 1:
            return [], [(drafts[0], str(ex))]
        middle = len(drafts) // 2
        first, second = remember_all(home, memory, drafts[:middle]), remember_all(home, memory, drafts[middle:])
        return first[0] + second[0], first[1] + second[1]
    return receipts, []


def lines_of(path: Path) -> Iterator[tuple[str, Draft | Problem]]:
    """Each reading of a JSON-lines file with its place: there is one for every line that is not blank."""
    lines = (line for line in Source(path).lines() if isinstance(line, Problem) or line.text.strip())
    for line, (_, found) in zip(lines, read_jsonl(path), strict=True):
        yield line.where, found
