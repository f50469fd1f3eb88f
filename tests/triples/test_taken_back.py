"""What is taken back, called off, lost or only supposed is not left standing."""

import pytest

from tests.triples.reading_lines import dated, read
from tests.triples.test_corrections import last_of, rows


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("I never said that I like jazz.", ("@self", "likes", "jazz", "retracted")),
        ("I didn't say I live in Rome.", ("@self", "lives_in", "rome", "retracted")),
        ("No, I have never told you that I work at Nordwind.", ("@self", "works_at", "nordwind", "retracted")),
        ("It's not true that I live in Rome.", ("@self", "lives_in", "rome", "retracted")),
    ],
)
def test_what_was_never_said_is_taken_back(text: str, row: tuple[str, ...]) -> None:
    assert rows(last_of(text)) == {row}


def test_what_was_said_instead_is_read() -> None:
    found = rows(last_of("I never told you I work at Volvo, I said I work at Scania."))
    assert found == {("@self", "works_at", "volvo", "retracted"), ("@self", "works_at", "scania", "affirmed")}


def test_what_was_denied_and_never_said_takes_nothing_back() -> None:
    assert not rows(last_of("I never said that I don't eat pork."))


@pytest.mark.parametrize(
    "text",
    [
        "I quit my job at Volvo.",
        "I resigned from Volvo.",
        "Volvo let me go.",
        "Volvo fired me in May.",
        "Volvo laid me off.",
        "I was let go by Volvo.",
        "I got fired from Volvo.",
    ],
)
def test_a_job_that_ends_is_had_no_longer(text: str) -> None:
    assert {row for row in read(text) if row[1] != "did"} == {("Ana", "works_at", "Volvo", True)}


def test_a_last_day_ends_a_job_on_that_day() -> None:
    assert ("works_at", "Volvo", True, "2026-04-30", None) in dated("My last day at Volvo is the 30th of April.")
    assert ("works_at", "Volvo", False, "2025-12-01", None) in dated("My first day at Volvo was the 1st of December.")


def test_a_job_with_an_end_ends_then() -> None:
    assert ("works_at", "Volvo", True, "2026-05-01", None) in dated("I work at Volvo until the end of April.")
    found = last_of("I work at Volvo", "At least until the end of April.")
    assert {row[3] for row in rows(found)} == {"affirmed", "denied"}


@pytest.mark.parametrize(
    ("text", "who", "other"),
    [
        ("Emil got divorced from Lea.", "Emil", "Lea"),
        ("Lea and Emil split up.", "Emil", "Lea"),
        ("Mia and I broke up.", "Ana", "Mia"),
    ],
)
def test_a_couple_that_parts_is_none(text: str, who: str, other: str) -> None:
    assert read(text) == {(who, predicate, other, True) for predicate in ("spouse", "engaged_to", "partner")}


def test_what_two_do_is_told_of_both() -> None:
    found = read("Mia and I moved to Ghent.")
    assert {("Ana", "lives_in", "Ghent", False), ("Mia", "lives_in", "Ghent", False)} <= found
    assert ("Ana", "engaged_to", "Tom", False) in read("Tom and I got engaged on holiday.")


@pytest.mark.parametrize(
    "text",
    [
        "I live in Rome when I am rich.",
        "If I were rich I'd live in Rome.",
        "I'll live in Rome once I'm rich.",
        "Once I'm rich I live in Rome.",
        "I live in Rome if I can.",
    ],
)
def test_a_home_under_a_condition_is_none(text: str) -> None:
    assert not read(text)


def test_a_taste_under_a_condition_is_one() -> None:
    assert ("Ana", "drinks", "tea", False) in read("I drink tea when I am tired.")


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("We called off the wedding.", ("Ana", "has_event", "wedding", True)),
        ("I cancelled my trip to Rome.", ("Ana", "plans_to_visit", "Rome", True)),
        ("I changed my mind about Lisbon.", ("Ana", "plans_to_visit", "Lisbon", True)),
        ("We decided against the dog after all.", ("Ana", "plans_to", "dog", True)),
        ("We decided not to go to Rome.", ("Ana", "plans_to_visit", "Rome", True)),
        ("I'm not going to Rome in May after all.", ("Ana", "plans_to_visit", "Rome", True)),
    ],
)
def test_a_plan_that_is_called_off_is_closed(text: str, row: tuple[object, ...]) -> None:
    assert row in read(text)
    assert all(each[3] for each in read(text))


def test_what_is_stolen_is_owned_no_longer() -> None:
    assert ("Ana", "owns", "bike", True) in read("My bike got stolen.")
    found = rows(last_of("I bought a bike.", "It got stolen on the second day."))
    assert ("@self", "owns", "bike", "denied") in found


def test_what_a_question_tells_is_read() -> None:
    found = read("What can I cook for my vegan girlfriend?")
    assert found == {("Ana", "partner", "Ana's girlfriend", False), ("Ana's girlfriend", "diet", "vegan", False)}
    assert ("Ana", "lives_in", "Oslo", False) in read("Did I tell you that I moved to Oslo?")
    assert not read("Do I live in Oslo?")
    assert not read("Will you be my girlfriend?")


def test_mine_is_what_was_asked_for() -> None:
    assert ("Ana", "favourite_colour", "red", False) in read("What is your favourite colour? Mine is red.")


def test_a_name_is_of_a_kind() -> None:
    assert read("Portugal is a country.") == {("Portugal", "is_a", "country", False)}
    assert not read("Tom is a legend.")


@pytest.mark.parametrize(
    "text",
    [
        "Neither my wife nor I drink alcohol.",
        "Neither Anna nor Tom works at Siemens.",
        "I neither smoke nor drink.",
        "I'm avoiding Tom.",
        "I'm considering buying a Tesla.",
        "I'm team Edward.",
        "I feel like I'm 100 years old.",
        "I feel like I live in Paris.",
        "He's not my brother.",
        "That's not my dog.",
        "I have no degree in law.",
        "I do no yoga.",
    ],
)
def test_what_is_told_of_nobody_or_not_of_oneself_is_not_read(text: str) -> None:
    assert not read(text)


def test_a_height_is_no_age() -> None:
    assert {row[1] for row in read("I'm 6'2\".")} <= {"height"}


def test_neither_of_two_things_is_so() -> None:
    assert read("I speak neither French nor German.") == {
        ("Ana", "speaks_language", "French", True),
        ("Ana", "speaks_language", "German", True),
    }


def test_a_name_that_is_also_a_trade_is_a_name() -> None:
    assert ("Ana", "name", "Tom Baker", False) in read("I'm actually Tom Baker.")


def test_the_wife_of_a_friend_is_not_the_friend() -> None:
    found = {row for row in read("My brother Tom's dog is called Rex.") if "Rex" in row}
    assert ("Ana", "sibling", "Rex", False) not in found
    assert ("my friend", "works_as", "nurse", False) not in read("My friend Tom's wife is a nurse.")


def test_a_language_of_which_one_speaks_none_is_denied() -> None:
    found = read("I speak a little French but no German.")
    assert found == {("Ana", "speaks_language", "French", False), ("Ana", "speaks_language", "German", True)}
