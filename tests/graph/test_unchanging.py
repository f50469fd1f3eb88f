"""A mention that adds nothing to its entity: resolving all that was said with it comes to the same."""

from collections.abc import Sequence

import msgspec
from hypothesis import assume, given
from hypothesis import strategies as st

from kg_assets.graph.entities import entity_of, joining_links
from kg_assets.graph.mentions import Mentions
from kg_assets.graph.resolution import resolve
from kg_assets.graph.unchanging import adds_nothing
from kg_assets.model import SAME_AS, SELF_KEY, Assertion, Entity, Mention
from tests.graph.evidence import assertion

KEYS = [SELF_KEY, "ana", "ána", "ben", "ana's sister"]
SURFACES = ["I", "me", "Ana", "Ána", "Ben", "my sister"]
TYPES = ["", "thing", "agent", "person", "animal"]
mentions = st.builds(Mention, surface=st.sampled_from(SURFACES), key=st.sampled_from(KEYS), type=st.sampled_from(TYPES))
statements = st.tuples(mentions, st.integers(1, 9))
links = st.tuples(
    st.sampled_from(KEYS),
    st.sampled_from(KEYS),
    st.integers(1, 9),
    st.sampled_from(["affirmed", "denied", "retracted"]),
)


def said(mention: Mention, seq: int) -> Assertion:
    return msgspec.structs.replace(assertion("x", "likes", "y", said=seq), subject=mention, seq=seq)


def resolved(told: Sequence[tuple[Mention, int]], same: Sequence[Assertion]) -> dict[str, Entity]:
    """By their keys."""
    found = Mentions()
    found.count([said(*each) for each in told])
    found.count(same)
    counts = found.of({*KEYS})
    return {each.key: entity_of(b"key", each) for each in resolve(counts, joining_links(same, counts))}


@given(st.lists(statements, min_size=1, max_size=6), st.lists(links, max_size=3), statements)
def test_what_adds_nothing_changes_no_entity(
    told: list[tuple[Mention, int]], linked: list[tuple[str, str, int, str]], more: tuple[Mention, int]
) -> None:
    same = [assertion(one, SAME_AS, other, said=at, polarity=polarity) for one, other, at, polarity in linked]
    names = {each.object.key for each in same if isinstance(each.object, Mention)}
    before = resolved(told, same)
    assume(more[0].key in before)
    entity = before[more[0].key]
    if adds_nothing(*more, entity, is_given=more[0].key in names):
        assert resolved([*told, more], same) == before


def test_most_of_what_somebody_says_of_themselves_adds_nothing() -> None:
    me = Entity(id="e", key=SELF_KEY, name="Ana", type="person", first_seq=3, aliases=("ana", SELF_KEY))
    own = Mention(surface="I", key=SELF_KEY, type="person")
    assert adds_nothing(own, 7, me, is_given=False)
    assert not adds_nothing(own, 2, me, is_given=False)  # an earlier first mention
    assert not adds_nothing(own, 7, me, is_given=True)
    for other in ({"surface": "Annie"}, {"type": "animal"}):
        assert not adds_nothing(msgspec.structs.replace(own, **other), 7, me, is_given=False)
