"""What a deployment declares beside the ontology that ships."""

from pathlib import Path

import pytest

from kg_assets.errors import InvalidInput
from kg_assets.text.extra_ontology import extended, ontology_with
from kg_assets.text.ontology import load_ontology
from kg_assets.triples.extraction import ALL_METHODS, build_extractor
from kg_assets.triples.preview import read_lines

EXTRA = """
types:
  bank: organisation
predicates:
  customer_of:
    aliases: [insures with]
    inverse: has_customer
    range: bank
    phrase: "{subject} is a customer of {object}"
    asks: ["where does {subject} insure"]
  lives_in:
    aliases: [dwells in]
"""


def test_new_predicates_types_and_aliases_stand_beside_those_that_ship(tmp_path: Path) -> None:
    file = tmp_path / "extra.yaml"
    file.write_text(EXTRA)
    found, shipped = ontology_with(file), load_ontology()
    assert found.canonical("insures with")[0].name == "customer_of"
    assert found.canonical("has_customer") == (found.predicates["customer_of"], True)
    assert found.canonical("dwells in")[0].name == "lives_in"
    assert found.is_a("bank", "agent")
    assert found.predicates["works_at"] == shipped.predicates["works_at"]
    assert (found.rules, found.extra) == (shipped.rules, file.read_text())
    assert found.version != shipped.version
    assert ontology_with(None) is shipped
    assert extended("  \n") is shipped


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("predicates: {lives_in: {functional: false}}", "only aliases, inverse_aliases, asks can be added"),
        ("predicates: {banks_at: {forms: ['{subject} banks at {object}']}}", "`forms` are sentence patterns"),
        ("predicates: {banks_at: {range: bank}}", "'bank' is no declared type"),
        ("predicates: {banks_at: {aliases: [lives in]}}", "already names 'lives_in'"),
        ("predicates: {lives_in: {aliases: home}}", "is a list"),
        ("types: {place: thing}", "declared by Palimpsest already"),
        ("things: {}", "unknown section 'things'"),
        ("predicates: [1]", "expected names with a value each"),
        ("predicates: {a: {}, a: {}}", "declared twice"),
        ("predicates: {insures: {phrase: '{subject} insures {what} {object}'}}", "holds a brace"),
        ("predicates: {insures: {phrase: '{subject} { insures {object}'}}", "holds a brace"),
        ("predicates: {insures: {asks: ['what does {subject} insure {rest}']}}", "holds a brace"),
        ("predicates: {insures: {asks: ['does {subject} insure {subject}']}}", "must hold {subject} once"),
        ("predicates: {equals: {aliases: [same as]}}", "joins two names of one entity"),
        ("families: {fad_: {aliases: [fads]}}", "must end in an underscore"),
    ],
)
def test_a_file_that_is_wrong_says_what_and_where(tmp_path: Path, text: str, part: str) -> None:
    file = tmp_path / "extra.yaml"
    file.write_text(text)
    with pytest.raises(InvalidInput) as raised:
        ontology_with(file)
    assert part in str(raised.value)
    assert str(file) in str(raised.value)


def test_a_file_that_is_not_there_says_so(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="no such ontology file"):
        ontology_with(tmp_path / "none.yaml")


def test_open_reading_uses_the_names_that_a_deployment_declares() -> None:
    extractor = build_extractor(ALL_METHODS, extra=EXTRA)
    rows = list(read_lines(["I insure with Revolut."], extractor, said_at=0, speaker="Ana"))
    assert [row["object"] for row in rows if row["predicate"] == "customer_of"] == ["Revolut"]
    assert extractor.version != build_extractor(ALL_METHODS).version
