"""A short answer is read with the question it answers; what is no answer is not completed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg_assets.identity import content_hash
from kg_assets.model import Literal, Role, Utterance
from kg_assets.triples.answering import answers
from kg_assets.triples.extraction import Turn, build_extractor

SAID = 1_773_225_000_000_000  # 11 March 2026


def spoken(seq: int, text: str, speaker: str, role: Role) -> Utterance:
    return Utterance(
        id=f"u{seq}",
        session="s",
        speaker=speaker,
        role=role,
        text=text,
        said_at=SAID,
        seq=seq,
        recorded_at=SAID,
        content_hash=content_hash(text),
    )


def exchange(question: str, answer: str, asker: str = "assistant") -> Turn:
    role: Role = "assistant" if asker == "assistant" else "user"
    return Turn(spoken(2, answer, "Ana", "user"), (spoken(1, question, asker, role),))


def read(question: str, answer: str) -> set[tuple[str, object, bool]]:
    """(predicate, object, negated) of what the answer says."""
    (found,) = build_extractor().extract([exchange(question, answer)], b"key")
    return {
        (
            each.predicate,
            each.object.value if isinstance(each.object, Literal) else each.object.surface,
            each.polarity != "affirmed",
        )
        for each in found
    }


@pytest.mark.parametrize(
    ("question", "answer", "row"),
    [
        ("Where do you live?", "In Antwerp, near the zoo.", ("lives_in", "Antwerp", False)),
        ("And what do you do?", "Dental hygienist.", ("works_as", "Dental hygienist", False)),
        ("Which languages do you speak?", "German and a bit of Czech.", ("speaks_language", "Czech", False)),
        ("When is your birthday?", "The third of July.", ("birthday", "07-03", False)),
        ("Where do you live?", "Well, in Antwerp.", ("lives_in", "Antwerp", False)),
        ("Who is Marta?", "My sister.", ("sibling", "Marta", False)),
        ("What's your wife's name?", "Carmen.", ("same_as", "Carmen", False)),
        ("Do you drink alcohol?", "No, never.", ("drinks", "alcohol", True)),
        ("Are you vegetarian?", "Yes.", ("diet", "vegetarian", False)),
        ("Have you ever been to Portugal?", "Twice.", ("visited", "Portugal", False)),
        ("Do you have any allergies?", "Yes, penicillin.", ("allergic_to", "penicillin", False)),
        ("So you live in Paris?", "No, Lyon.", ("lives_in", "Lyon", False)),
        ("So you live in Paris?", "No, Lyon.", ("lives_in", "Paris", True)),
    ],
)
def test_an_answer_says_what_was_asked(question: str, answer: str, row: tuple[str, object, bool]) -> None:
    assert row in read(question, answer)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Where do you live?", "Thanks!"),
        ("What do you love most about it?", "Playing in front of a crowd."),
        ("Would you like me to book a table?", "Yes please."),
        ("Do you want tea or coffee?", "Yes."),
        ("Are you vegetarian?", "No idea."),
        ("Do you live in Paris?", "Never mind."),
        ("You live in Paris, don't you?", "Who told you that?"),
        ("Are you vegetarian or vegan?", "Yes."),
        ("Shall I call Porto?", "Yes."),
        ("Where do I live?", "In Porto."),
        ("You live in Porto.", "Yes."),
        ("What's your favourite film?", "Probably Amelie."),
        ("How is the weather?", "Awful."),
    ],
)
def test_what_answers_no_such_question_says_nothing(question: str, answer: str) -> None:
    assert read(question, answer) == set()


def test_nobody_answers_themselves() -> None:
    assert answers(exchange("Where do I live? Where do you live?", "In Porto.", asker="Ana")) == []


def test_what_was_read_stands_in_the_answer_and_is_less_sure() -> None:
    ((home,),) = build_extractor().extract([exchange("Where do you live?", "In Antwerp.")], b"key")
    assert home.span == (0, 10)
    assert not isinstance(home.object, Literal)
    assert home.object.span == (3, 10)
    ((plain,),) = build_extractor().extract([exchange("Hello!", "I live in Antwerp.")], b"key")
    assert home.confidence < plain.confidence


_TELLING = (
    "do you have your what where is 's how many old who so yes no not in the a , . ? ! dog Porto live called I my …"
)
_WORDS = st.sampled_from(_TELLING.split())
_HEAPS = st.one_of(st.text(max_size=80), st.lists(_WORDS, max_size=12).map(" ".join))


@given(_HEAPS, _HEAPS)
def test_any_exchange_is_completed_or_left(question: str, answer: str) -> None:
    for made in answers(exchange(f"{question}?", answer)):
        start, end = made.span
        assert 0 <= start <= end <= len(answer)
        assert 0 <= made.start <= len(made.text)
