"""What the ontology of a home declares, and what its memories say that it lacks."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import get_args

import msgspec

from kg_assets.graph.versions import current
from kg_assets.graph.wording import sentence
from kg_assets.maintenance.nearest_predicate import nearest
from kg_assets.maintenance.ontology_gaps import Gaps, gaps_of, gaps_of_memory
from kg_assets.model import SAME_AS, Mention, Route, Utterance
from kg_assets.ports import Memory
from kg_assets.text.extra_ontology import ontology_with
from kg_assets.text.ontology import Ontology, Predicate
from palimpsest.home import Home

EXAMPLES = 3
PAGE = 500
MOST_SILENT = 1000  # of the newest turns that led to nothing, read once more


class DeclaredPredicate(msgspec.Struct, frozen=True, kw_only=True):
    """`extra`: declared, or given more names, by the deployment's own file."""

    name: str
    domain: str
    range: str
    functional: bool
    group: str
    symmetric: bool
    transitive: bool
    inverse: str
    aliases: tuple[str, ...]
    extra: bool


class Declared(msgspec.Struct, frozen=True, kw_only=True):
    """`extra` is the file of the deployment's own declarations, empty where there is none."""

    version: str
    extra: str
    types: int
    predicates: tuple[DeclaredPredicate, ...]


class Example(msgspec.Struct, frozen=True, kw_only=True):
    """A fact under a provisional predicate, or what would be one, with the words that it was read from."""

    predicate: str
    fact: str
    text: str
    utterance: str


class Unread(msgspec.Struct, frozen=True, kw_only=True):
    """A provisional predicate that open reading finds in turns that led to nothing. `turns` is how many."""

    predicate: str
    turns: int
    nearest: str
    likeness: float
    examples: tuple[Example, ...]


class MemoryGaps(msgspec.Struct, frozen=True, kw_only=True):
    """What one memory's person says that the ontology lacks. `silent`: turns that were read and led to nothing; the
    newest `read_again` of them were read once more, openly."""

    user: str
    gaps: Gaps
    examples: tuple[Example, ...]
    silent: int
    read_again: int
    unread: tuple[Unread, ...]


def ontology_of(home: Home, extra: Path | None) -> Ontology:
    """That of the settings, or with another file in place of theirs. Raises `InvalidInput`."""
    return home.ontology if extra is None else ontology_with(extra)


def declared(ontology: Ontology, extra: Path | None) -> Declared:
    shipped = ontology_with(None)
    return Declared(
        version=ontology.version,
        extra=str(extra or ""),
        types=len(ontology.types),
        predicates=tuple(
            _declared(each, is_extra=shipped.predicates.get(name) != each)
            for name, each in sorted(ontology.predicates.items())
        ),
    )


def _declared(each: Predicate, *, is_extra: bool) -> DeclaredPredicate:
    return DeclaredPredicate(
        name=each.name,
        domain=each.domain,
        range=each.range,
        functional=each.functional,
        group=each.group,
        symmetric=each.symmetric,
        transitive=each.transitive,
        inverse=each.inverse,
        aliases=each.aliases,
        extra=is_extra,
    )


def gaps_of_home(home: Home, ontology: Ontology) -> Gaps:
    """Over all memories: the counts and names that the asset `ontology_gaps` shows."""
    return gaps_of(home.stores, ontology, home.embedder, least=home.settings.ontology.least_memories)


def gaps_of_user(home: Home, user: str, ontology: Ontology) -> MemoryGaps:
    with home.memory(user) as memory:
        gaps = gaps_of_memory(memory, ontology, home.embedder)
        examples = tuple(examples_of(memory, ontology, [gap.predicate for gap in gaps.gaps]))
        silent = [turn.seq for turn in silent_turns(memory)]
        chosen = silent[-MOST_SILENT:]
        found = read_openly(memory, chosen, ontology)
    like = nearest(sorted(found), ontology, home.embedder)
    unread = [
        Unread(
            predicate=name,
            turns=len({each.utterance for each in examples}),
            nearest=like[name].predicate,
            likeness=like[name].likeness,
            examples=tuple(examples[:EXAMPLES]),
        )
        for name, examples in found.items()
    ]
    return MemoryGaps(
        user=user,
        gaps=gaps,
        examples=examples,
        silent=len(silent),
        read_again=len(chosen),
        unread=tuple(sorted(unread, key=lambda each: (-each.turns, each.predicate))),
    )


def examples_of(memory: Memory, ontology: Ontology, predicates: Sequence[str]) -> Iterator[Example]:
    """Up to `EXAMPLES` facts of each predicate, in words."""
    left = dict.fromkeys(predicates, EXAMPLES)
    with memory.snapshot():
        for facts in current(memory.graph) if left else ():
            for fact in facts:
                belief = fact.belief
                if left.get(belief.predicate, 0) < 1:
                    continue
                left[belief.predicate] -= 1
                ends = [end for end in (belief.subject_id, belief.object_id) if end]
                entities = {each.id: each for each in memory.graph.entities(sorted(ends))}
                said = memory.ledger.utterance(belief.utterances[0]) if belief.utterances else None
                yield Example(
                    predicate=belief.predicate,
                    fact=sentence(fact, entities, ontology),
                    text=said.text if said else "",
                    utterance=said.id if said else "",
                )


def silent_turns(memory: Memory) -> Iterator[Utterance]:
    """Turns of people that were read and led to no assertion."""
    after, waiting = 0, set(memory.ledger.pending("extract", get_args(Route)))
    while rows := memory.ledger.utterances_after(after, PAGE):
        after = rows[-1].seq
        told = {each.seq for each in memory.ledger.assertions_of_utterances([row.seq for row in rows])}
        for row in rows:
            if row.seq not in told and row.seq not in waiting and row.role != "assistant" and not row.is_document:
                yield row


def read_openly(memory: Memory, seqs: Sequence[int], ontology: Ontology) -> dict[str, list[Example]]:
    """What the open voter would read in these turns under provisional predicates; nothing is stored."""
    from kg_assets.triples.backlog import turns_of
    from kg_assets.triples.extraction import ALL_METHODS, build_extractor

    extractor = build_extractor(ALL_METHODS, extra=ontology.extra)
    found: dict[str, list[Example]] = {}
    for start in range(0, len(seqs), PAGE):
        turns = turns_of(memory, seqs[start : start + PAGE])
        for turn, read in zip(turns, extractor.extract(turns, memory.key), strict=True):
            for each in read:
                if each.predicate == SAME_AS or ontology.predicate(each.predicate) is not None:
                    continue
                target = each.object.surface if isinstance(each.object, Mention) else str(each.object.value)
                words = f"{each.subject.surface or turn.utterance.speaker} {each.predicate} {target}"
                example = Example(
                    predicate=each.predicate, fact=words, text=turn.utterance.text, utterance=turn.utterance.id
                )
                examples = found.setdefault(each.predicate, [])
                if example not in examples:  # the same words may stand under two intervals
                    examples.append(example)
    return found
