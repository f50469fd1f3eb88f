from collections.abc import Iterator
from pathlib import Path

import pytest

from kg_assets.model import Literal
from kg_assets.novelty.scoring import POINTS, Thresholds, route_of
from kg_assets.ports import Memory
from tests.novelty.memories import believe, fact_ids, judged, new_memory, remember_text


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    opened = new_memory(tmp_path)
    yield opened
    opened.close()


@pytest.mark.parametrize(
    "text",
    ["Hi!", "lol ok", "Good morning! How are you?", "Thanks, that was great", "👍", "I'm fine, thanks", "ok, later"],
)
def test_small_talk_stays_in_the_log(memory: Memory, text: str) -> None:
    assert judged(memory, text).score < 30


@pytest.mark.parametrize(
    "text", ["Where do you live?", "What's the weather like in Lisbon today?", "Do you know a good dentist"]
)
def test_questions_that_disclose_nothing_stay_in_the_log(memory: Memory, text: str) -> None:
    found = judged(memory, text)
    assert (found.route, found.features["questions"]) == ("log", 1.0)


@pytest.mark.parametrize(
    "text",
    [
        "I moved to Lisbon in May",
        "I just got a new job at Nordwind!",
        "My name is Mara.",  # who is called Ana by the label: Ana who says so tells nothing new
        "I'm 34 years old",
        "We adopted a puppy yesterday, her name is Lena!",
        "My sister Anna is getting married in June",
    ],
)
def test_news_of_oneself_is_immediate(memory: Memory, text: str) -> None:
    assert judged(memory, text).route == "immediate"


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("I am allergic to nuts", "I am allergic to peanuts"),
        ("I live in Porto", "I live in Lisbon"),
        ("My boss is called Anna", "My boss is called Maria"),
        ("My son plays football", "My son plays tennis"),
    ],
)
def test_what_is_stated_of_another_name_is_no_repetition_however_alike_the_words(
    memory: Memory, before: str, text: str
) -> None:
    remember_text(memory, before)
    found = judged(memory, text)
    assert (found.features["nearest"], found.features["stated_anew"] > 0) == (1, True)
    assert f"{POINTS}repeated" not in found.features
    assert judged(memory, before).score < 30 < found.score


@pytest.mark.parametrize("text", ["I work at McDonald's.", "My wife's name is Anna-Lena.", "She is my mother."])
def test_the_same_words_again_are_a_repetition(memory: Memory, text: str) -> None:
    remember_text(memory, text)
    assert judged(memory, text).score < 5


def test_what_nobody_in_particular_does_is_judged_by_its_words(memory: Memory) -> None:
    remember_text(memory, "A man is playing a guitar")
    found = judged(memory, "A man is playing a ukulele")
    assert (found.features["new_statements"], found.features.get("stated_anew", 0)) == (1, 0)


def test_another_name_for_what_was_stated_is_a_repetition(memory: Memory) -> None:
    remember_text(memory, "I have two small dogs")
    assert judged(memory, "I have little dogs").features.get("stated_anew", 0) == 0


def test_the_same_news_counts_more_early_in_a_conversation_than_late(memory: Memory) -> None:
    text = "After the storm our old garden fence collapsed onto the greenhouse"
    early = judged(memory, text)
    for number in range(12):
        remember_text(memory, f"Lovely weather number {number} for a walk by the river")
    late = judged(memory, text)
    assert (early.features["before"], late.features["before"]) == (0, 12)
    assert early.features[f"{POINTS}opening"] > 2 * late.features[f"{POINTS}opening"] > 0
    assert f"{POINTS}opening" not in judged(memory, "Hi!").features


def test_what_is_told_without_a_known_pattern_is_not_left_in_the_log(memory: Memory) -> None:
    text = "After the long storm our old garden fence collapsed onto the neighbour's greenhouse, what a mess"
    assert judged(memory, text).route != "log"


def test_what_is_said_of_a_pronoun_is_a_statement_too(memory: Memory) -> None:
    believe(memory, ("lives_in", "Porto"))
    found = judged(memory, "Sorry, autocorrect: her name is Luna, not Lena.")
    assert found.route != "log"
    assert (found.features["new_statements"] > 0, found.features["new_functional"], found.conflicts) == (True, 0, ())


