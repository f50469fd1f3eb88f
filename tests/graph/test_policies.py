"""How conflicts are settled under each policy, and that none depends on the order in which evidence came."""

import random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from kg_assets.graph.policies import NEEDS_REVIEW, Policy
from kg_assets.graph.standing import Evidence
from kg_assets.graph.timeline import derive_slot
from tests.graph.evidence import DAY, functional, multi_valued
from tests.graph.test_timeline import believed_on, evidence_from

LATEST, AUTHORITY, MANUAL = Policy("latest_valid"), Policy("highest_authority"), Policy("manual_review")


def held(policy: Policy, evidence: list[Evidence]) -> list[tuple[str, int | None, int | None]]:
    stretches, _ = derive_slot(evidence, policy)
    return [(each.statement.object_key, days(each.valid_from), days(each.valid_to)) for each in stretches]


def days(micros: int | None) -> int | None:
    return None if micros is None else micros // DAY


def reviews(policy: Policy, evidence: list[Evidence]) -> list[tuple[str, str]]:
    """(what stands, what challenges it), by object."""
    by_id = {each.assertion.id: each.statement.object_key for each in evidence}
    _, disputes = derive_slot(evidence, policy)
    return [(by_id[each.winner], by_id[each.loser]) for each in disputes if each.rule == NEEDS_REVIEW]


CURATED_HOME = functional("porto", said=5, since=1, authority="curated")
OWN_WORDS = functional("lisbon", said=30, since=20)


def test_a_newer_word_of_a_person_against_a_curated_one_goes_to_review() -> None:
    assert held(LATEST, [CURATED_HOME, OWN_WORDS]) == [("porto", 1, None)]
    assert reviews(LATEST, [CURATED_HOME, OWN_WORDS]) == [("porto", "lisbon")]


def test_what_a_person_had_said_before_the_curator_needs_no_review() -> None:
    own = functional("lisbon", said=2, since=2)
    assert reviews(LATEST, [CURATED_HOME, own]) == []


def test_hearsay_against_a_curated_word_needs_no_review() -> None:
    hearsay = functional("lisbon", said=30, since=20, authority="document")
    assert reviews(LATEST, [CURATED_HOME, hearsay]) == []


def test_a_curators_later_word_settles_the_review_either_way() -> None:
    accepted = functional("lisbon", said=40, since=20, authority="curated")
    rejected = functional("porto", said=40, since=1, authority="curated")
    for policy in (LATEST, MANUAL):
        assert reviews(policy, [CURATED_HOME, OWN_WORDS, accepted]) == []
        assert reviews(policy, [CURATED_HOME, OWN_WORDS, rejected]) == []
        assert held(policy, [CURATED_HOME, OWN_WORDS, accepted]) == [("lisbon", 20, None), ("porto", 1, 20)]
        assert held(policy, [CURATED_HOME, OWN_WORDS, rejected]) == [("porto", 1, None)]


def test_a_person_who_denies_a_curated_word_is_heard_by_a_curator() -> None:
    denial = functional("porto", said=30, polarity="denied")
    assert held(LATEST, [CURATED_HOME, denial]) == [("porto", 1, None)]
    assert reviews(LATEST, [CURATED_HOME, denial]) == [("porto", "porto")]
    again = functional("porto", said=40, since=1, authority="curated")
    agreed = functional("porto", said=40, since=30, polarity="denied", authority="curated")
    assert reviews(LATEST, [CURATED_HOME, denial, again]) == []
    assert reviews(LATEST, [CURATED_HOME, denial, agreed]) == []


def test_under_highest_authority_the_weaker_fills_no_gaps_of_the_stronger() -> None:
    evidence = [
        functional("orbis", said=1, since=1, until=50, authority="document"),
        functional("helix", said=10, since=10, until=20, authority="curated"),
    ]
    assert held(AUTHORITY, evidence) == [("helix", 10, 20)]
    assert held(LATEST, evidence) == [("helix", 10, 20), ("orbis", 1, 10), ("orbis", 20, 50)]


def test_under_highest_authority_equals_are_settled_by_the_latest() -> None:
    assert held(AUTHORITY, [functional("porto", said=1), functional("lisbon", said=9)]) == [
        ("lisbon", 9, None),
        ("porto", 1, 9),
    ]


def test_what_was_set_aside_opposes_nothing() -> None:
    evidence = [
        functional("helix", said=10, since=10, until=20, authority="curated"),
        functional("orbis", said=11, since=15, until=40),
        functional("nordwind", said=12, since=30, until=50, authority="document"),
    ]
    assert held(AUTHORITY, evidence) == [("helix", 10, 20), ("nordwind", 30, 50)]


