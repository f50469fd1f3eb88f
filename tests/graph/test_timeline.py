"""What is believed of one slot, from all kinds of evidence, in whatever order it came."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg_assets.graph.standing import Evidence, Statement
from kg_assets.graph.timeline import Stretch, combined_confidence, derive_slot
from tests.graph.evidence import DAY, assertion, functional, multi_valued


def held(evidence: list[Evidence]) -> list[tuple[str, int | None, int | None]]:
    """(object, from day, to day) of each stretch."""
    stretches, _ = derive_slot(evidence)
    return [(each.statement.object_key, days(each.valid_from), days(each.valid_to)) for each in stretches]


def days(micros: int | None) -> int | None:
    return None if micros is None else micros // DAY


def believed_on(day: int, stretches: list[Stretch]) -> set[str]:
    instant = day * DAY
    return {
        each.statement.object_key
        for each in stretches
        if (each.valid_from is None or each.valid_from <= instant)
        and (each.valid_to is None or instant < each.valid_to)
    }


def test_a_move_closes_the_old_home_on_the_day_of_the_move() -> None:
    evidence = [functional("porto", said=1), functional("lisbon", said=40, since=30)]
    assert held(evidence) == [("lisbon", 30, None), ("porto", 1, 30)]


def test_a_home_of_the_past_that_is_told_late_does_not_replace_the_present_one() -> None:
    evidence = [functional("lisbon", said=10, since=5), functional("porto", said=20, since=1)]
    assert held(evidence) == [("lisbon", 5, None), ("porto", 1, 5)]


def test_moving_back_gives_two_stretches_of_the_same_home() -> None:
    evidence = [
        functional("porto", said=1),
        functional("lisbon", said=10, since=10),
        functional("porto", said=20, since=20),
    ]
    assert held(evidence) == [("lisbon", 10, 20), ("porto", 1, 10), ("porto", 20, None)]


def test_likings_stand_beside_each_other() -> None:
    assert held([multi_valued("tea", said=1), multi_valued("hiking", said=2)]) == [
        ("hiking", 2, None),
        ("tea", 1, None),
    ]


def test_no_longer_closes_a_statement_from_then_on() -> None:
    evidence = [functional("helix", said=1), functional("helix", said=30, polarity="denied")]
    assert held(evidence) == [("helix", 1, 30)]


def test_a_retraction_leaves_nothing_of_what_was_said_before_it() -> None:
    evidence = [
        functional("lena", said=1),
        functional("lena", said=2, polarity="retracted"),
        functional("luna", said=2),
    ]
    assert held(evidence) == [("luna", 2, None)]


def test_saying_it_again_after_a_denial_counts() -> None:
    evidence = [
        multi_valued("tea", said=1),
        multi_valued("tea", said=5, polarity="denied"),
        multi_valued("tea", said=9),
    ]
    assert held(evidence) == [("tea", 1, 5), ("tea", 9, None)]


def test_hearsay_does_not_displace_what_a_person_says_of_themselves() -> None:
    evidence = [functional("helix", said=1), functional("orbis", said=5, authority="document")]
    stretches, disputes = derive_slot(evidence)
    assert [each.statement.object_key for each in stretches] == ["helix"]
    assert [each.rule for each in disputes] == ["higher_authority"]


def test_higher_authority_wins_only_where_both_are_valid() -> None:
    evidence = [
        functional("orbis", said=1, since=1, until=50, authority="document"),
        functional("helix", said=10, since=10, until=20, authority="curated"),
    ]
    assert held(evidence) == [("helix", 10, 20), ("orbis", 1, 10), ("orbis", 20, 50)]


def test_a_lower_authority_cannot_deny_a_higher_one() -> None:
    evidence = [functional("helix", said=1), functional("helix", said=5, polarity="denied", authority="document")]
    assert held(evidence) == [("helix", 1, None)]


def test_in_an_exclusive_group_only_the_same_object_is_contested() -> None:
    likes = Evidence(assertion("ana", "likes", "tea", said=1), Statement("likes", "tea"), "tea")
    dislikes = Evidence(assertion("ana", "dislikes", "tea", said=9), Statement("dislikes", "tea"), "tea")
    other = Evidence(assertion("ana", "likes", "rain", said=2), Statement("likes", "rain"), "rain")
    assert held([likes, dislikes, other]) == [("tea", 9, None), ("rain", 2, None), ("tea", 1, 9)]


def test_leaving_a_job_does_not_bring_the_one_before_back() -> None:
    evidence = [
        functional("nordwind", said=1),
        functional("siemens", said=10, since=10),
        functional("siemens", said=30, polarity="denied"),
    ]
    assert held(evidence) == [("nordwind", 1, 10), ("siemens", 10, 30)]


def test_after_a_stay_that_was_told_with_its_end_one_is_home_again() -> None:
    evidence = [functional("porto", said=1), functional("rome", said=5, since=10, until=20)]
    assert held(evidence) == [("porto", 1, 10), ("porto", 20, None), ("rome", 10, 20)]


def test_a_successor_that_was_never_said_ends_nothing() -> None:
    evidence = [
        functional("porto", said=1),
        functional("london", said=10, since=10),
        functional("london", said=11, polarity="retracted"),
    ]
    assert held(evidence) == [("porto", 1, None)]


def test_coming_back_after_leaving_counts() -> None:
    evidence = [
        functional("nordwind", said=1),
        functional("siemens", said=10),
        functional("siemens", said=20, polarity="denied"),
        functional("nordwind", said=30),
    ]
    assert held(evidence) == [("nordwind", 1, 10), ("nordwind", 30, None), ("siemens", 10, 20)]


def test_hearsay_is_no_successor() -> None:
    evidence = [
        functional("nordwind", said=1),
        functional("siemens", said=10, authority="document"),
        functional("siemens", said=30, polarity="denied", authority="document"),
    ]
    assert held(evidence) == [("nordwind", 1, None)]


@pytest.mark.parametrize("precision", ["month", "year"])
def test_a_move_within_this_month_is_later_than_where_one_lived_before_it_was_told(precision: str) -> None:
    first, twentieth, thirtieth = 120, 139, 149  # 1, 20 and 30 May 1970
    began = 0 if precision == "year" else first
    evidence = [
        functional("porto", said=twentieth),
        functional("lisbon", said=thirtieth, since=began, precision=precision),
    ]
    assert held(evidence) == [("lisbon", began, None)]


def test_where_one_lives_after_a_move_of_this_month_was_told_is_later() -> None:
    first, tenth, twentieth = 120, 129, 139
    evidence = [
        functional("lisbon", said=tenth, since=first, precision="month"),
        functional("porto", said=twentieth),
    ]
    assert held(evidence) == [("lisbon", first, twentieth), ("porto", twentieth, None)]


def test_a_move_of_long_ago_that_is_told_late_is_not_later() -> None:
    evidence = [functional("porto", said=400), functional("lisbon", said=410, since=0, precision="year")]
    assert held(evidence) == [("lisbon", 0, 400), ("porto", 400, None)]


def test_a_gap_in_an_old_stay_does_not_make_it_begin_later() -> None:
    evidence = [
        functional("lisbon", said=1, since=10),
        functional("porto", said=2, since=14),
        functional("lisbon", said=3, since=15, until=16, polarity="denied"),
    ]
    assert held(evidence) == [("lisbon", 10, 14), ("porto", 14, None)]


def test_a_stretch_has_one_authority_throughout() -> None:
    evidence = [
        functional("lisbon", said=1, since=10, until=20, authority="model"),
        functional("lisbon", said=2, since=20, until=30, authority="curated"),
    ]
    stretches, _ = derive_slot(evidence)
    assert [(days(each.valid_from), days(each.valid_to), each.authority) for each in stretches] == [
        (10, 20, "model"),
        (20, 30, "curated"),
    ]


def test_a_confirmation_that_names_no_beginning_opens_nothing_new() -> None:
    evidence = [functional("lisbon", said=1, since=1, authority="document"), functional("lisbon", said=9)]
    stretches, _ = derive_slot(evidence)
    assert [(days(each.valid_from), each.authority, each.start_known) for each in stretches] == [(1, "user", True)]


def test_repetition_reinforces_but_never_makes_certain() -> None:
    once = [multi_valued("tea", said=1)]
    often = [multi_valued("tea", said=day) for day in range(1, 30)]
    assert combined_confidence(once) == 800
    assert combined_confidence(often) == 990


def test_what_only_a_model_says_does_not_grow_surer_with_repetition() -> None:
    told = [multi_valued("tea", said=day, confidence=400, authority="model") for day in range(1, 30)]
    assert combined_confidence(told) == 400
    assert combined_confidence([*told, multi_valued("tea", said=40, confidence=500)]) == 700


def test_two_readings_of_one_utterance_are_not_a_repetition() -> None:
    twice = [multi_valued("tea", said=1), multi_valued("tea", said=1, confidence=700)]
    assert combined_confidence(twice) == 800


def test_each_displaced_assertion_is_a_dispute_with_its_rule() -> None:
    _, disputes = derive_slot([functional("porto", said=1), functional("lisbon", said=9, since=9)])
    assert [(each.rule, "lisbon" in each.winner, "porto" in each.loser) for each in disputes] == [
        ("later_valid_from", True, True)
    ]


CIRCUMSTANCES = st.fixed_dictionaries(
    {"said": st.integers(1, 12)},
    optional={
        "since": st.integers(1, 12),
        "until": st.integers(5, 15),
        "polarity": st.sampled_from(["affirmed", "affirmed", "denied", "retracted"]),
        "authority": st.sampled_from(["user", "document"]),
        "confidence": st.integers(1, 999),
    },
)
SLOTS = st.lists(st.tuples(st.sampled_from(["porto", "lisbon", "rome"]), CIRCUMSTANCES), max_size=8)


def evidence_from(kind: Any, rows: list[tuple[str, dict[str, Any]]]) -> list[Evidence]:
    return list({each.assertion.id: each for each in (kind(name, **more) for name, more in rows)}.values())


@given(SLOTS, st.sampled_from([functional, multi_valued]), st.randoms(use_true_random=False))
def test_the_order_of_evidence_does_not_matter(rows: Any, kind: Any, shuffler: random.Random) -> None:
    evidence = evidence_from(kind, rows)
    shuffled = list(evidence)
    shuffler.shuffle(shuffled)
    assert derive_slot(shuffled) == derive_slot(evidence)


@given(SLOTS, st.integers(0, 16))
def test_a_functional_slot_holds_one_value_at_any_time(rows: Any, day: int) -> None:
    stretches, _ = derive_slot(evidence_from(functional, rows))
    assert len(believed_on(day, stretches)) <= 1


@given(SLOTS, st.integers(0, 16))
def test_nothing_is_believed_that_no_affirmation_covers(rows: Any, day: int) -> None:
    evidence = evidence_from(functional, rows)
    covering = {
        each.statement.object_key
        for each in evidence
        if each.assertion.polarity == "affirmed"
        and (each.assertion.valid_from or 0) <= day * DAY
        and (each.assertion.valid_to is None or day * DAY < each.assertion.valid_to)
    }
    assert believed_on(day, derive_slot(evidence)[0]) <= covering
