"""assert: dated statements of a file become evidence of one memory."""

from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from kg_assets.errors import InvalidInput
from kg_assets.model import Origin
from kg_assets.text.ontology import Ontology
from kg_assets.triples.asserting import AssertedStatement, assert_statements, check_statement
from kg_assets.utterances.jsonl import parse_object
from kg_assets.utterances.lines import Problem, Source
from palimpsest.home import Home
from palimpsest.progress import Progress

BATCH = 1000


class AssertedFile(msgspec.Struct, frozen=True):
    """What became of a file's statements."""

    user: str
    new: int
    known: int
    problems: list[Problem]


def assert_file(home: Home, path: Path, user: str, *, on_problem: Callable[[str], None]) -> AssertedFile:
    """Good lines are kept, each bad one is told and counted. Raises `InvalidInput` where the file cannot be read."""
    info = home.registered(user)
    origin = Origin(actor="palimpsest assert", cause="assert")
    new = known = 0
    problems: list[Problem] = []
    with home.opened(info) as memory, Progress("asserting", total=lambda: sum(1 for _ in lines(path))) as progress:
        for group in batches(statements(path, home.ontology)):
            good = [each for each in group if isinstance(each, AssertedStatement)]
            bad = [each for each in group if isinstance(each, Problem)]
            report = assert_statements(memory, good, home.ontology, clock=home.clock, origin=origin)
            new, known = new + report.new, known + report.known
            for each in bad:
                on_problem(f"{each.where}: {each.message}")
            problems += bad
            progress.advance(len(group))
    return AssertedFile(user, new, known, problems)


def statements(path: Path, ontology: Ontology) -> Iterator[AssertedStatement | Problem]:
    for line in lines(path):
        if isinstance(line, Problem):
            yield line
            continue
        where, text = line
        try:
            yield check_statement(parse_object(text), ontology, where=where)
        except InvalidInput as ex:
            yield Problem(where=where, message=ex.reason)


def lines(path: Path) -> Iterator[tuple[str, str] | Problem]:
    """(place, text) of each line that is not blank."""
    try:
        for line in Source(path).lines():
            if isinstance(line, Problem):
                yield line
            elif line.text.strip():
                yield line.where, line.text
    except OSError as ex:
        raise InvalidInput(f"cannot be read ({ex.strerror}); check the name and the rights", where=str(path)) from ex


def batches(
    found: Iterator[AssertedStatement | Problem],
) -> Iterator[list[AssertedStatement | Problem]]:
    group: list[AssertedStatement | Problem] = []
    for each in found:
        group.append(each)
        if len(group) == BATCH:
            yield group
            group = []
    if group:
        yield group
