"""What a run tells of what it read: counts, and nothing that a person worded."""

from kg_assets.text.ontology import load_ontology
from kg_assets.triples.backlog import PROVISIONAL, counted
from kg_assets.triples.extraction import ALL_METHODS, build_extractor
from tests.triples.test_language_voter import turns


def test_predicates_as_worded_and_members_of_families_are_not_named() -> None:
    said = turns("I untangled torches.", "My favourite sin is gluttony.", "I live in Rome.")
    found = build_extractor(ALL_METHODS).extract(said, b"key")
    assert {"untangles", "favourite_sin"} <= {each.predicate for group in found for each in group}
    told = counted(found, "1", load_ontology()).predicates
    assert told["lives_in"] == 1
    assert told[PROVISIONAL] >= 1
    assert told["favourite_"] == 1
    assert not {"untangles", "favourite_sin"} & set(told)
