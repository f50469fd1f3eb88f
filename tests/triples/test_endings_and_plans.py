"""Who has died is had no longer; who is to marry is not married yet; what has lasted has its beginning."""

import pytest

from kg_assets.text.instants import parse_instant
from kg_assets.text.times import find_times
from kg_assets.triples.extraction import build_extractor
from kg_assets.triples.preview import read_lines
from tests.triples.reading_lines import SAID, Row, dated, read
from tests.triples.test_corrections import last_of, rows


@pytest.mark.parametrize(
    ("text", "since"),
    [
        ("My dog died yesterday.", "2025-12-31"),
        ("My dog died.", "2026-01-01"),
        ("Our dog was put down yesterday.", "2025-12-31"),
        ("We had to put our dog down yesterday.", "2025-12-31"),
        ("Our dog had to be put down yesterday.", "2025-12-31"),
        ("I sold my dog yesterday.", "2025-12-31"),
        ("My dog is dead.", "2026-01-01"),
    ],
)
def test_an_animal_that_is_gone_is_had_no_longer(text: str, since: str) -> None:
    found = {row for row in dated(text) if row[0] == "has_pet"}
    assert found == {("has_pet", "Ana's dog", True, since, None)}


def test_the_day_of_a_death_is_told() -> None:
    found = dated("My dog Max died yesterday. I loved my dog Max.")
    assert ("died_on", "2025-12-31", False, "2025-12-31", None) in found
    assert {row[2] for row in found if row[0] == "has_pet"} == {True}


def test_the_session_knows_whose_animal_died() -> None:
    assert ("@self", "has_pet", "max", "denied") in rows(last_of("I have a dog named Max.", "Max died yesterday."))


def test_a_widow_is_not_married_to_her_late_husband() -> None:
    assert ("Ana", "spouse", "Ana's husband", True) in read("My late husband loved Porto.")
    assert ("spouse", "Ana's husband", True, "2025-01-01", None) in dated("My husband died last year.")
    assert ("Ana's grandmother", "grandparent_of", "Ana", False) in read("My late grandmother lived in Porto.")


@pytest.mark.parametrize("text", ["We lost our dog yesterday.", "My dog ran away yesterday."])
def test_what_may_only_be_missing_says_nothing_of_having(text: str) -> None:
    assert "has_pet" not in {row[1] for row in read(text)}


def test_who_did_not_die_is_still_had() -> None:
    assert ("Ana", "has_pet", "Ana's dog", False) in read("My dog didn't die.")


@pytest.mark.parametrize(
    ("text", "plan"),
    [
        ("I'm getting married to Felix in September.", "getting married to Felix"),
        ("I'm marrying Felix in September.", "marrying Felix"),
        ("I'm going to marry Felix in September.", "marry Felix"),
        ("We're getting married in September.", "getting married"),
    ],
)
def test_a_wedding_to_come_is_a_plan(text: str, plan: str) -> None:
    assert dated(text) == {("plans_to", plan, False, "2026-09-01", "2026-10-01")}


def test_other_changes_are_no_weddings() -> None:
    assert not read("I got allergic last year.")
    assert not read("I'm getting allergic in May.")


def test_a_wedding_that_was_is_a_marriage() -> None:
    assert ("spouse", "Felix", False, "2025-09-01", None) in dated("I got married to Felix in September.")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I've been married for ten years.", ("marital_status", "married", False, "2016-01-01", None)),
        ("I have been married to Felix for ten years.", ("spouse", "Felix", False, "2016-01-01", None)),
        ("I've been single since 2020.", ("marital_status", "single", False, "2020-01-01", None)),
        ("I've been divorced for two years.", ("marital_status", "divorced", False, "2024-01-01", None)),
        ("We got married in 2015.", ("marital_status", "married", False, "2015-01-01", None)),
        ("I'm not married.", ("marital_status", "married", True, "2026-01-01", None)),
    ],
)
def test_what_has_lasted_has_its_beginning(text: str, expected: tuple[object, ...]) -> None:
    assert dated(text) == {expected}


