"""Reading what waits, in one memory: computed outside the transactions, in this process or over others, and committed
chunk by chunk."""

from collections.abc import Sequence

import msgspec

from kg_assets import journal
from kg_assets.errors import NotReady
from kg_assets.model import SAME_AS, Assertion, Change, Origin, Route
from kg_assets.ports import Clock, Compute, Memory
from kg_assets.text.clauses import Statement
from kg_assets.text.extra_ontology import extended
from kg_assets.text.ontology import Ontology
from kg_assets.triples.extraction import Extractor, build_extractor
from kg_assets.triples.language_voter import LanguageVoter, Listening, Told
from kg_assets.triples.read_by import note_read
from kg_assets.triples.reading import Turn
from kg_assets.utterances.context import BEFORE

PROVISIONAL = "(provisional)"


class ExtractionReport(msgspec.Struct, frozen=True, kw_only=True):
    """What one run read in one memory; counts only. `votes` counts assertions by who voted for them, `predicates` by
    predicate: those as worded by a person under `PROVISIONAL`, members of a family under its prefix.

    `language_…`: of a language model, if one was asked; see `Listening`.
    """

    utterances: int = 0
    silent: int = 0  # utterances that say nothing to remember
    assertions: int = 0
    votes: dict[str, int] = {}
    predicates: dict[str, int] = {}
    version: str = ""
    language_calls: int = 0
    language_tokens: int = 0
    language_unasked: int = 0
    language_failures: dict[str, int] = {}
    language_rejected: dict[str, int] = {}


def extract_pending(
    memory: Memory,
    extractor: Extractor,
    *,
    routes: Sequence[Route],
    origin: Origin,
    clock: Clock,
    chunk: int = 64,
    language: LanguageVoter | None = None,
    compute: Compute | None = None,
) -> ExtractionReport:
    """Read until nothing waits on these routes. A crash loses what was read and not committed; read again it gives the
    same. Without `compute`, one chunk is read after the other in this process.

    `language` must be the one whose version the extractor names. Where it fails, the others' reading stands.
    """
    total = ExtractionReport(version=extractor.version)
    width = compute.width if compute else 1
    while seqs := memory.ledger.pending("extract", routes, chunk * width):
        for each in read_all(memory, extractor, seqs, chunk=chunk, language=language, compute=compute):
            report = commit(memory, each, routes=routes, origin=origin, clock=clock)
            total = added(total, with_listening(report, each.listening))
    return total


class Read(msgspec.Struct, frozen=True):
    """What was read in some utterances, in their order: `groups` of assertions. `missed` are those that a language
    model was to read too and did not."""

    seqs: tuple[int, ...]
    chunk: "Chunk"
    groups: list[list[Assertion]]
    listening: Listening
    missed: tuple[int, ...] = ()


def read_all(
    memory: Memory,
    extractor: Extractor,
    seqs: Sequence[int],
    *,
    chunk: int,
    language: LanguageVoter | None = None,
    compute: Compute | None = None,
) -> list[Read]:
    """In chunks, which are read one after the other or all at once over `compute`. Nothing is written."""
    parts = [seqs[start : start + chunk] for start in range(0, len(seqs), chunk)]
    chunks: list[Chunk] = []
    heard: list[Told] = []
    for part in parts:
        turns = turns_of(memory, part)
        told = language.read(turns) if language else Told([], Listening())
        names = (extractor.methods, extractor.language_model, extractor.parser, extractor.version)
        chunks.append(Chunk(*names, tuple(turns), memory.key, told.statements, extractor.ontology.extra))
        heard.append(told)
    found = compute.map(read_chunk, chunks) if compute else [read_with(extractor, each) for each in chunks]
    whole = zip(parts, chunks, found, heard, strict=True)
    return [
        Read(tuple(part), each, groups, told.listening, tuple(each.turns[place].utterance.seq for place in told.missed))
        for part, each, groups, told in whole
    ]


class Chunk(msgspec.Struct, frozen=True):
    """What a worker needs to read some turns: which extractor, the turns, the key of the ids, and what a language model
    told of them."""

    methods: tuple[str, ...]
    language_model: str
    parser: str
    version: str
    turns: tuple[Turn, ...]
    key: bytes
    told: list[list[Statement]]
    extra: str = ""  # the text of the ontology's extra declarations


