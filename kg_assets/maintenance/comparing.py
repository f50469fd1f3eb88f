"""What two generations of belief disagree about, for a person to read and for a program to count."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import msgspec

from kg_assets.errors import InvalidInput
from kg_assets.graph.generations import generations
from kg_assets.graph.renamed import statement_of_today
from kg_assets.graph.sources import generation_of
from kg_assets.graph.state import state_hash
from kg_assets.graph.versions import current
from kg_assets.graph.wording import sentence
from kg_assets.model import Fact, Micros
from kg_assets.ports import Memory
from kg_assets.text.instants import format_instant
from kg_assets.text.ontology import Ontology

Key = tuple[str, str, str]  # subject, predicate, object, by their normal forms


class Held(msgspec.Struct, frozen=True, kw_only=True):
    """A statement as one generation holds it over one interval."""

    predicate: str
    sentence: str
    valid_from: str | None
    valid_to: str | None
    precision: str
    confidence: float
    authority: str
    utterances: tuple[str, ...]


class Differing(msgspec.Struct, frozen=True, kw_only=True):
    """`kind`: gained (only `b` holds the statement), lost (only `a`), or changed (both, but not alike).

    A statement goes by the predicate's name of today: one that was provisional and is declared since is the same.
    """

    kind: str
    subject: str
    predicate: str
    object: str
    a: tuple[Held, ...]
    b: tuple[Held, ...]

    @property
    def what(self) -> tuple[str, ...]:
        """Which of predicate, interval, confidence, authority and evidence differ, where both hold the statement."""
        aspects = {
            "predicate": [each.predicate for each in self.a] != [each.predicate for each in self.b],
            "interval": [(each.valid_from, each.valid_to, each.precision) for each in self.a]
            != [(each.valid_from, each.valid_to, each.precision) for each in self.b],
            "confidence": [each.confidence for each in self.a] != [each.confidence for each in self.b],
            "authority": [each.authority for each in self.a] != [each.authority for each in self.b],
            "evidence": [each.utterances for each in self.a] != [each.utterances for each in self.b],
        }
        return tuple(aspect for aspect, differs in aspects.items() if differs)


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """`same` counts the statements that both hold alike. Sorted by subject, predicate and object."""

    a: int
    b: int
    rules: dict[str, str]
    state_hash: dict[str, str]
    same: int
    differing: tuple[Differing, ...]


def difference(memory: Memory, a: int, b: int, ontology: Ontology) -> Difference:
    """Raises `InvalidInput` where a generation is not there. Of one state of the memory."""
    with memory.snapshot():
        known = {each.generation: each.rules for each in generations(memory) if not each.dropped}
        for each in (a, b):
            if each not in known:
                there = ", ".join(map(str, sorted(known))) or "none yet"
                raise InvalidInput(f"there is no generation {each}; there is {there}", where="GENERATION")
        held_a, held_b = _held(memory, a, ontology), _held(memory, b, ontology)
        hashes = {str(each): state_hash(generation_of(memory, each)) for each in (a, b)}
    keys = sorted(held_a.keys() | held_b.keys())
    differing = tuple(
        _differing(key, held_a.get(key, ()), held_b.get(key, ())) for key in keys if held_a.get(key) != held_b.get(key)
    )
    return Difference(
        a=a,
        b=b,
        rules={str(each): known[each] for each in (a, b)},
        state_hash=hashes,
        same=len(keys) - len(differing),
        differing=differing,
    )


def _differing(key: Key, a: tuple[Held, ...], b: tuple[Held, ...]) -> Differing:
    kind = "changed" if a and b else "lost" if a else "gained"
    return Differing(kind=kind, subject=key[0], predicate=key[1], object=key[2], a=a, b=b)


def _held(memory: Memory, generation: int, ontology: Ontology) -> dict[Key, tuple[Held, ...]]:
    found: dict[Key, list[tuple[Any, Held]]] = defaultdict(list)
    graph = memory.graph.of(generation)
    for facts in current(graph):
        ends = {end for fact in facts for end in (fact.belief.subject_id, fact.belief.object_id) if end}
        entities = {entity.id: entity for entity in graph.entities(sorted(ends))}
        for fact in facts:
            belief = fact.belief
            start = belief.valid_from
            order = (start is not None, start or 0)
            key = statement_of_today(ontology, belief.subject_key, belief.predicate, belief.object_key)
            found[key].append((order, _one(fact, sentence(fact, entities, ontology))))
    return {key: tuple(held for _, held in sorted(rows, key=lambda row: row[0])) for key, rows in found.items()}


def _one(fact: Fact, words: str) -> Held:
    belief = fact.belief
    return Held(
        predicate=belief.predicate,
        sentence=words,
        valid_from=_instant(belief.valid_from),
        valid_to=_instant(belief.valid_to),
        precision=belief.precision,
        confidence=belief.confidence / 1000,
        authority=belief.authority,
        utterances=tuple(sorted(belief.utterances)),
    )


def _instant(micros: Micros | None) -> str | None:
    return None if micros is None else format_instant(micros)


def in_words(found: Difference) -> Sequence[str]:
    """A line a statement: `+` gained, `-` lost, `~` changed, with what became of it."""
    lines = []
    for each in found.differing:
        before = "; ".join(held.sentence for held in each.a)
        after = "; ".join(held.sentence for held in each.b)
        if each.kind == "gained":
            lines.append(f"+ {after}")
        elif each.kind == "lost":
            lines.append(f"- {before}")
        else:
            told = f"{before} -> {after}" if before != after else after
            lines.append(f"~ {told} [{', '.join(each.what)}]")
    return lines
