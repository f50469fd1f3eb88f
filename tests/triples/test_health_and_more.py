"""Health, homes without a name, schools, families in numbers, changes of date, and who "she" of a question is."""

import pytest

from tests.triples import test_answers
from tests.triples.reading_lines import dated, read
from tests.triples.test_corrections import last_of, rows


@pytest.mark.parametrize(
    ("text", "subject", "predicate", "thing", "negated"),
    [
        ("My knee still hurts from the marathon.", "Ana", "has_condition", "knee", False),
        ("My back is sore.", "Ana", "has_condition", "back", False),
        ("The doctor put me on 20 mg of citalopram last week.", "Ana", "takes_medication", "citalopram", False),
        ("I take 50 mg of sertraline.", "Ana", "takes_medication", "sertraline", False),
        ("I'm on insulin.", "Ana", "takes_medication", "insulin", False),
        ("Dad was diagnosed with Parkinson's in 2021.", "Ana's dad", "has_condition", "Parkinson", False),
        ("I'm five months pregnant.", "Ana", "has_condition", "pregnant", False),
        ("My sister-in-law is expecting twins.", "Ana's sister-in-law", "expecting", "twins", False),
        ("My best friend Yusuf just had a baby boy.", "Yusuf", "parent_of", "Yusuf's baby boy", False),
        ("I wear hearing aids, so phone calls are hard for me.", "Ana", "wears", "hearing aids", False),
        ("I live on a farm.", "Ana", "dwelling", "farm", False),
        ("I live with my parents.", "Ana", "roommate", "Ana's parents", False),
        ("I work at a brewery.", "Ana", "works_at", "brewery", False),
        ("I work as a juggler at the circus.", "Ana", "works_at", "circus", False),
        ("I'm still in middle school.", "Ana", "studies_at", "middle school", False),
        ("I'm between jobs.", "Ana", "job_status", "between jobs", False),
        ("I have two brothers and no sisters.", "Ana", "sibling", "Ana's two brothers", False),
        ("We have two boys.", "Ana", "parent_of", "Ana's two boys", False),
        ("I'm an only child.", "Ana", "is_a", "only child", False),
        ("it contrasts nicely with my red hair", "Ana", "appearance", "red hair", False),
        ("i drive a jaguar", "Ana", "drives", "jaguar", False),
        ("My son is brilliant at chess.", "Ana's son", "has_ability", "chess", False),
        ("i enjoy hanging out with friends", "Ana", "likes", "hanging out with friends", False),
        ("I love to dance.", "Ana", "likes", "dance", False),
        ("I bake all our bread myself.", "Ana", "cooks", "bread", False),
        ("Most evenings I crochet in front of the telly.", "Ana", "hobby", "crocheting", False),
        ("Since the baby I hardly drink.", "Ana", "drinks", "alcohol", True),
        ("Neither of us speaks French.", "Ana", "speaks_language", "French", True),
        ("I grew up speaking Welsh.", "Ana", "speaks_language", "Welsh", False),
        ("I ran my first marathon in under four hours.", "Ana", "attended", "Ana's marathon", False),
    ],
)
def test_it_is_read(text: str, subject: str, predicate: str, thing: str, negated: bool) -> None:
    found = read(text)
    assert (subject, predicate, thing, negated) in found


@pytest.mark.parametrize(
    "text",
    [
        "I work at night.",
        "I work at the moment.",
        "I work with a friend.",
        "I live in fear.",
        "My knee doesn't hurt.",
        "I put it on the table.",
        "I'm at school.",
        "I like talking to you.",
        "I live my dream by having a studio.",
    ],
)
def test_it_is_no_statement(text: str) -> None:
    assert not read(text)


def test_an_end_to_come_and_a_new_date_are_dated() -> None:
    assert ("has_event", "contract runs out", False, "2026-04-01", "2026-05-01") in dated(
        "My contract runs out at the end of April."
    )
    assert ("has_event", "meeting", False, "2026-01-02", "2026-01-03") in dated("My meeting got moved to Friday.")


def test_whom_a_question_names_may_be_meant_in_its_answer() -> None:
    found = test_answers.read("Is your sister still in Oslo?", "No, she moved to Bergen.")
    assert ("lives_in", "Bergen", False) in found


def test_a_correction_replaces_the_name_said_last() -> None:
    found = rows(last_of("I live in Malmö.", "Correction, Lund. We moved in January."))
    assert {("@self", "lives_in", "lund", "affirmed"), ("@self", "lives_in", "malmö", "retracted")} <= found


def test_a_wish_with_a_date_is_a_plan() -> None:
    found = read("I want to learn Portuguese before the summer.")
    assert any(row[1] == "plans_to" and "Portuguese" in str(row[2]) for row in found)
    assert not any(row[1] == "plans_to" for row in read("I want to learn Portuguese."))