def test_under_manual_review_a_move_waits_for_a_curator() -> None:
    evidence = [functional("porto", said=1), functional("lisbon", said=40, since=30)]
    assert held(MANUAL, evidence) == [("porto", 1, None)]
    assert reviews(MANUAL, evidence) == [("porto", "lisbon")]
    accepted = functional("lisbon", said=50, since=30, authority="curated")
    assert held(MANUAL, [*evidence, accepted]) == [("lisbon", 30, None), ("porto", 1, 30)]
    assert reviews(MANUAL, [*evidence, accepted]) == []


def test_under_manual_review_what_contradicts_nothing_is_believed() -> None:
    likings = [multi_valued("tea", said=1), multi_valued("hiking", said=2)]
    stays = [functional("porto", said=9, since=1, until=5), functional("lisbon", said=10, since=5)]
    assert reviews(MANUAL, [*likings]) == reviews(MANUAL, stays) == []
    assert held(MANUAL, stays) == [("lisbon", 5, None), ("porto", 1, 5)]


CIRCUMSTANCES = st.fixed_dictionaries(
    {"said": st.integers(1, 12)},
    optional={
        "since": st.integers(1, 12),
        "until": st.integers(5, 15),
        "polarity": st.sampled_from(["affirmed", "affirmed", "affirmed", "denied", "retracted"]),
        "authority": st.sampled_from(["curated", "user", "document"]),
    },
)
SLOTS = st.lists(st.tuples(st.sampled_from(["porto", "lisbon", "rome"]), CIRCUMSTANCES), max_size=8)
POLICIES = st.sampled_from([LATEST, AUTHORITY, MANUAL])


@given(SLOTS, POLICIES, st.randoms(use_true_random=False))
def test_the_order_of_evidence_does_not_matter(rows: Any, policy: Policy, shuffler: random.Random) -> None:
    evidence = evidence_from(functional, rows)
    shuffled = list(evidence)
    shuffler.shuffle(shuffled)
    assert derive_slot(shuffled, policy) == derive_slot(evidence, policy)


@given(SLOTS, POLICIES, st.integers(0, 16))
def test_a_functional_slot_holds_one_value_at_any_time(rows: Any, policy: Policy, day: int) -> None:
    stretches, _ = derive_slot(evidence_from(functional, rows), policy)
    assert len(believed_on(day, stretches)) <= 1


@given(SLOTS, st.integers(0, 16))
def test_under_highest_authority_a_weaker_value_never_holds_where_a_stronger_was_told(rows: Any, day: int) -> None:
    evidence = [each for each in evidence_from(functional, rows) if each.assertion.polarity == "affirmed"]
    covering = [
        each
        for each in evidence
        if (each.assertion.valid_from or 0) <= day * DAY
        and (each.assertion.valid_to is None or day * DAY < each.assertion.valid_to)
    ]
    stretches, _ = derive_slot(evidence, AUTHORITY)
    strongest = {each.statement.object_key for each in covering if each.rank == max(one.rank for one in evidence)}
    assert not strongest or believed_on(day, stretches) <= strongest


@given(SLOTS)
def test_under_manual_review_the_first_word_stands_until_a_curator_speaks(rows: Any) -> None:
    evidence = [
        each
        for each in evidence_from(functional, rows)
        if each.assertion.polarity == "affirmed" and each.rank != 5 and each.assertion.valid_to is None
    ]
    if not evidence:
        return
    first = min(evidence, key=lambda each: each.order)
    stretches, _ = derive_slot(evidence, MANUAL)
    assert first.statement.object_key in believed_on((first.assertion.valid_from or 0) // DAY, stretches)
    assert len({each.statement for each in evidence}) == 1 or reviews(MANUAL, evidence)


@given(SLOTS)
def test_a_curators_answer_settles_every_review(rows: Any) -> None:
    """Whoever confirms each statement that stands, as of now, leaves nothing to review."""
    evidence = evidence_from(functional, rows)
    by_id = {each.assertion.id: each.assertion for each in evidence}
    for policy in (LATEST, MANUAL):
        told, said = list(evidence), 100
        while waiting := [each for each in derive_slot(told, policy)[1] if each.rule == NEEDS_REVIEW]:
            standing = by_id[waiting[0].winner]
            span = {
                "since": days(standing.valid_from),
                "until": days(standing.valid_to),
                "precision": standing.precision,
            }
            answer = functional(
                standing.object.key,  # type: ignore[union-attr]
                said=said,
                **(span | {"start_known": standing.start_known}),
                authority="curated",
            )
            told.append(answer)
            by_id[answer.assertion.id] = answer.assertion
            said += 1
            assert said < 140
