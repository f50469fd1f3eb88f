import random

from kg_assets.novelty.lives import kind_of, lives
from kg_assets.novelty.paraphrases import pairs
from kg_assets.novelty.phrasebook import FAMILIES, IRREGULAR, THINGS
from kg_assets.novelty.scenes import (
    FORMS,
    Named,
    Scene,
    ancestors,
    drawn,
    ing,
    members,
    participle,
    plural_of,
    third,
    told,
)


def test_made_up_pairs_are_the_same_for_the_same_seed() -> None:
    assert pairs(30, 7) == pairs(30, 7) != pairs(30, 8)
    assert lives(2, 9, 7) == lives(2, 9, 7) != lives(2, 9, 8)


def test_there_is_a_third_of_each_kind() -> None:
    made = pairs(300, 1)
    assert {kind: sum(pair.kind == kind for pair in made) for kind in ("entailed", "neutral", "contradiction")} == {
        "entailed": 100,
        "neutral": 100,
        "contradiction": 100,
    }


def test_what_is_new_never_says_the_same_again_and_no_slot_is_left_open() -> None:
    made = pairs(3000, 1)
    assert not [pair for pair in made if pair.kind != "entailed" and pair.first == pair.second]
    assert not [pair for pair in made if "{" in pair.first + pair.second]


def test_words_that_are_held_out_are_never_fitted_to() -> None:
    fitted, held_out = set(members("animal", "fitted")), set(members("animal", "held out"))
    assert fitted
    assert held_out
    assert not fitted & held_out


def test_things_belong_to_the_kinds_of_their_kinds() -> None:
    assert {"dog", "animal"} <= ancestors(THINGS["poodle"])
    assert "person" in ancestors(THINGS["boy"])


def test_a_scene_is_told_in_several_ways() -> None:
    scene = Scene(0, "eat", Named("man", "man", "tall"), Named("pizza", "pizza", known=True), "kitchen")
    assert [told(scene, form) for form in FORMS] == [
        "A tall man is eating the pizza in the kitchen.",
        "The pizza is being eaten by a tall man in the kitchen.",
        "There is a tall man eating the pizza in the kitchen.",
        "In the kitchen, a tall man is eating the pizza.",
        "A tall man eats the pizza in the kitchen.",
        "A tall man in the kitchen is eating the pizza.",
    ]
    assert told(scene, "plain", denied="n't") == "A tall man isn't eating the pizza in the kitchen."
    assert told(scene, "there", denied="no") == "There is no tall man eating the pizza in the kitchen."
    assert told(scene, "plain", denied="nobody") == "Nobody is eating the pizza in the kitchen."


def test_words_are_inflected() -> None:
    assert [ing(verb) for verb in ("lie down", "chop", "carry", "have on", "put on", "hug")] == [
        *("lying down", "chopping", "carrying", "having on", "putting on", "hugging")
    ]
    assert [participle(verb) for verb in ("chop", "carry", "throw away", "shove")] == [
        *("chopped", "carried", "thrown away", "shoved")
    ]
    assert [third(verb) for verb in ("go into", "carry", "play", "have on", "watch")] == [
        *("goes into", "carries", "plays", "has on", "watches")
    ]
    assert [plural_of(noun) for noun in ("woman", "goose", "box", "puppy", "toy", "human")] == [
        *("women", "geese", "boxes", "puppies", "toys", "humans")
    ]
    assert IRREGULAR["eat"] == ("ate", "eaten")


def test_every_scene_can_be_drawn_and_told() -> None:
    chance = random.Random(1)
    for form in FORMS * 100:
        text = told(drawn(chance, "held out"), form)
        assert text.endswith(".")
        assert text[0].isupper()
        assert "  " not in text


def test_in_a_life_only_what_the_same_words_hold_is_told_again() -> None:
    life = lives(1, 300, 3)[0]
    kinds = {(known.text, new.text): kind_of(known, new) for place, new in enumerate(life) for known in life[:place]}
    assert set(kinds.values()) == {"entailed", "neutral", "contradiction"}
    for known, new in ((known, new) for place, new in enumerate(life) for known in life[:place]):
        if kind_of(known, new) == "entailed":
            assert not new.more
            assert known.family == new.family
            assert new.slots.items() <= known.slots.items()
        if kind_of(known, new) == "contradiction":
            against = FAMILIES[new.family].against
            assert (known.template in against) != (new.template in against)
