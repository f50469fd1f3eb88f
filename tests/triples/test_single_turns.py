"""Deeds without a date, what others are reported to say, and what a turn itself takes back."""

import pytest

from tests.triples.reading_lines import read


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("My sister broke her wrist.", ("Ana's sister", "did", "broke her wrist", False)),
        ("I failed my driving test.", ("Ana", "did", "failed my driving test", False)),
        ("I donated a kidney.", ("Ana", "did", "donated a kidney", False)),
        ("Ben told me he is moving to Oslo in June.", ("Ben", "lives_in", "Oslo", False)),
        ("Lucía mentioned that she works at the aquarium.", ("Lucía", "works_at", "aquarium", False)),
        ("Jonas said his dad has asthma.", ("Jonas's dad", "has_condition", "asthma", False)),
        ("My doctor says I have anaemia.", ("Ana", "has_condition", "anaemia", False)),
        ("It was my sister who went to Peru, not me.", ("Ana", "visited", "Peru", True)),
        ("It's not me who's allergic to cats, it's my husband.", ("Ana's husband", "allergic_to", "cats", False)),
        ("I don't work at Shell, that's my brother.", ("Ana's brother", "works_at", "Shell", False)),
        ("I live in Leeds, no wait, Sheffield.", ("Ana", "lives_in", "Sheffield", False)),
        ("My dog is three, sorry, four years old.", ("Ana's dog", "age", 4, False)),
        ("We hiked across Dartmoor.", ("Ana", "visited", "Dartmoor", False)),
        ("We spent Christmas in Reykjavik.", ("Ana", "visited", "Reykjavik", False)),
        ("I booked a cabin in Lofoten for July.", ("Ana", "plans_to_visit", "Lofoten", False)),
        ("Just got back from Patagonia.", ("Ana", "visited", "Patagonia", False)),
        ("I've lived in Hull, Antwerp and Graz.", ("Ana", "lives_in", "Antwerp", False)),
        ("My siblings are Ife, Kola and Dayo.", ("Ana", "sibling", "Kola", False)),
        ("My kids are called Otto, Frieda and Hannes.", ("Ana", "parent_of", "Hannes", False)),
        ("I have two brothers, Ade and Tunde, and a sister.", ("Ana", "sibling", "Tunde", False)),
        ("Hobbies include pottery and archery.", ("Ana", "hobby", "archery", False)),
        ("Things I hate: small talk, Mondays.", ("Ana", "dislikes", "small talk", False)),
        ("My son is struggling with fractions.", ("Ana's son", "has_weakness", "fractions", False)),
        ("I report to Annika.", ("Ana", "boss", "Annika", False)),
        ("I'm recovering from knee surgery.", ("Ana", "has_condition", "knee surgery", False)),
        ("I've got hyperhidrosis.", ("Ana", "has_condition", "hyperhidrosis", False)),
        ("I take mirtazapine at night.", ("Ana", "takes_medication", "mirtazapine", False)),
        ("My blood pressure is too high.", ("Ana", "has_condition", "high blood pressure", False)),
        ("I inherited my aunt's cottage.", ("Ana", "owns", "cottage", False)),
        ("She and I opened a salon.", ("Ana", "owns", "salon", False)),
        ("I had my appendix out.", ("Ana", "did", "had my appendix out", False)),
        ("I got robbed on holiday.", ("Ana", "did", "got robbed", False)),
        ("I work nights.", ("Ana", "does", "working nights", False)),
        ("I'm on parental leave until June.", ("Ana", "job_status", "on parental leave", False)),
        ("I make 52k before tax.", ("Ana", "salary", "52k", False)),
        ("I pay 1350 a month for a one-bed in Ystad.", ("Ana", "lives_in", "Ystad", False)),
        ("We never had pets because Dad was allergic.", ("Ana's dad", "allergic_to", "pets", False)),
        ("I can't eat anything with dairy.", ("Ana", "eats", "dairy", True)),
        ("A friend of mine moved to Lagos.", ("Ana's friend", "lives_in", "Lagos", False)),
        ("My six-year-old is scared of spiders.", ("Ana's 6 year old", "age", 6, False)),
        (
            "I'm applying for a research post at CERN.",
            ("Ana", "plans_to", "applying for a research post at CERN", False),
        ),
        ("Can you help with my interview on Friday?", ("Ana", "has_event", "interview", False)),
        ("I'm a vegan. Just kidding, I love steak.", ("Ana", "likes", "steak", False)),
    ],
)
def test_what_is_told_in_one_turn_is_read(text: str, row: tuple[object, ...]) -> None:
    assert row in read(text)


@pytest.mark.parametrize(
    "text",
    [
        "I lost my mind.",
        "I keep facing new challenges.",
        "I've taken up too much of your time.",
        "I have some low points.",
        "I read a magazine at night.",
        "I'm planning on it.",
        "We had a chat.",
        "I almost bought a boat.",
        "He nearly lost his leg.",
        "I won the lottery! jk",
        "I live in a castle. Just kidding!",
        "Kwame tells everyone he's a millionaire.",
        "My sister said he is moving to Oslo.",
        "Ben said he might move to Oslo.",
        "Explain compound interest like I'm five.",
    ],
)
def test_what_is_unsaid_unsure_or_everyday_is_not_read(text: str) -> None:
    assert not {row for row in read(text) if row[1] not in ("sibling",)}


@pytest.mark.parametrize(
    ("text", "wrong"), [("I live in Leeds, no wait, Sheffield.", "Leeds"), ("I'm not kidding, I live in Leeds.", "")]
)
def test_only_what_is_put_right_is_left_out(text: str, wrong: str) -> None:
    places = {row[2] for row in read(text)}
    assert places
    assert wrong not in places


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("I bought my nephew a drone.", ("owns", "nephew a drone")),
        ("I lent my brother my bike.", ("owns", "brother my bike")),
        ("I bought my dog a new bed.", ("did", "bought my dog")),
        ("It's not that I hate my job at Lidl.", ("dislikes", "Ana's job")),
        ("It's not like I love my job.", ("likes", "Ana's job")),
    ],
)
def test_what_is_given_or_not_meant_is_not_read(text: str, wrong: tuple[str, str]) -> None:
    assert wrong not in [row[1:3] for row in read(text)]


@pytest.mark.parametrize(
    ("text", "right", "wrong"),
    [
        ("Tom is a lawyer and his wife works at Netflix.", "Tom's wife", "Tom"),
        ("I am a lawyer and my wife works at Netflix.", "Ana's wife", "Ana"),
        ("My wife is from Peru and her parents still live in Lima.", "Ana's wife's parents", "Ana's wife"),
        ("I love my wife and my son plays football.", "Ana's son", "Ana"),
        ("I live in Graz and work at Netflix.", "Ana", "Tom"),
    ],
)
def test_a_clause_with_a_subject_of_its_own_is_told_of_it(text: str, right: str, wrong: str) -> None:
    told = {row[0] for row in read(text) if row[1] in ("works_at", "plays", "lives_in") and row[2] != "Graz"}
    assert (right in told, wrong in told) == (True, False)
