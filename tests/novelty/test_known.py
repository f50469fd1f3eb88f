import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg_assets.novelty.known import PAUSE, RECENT, TermStatistics, blank
from kg_assets.novelty.nearness import spoken
from kg_assets.novelty.reading import read
from kg_assets.text.ontology import load_ontology
from resources.embedder import build_embedder
from tests.novelty.drafts import SAID_AT, draft

COUNTS = st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 3), max_size=4)


def test_what_was_never_said_surprises_most_and_what_is_said_daily_least() -> None:
    terms = TermStatistics({"tea": 50, "lisbon": 1}, tokens=400, distinct=120)
    assert terms.bits("tea") < terms.bits("lisbon") < terms.bits("zephyr")
    assert terms.bits("tea") == pytest.approx(4.249, abs=0.001)  # -log2(50.5 / (400 + 0.5 · 1120))


def test_an_empty_memory_is_surprised_by_everything_alike() -> None:
    terms = TermStatistics({}, 0, 0)
    assert terms.bits("tea") == terms.bits("zephyr") == pytest.approx(9.97, abs=0.01)


@given(st.lists(COUNTS, max_size=5), COUNTS)
def test_removing_undoes_adding(said: list[dict[str, int]], last: dict[str, int]) -> None:
    terms, again = TermStatistics({}, 0, 0), TermStatistics({}, 0, 0)
    for counts in said:
        terms.add(counts)
        again.add(counts)
    again.add(last)
    again.remove(last)
    assert [(again.said(term), again.bits(term)) for term in "abcdefg"] == [
        (terms.said(term), terms.bits(term)) for term in "abcdefg"
    ]


def test_removing_more_than_was_said_leaves_nothing_below_zero() -> None:
    terms = TermStatistics({"tea": 1}, tokens=1, distinct=1)
    terms.remove({"tea": 3, "cake": 2})
    assert terms.bits("tea") == TermStatistics({}, 0, 0).bits("tea")


def test_turns_of_the_same_conversation_are_counted_and_a_pause_begins_another() -> None:
    known, embedder = blank(), build_embedder("hashing")
    said = [draft(f"Tea number {number}", said_at=SAID_AT + number) for number in range(RECENT + 5)]
    for seq, each in enumerate(said, start=1):
        assert known.before(each, seq) == min(seq - 1, RECENT)
        found = read(each, load_ontology(), multi_speaker=False)
        known.add(found, spoken(found, embedder.encode([each.text])[0], embedder.projection), seq)
    assert known.before(draft("Tea again", said_at=said[-3].said_at + PAUSE), 99) == 3
    assert known.before(draft("Tea at last", said_at=said[-1].said_at + PAUSE + 1), 99) == 0
