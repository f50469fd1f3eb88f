"""Corrections of earlier turns: what is taken back, what goes on in its place, and how sure that is."""

from kg_assets.identity import content_hash
from kg_assets.model import SAME_AS, Assertion, Mention, Utterance
from kg_assets.text.instants import parse_instant
from kg_assets.triples.extraction import Turn, build_extractor

SAID = parse_instant("2026-02-10T12:00:00Z")  # a Tuesday
LAST_TUESDAY = parse_instant("2026-02-03T00:00:00Z")
MINUTE = 60_000_000
NAMED = "We adopted a puppy yesterday, her name is Lena!"
RENAMED = "Sorry, autocorrect: her name is Luna, not Lena."


def last_of(*texts: str) -> list[Assertion]:
    """What is read from the last of some turns of one speaker."""
    said = [
        Utterance(
            id=str(place),
            session="s",
            speaker="Ana",
            role="user",
            text=text,
            said_at=SAID + place * MINUTE,
            seq=place + 1,
            recorded_at=SAID,
            content_hash=content_hash(text),
        )
        for place, text in enumerate(texts)
    ]
    return build_extractor().extract([Turn(said[-1], tuple(said[:-1]))], b"key")[0]


def rows(found: list[Assertion]) -> set[tuple[str, str, object, str]]:
    return {(each.subject.key, each.predicate, thing(each), each.polarity) for each in found}


def thing(assertion: Assertion) -> object:
    return assertion.object.key if isinstance(assertion.object, Mention) else assertion.object.value


def only(found: list[Assertion], predicate: str, polarity: str = "affirmed") -> Assertion:
    (one,) = [each for each in found if (each.predicate, each.polarity) == (predicate, polarity)]
    return one


def test_a_correction_takes_over_the_time_of_what_it_corrects() -> None:
    found = last_of("I moved to Vienna last Tuesday.", "Actually I moved to Graz, not Vienna.")
    assert rows(found) == {("@self", "lives_in", "graz", "affirmed"), ("@self", "lives_in", "vienna", "retracted")}
    home = only(found, "lives_in")
    assert (home.valid_from, home.start_known, home.precision) == (LAST_TUESDAY, True, "day")


def test_a_correction_with_a_time_of_its_own_keeps_it() -> None:
    found = last_of("I moved to Vienna in May 2024.", "Actually I moved to Graz, not Vienna, in June 2024.")
    assert only(found, "lives_in").valid_from == parse_instant("2024-06-01T00:00:00Z")


def test_what_leads_to_the_right_words_is_none_of_them() -> None:
    for text in ("I meant Graz, not Vienna.", "It's Graz, not Vienna.", "Moved to Graz, not Vienna."):
        assert ("@self", "lives_in", "graz", "affirmed") in rows(last_of("I moved to Vienna.", text))


def test_what_goes_on_unsaid_is_less_sure_than_words() -> None:
    said = only(last_of("My sister Anna lives in Rome."), "lives_in")
    found = only(last_of("My sister Anna lives in Rome.", "I meant Milan, not Rome."), "lives_in")
    assert (found.subject.key, thing(found)) == ("anna", "milan")
    assert found.confidence < said.confidence
    again = only(last_of("My sister Anna lives in Rome.", "My sister Anna lives in Milan, not Rome."), "lives_in")
    assert again.confidence == said.confidence


def test_a_wrong_name_is_replaced_and_nothing_else_is_taken_back() -> None:
    found = last_of(NAMED, RENAMED)
    assert ("lena", SAME_AS, "luna", "affirmed") in rows(found)
    assert ("lena", "name", "Lena", "retracted") in rows(found)
    assert ("luna", "name", "Luna", "affirmed") in rows(found)
    assert {each.predicate for each in found} == {SAME_AS, "name"}


def test_a_name_is_replaced_where_it_was_given() -> None:
    found = last_of(NAMED, "Lena is so cute!", RENAMED)
    assert ("lena", SAME_AS, "luna", "affirmed") in rows(found)


def test_a_slip_of_the_person_makes_no_two_persons_one() -> None:
    found = last_of("My sister Anna lives in Rome.", "I meant Maria, not Anna.")
    assert ("anna", SAME_AS, "maria", "affirmed") not in rows(found)
    assert {("anna", "lives_in", "rome", "retracted"), ("maria", "lives_in", "rome", "affirmed")} <= rows(found)


def test_both_voters_see_what_a_place_is_not() -> None:
    found = last_of("Actually I moved to Graz, not Vienna.")
    assert only(found, "lives_in", "retracted").extractor == "rules+dependencies"
