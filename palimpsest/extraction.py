"""What would be read from each line of a text; nothing is stored."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import msgspec

from kg_assets.errors import InvalidInput
from kg_assets.model import Micros, Utterance
from kg_assets.text.extra_ontology import ontology_with
from kg_assets.text.instants import format_instant
from kg_assets.text.sentences import split
from kg_assets.triples.extraction import Extractor, build_extractor
from kg_assets.triples.open_extraction import as_words, covered, is_negated, open_triples
from kg_assets.triples.parsed import Tree
from kg_assets.triples.plans import LONGEST_SENTENCE, READ_CHARS, sentence_text
from kg_assets.triples.preview import line_said, read_said
from kg_assets.triples.reading import OPEN
from kg_assets.triples.spacy_pass import parse
from kg_assets.triples.voting import CONFIDENCE
from kg_assets.utterances.intake import check
from kg_assets.utterances.jsonl import parse_object
from kg_assets.utterances.lines import Line, Problem, Source
from palimpsest.home import home_is_here, home_settings, voters_of
from serving.contract import share

SPEAKER = "user"
CHUNK = 64  # lines that are parsed together


class Triple(msgspec.Struct, frozen=True, kw_only=True):
    """One statement read from one line, as it would enter the evidence. `span` points into the line."""

    line: int
    subject: str
    predicate: str
    object: str | int | float | bool
    span: tuple[int, int] | None
    negated: bool
    valid_from: str | None
    valid_to: str | None
    confidence: float
    extractor: str

    @property
    def is_worded(self) -> bool:
        """Whether the predicate is in the words of the line, its "not" included."""
        return self.extractor == OPEN


def triples_of_file(path: Path, *, speaker: str | None, said_at: Micros) -> Iterator[Triple | Problem]:
    """Each line is read by itself, as if a person had said it of themselves at `said_at`."""
    extractor = extractor_here()
    lines = spoken_lines(path, speaker or SPEAKER, said_at)
    while chunk := list(islice(lines, CHUNK)):
        yield from (each for each in chunk if isinstance(each, Problem))
        for row in read_said([each for each in chunk if isinstance(each, Utterance)], extractor):
            yield msgspec.convert(row, Triple)


def extractor_here() -> Extractor:
    """As the settings of the home say; the default where there is none."""
    if not home_is_here():
        return build_extractor()
    settings = home_settings()
    return voters_of(settings).extractor(ontology_with(settings.extra_ontology))


def open_triples_of_file(path: Path) -> Iterator[Triple | Problem]:
    """Each line by itself, in its own words and tokens: nobody is resolved, nothing mapped, dated or left out."""
    lines = spoken_lines(path, SPEAKER, 0)
    while chunk := list(islice(lines, CHUNK)):
        yield from (each for each in chunk if isinstance(each, Problem))
        pieces = [(said.seq, *piece) for said in chunk if isinstance(said, Utterance) for piece in pieces_of(said.text)]
        for (line, start, _), words in zip(pieces, parse([text for _, _, text in pieces]), strict=True):
            yield from open_triples_of_piece(line, start, Tree(words))


def pieces_of(text: str) -> Iterator[tuple[int, str]]:
    """What is parsed at once, and where it starts: the line, or each sentence of one too long for the parser."""
    if len(text) <= LONGEST_SENTENCE:
        yield 0, text
        return
    text = text[:READ_CHARS]
    yield from ((sentence.start, sentence_text(text, sentence)) for sentence in split(text))


def open_triples_of_piece(line: int, start: int, tree: Tree) -> Iterator[Triple]:
    for found in open_triples(tree):
        subject, predicate, object_ = as_words(tree, found)
        first, end = covered(tree, found)
        yield Triple(
            line=line,
            subject=subject,
            predicate=predicate,
            object=object_,
            span=(start + first, start + end),
            negated=is_negated(tree, found),
            valid_from=None,
            valid_to=None,
            confidence=share(CONFIDENCE[OPEN]),
            extractor=OPEN,
        )


def spoken_lines(path: Path, speaker: str, said_at: Micros) -> Iterator[Utterance | Problem]:
    """Lines that hold something. Raises `InvalidInput` where the file cannot be read."""
    try:
        for line in Source(path).lines():
            if isinstance(line, Problem):
                yield line
            elif line.text.strip():
                yield spoken(line, speaker, said_at)
    except OSError as ex:
        raise InvalidInput(f"cannot be read ({ex.strerror}); check the name and the rights", where=str(path)) from ex


def spoken(line: Line, speaker: str, said_at: Micros) -> Utterance | Problem:
    """The line as something said; of a chat in JSON lines its text, by whom and when the line tells."""
    plain = line_said(line.number, line.text, said_at, speaker)
    try:
        raw = parse_object(line.text) if line.text.startswith("{") else {}
    except InvalidInput:  # no JSON: words like any others
        return plain
    if "text" not in raw:
        return plain
    try:
        draft = check({"speaker": speaker, "said_at": format_instant(said_at), **raw}, where=line.where)
    except InvalidInput as ex:
        return Problem(where=line.where, message=ex.reason)
    said = line_said(line.number, draft.text, draft.said_at, draft.speaker)
    return msgspec.structs.replace(said, role=draft.role)
