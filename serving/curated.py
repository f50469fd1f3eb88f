"""Curation over a memory: what each act needs and answers. HTTP and the command line share it."""

from collections.abc import Callable, Sequence

import msgspec

from kg_assets.graph.curating import Curator, answer, curate, review_named
from kg_assets.graph.reviews import Review, open_reviews
from kg_assets.model import Assertion, Entity, Literal, Mention, Micros
from kg_assets.ports import Clock, Memory
from kg_assets.text.instants import format_instant
from kg_assets.text.ontology import Ontology
from kg_assets.triples.asserting import AssertedStatement
from serving import contract
from serving.contract import AssertionView, EntityView, FactView, LiteralView

MOST_FACTS = 100

Prepared = Callable[[Memory, Micros], Sequence[AssertedStatement]]


class SideView(msgspec.Struct, frozen=True, kw_only=True):
    """One side of a review: the statement as it was said last, and all that was said of it."""

    predicate: str
    object: EntityView | LiteralView
    polarity: str
    valid_from: str | None
    valid_to: str | None
    assertions: tuple[AssertionView, ...]


class ReviewView(msgspec.Struct, frozen=True, kw_only=True):
    """`standing` is what is believed, `challenging` what was said against it; a curator decides."""

    id: str
    opened_at: str
    policy: str
    subject: EntityView
    standing: SideView
    challenging: SideView


class ReviewPage(msgspec.Struct, frozen=True):
    reviews: tuple[ReviewView, ...]


class CuratedView(msgspec.Struct, frozen=True, kw_only=True):
    """What an act added, what it changed (operations of the journal), and what is believed and waits there now."""

    utterances: tuple[str, ...]
    changed: dict[str, int]
    facts: tuple[FactView, ...]
    reviews: tuple[ReviewView, ...]


def act(
    memory: Memory, ontology: Ontology, who: Curator, name: str, prepared: Prepared, *, clock: Clock
) -> CuratedView:
    """Prepare the statements of an act, append and derive them, and show what is believed where they belong."""
    with memory.snapshot():
        statements = prepared(memory, clock())
    done = curate(memory, ontology, statements, who, name, clock=clock)
    with memory.snapshot():
        slots = slots_of(memory, ontology, done.utterances)
        reviews = [each for each in open_reviews(memory, ontology, who.policy) if each.slot in slots]
        facts = [fact for slot in sorted(slots) for fact in memory.graph.slot(slot)]
        return CuratedView(
            utterances=done.utterances,
            changed=done.report.operations,
            facts=tuple(contract.fact_views(memory, facts[:MOST_FACTS])),
            reviews=tuple(review_view(memory, each) for each in reviews),
        )


def decide(
    memory: Memory, ontology: Ontology, who: Curator, review_id: str, *, accept: bool, clock: Clock
) -> CuratedView:
    """Accept or reject what challenges. Raises `NotFound` where nothing of this id waits."""

    def prepared(memory: Memory, now: Micros) -> Sequence[AssertedStatement]:
        return answer(review_named(memory, ontology, who.policy, review_id), who, now, accept=accept)

    return act(memory, ontology, who, "accept" if accept else "reject", prepared, clock=clock)


def slots_of(memory: Memory, ontology: Ontology, utterances: Sequence[str]) -> set[str]:
    """Where the statements of an act belong; of entities that were joined or parted, every slot."""
    told = [found for each in utterances if (found := memory.ledger.utterance(each)) is not None]
    assertions = memory.ledger.assertions_of_utterances([each.seq for each in told])
    entities = memory.graph.entities_by_key(sorted({each.subject.key for each in assertions}))
    slots = set()
    for each in assertions:
        if each.subject.key in entities:
            slots.add(f"{entities[each.subject.key].id}|{ontology.slot_name(each.predicate)}")
    return slots


def review_page(memory: Memory, ontology: Ontology, who: Curator) -> ReviewPage:
    with memory.snapshot():
        found = open_reviews(memory, ontology, who.policy)
        return ReviewPage(tuple(review_view(memory, each) for each in found))


def review_view(memory: Memory, review: Review) -> ReviewView:
    both = (*review.standing, *review.challenging)
    keys = {mention.key for each in both for mention in (each.subject, each.object) if isinstance(mention, Mention)}
    entities = memory.graph.entities_by_key(sorted(keys))
    subject = {each.id: each for each in memory.graph.entities([review.subject_id])}
    return ReviewView(
        id=review.id,
        opened_at=format_instant(review.opened_at),
        policy=review.policy,
        subject=contract.entity_view(review.subject_id, "", subject),
        standing=side_view(memory, review.subject_id, review.standing, entities),
        challenging=side_view(memory, review.subject_id, review.challenging, entities),
    )


def side_view(
    memory: Memory, subject_id: str, assertions: Sequence[Assertion], entities: dict[str, Entity]
) -> SideView:
    last = assertions[-1]
    spoken = {each.seq: each for each in memory.ledger.utterances([each.seq for each in assertions])}
    subject = entities.get(last.subject.key)
    target = last.object if subject is not None and subject.id == subject_id else last.subject  # a symmetric predicate
    return SideView(
        predicate=last.predicate,
        object=thing_view(target, entities),
        polarity=last.polarity,
        valid_from=contract.when(last.valid_from),
        valid_to=contract.when(last.valid_to),
        assertions=tuple(
            contract.assertion_view(each, spoken[each.seq], "supports") for each in assertions if each.seq in spoken
        ),
    )


def thing_view(thing: Mention | Literal, entities: dict[str, Entity]) -> EntityView | LiteralView:
    if isinstance(thing, Literal):
        return LiteralView(thing.value, thing.type)
    entity = entities.get(thing.key)
    return EntityView(entity.id, entity.name, entity.type) if entity else EntityView("", thing.surface, thing.type)
