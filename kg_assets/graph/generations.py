"""Which generation of belief answered when, by which code each was made, and what a row of one means."""

from collections.abc import Collection, Iterable, Sequence

import msgspec

from kg_assets.errors import NotFound
from kg_assets.graph.policies import Policy
from kg_assets.graph.resolution import RESOLUTION
from kg_assets.model import FIRST_GENERATION, Fact, Micros, Served
from kg_assets.ports import Memory
from kg_assets.text.instants import format_instant
from kg_assets.text.ontology import Ontology
from kg_assets.triples.read_by import read_by
from kg_assets.triples.spans import Spans, seqs_in, spans_of, within, without

NAME = "generations"  # of the memory's value that holds them


class Again(msgspec.Struct, frozen=True, kw_only=True):
    """A reading of what had been read before, for one generation and those that are built on it.

    `spans` are of the utterances that were read, `missed` of those that were to be and were not: a language model among
    the voters had no budget left for them, or did not answer. They count as they were read before.
    """

    generation: int
    extractor: str
    spans: Spans = ()
    missed: Spans = ()

    def covers(self, seq: int) -> bool:
        return within(self.spans, seq)

    def read(self, seqs: Sequence[int], missed: Collection[int]) -> "Again":
        """With these utterances, all of which were to be read."""
        spans = spans_of({*seqs_in(self.spans), *seqs} - {*missed})
        left = spans_of({*seqs_in(self.missed)} - {*seqs} | {*missed})
        return msgspec.structs.replace(self, spans=spans, missed=left)

    def without(self, seqs: Iterable[int]) -> "Again":
        """As if these had never been meant to be read again."""
        gone = set(seqs)
        return msgspec.structs.replace(self, spans=without(self.spans, gone), missed=without(self.missed, gone))


class Made(msgspec.Struct, frozen=True, kw_only=True):
    """One generation: the rules that made it (`belief_version`), and the journal entry up to which evidence is in it.

    `whole` is false while it is being built. `derived` says nothing of the one that serves: it follows all evidence.
    `waiting` are utterances read before that entry that still waited to be derived when it ceased to serve. `again`
    are the readings whose evidence counts in it, oldest first: its own, and those of the generation it was built on.
    `dropped` is the journal entry by which its rows went; 0 while they are there.
    """

    generation: int
    rules: str
    derived: int = 0
    waiting: tuple[int, ...] = ()
    whole: bool = True
    again: tuple[Again, ...] = ()
    dropped: int = 0

    @property
    def reader(self) -> str:
        """The extractor by which all was read again for this one; empty where nothing was."""
        return self.again[-1].extractor if self.again and self.again[-1].generation == self.generation else ""


def belief_version(ontology: Ontology, policy: Policy) -> str:
    """Belief of one version differs only where the evidence does."""
    return f"{ontology.version}/{policy.version}/names-{RESOLUTION}"


def generations(memory: Memory) -> list[Made]:
    """By number. Empty before anything was derived."""
    value = memory.value(NAME)
    return msgspec.json.decode(value, type=list[Made]) if value else []


def dropped_generations(memory: Memory) -> set[int]:
    return {each.generation for each in generations(memory) if each.dropped}


def require_kept(memory: Memory, known_at: Micros | None) -> None:
    """Raises `NotFound` where the generation that served at this recorded time was dropped: nothing else may answer in
    its place."""
    gone = dropped_generations(memory) if known_at is not None else set()
    if known_at is not None and gone and (served := generation_served(memory.graph.served(), known_at)) in gone:
        raise NotFound(
            f"what was believed at {format_instant(known_at)} was dropped with generation {served}, which served then; "
            "ask for a later time (`palimpsest generations` tells which are kept). The journal still holds its entries"
        )


def put_generation(memory: Memory, made: Made) -> None:
    """In place of what was noted of this generation; inside the caller's transaction."""
    others = [each for each in generations(memory) if each.generation != made.generation]
    noted = sorted([*others, made], key=lambda each: each.generation)
    memory.set_value(NAME, msgspec.json.encode(noted).decode())


def note_first(memory: Memory, rules: str) -> None:
    """By which rules the first generation is made; inside the transaction that derives first."""
    if memory.value(NAME) is None:
        put_generation(memory, Made(generation=FIRST_GENERATION, rules=rules))


def is_stale(memory: Memory, ontology: Ontology, policy: Policy) -> bool:
    """Whether the generation that serves was made by other rules than today's. Only a rebuild mends that: rules that
    changed must not change belief before somebody has seen what they make of it."""
    serving = memory.graph.generation
    return any(
        each.rules != belief_version(ontology, policy) for each in generations(memory) if each.generation == serving
    )


def reader_of(memory: Memory) -> str:
    """The extractor by which all was last read again for the generation that serves; empty where it never was, or
    where some was missed."""
    serving = next((each for each in generations(memory) if each.generation == memory.graph.generation), None)
    whole = serving and serving.again and not serving.again[-1].missed
    return serving.again[-1].extractor if serving and whole else ""


def read_otherwise(memory: Memory, extractor: str) -> int:
    """How many utterances count as another extractor than this read them, in the generation that serves. Only a rebuild
    that reads again mends that."""
    serving = next((each for each in generations(memory) if each.generation == memory.graph.generation), None)
    again = serving.again if serving else ()
    count = 0
    for each in read_by(memory):
        for seq in seqs_in(each.spans):
            last = next((reading.extractor for reading in reversed(again) if reading.covers(seq)), each.extractor)
            count += last != extractor
    return count


def generation_served(served: Sequence[Served], known_at: Micros) -> int:
    """The generation that a read as of this recorded time sees."""
    then = [each for each in served if each.recorded_from is None or each.recorded_from <= known_at]
    return then[-1].generation if then else FIRST_GENERATION


def as_served(facts: Iterable[Fact], served: Sequence[Served]) -> list[Fact]:
    """Rows cut to the recorded times at which their generation answered: what was believed, and when.

    A row of a generation that never answered while it stood is left out; one that answered twice comes twice. In the
    order of recorded time, then in the order given.
    """
    found = [
        msgspec.structs.replace(fact, recorded_from=start, recorded_to=end)
        for fact in facts
        for each in served
        if each.generation == fact.generation
        for start, end in [_both(fact, each)]
        if end is None or start < end
    ]
    return sorted(found, key=lambda fact: fact.recorded_from)


def _both(fact: Fact, served: Served) -> tuple[Micros, Micros | None]:
    """The intersection of two half-open intervals; empty where it ends before it starts."""
    start = fact.recorded_from if served.recorded_from is None else max(fact.recorded_from, served.recorded_from)
    ends = [end for end in (fact.recorded_to, served.recorded_to) if end is not None]
    return start, min(ends, default=None)
