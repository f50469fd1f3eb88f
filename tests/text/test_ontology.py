from pathlib import Path
from typing import Any

import pytest

from kg_assets.errors import InvalidInput
from kg_assets.text.ontology import build_ontology, load_ontology
from kg_assets.text.rules import Rule, Step


def test_an_alias_leads_to_the_canonical_predicate() -> None:
    predicate, inverted = load_ontology().canonical("Resides in")
    assert (predicate.name, inverted) == ("lives_in", False)


def test_an_inverse_changes_the_places_of_subject_and_object() -> None:
    predicate, inverted = load_ontology().canonical("child_of")
    assert (predicate.name, inverted) == ("parent_of", True)


def test_an_unknown_predicate_is_provisional_and_multi_valued() -> None:
    predicate, _ = load_ontology().canonical("juggles with")
    assert predicate.name == "juggles_with"
    assert predicate.provisional
    assert not predicate.functional
    assert predicate.phrase == "{subject} juggles with {object}"


def test_any_favourite_has_a_slot_of_its_own() -> None:
    ontology = load_ontology()
    predicate, _ = ontology.canonical("favorite season")
    assert predicate.name == "favourite_season"
    assert predicate.functional
    assert predicate.phrase == "{subject}'s favourite season is {object}"
    assert ontology.predicate("favourite_season") == predicate


def test_an_exclusive_group_is_one_slot() -> None:
    ontology = load_ontology()
    assert ontology.slot_name("likes") == ontology.slot_name("dislikes") == "taste"
    assert ontology.slot_name("lives_in") == "lives_in"
    assert ontology.group_members("couple") == ("engaged_to", "partner", "spouse")


def test_types_have_ancestors() -> None:
    ontology = load_ontology()
    assert ontology.is_a("person", "agent")
    assert not ontology.is_a("place", "agent")
    assert ontology.is_a("anything at all", "thing")


def test_every_declared_name_leads_somewhere() -> None:
    ontology = load_ontology()
    for name in ontology.names:
        assert not ontology.canonical(name if not name.endswith("_") else name + "x")[0].provisional


def test_the_version_follows_the_content_and_not_the_layout(tmp_path: Path) -> None:
    first, second, third = tmp_path / "1.yaml", tmp_path / "2.yaml", tmp_path / "3.yaml"
    first.write_text("predicates:\n  likes: {aliases: [loves]}\n  owns: {}\n")
    second.write_text("# a comment\npredicates:\n  owns: {}\n  likes:\n    aliases: [loves]\n")
    third.write_text("predicates:\n  likes: {aliases: [adores]}\n  owns: {}\n")
    assert load_ontology(first).version == load_ontology(second).version
    assert load_ontology(first).version != load_ontology(third).version


@pytest.mark.parametrize(
    ("predicates", "message"),
    [
        ({"likes": {"range": "planet"}}, "predicate 'likes': its range 'planet' is no declared type"),
        ({"likes": {"domain": "planet"}}, "its domain 'planet'"),
        ({"Likes": {}}, "predicate 'Likes': use lower-case words"),
        ({"likes": {"functional": "yes"}}, "predicate 'likes': Expected `bool`"),
        ({"likes": {"functoinal": True}}, "unknown field 'functoinal'"),
        ({"likes": {"phrase": "{subject} likes"}}, "{object} exactly once"),
        ({"likes": {"asks": ["who likes"]}}, "must hold {subject}"),
        ({"likes": {"symmetric": True, "inverse": "liked_by"}}, "its own inverse"),
        ({"age": {"range": "number", "inverse": "age_of"}}, "a literal cannot be a subject"),
        ({"likes": {"aliases": ["owns"]}, "owns": {}}, "already names 'likes'"),
        ({"likes": {"group": "g"}, "owns": {"group": "g", "functional": True}}, "differ in `functional`"),
        ({"likes": {"group": "owns"}, "owns": {}}, "is the name of a predicate"),
        ({"likes": {"forms": ["{subject} likes"]}}, "must hold {subject} and {object} once"),
        ({"likes": {"forms": ["{subject} {object}"]}}, "with words between them"),
        ({"likes": {"nouns": ["love"]}, "owns": {"nouns": ["love"]}}, "'love' already states 'likes'"),
        ({"likes": 3}, "expected names with a value each"),
    ],
)
def test_a_wrong_declaration_is_named_with_its_remedy(predicates: Any, message: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        build_ontology({"predicates": predicates}, where="my.yaml")
    assert message in str(caught.value)
    assert str(caught.value).startswith("my.yaml")


def test_the_shipped_ontology_is_wide_enough_for_everyday_and_encyclopaedic_statements() -> None:
    declared = load_ontology().predicates.values()
    assert len(declared) >= 150
    assert all(each.forms or each.common_forms or each.nouns for each in declared if each.encyclopaedic)


def test_one_form_may_tell_a_date_or_a_place() -> None:
    form = ["{subject} was founded in {object}"]
    declared = {"founded_on": {"range": "date", "forms": form}, "founded_in": {"range": "thing", "forms": form}}
    assert len(build_ontology({"predicates": declared}, where="my.yaml").predicates) == 2


def test_a_type_cannot_be_its_own_ancestor() -> None:
    with pytest.raises(InvalidInput, match="its own ancestor"):
        build_ontology({"types": {"a": "b", "b": "a"}}, where="my.yaml")


def test_a_key_declared_twice_is_found(tmp_path: Path) -> None:
    file = tmp_path / "twice.yaml"
    file.write_text("predicates:\n  likes: {}\n  likes: {}\n")
    with pytest.raises(InvalidInput, match="'likes' is declared twice"):
        load_ontology(file)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="no such ontology file"):
        load_ontology(tmp_path / "none.yaml")


