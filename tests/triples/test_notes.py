"""Notes and lists are read as what they say of the one who writes them."""

import pytest

from kg_assets.text.statements import statements
from tests.triples.reading_lines import Row, read


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("Allergies: kiwi, latex", [("Ana", "allergic_to", "kiwi", False), ("Ana", "allergic_to", "latex", False)]),
        (
            "children: Ole (3), Siri 8",
            [("Ana", "parent_of", "Ole", False), ("Ole", "age", 3, False), ("Siri", "age", 8, False)],
        ),
        (
            "Name: Ewa Lis. Age: 41. Town: Gdynia. Occupation: welder.",
            [
                ("Ana", "name", "Ewa Lis", False),
                ("Ana", "age", 41, False),
                ("Ana", "lives_in", "Gdynia", False),
                ("Ana", "works_as", "welder", False),
            ],
        ),
        (
            "- husband: Goran\n- cat: Mila (siamese)",
            [("Ana", "spouse", "Goran", False), ("Mila", "breed", "siamese", False)],
        ),
        ("My stack: Elixir, Redis and GCP", [("Ana", "uses_tool", "Redis", False), ("Ana", "uses_tool", "GCP", False)]),
        (
            "Hates:\n1. beetroot\n2. queues",
            [("Ana", "dislikes", "beetroot", False), ("Ana", "dislikes", "queues", False)],
        ),
        ("meds: metformin 500 mg (morning), vitamin b12", [("Ana", "takes_medication", "metformin", False)]),
        ("height 170, shoe size 40", [("Ana", "height", "170", False), ("Ana", "shoe_size", "40", False)]),
        ("Dinner for six please, allergies: sesame", [("Ana", "allergic_to", "sesame", False)]),
        ("Birthday: 3 June", [("Ana", "birthday", "06-03", False)]),
        ("Pets: two rabbits (Pip and Nell)", [("Ana", "has_pet", "Pip", False), ("Nell", "species", "rabbit", False)]),
    ],
)
def test_a_note_tells_of_its_writer(text: str, rows: list[Row]) -> None:
    assert set(rows) <= read_lines_of(text)


def read_lines_of(text: str) -> set[Row]:
    """One turn, its line breaks kept: the preview reads a line a turn."""
    from kg_assets.triples.extraction import build_extractor
    from kg_assets.triples.preview import read_lines
    from tests.triples.reading_lines import SAID

    rows = read_lines([text], build_extractor(), said_at=SAID, speaker="Ana")
    return {(row["subject"], row["predicate"], row["object"], row["negated"]) for row in rows}


@pytest.mark.parametrize(
    "text",
    [
        "shopping: milk, bread, lemons",
        "Write a reference letter. Name: Bo Berg. Job: baker. City: Lund.",
        "Allergies: none",
        "pets: no",
        "Note: call the bank",
        "Employer: formerly Siemens",
        "Lives in: used to be Graz",
        "Wife: divorced",
        "Pets: none anymore",
        "Medication: ibuprofen (stopped)",
        "Diet: vegan for my guest",
        "Allergies: my son has nuts, I have none",
    ],
)
def test_what_is_of_others_or_of_nothing_is_not(text: str) -> None:
    assert not read(text)


def test_what_stands_beside_a_note_is_read_too() -> None:
    found = {(each.predicate, each.object.text) for each in statements("I live in Oslo. Allergies: soy")}
    assert {("lives_in", "Oslo"), ("allergic_to", "soy")} <= found
