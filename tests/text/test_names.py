import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg_assets.text.names import is_relational, normal_form, relation_key


@pytest.mark.parametrize(
    ("surface", "expected"),
    [
        ("Ana", "ana"),
        ("  ANA  ", "ana"),
        ("my sister", "sister"),
        ("The White House", "white house"),
        ("Dr. Silva", "silva"),
        ("Mr Ortega's", "ortega"),
        ("Ana’s", "ana"),
        ("Ana's sister", "ana's sister"),
        ("James'", "james"),
        ("“Our Mutual Friend”", "mutual friend"),
        ("St. Mary's Hospital!", "st mary's hospital"),
        ("C++", "c++"),
        ("AT&T", "at&t"),
        ("ﬁancé", "fiancé"),
        ("Straße", "strasse"),
        ("東京", "東京"),
        ("O'Brien", "o'brien"),
        ("rock-climbing", "rock-climbing"),
        ("the", "the"),
        ("!!!", "!!!"),
        ("   ", ""),
    ],
)
def test_a_name_has_one_normal_form(surface: str, expected: str) -> None:
    assert normal_form(surface) == expected


@given(st.text(max_size=40))
def test_the_normal_form_of_a_normal_form_is_itself(surface: str) -> None:
    assert normal_form(normal_form(surface)) == normal_form(surface)


@given(st.text(max_size=40))
def test_only_blank_text_has_an_empty_normal_form(surface: str) -> None:
    assert bool(normal_form(surface)) == bool(surface.strip())


def test_what_someone_types_can_never_be_the_key_of_the_own_person() -> None:
    assert normal_form("@self") == "self"


def test_a_relation_is_keyed_by_whose_it_is() -> None:
    assert relation_key("@self", "Sister") == "@self's sister"
    assert is_relational("@self's sister")
    assert not is_relational("ana")