def read_chunk(chunk: Chunk) -> list[list[Assertion]]:
    """In whichever process; it loads the parser once. Raises `NotReady` where that is one of another release."""
    extractor = build_extractor(chunk.methods, chunk.language_model, chunk.parser, chunk.extra)
    if extractor.version != chunk.version:
        raise NotReady(
            f"this worker reads by {extractor.version}, the run by {chunk.version}; install the same release on both"
        )
    return read_with(extractor, chunk)


def read_with(extractor: Extractor, chunk: Chunk) -> list[list[Assertion]]:
    return extractor.extract(chunk.turns, chunk.key, chunk.told)


def commit(memory: Memory, read: Read, *, routes: Sequence[Route], origin: Origin, clock: Clock) -> ExtractionReport:
    """One transaction: the assertions of what still waits, the queues, and the journal."""
    with memory.transaction():
        still = set(memory.ledger.pending("extract", routes, None))
        turns = zip(read.chunk.turns, read.groups, strict=True)
        kept = [group for turn, group in turns if turn.utterance.seq in still]
        add_evidence(memory, read.seqs, kept, read.chunk.version, origin=origin, clock=clock)
        note_read(memory, sorted(still.intersection(read.seqs)), read.chunk.version)
        memory.ledger.done("extract", read.seqs)
        memory.ledger.enqueue("derive", read.seqs)
    return counted(kept, read.chunk.version, extended(read.chunk.extra))


def add_evidence(
    memory: Memory,
    seqs: Sequence[int],
    groups: Sequence[Sequence[Assertion]],
    version: str,
    *,
    origin: Origin,
    clock: Clock,
) -> None:
    """The assertions of these utterances and their entry in the journal, inside the caller's transaction."""
    read = [msgspec.structs.replace(each, run_id=origin.run_id) for group in groups for each in group]
    written = journal.new_assertions(memory.ledger, read)
    memory.ledger.add_assertions(read)
    change = Change(
        op="extract",
        payload={
            "first": seqs[0],
            "last": seqs[-1],
            "utterances": len(groups),
            "extractor": version,
            **written,
        },
    )
    journal.record(memory.ledger, [change], origin=origin, at=journal.instant(memory.ledger, clock))


def turns_of(memory: Memory, seqs: Sequence[int]) -> list[Turn]:
    """Each utterance with the earlier turns of its session."""
    return [
        Turn(
            utterance,
            tuple(memory.ledger.session_before(utterance.session, utterance.seq, BEFORE)),
            memory.info.multi_speaker,
        )
        for utterance in memory.ledger.utterances(seqs)
    ]


def counted(groups: Sequence[Sequence[Assertion]], version: str, ontology: Ontology) -> ExtractionReport:
    votes: dict[str, int] = {}
    predicates: dict[str, int] = {}
    for each in (each for group in groups for each in group):
        votes[each.extractor] = votes.get(each.extractor, 0) + 1
        name = declared_name(each.predicate, ontology)
        predicates[name] = predicates.get(name, 0) + 1
    return ExtractionReport(
        utterances=len(groups),
        silent=sum(not group for group in groups),
        assertions=sum(map(len, groups)),
        votes=votes,
        predicates=predicates,
        version=version,
    )


def declared_name(predicate: str, ontology: Ontology) -> str:
    """As it may be told outside the memory: what a person worded is not."""
    if predicate in ontology.predicates or predicate == SAME_AS:
        return predicate
    return next((prefix for prefix in ontology.families if predicate.startswith(prefix)), PROVISIONAL)


def with_listening(report: ExtractionReport, listening: Listening) -> ExtractionReport:
    return msgspec.structs.replace(
        report,
        language_calls=listening.calls,
        language_tokens=listening.tokens,
        language_unasked=listening.unasked,
        language_failures=listening.failures,
        language_rejected=listening.rejected,
    )


def added(one: ExtractionReport, other: ExtractionReport) -> ExtractionReport:
    return ExtractionReport(
        utterances=one.utterances + other.utterances,
        silent=one.silent + other.silent,
        assertions=one.assertions + other.assertions,
        votes=_summed(one.votes, other.votes),
        predicates=_summed(one.predicates, other.predicates),
        version=one.version,
        language_calls=one.language_calls + other.language_calls,
        language_tokens=one.language_tokens + other.language_tokens,
        language_unasked=one.language_unasked + other.language_unasked,
        language_failures=_summed(one.language_failures, other.language_failures),
        language_rejected=_summed(one.language_rejected, other.language_rejected),
    )


def _summed(one: dict[str, int], other: dict[str, int]) -> dict[str, int]:
    return {name: one.get(name, 0) + other.get(name, 0) for name in sorted({*one, *other})}
