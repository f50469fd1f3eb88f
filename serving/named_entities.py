"""Reading entities: what each is called, how much it matters, and what joins its names."""

from collections.abc import Sequence

import msgspec

from kg_assets.errors import InvalidInput
from kg_assets.graph.curating import Curator
from kg_assets.graph.importance import Weight, weights
from kg_assets.graph.merging import entity_meant, merge, split
from kg_assets.graph.naming import entity_named
from kg_assets.graph.sources import in_service
from kg_assets.model import Assertion, Entity, Mention, MentionCount, Micros
from kg_assets.ports import Clock, Memory
from kg_assets.text.instants import format_instant
from kg_assets.text.names import normal_form
from kg_assets.text.ontology import Ontology
from serving.curated import act

MAX_LIMIT = 1000


class WeightView(msgspec.Struct, frozen=True, kw_only=True):
    """How much an entity matters (`graph.importance`), with what it is made of: utterances that mention it,
    conversations, facts believed now, and when it was last spoken of."""

    importance: float
    mentions: int
    sessions: int
    facts: int
    last_said_at: str | None


class EntityRow(msgspec.Struct, frozen=True, kw_only=True):
    """`aliases` are normal forms: what names are compared by."""

    id: str
    name: str
    type: str
    aliases: tuple[str, ...]
    weight: WeightView


class EntityPage(msgspec.Struct, frozen=True):
    entities: tuple[EntityRow, ...]
    next: str | None


class SurfaceView(msgspec.Struct, frozen=True, kw_only=True):
    """One way in which the entity was mentioned."""

    alias: str
    name: str
    type: str
    count: int
    first_seq: int


class LinkView(msgspec.Struct, frozen=True, kw_only=True):
    """What was said of two names: that they are the same, or (`affirmed` false) that they are not."""

    names: tuple[str, str]
    affirmed: bool
    authority: str
    said_at: str
    utterance: str


class EntityDetail(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    name: str
    type: str
    aliases: tuple[str, ...]
    first_seq: int
    mentions: tuple[SurfaceView, ...]
    links: tuple[LinkView, ...]
    weight: WeightView


class JoinedView(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a merge or split: the entities that the names lead to now."""

    utterances: tuple[str, ...]
    changed: dict[str, int]
    entities: tuple[EntityDetail, ...]


def entity_page(memory: Memory, name: str | None, limit: int, cursor: str, now: Micros) -> EntityPage:
    """Those that a name leads to, or all of them by id."""
    if not 1 <= limit <= MAX_LIMIT:
        raise InvalidInput(f"must lie between 1 and {MAX_LIMIT}", where="?limit")
    with memory.snapshot():
        if name is not None:
            found = list(memory.graph.entities_by_key([normal_form(name)]).values())
            named = entity_named(memory, name)
            found += [each for each in [named] if each]
        else:
            found = [each for each in memory.graph.all_entities() if each.id > cursor]
        rows = sorted({each.id: each for each in found}.values(), key=lambda each: each.id)
        page = rows[:limit]
        weighed = weights(in_service(memory), page)
        shown = tuple(row_of(each, weight_view(weighed[each.id], now)) for each in page)
        return EntityPage(shown, page[-1].id if len(rows) > limit else None)


def row_of(entity: Entity, weight: WeightView) -> EntityRow:
    return EntityRow(id=entity.id, name=entity.name, type=entity.type, aliases=entity.aliases, weight=weight)


def weight_view(weight: Weight, now: Micros) -> WeightView:
    return WeightView(
        importance=weight.importance(now) / 1000,
        mentions=weight.mentions,
        sessions=weight.sessions,
        facts=weight.facts,
        last_said_at=None if weight.last_said_at is None else format_instant(weight.last_said_at),
    )


def entity_detail(memory: Memory, name: str, now: Micros) -> EntityDetail:
    """By id or any of its names. Raises `NotFound`."""
    with memory.snapshot():
        return detail_of(memory, entity_meant(memory, name, where="entity"), now)


def detail_of(memory: Memory, entity: Entity, now: Micros) -> EntityDetail:
    keys, told = sorted({entity.key, *entity.aliases}), in_service(memory).ledger
    return EntityDetail(
        id=entity.id,
        name=entity.name,
        type=entity.type,
        aliases=entity.aliases,
        first_seq=entity.first_seq,
        mentions=tuple(surface_view(each) for each in told.mention_counts(keys)),
        links=tuple(view for each in told.links(keys) if (view := link_view(each))),
        weight=weight_view(weights(in_service(memory), [entity])[entity.id], now),
    )


def surface_view(count: MentionCount) -> SurfaceView:
    return SurfaceView(
        alias=count.key, name=count.surface, type=count.type, count=count.count, first_seq=count.first_seq
    )


def link_view(link: Assertion) -> LinkView | None:
    if not isinstance(link.object, Mention):
        return None
    return LinkView(
        names=(link.subject.key, link.object.key),
        affirmed=link.polarity == "affirmed",
        authority=link.authority,
        said_at=format_instant(link.said_at),
        utterance=link.utterance_id,
    )


def merge_entities(
    memory: Memory, ontology: Ontology, who: Curator, keep: str, other: str, *, clock: Clock
) -> JoinedView:
    done = act(memory, ontology, who, "merge", lambda memory, now: merge(memory, keep, other, who, now), clock=clock)
    return joined(memory, done.utterances, done.changed, clock())


def split_entity(
    memory: Memory, ontology: Ontology, who: Curator, name: str, apart: Sequence[str], *, clock: Clock
) -> JoinedView:
    done = act(memory, ontology, who, "split", lambda memory, now: split(memory, name, apart, who, now), clock=clock)
    return joined(memory, done.utterances, done.changed, clock())


def joined(memory: Memory, utterances: Sequence[str], changed: dict[str, int], now: Micros) -> JoinedView:
    with memory.snapshot():
        told = [found for each in utterances if (found := memory.ledger.utterance(each)) is not None]
        assertions = memory.ledger.assertions_of_utterances([each.seq for each in told])
        keys = {
            mention.key
            for each in assertions
            for mention in (each.subject, each.object)
            if isinstance(mention, Mention)
        }
        entities = {each.id: each for each in memory.graph.entities_by_key(sorted(keys)).values()}
        return JoinedView(
            utterances=tuple(utterances),
            changed=changed,
            entities=tuple(detail_of(memory, entities[each], now) for each in sorted(entities)),
        )
