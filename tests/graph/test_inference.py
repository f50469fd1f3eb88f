"""Laws of what follows: over any facts, a pure function."""

from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg_assets.graph.inference import Conclusion, Denial, infer
from kg_assets.graph.intervals import ALWAYS, Interval, interval
from kg_assets.model import Authority, Belief, Fact
from kg_assets.text.ontology import load_ontology
from kg_assets.text.rules import Step

RULES = load_ontology().rules
LAW = settings(deadline=None, max_examples=60)  # each example infers several times
PEOPLE = tuple("abcdef")
PREDICATES = ("parent_of", "sibling", "located_in", "lives_in", "capital", "friend")


def fact(
    subject: str,
    predicate: str,
    target: str,
    since: int | None = None,
    until: int | None = None,
    *,
    confidence: int = 900,
    authority: Authority = "user",
) -> Fact:
    belief = Belief(
        subject_id=subject,
        subject_key=subject,
        predicate=predicate,
        slot=f"{subject}|{predicate}",
        object_id=target,
        object_key=target,
        value=None,
        valid_from=since,
        valid_to=until,
        start_known=True,
        precision="day",
        confidence=confidence,
        authority=authority,
        assertions=(),
        utterances=(),
    )
    named = f"{subject} {predicate} {target}"
    return Fact(
        id=named,
        version_id=f"{named} {since} {until}",
        belief=belief,
        generation=1,
        recorded_from=1,
        recorded_to=None,
        opened_by=1,
        closed_by=None,
        run_id=None,
    )


@st.composite
def some_facts(draw: st.DrawFn) -> list[Fact]:
    days = st.none() | st.integers(0, 5)
    made = st.builds(
        fact,
        st.sampled_from(PEOPLE),
        st.sampled_from(PREDICATES),
        st.sampled_from(PEOPLE),
        days,
        days,
        confidence=st.integers(1, 1000),
        authority=st.sampled_from(["curated", "user", "document", "model"]),
    )
    return draw(st.lists(made, max_size=9, unique_by=lambda each: each.version_id))


def days_of(facts: list[Fact]) -> set[tuple[str, str, str, int]]:
    """The days on which each statement holds, believed or concluded."""
    spans = [((one.belief.subject_id, one.belief.predicate, one.belief.object_id), one.belief) for one in facts]
    spans += [(each.statement, each) for each in infer(facts, RULES).conclusions]  # type: ignore[misc]
    return {
        (*statement, day)  # type: ignore[misc]
        for statement, held in spans
        for span in [interval(held.valid_from, held.valid_to)]
        if span is not None
        for day in range(-1, 7)
        if span.start <= day < span.end
    }


@LAW
@given(some_facts(), st.randoms(use_true_random=False))
def test_the_order_of_facts_and_rules_does_not_matter(facts: list[Fact], chance: Random) -> None:
    mixed, rules = list(facts), list(RULES)
    chance.shuffle(mixed)
    chance.shuffle(rules)
    assert infer(mixed, rules) == infer(facts, RULES)


@LAW
@given(some_facts())
def test_more_facts_never_leave_less(facts: list[Fact]) -> None:
    assert days_of(facts[1:]) <= days_of(facts)


@LAW
@given(some_facts())
def test_a_conclusion_goes_with_any_of_its_premises(facts: list[Fact]) -> None:
    """Each follows from its premises alone, and from none of them without the others where it rests on a single way."""
    for each in infer(facts, RULES).conclusions:
        assert any(covers(other, each) for other in infer(each.premises, RULES).conclusions)
        for gone in each.premises:
            left = [one for one in each.premises if one != gone]
            assert not any(covers(other, each) for other in infer(left, RULES).conclusions)


def covers(one: Conclusion, other: Conclusion) -> bool:
    mine, its = interval(one.valid_from, one.valid_to), interval(other.valid_from, other.valid_to)
    return one.statement == other.statement and mine is not None and its is not None and mine.covers(its)


@LAW
@given(some_facts())
def test_nothing_holds_outside_its_premises_nor_surer_than_the_least_sure(facts: list[Fact]) -> None:
    for each in infer(facts, RULES).conclusions:
        span = interval(each.valid_from, each.valid_to)
        assert span is not None
        for premise in each.premises:
            held = interval(premise.belief.valid_from, premise.belief.valid_to)
            assert held is not None
            assert held.covers(span)
            assert each.confidence <= premise.belief.confidence


@LAW
@given(some_facts())
def test_what_is_believed_is_not_concluded_too(facts: list[Fact]) -> None:
    for each in infer(facts, RULES).conclusions:
        assert each.subject_id != each.object_id
        span = interval(each.valid_from, each.valid_to)
        for one in facts:
            said = (one.belief.subject_id, one.belief.predicate, one.belief.object_id)
            held = interval(one.belief.valid_from, one.belief.valid_to)
            assert span is not None
            assert said != each.statement or held is None or not max(held.start, span.start) < min(held.end, span.end)


