"""From mentions to entities: a pure function of the set of mentions and of what was said to be the same.

Normal forms that are linked by a standing `SAME_AS` form one entity, and so do spellings of one name (`plain_form`).
The memory's own person is one entity under every label it was given. A relational form ("ana's sister") joins a name
only while it has been given exactly one.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence

import msgspec

from kg_assets.model import SELF_KEY, Assertion, Mention, MentionCount
from kg_assets.text.names import is_relational, normal_form, plain_form

RESOLUTION = "3"  # raised with every change to what is joined
VAGUE_TYPES = frozenset({"", "thing", "unknown", "agent"})
OWN_WORDS = frozenset({"", "i", "me", "my", "user", "you"})


class Link(msgspec.Struct, frozen=True, order=True):
    """Two normal forms of one entity; `name` is the one that was given as its name, `order` when it was said.

    What a curator said of them stands above all else (`curated`).
    """

    first: str
    second: str
    name: str = ""
    order: tuple[int, int, str] = (0, 0, "")
    curated: bool = False

    @property
    def strength(self) -> tuple[bool, tuple[int, int, str]]:
        return (self.curated, self.order)


class Cluster(msgspec.Struct, frozen=True):
    """One entity: `key` is the canonical normal form among `aliases`."""

    key: str
    name: str
    type: str
    first_seq: int
    aliases: tuple[str, ...]


def standing_links(assertions: Iterable[Assertion]) -> list[Link]:
    """What was said to be the same and not taken back since, sorted."""
    return joined_once(sorted(link for link, holds in last_words(assertions).values() if holds))


def parted(assertions: Iterable[Assertion]) -> set[tuple[str, str]]:
    """Pairs that a curator said are not the same."""
    words = last_words(assertions)
    return {pair for pair, (link, holds) in words.items() if link.curated and not holds}


def denied(assertions: Iterable[Assertion]) -> set[tuple[str, str]]:
    """Pairs of which anybody said last that they are not the same."""
    return {pair for pair, (_, holds) in last_words(assertions).items() if not holds}


def last_words(assertions: Iterable[Assertion]) -> dict[tuple[str, str], tuple[Link, bool]]:
    """Of each two normal forms, what was said last, by a curator if one spoke; and whether they are the same."""
    last: dict[tuple[str, str], tuple[Link, bool]] = {}
    for each in assertions:
        if not isinstance(each.object, Mention):
            continue
        first, second = sorted((each.subject.key, each.object.key))
        order = (each.said_at, each.seq, each.id)
        link = Link(first, second, each.object.key, order, each.authority == "curated")
        if (first, second) not in last or last[first, second][0].strength < link.strength:
            last[first, second] = (link, each.polarity == "affirmed")
    return last


def joined_once(links: Sequence[Link]) -> list[Link]:
    """Leave out relational forms that were given several names, unless a curator said which one is meant."""
    partners: dict[str, set[str]] = defaultdict(set)
    plain = {key: plain_form(key) for each in links for key in (each.first, each.second)}
    for each in links:
        partners[plain[each.first]].add(plain[each.second])
        partners[plain[each.second]].add(plain[each.first])
    ambiguous = {key for key, others in partners.items() if is_relational(key) and len(others) > 1}
    return [each for each in links if each.curated or ambiguous.isdisjoint((plain[each.first], plain[each.second]))]


def spellings(keys: Iterable[str], apart: Collection[tuple[str, str]]) -> list[Link]:
    """Each spelling with the plain form of the name, said or not: so names that share one meet in it."""
    pairs = {(first, second) for key in keys for first, second in [sorted((key, plain_form(key)))]}
    return [Link(*pair) for pair in sorted(pairs) if pair[0] != pair[1] and pair not in apart]


def own_labels(counts: Iterable[MentionCount]) -> list[Link]:
    """Links from the memory's own person to the names that this person's turns were labelled with."""
    labels = {normal_form(each.surface) for each in counts if each.key == SELF_KEY}
    return [Link(SELF_KEY, label) for label in sorted(labels - OWN_WORDS - {SELF_KEY})]


def resolve(counts: Sequence[MentionCount], links: Sequence[Link]) -> list[Cluster]:
    """Clusters of the mentioned normal forms, by canonical key. A link to a form never mentioned adds an alias."""
    parent: dict[str, str] = {each.key: each.key for each in counts}

    def root(key: str) -> str:
        while parent.setdefault(key, key) != key:
            key = parent[key]
        return key

    for link in links:
        low, high = sorted((root(link.first), root(link.second)))
        parent[high] = low
    members: dict[str, list[MentionCount]] = defaultdict(list)
    for each in counts:
        members[root(each.key)].append(each)
    aliases: dict[str, set[str]] = defaultdict(set)
    for key in list(parent):
        aliases[root(key)].add(key)
    named: dict[str, Link] = {}
    for link in sorted(links, key=lambda each: each.order):
        if link.name and not is_relational(link.name):
            named[root(link.name)] = link
    found = [cluster(group, aliases[top], named.get(top)) for top, group in members.items()]
    return sorted(found, key=lambda each: each.key)


def cluster(counts: Sequence[MentionCount], aliases: Iterable[str], naming: Link | None) -> Cluster:
    """One entity. Its id follows the first mention; its name is the one given last, else that of the first mention."""

    def standing(each: MentionCount) -> tuple[bool, bool, int, str, str]:
        return (each.key != SELF_KEY, is_relational(each.key), each.first_seq, each.key, each.surface)

    first = min(counts, key=standing)
    given = [each for each in counts if naming is not None and each.key == naming.name]
    spoken = [each for each in counts if each.surface.casefold() not in OWN_WORDS]
    types: Counter[str] = Counter()
    for each in counts:
        types[each.type] += each.count * (each.type not in VAGUE_TYPES)
    best = max(types.values())
    return Cluster(
        key=first.key,
        name=min(given or spoken or counts, key=standing).surface,
        type=min(kind for kind, count in types.items() if count == best) or "thing",
        first_seq=min(each.first_seq for each in counts),
        aliases=tuple(sorted(set(aliases))),
    )
