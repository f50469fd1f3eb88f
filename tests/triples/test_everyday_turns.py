"""Everyday turns are read as a careful person would read them, and little is read wrongly."""

from collections import Counter
from pathlib import Path

import pytest

from benchmarks.extraction_everyday import FILE, cases, compare, turn
from kg_assets.triples.extraction import build_extractor
from tests.triples.reading_lines import read

SECOND, WILD, FIFTH, EXCHANGES = (FILE.with_name(f"{name}.txt") for name in ("second", "wild", "fifth", "exchanges"))


def counted(file: Path) -> Counter[str]:
    known = cases(file)
    found = build_extractor().extract([turn(number, case) for number, case in enumerate(known)], b"key")
    return sum((compare(case, each)[0] for case, each in zip(known, found, strict=True)), Counter())


@pytest.mark.parametrize(
    ("file", "right", "wrong"),
    [(FILE, 168, 4), (SECOND, 29, 0), (WILD, 145, 7), (FIFTH, 172, 2), (EXCHANGES, 58, 1)],
)
def test_what_is_read_of_everyday_turns_stays_right(file: Path, right: int, wrong: int) -> None:
    total = counted(file)
    assert total["right"] >= right
    assert total["wrong"] <= wrong


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("I stopped eating gluten in January.", ("Ana", "eats", "gluten", True)),
        ("I've given up playing the violin.", ("Ana", "plays", "violin", True)),
        ("Dad has gout.", ("Ana's dad", "has_condition", "gout", False)),
        ("I left the choir in March.", ("Ana", "member_of", "choir", True)),
        ("We have no pets.", ("Ana", "has_pet", "Ana's pets", True)),
        ("I'm not vegetarian any more.", ("Ana", "diet", "vegetarian", True)),
        ("I prefer trains to planes.", ("Ana", "likes", "trains", False)),
        ("My migraines are back.", ("Ana", "has_condition", "migraines", False)),
        ("I'm a huge football fan.", ("Ana", "likes", "football", False)),
        ("I did my degree in marine biology at Plymouth.", ("Ana", "has_degree_in", "marine biology", False)),
        ("I'm Nadia, 29, from Izmir.", ("Ana", "age", 29, False)),
        ("I'm Nadia, 29, from Izmir.", ("Ana", "comes_from", "Izmir", False)),
        ("I'm a Catholic.", ("Ana", "religion", "Catholic", False)),
        ("We rent a flat in Malmö.", ("Ana", "lives_in", "Malmö", False)),
        ("Joined a travel club.", ("Ana", "member_of", "travel club", False)),
        ("I've started learning how to play the piano.", ("Ana", "learns", "piano", False)),
        ("I can't eat gluten.", ("Ana", "eats", "gluten", True)),
        ("Please call me Bex.", ("Ana", "name", "Bex", False)),
    ],
)
def test_an_everyday_form_is_read(text: str, row: tuple[object, ...]) -> None:
    assert row in read(text)


@pytest.mark.parametrize(
    ("text", "predicate"),
    [
        ("He was like, I'm a doctor, trust me.", "works_as"),
    ],
)
def test_what_is_not_so_is_not_read(text: str, predicate: str) -> None:
    assert not {row for row in read(text) if predicate in (row[1], row[2])}


def test_what_is_bought_is_not_sold_with_the_rest() -> None:
    rows = read("I sold the Golf and bought an electric Renault.")
    assert ("Ana", "owns", "Golf", True) in rows
    assert ("Ana", "owns", "Renault", False) in rows
    assert ("Ana", "owns", "Renault", True) not in rows


def test_a_dog_one_had_remains_a_dog() -> None:
    assert ("Ana's dog", "species", "dog", True) not in read("We always had a dog when I was growing up.")
