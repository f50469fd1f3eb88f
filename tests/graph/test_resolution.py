"""Which mentions are one entity."""

from hypothesis import given
from hypothesis import strategies as st

from kg_assets.graph.entities import joining_links
from kg_assets.graph.resolution import Link, joined_once, own_labels, resolve, standing_links
from kg_assets.model import SELF_KEY, MentionCount
from tests.graph.evidence import assertion


def counted(key: str, *, seq: int = 1, kind: str = "person", surface: str = "", count: int = 1) -> MentionCount:
    return MentionCount(key=key, surface=surface or key.title(), type=kind, first_seq=seq, count=count)


def test_linked_names_are_one_entity_under_the_first_mention() -> None:
    (entity,) = resolve([counted("melanie", seq=5), counted("mel", seq=2)], [Link("mel", "melanie")])
    assert (entity.key, entity.name, entity.first_seq, entity.aliases) == ("mel", "Mel", 2, ("mel", "melanie"))


def test_a_name_is_preferred_to_a_relation_even_if_it_came_later() -> None:
    (entity,) = resolve(
        [counted("ana's sister", seq=1), counted("joana", seq=9)], standing_links([same("ana's sister", "joana", 9)])
    )
    assert (entity.key, entity.name) == ("joana", "Joana")


def test_the_memorys_own_person_bears_the_name_of_its_turns() -> None:
    counts = [counted(SELF_KEY, surface="Ana"), counted("ana", seq=7)]
    (entity,) = resolve(counts, own_labels(counts))
    assert (entity.key, entity.name) == (SELF_KEY, "Ana")


def test_a_relation_given_two_names_joins_neither() -> None:
    links = standing_links([same("ana's sister", "joana", 1), same("ana's sister", "rita", 2)])
    assert links == []


def test_a_corrected_name_leaves_the_right_one() -> None:
    links = standing_links(
        [
            same("ana's puppy", "lena", 1),
            same("ana's puppy", "lena", 2, polarity="retracted"),
            same("ana's puppy", "luna", 2),
        ]
    )
    assert [(each.first, each.second) for each in links] == [("ana's puppy", "luna")]


def test_the_name_given_last_is_the_name_and_the_key_stays() -> None:
    links = standing_links([same("ana's puppy", "lena", 1), same("lena", "luna", 2)])
    (entity,) = resolve([counted("lena", seq=1), counted("ana's puppy", seq=1), counted("luna", seq=2)], links)
    assert (entity.key, entity.name) == ("lena", "Luna")


def test_the_commonest_telling_type_wins_and_vague_ones_do_not_count() -> None:
    (entity,) = resolve(
        [
            counted("luna", kind="thing", count=9),
            counted("luna", kind="animal", count=2),
            counted("luna", kind="person"),
        ],
        [],
    )
    assert entity.type == "animal"


def test_a_person_is_no_mere_agent_however_often_they_are_one() -> None:
    (entity,) = resolve([counted("ana", kind="agent", count=9), counted("ana", kind="person")], [])
    assert entity.type == "person"
    (entity,) = resolve([counted("acme", kind="agent"), counted("acme", kind="thing", surface="ACME")], [])
    assert entity.type == "agent"


def same(first: str, second: str, said: int, **more: str):
    return assertion(first, "same_as", second, said=said, **more)


def test_a_curators_word_on_two_names_stands_above_a_later_one() -> None:
    apart = same("mel", "melanie", 2, polarity="denied", authority="curated")
    assert standing_links([same("mel", "melanie", 1), apart, same("mel", "melanie", 9)]) == []
    again = same("mel", "melanie", 3, authority="curated")
    assert [each.curated for each in standing_links([apart, again])] == [True]


def test_a_curator_says_which_of_two_names_a_relation_means() -> None:
    links = [same("ana's sister", "joana", 1), same("ana's sister", "rita", 2, authority="curated")]
    assert [(each.first, each.second) for each in standing_links(links)] == [("ana's sister", "rita")]


def test_a_curator_parts_the_memorys_own_person_from_a_label() -> None:
    counts = [counted(SELF_KEY, surface="Ana")]
    assert len(joining_links([], counts)) == 1
    assert joining_links([same(SELF_KEY, "ana", 1, polarity="denied", authority="curated")], counts) == []


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["mel", "melanie", "ana's dog"]),
            st.sampled_from(["affirmed", "denied"]),
            st.sampled_from(["user", "curated"]),
        ),
        max_size=6,
    ),
    st.randoms(use_true_random=False),
)
def test_the_order_of_what_was_said_of_names_does_not_matter(rows, shuffler) -> None:
    said = [same("ana", key, day, polarity=how, authority=who) for day, (key, how, who) in enumerate(rows)]
    expected = standing_links(said)
    shuffler.shuffle(said)
    assert standing_links(said) == expected


KEYS = ["ana", "mel", "melanie", "ana's dog", SELF_KEY]


@given(
    st.lists(st.tuples(st.sampled_from(KEYS), st.integers(1, 9), st.sampled_from(["person", "thing"])), min_size=1),
    st.lists(st.tuples(st.sampled_from(KEYS), st.sampled_from(KEYS)).filter(lambda pair: pair[0] < pair[1])),
    st.randoms(use_true_random=False),
)
def test_the_order_of_mentions_and_links_does_not_matter(rows, links, shuffler) -> None:
    counts = [counted(key, seq=seq, kind=kind) for key, seq, kind in rows]
    pairs = joined_once([Link(*pair, name=pair[1], order=(at, at, "")) for at, pair in enumerate(sorted(set(links)))])
    expected = resolve(counts, pairs)
    shuffler.shuffle(counts)
    shuffler.shuffle(pairs)
    assert resolve(counts, pairs) == expected


@given(st.lists(st.tuples(st.sampled_from(KEYS), st.integers(1, 9)), min_size=1))
def test_every_mentioned_form_belongs_to_exactly_one_entity(rows) -> None:
    found = resolve([counted(key, seq=seq) for key, seq in rows], [])
    aliases = [alias for entity in found for alias in entity.aliases]
    assert sorted(aliases) == sorted({key for key, _ in rows})
