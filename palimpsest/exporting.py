"""export and import: one memory as a file in an open format, and back."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

import msgspec

from kg_assets.errors import InvalidInput
from kg_assets.maintenance.checking_exports import checked_export
from kg_assets.maintenance.export import exported
from kg_assets.model import SELF_KEY, Draft, Literal, Mention, Origin
from kg_assets.ports import Memory
from kg_assets.text.instants import parse_instant
from kg_assets.triples.asserting import EXTRACTOR, AssertedStatement, append_statements
from kg_assets.triples.reading import Interval
from kg_assets.utterances.intake import FIELDS, check
from kg_assets.utterances.jsonl import parse_object
from kg_assets.utterances.lines import Problem, Source
from palimpsest.home import Home
from palimpsest.ingestion import remember_all
from palimpsest.progress import Progress

BATCH = 100
Evidence = Draft | tuple[str, AssertedStatement]  # what was said, or (id, what was asserted)


class Exported(msgspec.Struct, frozen=True):
    user: str
    lines: int


class Imported(msgspec.Struct, frozen=True):
    user: str
    new: int
    known: int
    problems: list[Problem]


def export_memory(home: Home, user: str, out: IO[bytes]) -> Exported:
    lines = 0
    with home.memory(user) as memory, Progress("exporting") as progress:
        for line in exported(memory, now=home.clock()):
            out.write(msgspec.json.encode(line) + b"\n")
            lines += 1
            progress.advance(1)
    return Exported(user, lines)


def export_to(home: Home, user: str, path: Path) -> Exported:
    """Readable by its owner only; a file that is there is never written over. Raises `InvalidInput`."""
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
            return export_memory(home, user, out)
    except OSError as ex:
        raise InvalidInput(f"cannot be written ({ex.strerror}); name another file", where=str(path)) from ex


# -------------------------------------------------------------------------------------------------------- import


def import_file(home: Home, path: Path, user: str, *, on_problem: Callable[[str], None]) -> Imported:
    """Evidence is appended in its old order; belief is derived from it again. Raises `InvalidInput` for a file that is
    no whole export, before anything is written."""
    header = checked_header(path)
    several = header.get("multi_speaker") is True
    info = home.registered(user, multi_speaker=several)
    if info.multi_speaker != several:
        raise InvalidInput(f"the memory of {user!r} is of the other kind; import under another --user", where=str(path))
    new = known = 0
    problems: list[Problem] = []
    total = int(header.get("utterances", 0))
    with home.opened(info) as memory, Progress("importing", total=lambda: total) as progress:
        for group in batches(evidence(path)):
            progress.advance(len(group))
            for each in group:
                if isinstance(each, Problem):
                    problems.append(each)
                    on_problem(f"{each.where}: {each.message}")
            good = [each for each in group if not isinstance(each, Problem)]
            added, conflicts = append(home, memory, good)
            for message in conflicts:
                problems.append(Problem(where=path.name, message=message))
                on_problem(f"{path.name}: {message}")
            new, known = new + added, known + len(good) - added - len(conflicts)
    return Imported(user, new, known, problems)


def append(home: Home, memory: Memory, group: list[Evidence]) -> tuple[int, list[str]]:
    """(how many were new, conflicts); the group is all said, or all asserted."""
    said = [each for each in group if isinstance(each, Draft)]
    asserted = dict(each for each in group if isinstance(each, tuple))
    new, conflicts = 0, []
    if said:
        receipts, refused = remember_all(home, memory, said)
        new += sum(not each.repeated for each in receipts)
        conflicts += [f"id {draft.id}: {message}" for draft, message in refused]
    if asserted:
        origin = Origin(actor="palimpsest import", cause="import")
        new += append_statements(memory, asserted, home.ontology, clock=home.clock, origin=origin)
    return new, conflicts


def checked_header(path: Path) -> dict[str, Any]:
    """The first line. Raises `InvalidInput` where the file is not whole, or not as it was exported."""
    try:
        return checked_export(parsed(path))
    except InvalidInput as ex:
        raise InvalidInput(ex.reason, where=ex.where or str(path)) from ex
    except OSError as ex:
        raise InvalidInput(f"cannot be read ({ex.strerror}); check the name and the rights", where=str(path)) from ex


def parsed(path: Path) -> Iterator[dict[str, Any]]:
    for line in Source(path).lines():
        if isinstance(line, Problem):
            raise InvalidInput(line.message, where=line.where)
        yield parse_object(line.text) if line.text.startswith("{") else {}


def evidence(path: Path) -> Iterator[Evidence | Problem]:
    """Utterances in order; one that was asserted without a text as the statement that it was."""
    said: Draft | Problem | None = None
    for line in Source(path).lines():
        if isinstance(line, Problem):
            yield line
            continue
        try:
            raw = parse_object(line.text)
            if raw.get("kind") == "assertion" and raw.get("extractor") == EXTRACTOR and isinstance(said, Draft):
                yield said.id, statement(raw, said)
                said = None
            elif raw.get("kind") == "utterance":
                if said is not None:
                    yield said
                said = check({field: raw[field] for field in FIELDS if field in raw}, where=line.where)
        except (InvalidInput, KeyError, TypeError) as ex:
            yield Problem(where=line.where, message=str(ex))
    if said is not None:
        yield said


def statement(raw: dict[str, Any], said: Draft) -> AssertedStatement:
    """Raises `KeyError` or `TypeError` where the line is not as it was exported."""
    target = raw["object"]
    own = Mention(surface=raw["subject"], key=SELF_KEY, type="person")
    start, end = (None if raw[field] is None else parse_instant(raw[field]) for field in ("valid_from", "valid_to"))
    return AssertedStatement(
        subject=own if raw.get("subject_key") == SELF_KEY else raw["subject"],
        predicate=raw["predicate"],
        object=Literal(value=target["value"], type=target["type"]) if isinstance(target, dict) else target,
        when=Interval(start, end, start_known=raw["start_known"], precision=raw["precision"]),
        said_at=said.said_at,
        authority=raw["authority"],
        denied=raw["polarity"] == "denied",
        retracted=raw["polarity"] == "retracted",
        metadata=said.metadata,
    )


def batches(found: Iterator[Evidence | Problem]) -> Iterator[list[Evidence | Problem]]:
    """Neighbours of one kind, so that their order is kept."""
    group: list[Evidence | Problem] = []
    for each in found:
        if group and (len(group) == BATCH or isinstance(each, tuple) != isinstance(group[-1], tuple)):
            yield group
            group = []
        group.append(each)
    if group:
        yield group
