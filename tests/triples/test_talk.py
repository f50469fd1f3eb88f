"""What is said over several turns is put together: agreed to, put right, taken back, told of one more."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.extraction_everyday import Case, turn, written
from kg_assets.triples.completing import completions
from kg_assets.triples.extraction import build_extractor
from kg_assets.triples.plans import planned


def told(*turns: str) -> set[str]:
    """What the last turn says; the first ones as "who: what"."""
    before = tuple((who, what) for who, _, what in (each.partition(": ") for each in turns[:-1]))
    found = build_extractor().extract([turn(0, Case("", before, turns[-1], ()))], b"key")[0]
    return {written(each).rpartition(" (")[0] for each in found}


@pytest.mark.parametrize(
    ("turns", "wanted"),
    [
        (("them: So you have two cats?", "Three, actually."), {"Alex has_pet Alex's three cats"}),
        (("them: You're based in Graz, aren't you?", "I am indeed."), {"Alex lives_in Graz"}),
        (("them: Just to confirm, your son's name is Ivo?", "Correct."), {"Alex's son same_as Ivo"}),
        (("them: You don't eat meat?", "No."), {"-Alex eats meat"}),
        (("them: You don't eat meat?", "I do, just no pork."), {"Alex eats meat"}),
        (("them: I see you work at Google.", "I used to."), {"-Alex works_at Google"}),
        (
            ("them: Since you have asthma, take it slowly.", "Not me, my mum."),
            {"-Alex has_condition asthma", "Alex's mum has_condition asthma"},
        ),
        (("them: You mentioned you play the violin.", "The viola."), {"Alex plays viola"}),
    ],
)
def test_what_another_claims_counts_once_it_is_agreed_to_or_put_right(turns: tuple[str, ...], wanted: set[str]) -> None:
    assert wanted <= told(*turns)


@pytest.mark.parametrize(
    "turns",
    [
        ("them: You live in Porto.", "Yes."),
        ("them: If you have diabetes, skip the juice.", "Right."),
        ("them: You could work at Google.", "Yes!"),
        ("them: You don't eat meat?", "Yes."),
        ("them: Imagine you're a pirate. Where do you live?", "On an island near Cuba."),
        ("them: Where do you live?", "Guess."),
        ("them: Any siblings?", "An annoying one."),
        ("them: What is his job?", "Jun? Ask him."),
        ("them: Do you speak Danish?", "Sort of."),
        ("them: Are you from London?", "Originally."),
    ],
)
def test_what_nobody_has_said_of_themselves_is_not_read(turns: tuple[str, ...]) -> None:
    assert told(*turns) == set()


@pytest.mark.parametrize(
    ("turns", "wanted"),
    [
        (
            ("me: I work for Bosch.", "them: Since when?", "Sorry, typo. Bose."),
            {"-Alex works_at Bosch", "Alex works_at Bose"},
        ),
        (
            ("me: My girlfriend is from Chile.", "them: Nice!", "Peru, I always mix them up."),
            {"-Alex's girlfriend comes_from Chile", "Alex's girlfriend comes_from Peru"},
        ),
        (("me: My sister's called Ellen.", "them: Ok!", "Helen, with an H."), {"Alex's sister same_as Helen"}),
        (("me: I'm 34.", "them: A great age!", "Sorry, 35."), {"-Alex age 34", "Alex age 35"}),
        (("me: Our brother Ole lives in Bodø.", "Well, lived."), {"-Ole lives_in Bodø"}),
        (("me: I bought a boat!", "them: Congratulations!", "April fools."), {"-Alex owns boat"}),
        (("me: I work as a pilot.", "them: Wow!", "Just kidding, I'm a student."), {"-Alex works_as pilot"}),
        (
            ("me: We're getting married in June.", "Never mind, we've called it off."),
            {"-Alex plans_to getting married"},
        ),
    ],
)
def test_what_was_said_before_is_put_right_or_taken_back(turns: tuple[str, ...], wanted: set[str]) -> None:
    assert wanted <= told(*turns)


@pytest.mark.parametrize(
    ("turns", "wanted"),
    [
        (("Ben: I can't stand olives.", "Neither can I."), {"Alex dislikes olives"}),
        (("Ben: I'm allergic to bees.", "So's my brother."), {"Alex's brother allergic_to bees"}),
        (("Ben: My sister lives in Oslo.", "Mine lives in Rome!"), {"Alex's sister lives_in Rome"}),
        (("them: Do you like jazz?", "My wife does."), {"Alex's wife likes jazz"}),
        (("Ben: I thought you lived in Ealing.", "I did until August."), {"-Alex lives_in Ealing"}),
        (("me: I like tea.", "And coffee."), {"Alex likes coffee"}),
        (("them: Does your son like school?", "He loves it!"), {"Alex's son likes school"}),
    ],
)
def test_what_is_left_out_stands_in_the_turn_before(turns: tuple[str, ...], wanted: set[str]) -> None:
    assert wanted <= told(*turns)


@pytest.mark.parametrize(
    ("turns", "wanted"),
    [
        (("me: I used to work for an airline.", "them: Which one?", "Iberia."), {"-Alex works_at Iberia"}),
        (("me: I'm from Iran.", "them: Which city?", "Shiraz."), {"Alex comes_from Shiraz"}),
        (("them: Where are you from?", "me: Ecuador.", "them: Which part?", "Cuenca."), {"Alex comes_from Cuenca"}),
        (("them: Which languages?", "me: Polish.", "them: Any others?", "Russian."), {"Alex speaks_language Russian"}),
        (("me: I work at a hospital.", "them: As what?", "Porter."), {"Alex works_as Porter"}),
        (("them: Any siblings?", "me: One brother.", "them: Nice!", "He's a vet."), {"Alex's brother works_as vet"}),
        (("them: Occupation?", "Tram driver"), {"Alex works_as Tram driver"}),
        (
            ("them: What's your dog's name, breed and age?", "Rufus, beagle, 5."),
            {"Alex's dog same_as Rufus", "Alex's dog age 5"},
        ),
        (("them: Do you have pets or kids?", "No kids, two cats."), {"Alex has_pet Alex's two cats"}),
        (("them: Is Ana your sister?", "Cousin."), {"Alex cousin Ana"}),
        (("them: Do you drink tea or coffee?", "Coffee."), {"Alex drinks coffee"}),
        (("me: I have a brother.", "them: Is he married?", "Divorced."), {"Alex's brother marital_status Divorced"}),
        (("me: I got a puppy.", "them: Name?", "Nacho."), {"Alex's puppy same_as Nacho"}),
        (("me: I'm a nurse.", "them: Where?", "At Charité."), {"Alex works_at Charité"}),
        (("them: When were you born?", "3 May 1990."), {"Alex born_on 1990-05-03"}),
        (("them: How tall is your son?", "1.40 m."), {"Alex's son height 1.40 m"}),
        (("them: Do you speak any other languages?", "Dutch."), {"Alex speaks_language Dutch"}),
        (("Ben: Still vegan?", "Yep."), {"Alex diet vegan"}),
        (("them: How many kids do you have?", "Two, a boy and a girl."), {"Alex child_count 2"}),
    ],
)
def test_a_question_goes_on_from_what_was_said(turns: tuple[str, ...], wanted: set[str]) -> None:
    assert wanted <= told(*turns)


def test_an_answer_about_another_is_not_read_of_oneself() -> None:
    assert not {each for each in told("me: I have a brother.", "them: Is he married?", "Divorced.") if "Alex " in each}


def test_what_one_says_outright_goes_before_what_one_agrees_to() -> None:
    assert "Alex age 29" not in told("them: So you're 29 and you live in Brno?", "Yes, except I'm 28.")


_WORDS = (
    "I you your my do you don't have live in a the dog Porto which one ? . , ! no yes too me it's so neither can "
    "not and "
    "and sorry meant used to two kidding scratch that called off 35 because mine is where city"
)
_PIECES = st.sampled_from(_WORDS.split())
_SAID = st.one_of(st.text(max_size=60), st.lists(_PIECES, max_size=14).map(" ".join))


@given(_SAID, _SAID, _SAID)
def test_whatever_is_said_is_put_together_or_left(first: str, second: str, last: str) -> None:
    case = turn(0, Case("", (("me", first), ("them", second)), last, ()))
    plan = planned(case)
    for made in completions(plan.turn, plan.prepared.sentences):
        start, end = made.span
        assert 0 <= start <= end <= len(last)
        assert 0 <= made.start <= len(made.text)