def test_a_predicate_needs_a_word() -> None:
    with pytest.raises(InvalidInput, match="no letter or digit"):
        load_ontology().canonical(" -- ")


TYPES = {"person": "agent", "agent": "", "place": ""}
FAMILY = {
    "parent_of": {"domain": "person", "range": "person", "inverse": "child_of"},
    "sibling": {"domain": "person", "range": "person", "symmetric": True},
    "grandparent_of": {"domain": "person", "range": "person", "inverse": "grandchild_of"},
    "lives_in": {"domain": "person", "range": "place", "functional": True},
    "lies_in": {"domain": "place", "range": "place", "transitive": True},
    "age": {"range": "number"},
}


def rules(**declared: Any) -> dict[str, Any]:
    sections = {"types": TYPES, "predicates": FAMILY, "rules": declared}
    return {rule.name: rule for rule in build_ontology(sections, where="test.yaml").rules}


def test_a_rule_may_name_inverses_and_is_kept_in_its_canonical_direction() -> None:
    path, grand = ("child_of", "child_of"), (Step("parent_of"), Step("parent_of"))
    assert rules(it={"path": path, "concludes": "grandchild_of"})["it"] == Rule("it", grand, "grandparent_of")


def test_symmetric_and_transitive_predicates_are_rules() -> None:
    assert set(rules()) == {"sibling is symmetric", "lies_in is transitive"}


def test_rules_are_no_part_of_the_version() -> None:
    with_rule = {"x": {"path": ["parent_of", "parent_of"], "concludes": "grandparent_of"}}
    made = [
        build_ontology({"predicates": FAMILY, "types": TYPES, **more}, where="t") for more in ({}, {"rules": with_rule})
    ]
    assert made[0].version == made[1].version


@pytest.mark.parametrize(
    ("path", "concludes", "reason"),
    [
        (["parent_of", "aunt_of"], "grandparent_of", "no predicate 'aunt_of'"),
        (["parent_of", "parent_of"], "ancestor_of", "no predicate 'ancestor_of'"),
        (["parent_of", "age"], "grandparent_of", "literal"),
        (["parent_of", "lies_in"], "grandparent_of", "a person is no place"),
        (["lives_in", "lies_in"], "grandparent_of", "a place is no person"),
        (["lives_in", "lies_in"], "lives_in", "exclusive"),
        (["sibling", "sibling"], "sibling", "from itself"),
        ([], "sibling", "1 to 4"),
        (["parent_of"] * 5, "sibling", "1 to 4"),
        ("parent_of", "sibling", "array"),
    ],
)
def test_a_rule_that_cannot_be_is_refused(path: Any, concludes: str, reason: str) -> None:
    with pytest.raises(InvalidInput, match=reason) as refused:
        rules(it={"path": path, "concludes": concludes})
    assert "rule 'it'" in str(refused.value)