def test_a_dated_move_to_come_is_a_home_from_then_on_and_less_sure() -> None:
    found = dated("I'm moving to Manchester on the first of April.")
    assert ("lives_in", "Manchester", False, "2026-04-01", None) in found
    assert not [row for row in dated("I'm moving to Manchester.") if row[0] == "lives_in"]
    assert sureness("I'm moving to Manchester in April.") < sureness("I moved to Manchester in April.")


def sureness(text: str) -> float:
    (found,) = [row["confidence"] for row in reading(text) if row["predicate"] == "lives_in"]
    return float(found)


def reading(text: str) -> list[dict[str, object]]:
    return list(read_lines([text], build_extractor(), said_at=SAID))


@pytest.mark.parametrize(
    "turns",
    [
        ("Somebody asked whether I live in Leeds.", "I'm still in Bristol."),
        ("I used to live in Leeds. I'm in Bristol now.",),
        ("I never moved to London. I'm still in Bristol.",),
    ],
)
def test_being_still_somewhere_is_living_there_where_the_talk_is_of_homes(turns: tuple[str, ...]) -> None:
    assert ("@self", "lives_in", "bristol", "affirmed") in rows(last_of(*turns))


@pytest.mark.parametrize(
    "text",
    [
        "I'm still in Bristol.",
        "I'm in Bristol now.",
        "My flight home is late, I'm still in Rome.",
        "I live in Leeds, I'm in Bristol.",
    ],
)
def test_being_somewhere_is_no_home(text: str) -> None:
    assert not [row for row in read(text) if row[1] in ("lives_in", "stays_in") and row[2] in ("Bristol", "Rome")]


def test_a_bit_of_a_language_is_the_language() -> None:
    found = read("I speak Polish and a bit of German.")
    assert found == {("Ana", "speaks_language", "Polish", False), ("Ana", "speaks_language", "German", False)}


def test_who_teaches_at_a_school_is_a_teacher_there() -> None:
    found = read("I teach maths at a secondary school in Manchester now.")
    assert found == {
        ("Ana", "teaches", "maths", False),
        ("Ana", "works_at", "secondary school", False),
        ("Ana", "works_as", "teacher", False),
        ("Ana", "works_in_place", "Manchester", False),
    }
    assert "works_as" not in {row[1] for row in read("I teach piano.")}


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("on the first of April", "2026-04-01"),
        ("on the twenty-first of May", "2026-05-21"),
        ("on June the third", "2026-06-03"),
        ("the second of March 2020", "2020-03-02"),
    ],
)
def test_days_in_words_are_days(text: str, start: str) -> None:
    (found,) = find_times(text, SAID, forward=True)
    assert (found.valid_from, found.precision) == (parse_instant(f"{start}T00:00:00Z"), "day")


@pytest.mark.parametrize("text", ["I may first go", "my second March here", "the thirty-first of June"])
def test_what_only_looks_like_a_day_is_none(text: str) -> None:
    assert not [each for each in find_times(text, SAID) if each.precision == "day"]


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("I married my girlfriend Anna in June 2024.", ("Ana", "spouse", "Anna", False)),
        ("I got engaged to my boyfriend Tom last week.", ("Ana", "engaged_to", "Tom", False)),
        ("My friend Dee got engaged to her boyfriend Sam on Saturday.", ("Dee", "engaged_to", "Sam", False)),
    ],
)
def test_who_is_engaged_or_married_by_now_is_no_partner_besides(text: str, row: Row) -> None:
    found = read(text)
    assert row in found
    assert "partner" not in {predicate for _, predicate, _, _ in found}


def test_a_wedding_to_come_leaves_the_partner() -> None:
    found = read("I'm marrying my boyfriend Tom in June 2030.")
    assert ("Ana", "partner", "Tom", False) in found


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("I was talking to Kasia yesterday, she plays the cello.", ("Kasia", "plays", "cello", False)),
        ("I spoke to Kasia on Monday. She works at Siemens.", ("Kasia", "works_at", "Siemens", False)),
    ],
)
def test_she_is_the_one_who_was_spoken_to(text: str, row: Row) -> None:
    assert row in read(text)


def test_she_is_not_the_town_that_somebody_drove_to() -> None:
    assert not {row for row in read("I drove to Florence yesterday, she lives in Rome.") if row[0] == "Florence"}
