"""Values that are text stay whole: numbers of several groups, addresses, measures; and nothing else becomes one."""

import pytest

from tests.triples.reading_lines import read


@pytest.mark.parametrize(
    ("text", "predicate", "value"),
    [
        ("My phone number is 0151 234 567.", "phone_number", "0151 234 567"),
        ("My phone number is +49 (0)151 234-567, by the way.", "phone_number", "+49 (0)151 234-567"),
        ("My new phone number is 0151 234 567 if you need it.", "phone_number", "0151 234 567"),
        ("My number is 0151 234 567.", "phone_number", "0151 234 567"),
        ("My address is 12 Baker Street, London NW1 6XE, and I love it.", "address", "12 Baker Street, London NW1 6XE"),
        ("My address is 5 St. John's Road, Leeds. Come by!", "address", "5 St. John's Road, Leeds"),
        ("My height is 1.75 m.", "height", "1.75 m"),
        ("My weight is about 62 kg.", "weight", "62 kg"),
        ("My blood type is O negative.", "blood_type", "O negative"),
        ("my nickname is nini", "nickname", "nini"),
    ],
)
def test_a_value_is_kept_whole(text: str, predicate: str, value: str) -> None:
    assert ("Ana", predicate, value, False) in read(text)
    assert {row[2] for row in read(text) if row[1] == predicate} == {value}


def test_each_voter_takes_the_same_words() -> None:
    text = "My phone number is 0151 234 567."
    assert read(text, ("rules",)) == read(text, ("dependencies",)) == {("Ana", "phone_number", "0151 234 567", False)}


def test_a_wrong_number_is_taken_back_whole() -> None:
    assert read("My phone number is 555 12-34, not 555 43 21.") == {
        ("Ana", "phone_number", "555 12-34", False),
        ("Ana", "phone_number", "555 43 21", True),
    }
    assert read("My phone number is no longer 0151 234 567.") == {("Ana", "phone_number", "0151 234 567", True)}


@pytest.mark.parametrize(
    "text",
    [
        "My phone number is secret.",
        "My number is 7.",
        "My phone is 2 years old.",
        "My address is changing soon.",
        "My blood type is unknown.",
        "My address is the same.",
        "My email is broken.",
    ],
)
def test_what_is_no_value_is_not_read(text: str) -> None:
    assert not read(text)