@LAW
@given(some_facts())
def test_a_premise_may_be_a_conclusion(facts: list[Fact]) -> None:
    """Whatever two steps join of what is believed or concluded is believed or concluded itself."""
    facts = [each for each in facts if each.belief.subject_id != each.belief.object_id]
    held = days_of(facts)
    for first, rule, second in ((rule.steps[0], rule, rule.steps[1]) for rule in RULES if len(rule.steps) == 2):
        for start, middle, day in turned(held, first):
            for again, end, same_day in turned(held, second):
                if (middle, day) == (again, same_day) and start != end:
                    assert (start, rule.concludes, end, day) in held


def turned(held: set[tuple[str, str, str, int]], step: Step) -> set[tuple[str, str, int]]:
    found = {(one, other, day) for one, predicate, other, day in held if predicate == step.predicate}
    return {(other, one, day) for one, other, day in found} if step.inverted else found


FAMILY = [fact("rosa", "parent_of", "maria", 1), fact("maria", "parent_of", "ana", 3, 8, confidence=800)]


def test_a_grandparent_is_a_parents_parent() -> None:
    (found,) = infer(FAMILY, RULES).conclusions
    assert found.statement == ("rosa", "grandparent_of", "ana")
    assert (found.valid_from, found.valid_to, found.confidence) == (3, 8, 720)
    assert found.premises == tuple(FAMILY)
    assert found.rule == "a parent's parent"


def test_the_authority_is_that_of_the_weakest() -> None:
    (found,) = infer([FAMILY[0], fact("maria", "parent_of", "ana", authority="model")], RULES).conclusions
    assert found.authority == "model"


def test_of_two_ways_the_stronger_is_told() -> None:
    other = [fact("rosa", "parent_of", "tim", 1), fact("tim", "parent_of", "ana", 3, 8, confidence=990)]
    found = [each for each in infer(FAMILY + other, RULES).conclusions if each.predicate == "grandparent_of"]
    assert [each.premises for each in found] == [tuple(other)]


def test_what_was_denied_does_not_follow_while_it_is_denied() -> None:
    statement = ("rosa", "grandparent_of", "ana")
    (found,) = infer(FAMILY, RULES, [Denial(statement, Interval(5, ALWAYS.end))]).conclusions
    assert (found.valid_from, found.valid_to) == (3, 5)
    assert infer(FAMILY, RULES, [Denial(statement, ALWAYS)]).conclusions == ()


def test_nothing_follows_from_what_was_denied() -> None:
    places = [fact("ana", "lives_in", "lisbon"), *(fact(a, "located_in", b) for a, b in ("lp", "pe", "ew"))]
    places[0] = fact("ana", "lives_in", "l")
    denied = Denial(("l", "located_in", "e"), ALWAYS)
    assert ("l", "located_in", "e") not in {each.statement for each in infer(places, RULES, [denied]).conclusions}
    assert ("p", "located_in", "w") in {each.statement for each in infer(places, RULES, [denied]).conclusions}


def test_a_long_chain_is_followed_to_its_end() -> None:
    chain = [fact(f"p{each:03}", "located_in", f"p{each + 1:03}") for each in range(40)]
    found = infer(chain, RULES)
    assert not found.cut
    assert len(found.conclusions) == 40 * 41 // 2 - 40
    assert any(each.statement == ("p000", "located_in", "p040") for each in found.conclusions)


def test_a_circle_comes_to_an_end() -> None:
    circle = [fact(a, "located_in", b) for a, b in ("ab", "bc", "ca")]
    found = infer(circle, RULES)
    assert {each.statement for each in found.conclusions} == {(a, "located_in", b) for a, b in ("ac", "ba", "cb")}
    assert not found.cut


@pytest.mark.parametrize("bounds", [{"rounds": 1}, {"most": 30}])
def test_what_is_cut_says_so_and_is_the_same_in_any_order(bounds: dict[str, int]) -> None:
    chain = [fact(f"p{each:02}", "located_in", f"p{each + 1:02}") for each in range(20)]
    found = infer(chain, RULES, **bounds)
    assert found.cut
    assert 0 < len(found.conclusions) <= 30
    assert infer(chain[::-1], RULES, **bounds) == found


def test_a_literal_leads_nowhere() -> None:
    age = fact("ana", "parent_of", "maria")
    literal = msgspec.structs.replace(age, belief=msgspec.structs.replace(age.belief, object_id=None))
    assert infer([FAMILY[0], literal], RULES).conclusions == ()