def test_each_feature_tells_what_it_added_to_the_score(memory: Memory) -> None:
    found = judged(memory, "I moved to Lisbon in May.")
    points = {name: value for name, value in found.features.items() if name.startswith(POINTS)}
    assert sum(points.values()) == pytest.approx(found.score, abs=0.1)
    assert points[f"{POINTS}statement"] > 0
    echoed = judged(memory, "I moved to Lisbon in May.", role="assistant").features
    assert echoed[f"{POINTS}assistant"] < 0


def test_what_was_said_before_is_not_new_and_its_denial_is(memory: Memory) -> None:
    text = "The old ferry sank near the harbour"
    fresh = judged(memory, text)
    remember_text(memory, text)
    again, denied = judged(memory, text), judged(memory, "The old ferry never sank near the harbour")
    assert (again.features["nearest"], again.features["unmatched"]) == (1, pytest.approx(0, abs=0.05))
    assert again.score < fresh.score / 10 < denied.score
    assert denied.features["negated"] == 1


def test_the_parts_add_up_to_the_score_and_the_features_say_why(memory: Memory) -> None:
    found = judged(memory, "I moved to Lisbon in May.")
    assert sum(found.parts.values()) == pytest.approx(found.score, abs=0.2)
    assert set(found.parts) == {"entity", "relation", "linguistic", "surprise"}
    assert (found.features["new_statements"], found.features["times"], found.features["new_entities"]) == (1, 1, 1)


def test_a_statement_that_is_believed_already_is_not_new(memory: Memory) -> None:
    new = judged(memory, "I live in Porto")
    believe(memory, ("lives_in", "Porto"))
    again = judged(memory, "I live in Porto")
    assert (new.route, again.route) == ("immediate", "log")
    assert (again.features["statements"], again.features["new_statements"], again.conflicts) == (1, 0, ())


def test_another_value_where_one_fits_contradicts(memory: Memory) -> None:
    believe(memory, ("lives_in", "Porto"), ("age", Literal(value=33, type="number")))
    assert judged(memory, "I live in Rome").conflicts == fact_ids(memory, "lives_in")
    assert judged(memory, "I'm 34 years old").conflicts == fact_ids(memory, "age")
    assert judged(memory, "I used to live in Rome").conflicts == ()


def test_a_denial_contradicts_what_is_believed(memory: Memory) -> None:
    believe(memory, ("works_at", "Helix"), ("likes", "tea"), ("likes", "coffee"))
    assert judged(memory, "I no longer work at Helix.").conflicts == fact_ids(memory, "works_at")
    assert judged(memory, "I no longer work at Nordwind.").conflicts == ()
    (found,) = judged(memory, "I hate tea.").conflicts
    assert found in fact_ids(memory, "likes")


def test_what_the_assistant_says_of_itself_contradicts_nothing_of_the_person(memory: Memory) -> None:
    believe(memory, ("works_at", "Helix"))
    assert judged(memory, "I no longer work at Helix").conflicts == fact_ids(memory, "works_at")
    assert judged(memory, "I no longer work at Helix", role="assistant").conflicts == ()


def test_a_contradiction_lifts_a_low_score_and_shows_as_a_part(memory: Memory) -> None:
    believe(memory, ("lives_in", "Porto"))
    found = judged(memory, "I never lived in Porto")
    assert (found.conflicts, found.score >= 70) == (fact_ids(memory, "lives_in"), True)
    assert sum(found.parts.values()) == pytest.approx(found.score, abs=0.2)


def test_what_the_assistant_says_counts_half(memory: Memory) -> None:
    own, echoed = judged(memory, "I love the old harbour"), judged(memory, "I love the old harbour", role="assistant")
    assert echoed.score == pytest.approx(own.score / 2, abs=0.1)


def test_an_import_is_capped_at_batch_with_its_score_unchanged(memory: Memory) -> None:
    plain, capped = (judged(memory, "I moved to Lisbon in May", cap_at_batch=cap) for cap in (False, True))
    assert (plain.score, plain.route, capped.score, capped.route) == (plain.score, "immediate", plain.score, "batch")


@pytest.mark.parametrize(
    ("score", "route"), [(0.0, "log"), (29.9, "log"), (30.0, "batch"), (69.9, "batch"), (70.0, "immediate")]
)
def test_a_threshold_belongs_to_the_route_above_it(score: float, route: str) -> None:
    assert route_of(score, Thresholds(), cap_at_batch=False) == route
    assert route_of(score, Thresholds(immediate=101.0, batch=0.0), cap_at_batch=False) == "batch"
