import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kg_assets.text.names import is_relational, normal_form, plain_form, relation_key


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


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("José Álvarez", "Jose Alvarez"),
        ("Anne-Marie", "Anne Marie"),
        ("O'Brien", "OBrien"),
        ("J.R.R. Tolkien", "J R R Tolkien"),
        ("J.R.R. Tolkien", "JRR Tolkien"),
        ("U.K.", "UK"),
        ("Łukasz", "Lukasz"),
        ("José's sister", "Jose's sister"),
    ],
)
def test_spellings_of_one_name_share_a_plain_form(one: str, other: str) -> None:
    assert plain_form(normal_form(one)) == plain_form(normal_form(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [("C++", "C#"), ("Anna", "Hanna"), ("dog", "dogs"), ("か", "が"), ("Room 1-2", "Room 12"), ("node.js", "nodejs")],
)
def test_other_names_do_not(one: str, other: str) -> None:
    assert plain_form(normal_form(one)) != plain_form(normal_form(other))


NAMES = st.text(st.sampled_from("aesbéøñ .-'’&s1か"), max_size=16) | st.text(max_size=30)


@given(NAMES)
def test_the_plain_form_of_a_plain_form_is_itself(surface: str) -> None:
    plain = plain_form(normal_form(surface))
    assert plain_form(plain) == plain
    assert bool(plain) == bool(normal_form(surface))


@given(NAMES)
@example("1's-a")
@example("x'ś a")
def test_a_plain_form_is_relational_where_the_key_is(surface: str) -> None:
    key = relation_key(normal_form(surface), "sister")
    assert is_relational(plain_form(key))
    assert is_relational(plain_form(normal_form(surface))) == is_relational(normal_form(surface))
