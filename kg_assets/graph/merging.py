"""Merging and splitting entities by hand: `SAME_AS` said or denied, evidence like any other, and undone by the other.

A curator's word on two names stands above what texts say of them (`resolution.standing_links`).
"""

from collections.abc import Iterable, Sequence

from kg_assets.errors import InvalidInput, NotFound
from kg_assets.graph.curating import Curator, after
from kg_assets.graph.entities import joining_links
from kg_assets.graph.naming import entity_named
from kg_assets.graph.sources import in_service
from kg_assets.model import SAME_AS, Entity, Mention, MentionCount, Micros
from kg_assets.ports import Memory
from kg_assets.text.names import normal_form
from kg_assets.triples.asserting import AssertedStatement
from kg_assets.triples.reading import Interval

ALWAYS = Interval(None, None, start_known=False, precision="unknown")


def entity_meant(memory: Memory, name: str, *, where: str) -> Entity:
    """By id or any of its names. Raises `NotFound`."""
    found = memory.graph.entities([name]) or [each for each in [entity_named(memory, name)] if each]
    if not found:
        raise NotFound(f"{where}: nobody and nothing here is called {name[:60]!r}; list the entities")
    return found[0]


def merge(memory: Memory, keep: str, other: str, who: Curator, now: Micros) -> list[AssertedStatement]:
    """The other is the same as the one to keep, whose name stays. Raises `InvalidInput` where they are one already."""
    kept, merged = entity_meant(memory, keep, where="/keep"), entity_meant(memory, other, where="/merge")
    if kept.id == merged.id:
        raise InvalidInput("is the same entity already; name two", where="/merge")
    pairs = [(merged.key, named_key(kept))]
    return said(memory, pairs, who, now, denied=False)


def named_key(entity: Entity) -> str:
    """The form under which an entity bears its name; else its canonical one."""
    form = normal_form(entity.name)
    return form if form in entity.aliases else entity.key


def split(memory: Memory, name: str, apart: Sequence[str], who: Curator, now: Micros) -> list[AssertedStatement]:
    """Each link between the names that go apart and the rest, denied.

    Raises `InvalidInput` where a name is not the entity's, none is left, or the names were never joined: one and the
    same name cannot be split.
    """
    entity = entity_meant(memory, name, where="/entity")
    keys = {entity.key, *entity.aliases}
    leaving = {key_of(each, keys) for each in apart}
    if leaving >= keys:
        raise InvalidInput("names all that the entity is called; leave at least one name out", where="/apart")
    told = in_service(memory).ledger
    links = joining_links(told.links(sorted(keys)), told.mention_counts(sorted(keys)))
    pairs = sorted({(each.first, each.second) for each in links if (each.first in leaving) != (each.second in leaving)})
    if not pairs:
        raise InvalidInput("nothing joins these names to the rest; there is no link to deny", where="/apart")
    return said(memory, pairs, who, now, denied=True)


def key_of(name: str, keys: set[str]) -> str:
    found = next((each for each in (name, normal_form(name)) if each in keys), None)
    if found is None:
        raise InvalidInput(f"{name[:60]!r} is no name of this entity; see its aliases", where="/apart")
    return found


def said(
    memory: Memory, pairs: Sequence[tuple[str, str]], who: Curator, now: Micros, *, denied: bool
) -> list[AssertedStatement]:
    """After all that was said of these names so far."""
    keys = sorted({key for pair in pairs for key in pair})
    mentions = {each: Mention(surface=each, key=each, type="thing") for each in keys}
    told = in_service(memory).ledger
    mentions |= mentions_of(told.mention_counts(keys))
    links = told.links(keys)
    return [
        AssertedStatement(
            subject=mentions[first],
            predicate=SAME_AS,
            object=mentions[second],
            when=ALWAYS,
            said_at=after(links, now),
            authority=who.authority,
            denied=denied,
        )
        for first, second in pairs
    ]


def mentions_of(counts: Iterable[MentionCount]) -> dict[str, Mention]:
    """Each normal form as it was said most often, so that the mention adds no new spelling."""
    best: dict[str, MentionCount] = {}
    for each in sorted(counts, key=lambda each: (each.count, -each.first_seq, each.surface, each.type)):
        best[each.key] = each
    return {key: Mention(surface=each.surface, key=key, type=each.type) for key, each in best.items()}
