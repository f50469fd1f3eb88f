"""What is quoted where the graph has no answer, and what is not."""

import pytest

from kg_assets.answers.quoting import asks
from tests.answers.conftest import Told


@pytest.mark.parametrize(
    "text",
    [
        "What breed?",
        "Oh wow! What breed?",
        "Who doesn't?",
        "Good morning! Anyone up for a run later?",
        "where do you live",
        "what's my cat called",
        "what is the vet called",  # the question itself
    ],
)
def test_a_question_is_not_quoted(text: str) -> None:
    assert asks(text, "What is the vet called?")


@pytest.mark.parametrize(
    "text",
    ["I play the cello.", "lol", "I painted that lake last year. How about you?", "What a day it was, we danced."],
)
def test_what_says_something_is_quoted(text: str) -> None:
    assert not asks(text, "What did Ana paint?")


def test_a_turn_that_comes_near_is_quoted_with_its_speaker_and_day(friends: Told) -> None:
    answer = friends.ask("Who adopted a puppy yesterday, her name is Luna?", graph=False)
    assert (answer.known, answer.route) == (False, "context")
    assert answer.answer.startswith("not known for certain; Ana said on 3 January 2026: ")
    assert answer.memories


@pytest.mark.parametrize(
    "question",
    ["Where does Zoltan live?", "What is the capital of Mongolia?", "Who is Ben Nevis?", "Is Zoltan's dog ill?"],
)
def test_of_a_name_that_was_never_heard_nothing_is_quoted(friends: Told, question: str) -> None:
    answer = friends.ask(question)
    assert (answer.known, answer.answer, answer.memories) == (False, "not known", ())


def test_what_lies_far_from_everything_said_is_not_known(friends: Told) -> None:
    assert friends.ask("How much does a loaf of bread cost in the shop?").answer == "not known"


def test_someone_elses_words_are_not_quoted_of_a_speaker_whom_they_do_not_name(friends: Told) -> None:
    lamp = "The red lamp fell off the shelf again."
    assert lamp in friends.ask("Ben, the red lamp fell off the shelf when?").answer
    assert friends.ask("Chiara, the red lamp fell off the shelf when?").answer == "not known"


def test_names_of_times_need_not_have_been_heard(friends: Told) -> None:
    assert "red lamp" in friends.ask("Ben, the red lamp fell off the shelf again in March?").answer
