"""What users say that the ontology lacks: the provisional predicates that belief uses, over all memories.

A predicate as a person worded it may carry private words. So what leaves a memory is its name only where at least
`least` memories use it *and* it is nothing but English verbs and small words (`is_plain`); of all others only how many
there are.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec

from kg_assets.graph.versions import current
from kg_assets.maintenance.nearest_predicate import Nearest, nearest
from kg_assets.model import SELF_KEY, Belief, Entity
from kg_assets.ports import Embedder, Memory, Stores
from kg_assets.shards import seen_in_each
from kg_assets.text.lexicon import bag
from kg_assets.text.ontology import ANYTHING, Ontology
from kg_assets.triples.verb_lemmas import is_verb, lemma_of

LEAST = 3  # with two, each would know that it was the other
_LONGEST = 4  # words
_SMALL = bag(
    "about above across after against along among around as at away back before behind below beside between beyond by "
    "down during for from in inside into near of off on onto out outside over past through to together toward towards "
    "under up upon with within without is be do does have"
)


class Least(msgspec.Struct, frozen=True):
    """How many memories must use a provisional predicate for its name to leave them."""

    memories: int = LEAST


class Use(msgspec.Struct, frozen=True, kw_only=True):
    """One predicate in one memory: what belief rests on, and of which types its ends are."""

    facts: int
    assertions: int
    subjects: dict[str, int]
    objects: dict[str, int]


class Gap(msgspec.Struct, frozen=True, kw_only=True):
    """One provisional predicate. `share`: of all assertions that belief rests on, 0 to 1. `nearest` is the declared
    predicate that it may be another word for, with `likeness` 0 to 1; empty where none is near."""

    predicate: str
    assertions: int
    facts: int
    memories: int
    share: float
    subject: str
    object: str
    nearest: str
    likeness: float


class Gaps(msgspec.Struct, frozen=True, kw_only=True):
    """`assertions` of belief: in all, and those under provisional predicates. `hidden` are predicates that are counted
    and not named: used by fewer than `least` memories, or `worded` otherwise than in verbs and small words.
    `renamed` are facts whose predicate is declared by now: a rebuild takes them up."""

    memories: int
    unread: int
    assertions: int
    provisional: int
    hidden: int
    hidden_assertions: int
    worded: int
    renamed: int
    least: int
    gaps: tuple[Gap, ...]

    @property
    def share(self) -> float:
        return share(self.provisional, self.assertions)


class Uses(msgspec.Struct, frozen=True, kw_only=True):
    """What one memory uses: `assertions` under any predicate, `provisional` by predicate."""

    assertions: int
    renamed: int
    provisional: dict[str, Use]


def uses_of(memory: Memory, ontology: Ontology) -> Uses:
    """Of what is believed now, whenever it holds."""
    assertions = renamed = 0
    beliefs: dict[str, list[tuple[str, str, int]]] = {}
    with memory.snapshot():
        for facts in current(memory.graph):
            ends = {end for fact in facts for end in (fact.belief.subject_id, fact.belief.object_id) if end}
            entities = {each.id: each for each in memory.graph.entities(sorted(ends))}
            for belief in (fact.belief for fact in facts):
                assertions += len(belief.assertions)
                if ontology.predicate(belief.predicate) is not None:
                    continue
                if belief.predicate in ontology.names:
                    renamed += 1
                    continue
                kinds = (*types_of(belief, entities), len(belief.assertions))
                beliefs.setdefault(belief.predicate, []).append(kinds)
    used = {name: _use(found) for name, found in beliefs.items()}
    return Uses(assertions=assertions, renamed=renamed, provisional=used)


def _use(found: Sequence[tuple[str, str, int]]) -> Use:
    return Use(
        facts=len(found),
        assertions=sum(count for _, _, count in found),
        subjects=dict(Counter(subject for subject, _, _ in found)),
        objects=dict(Counter(target for _, target, _ in found)),
    )


def types_of(belief: Belief, entities: Mapping[str, Entity]) -> tuple[str, str]:
    """Of subject and object; a literal's is its own, and the memory's own person is one."""
    subject, target = entities.get(belief.subject_id), entities.get(belief.object_id or "")
    value = belief.value.type if belief.value else ANYTHING
    own = "person" if belief.subject_key == SELF_KEY else ""
    return own or (subject.type if subject else ANYTHING), target.type if target else value


def gaps_of(stores: Stores, ontology: Ontology, embedder: Embedder, *, least: int = LEAST) -> Gaps:
    """Over all memories; one that cannot be read is counted as such and does not hide the others."""
    seen = list(seen_in_each(stores, lambda memory: uses_of(memory, ontology)))
    uses = [each for each in seen if each is not None]
    found = gaps_in(uses, ontology, embedder, least=least, may_name=is_plain)
    return msgspec.structs.replace(found, memories=len(seen), unread=len(seen) - len(uses))


def gaps_of_memory(memory: Memory, ontology: Ontology, embedder: Embedder) -> Gaps:
    """One memory's own, each by its name: for the person whose memory it is."""
    return gaps_in([uses_of(memory, ontology)], ontology, embedder, least=1, may_name=bool)


def gaps_in(
    uses: Sequence[Uses], ontology: Ontology, embedder: Embedder, *, least: int, may_name: Callable[[str], bool]
) -> Gaps:
    """What these memories lack together, most used first."""
    by_name: dict[str, list[Use]] = {}
    for each in uses:
        for name, use in each.provisional.items():
            by_name.setdefault(name, []).append(use)
    total = sum(each.assertions for each in uses)
    enough = {name: found for name, found in by_name.items() if len(found) >= least}
    named = {name: found for name, found in enough.items() if may_name(name)}
    hidden = [use for name, found in by_name.items() if name not in named for use in found]
    like = nearest(sorted(named), ontology, embedder)
    gaps = [_gap(name, found, total, like[name]) for name, found in named.items()]
    return Gaps(
        memories=len(uses),
        unread=0,
        assertions=total,
        provisional=sum(use.assertions for found in by_name.values() for use in found),
        hidden=len(by_name) - len(named),
        hidden_assertions=sum(use.assertions for use in hidden),
        worded=len(enough) - len(named),
        renamed=sum(each.renamed for each in uses),
        least=least,
        gaps=tuple(sorted(gaps, key=lambda gap: (-gap.memories, -gap.assertions, gap.predicate))),
    )


def _gap(name: str, uses: Sequence[Use], total: int, like: Nearest) -> Gap:
    assertions = sum(use.assertions for use in uses)
    return Gap(
        predicate=name,
        assertions=assertions,
        facts=sum(use.facts for use in uses),
        memories=len(uses),
        share=share(assertions, total),
        subject=most(use.subjects for use in uses),
        object=most(use.objects for use in uses),
        nearest=like.predicate,
        likeness=like.likeness,
    )


def most(counts: Iterable[Mapping[str, int]]) -> str:
    """The type met most often; the first by name among equals."""
    total: Counter[str] = Counter()
    for each in counts:
        total.update(each)
    return min(total, key=lambda kind: (-total[kind], kind), default=ANYTHING)


def share(part: int, total: int) -> float:
    return round(part / total, 4) if total else 0.0


def is_plain(predicate: str) -> bool:
    """Whether a predicate's name is a verb with a few verbs and small words after it, so that it holds no name, no noun
    and nothing that a person made up: "volunteers_at", "wants_to_visit"."""
    first, *rest = predicate.split("_")
    plain = all(word in _SMALL or is_verb(lemma_of(word)) for word in rest)
    return len(rest) < _LONGEST and plain and (is_verb(lemma_of(first)) or (first in _SMALL and not rest))
