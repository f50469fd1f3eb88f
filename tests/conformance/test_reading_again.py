"""What was said is read again by another extractor, for a new generation; the old one keeps what it was made from."""

from itertools import count

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kg_assets.errors import NotReady
from kg_assets.graph.generations import Again, generations, read_otherwise, reader_of
from kg_assets.graph.state import state_hash
from kg_assets.maintenance.comparing import difference
from kg_assets.maintenance.generations import Circumstances, flip, rebuild
from kg_assets.model import Assertion, Literal
from kg_assets.ports import Memory, Stores
from kg_assets.text.ontology import load_ontology
from kg_assets.triples.asserting import assert_statements, check_statement
from kg_assets.triples.extraction import ALL_METHODS, Extractor, build_extractor
from kg_assets.triples.language_voter import LanguageVoter
from kg_assets.triples.read_by import UNKNOWN, ReadBy, read_by, told_by_evidence
from kg_assets.triples.reading import read_again_for
from kg_assets.triples.reading_again import AgainReader
from kg_assets.triples.spans import seqs_in, size, spans_of
from quality.trail import walk
from resources.embedder import build_embedder
from tests.maintenance.telling import NOW, ORIGIN, clock, erase, process, say
from tests.resources.chat_endpoint import Answer, Endpoint, serving

SAID = ["I live in Porto.", "My sister Eva works at Nordwind.", "I engrave spoons in the park.", "I like jazz."]
NEXT = 9


@pytest.fixture(autouse=True)
def _told(request: pytest.FixtureRequest) -> None:
    if "memory" in request.fixturenames:
        told(request.getfixturevalue("memory"))


def told(memory: Memory) -> None:
    for day, text in enumerate(SAID):
        say(memory, text, day)
        process(memory)


def circumstances() -> Circumstances:
    ticks = count(NOW + 1_000_000)
    return Circumstances(
        ontology=load_ontology(), embedder=build_embedder("hashing"), origin=ORIGIN, clock=lambda: next(ticks)
    )


class Deaf(Extractor):
    """Hears of places only, and hears "Oporto" for "Porto"."""

    def extract(self, turns, key, told=()):  # type: ignore[no-untyped-def]  # as its parent
        found = super().extract(turns, key, told)
        return [[renamed(each) for each in group if each.predicate == "lives_in"] for group in found]


def renamed(assertion: Assertion) -> Assertion:
    assert not isinstance(assertion.object, Literal)
    other = msgspec.structs.replace(assertion.object, surface="Oporto", key="oporto")
    return msgspec.structs.replace(assertion, object=other)


def deaf() -> AgainReader:
    extractor = Deaf(("rules",), load_ontology())
    extractor.version = "deaf"
    return AgainReader(extractor)


def held(memory: Memory) -> set[tuple[str, str]]:
    return {
        (each.belief.predicate, each.belief.object_key) for each in memory.graph.facts(valid_at=None, known_at=None)
    }


def named(memory: Memory) -> set[str]:
    return {each.name for each in memory.graph.all_entities()}


def test_what_an_older_extractor_missed_is_read(memory: Memory) -> None:
    before = held(memory)
    done = rebuild(memory, circumstances(), reader=AgainReader(build_extractor(ALL_METHODS)))
    assert (done.lost, done.flipped) == (0, True)
    assert held(memory) > before
    assert any(key == "spoons" for _, key in held(memory) - before)
    (made,) = [each for each in generations(memory) if each.generation == 2]
    assert made.reader == build_extractor(ALL_METHODS).version
    assert made.again[0].spans == ((1, len(SAID)),)
    assert walk(memory).broken is None


def test_what_it_mistook_counts_no_more_and_the_old_generation_keeps_it(memory: Memory) -> None:
    before, names = held(memory), named(memory)
    old = state_hash(memory)
    rebuild(memory, circumstances(), reader=deaf(), most_lost=1.0)
    assert held(memory) == {("lives_in", "oporto")}
    assert "Eva" not in named(memory)
    assert difference(memory, 1, 2, load_ontology()).same == 0
    flip(memory, 1, circumstances())
    assert (held(memory), named(memory), state_hash(memory)) == (before, names, old)
    assert walk(memory).broken is None


def test_what_is_said_later_counts_in_every_generation(memory: Memory) -> None:
    rebuild(memory, circumstances(), reader=deaf(), most_lost=1.0)
    say(memory, "My brother lives in Coimbra.", NEXT)
    process(memory)
    assert ("lives_in", "coimbra") in held(memory)
    flip(memory, 1, circumstances())
    assert {("lives_in", "coimbra"), ("lives_in", "porto")} <= held(memory)


def test_a_generation_is_built_on_the_reading_of_the_one_that_serves(memory: Memory) -> None:
    rebuild(memory, circumstances(), reader=deaf(), most_lost=1.0)
    after = state_hash(memory)
    assert rebuild(memory, circumstances()).generation == 3
    assert state_hash(memory) == after
    rebuild(memory, circumstances(), reader=AgainReader(build_extractor(("rules",))), most_lost=1.0)
    assert ("lives_in", "porto") in held(memory)
    assert [each.generation for each in generations(memory)[-1].again] == [2, 4]


def test_the_same_extractor_reads_the_same(memory: Memory) -> None:
    before = state_hash(memory)
    done = rebuild(memory, circumstances(), reader=AgainReader(build_extractor(("rules",))))
    assert (done.gained, done.lost, state_hash(memory)) == (0, 0, before)


def test_what_came_without_a_text_is_read_by_nobody(memory: Memory) -> None:
    raw = {"subject": "Eva", "predicate": "lives_in", "object": "Rome", "denied": True, "authority": "curated"}
    statement = check_statement(raw, load_ontology(), where="")
    assert_statements(memory, [statement], load_ontology(), clock=clock, origin=ORIGIN)
    process(memory)
    seq, before = memory.ledger.head().seq, state_hash(memory)
    done = rebuild(memory, circumstances(), reader=AgainReader(build_extractor(("rules",))))
    assert len(memory.ledger.assertions_of_utterances([seq])) == 1  # and none of "It is not so that Eva lives in Rome."
    assert (done.gained, done.lost, state_hash(memory)) == (0, 0, before)


def test_a_reading_that_was_cut_short_is_taken_up_in_the_same_generation(memory: Memory) -> None:
    reader = AgainReader(build_extractor(("rules",)))

    class Cut(AgainReader):
        def read(self, memory, generation, **how):  # type: ignore[no-untyped-def]  # as its parent
            super().read(memory, generation, **how)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rebuild(memory, circumstances(), reader=Cut(reader.extractor))
    say(memory, "I live in Faro.", NEXT)
    process(memory)
    assert ("lives_in", "faro") in held(memory)
    read = memory.ledger.assertion_count()
    done = rebuild(memory, circumstances(), reader=reader)
    assert (done.generation, done.lost, done.gained) == (2, 0, 0)
    assert memory.ledger.assertion_count() == read + 1
    assert walk(memory).broken is None


def test_an_erasure_leaves_no_reading_behind(memory: Memory, stores: Stores) -> None:
    rebuild(memory, circumstances(), reader=AgainReader(build_extractor(("rules",))))
    erase(stores, memory, "u0")
    process(memory)
    assert "porto" not in {key for _, key in held(memory)}
    assert memory.ledger.assertions_of_utterances([1]) == []
    assert ("likes", "jazz") in held(memory)
    assert walk(memory).broken is None
    flip(memory, 1, circumstances())
    assert "porto" not in {key for _, key in held(memory)}
    assert ("likes", "jazz") in held(memory)


def test_what_was_erased_before_is_not_read_again(memory: Memory, stores: Stores) -> None:
    erase(stores, memory, "u0")
    process(memory)
    before = state_hash(memory)
    done = rebuild(memory, circumstances(), reader=AgainReader(build_extractor(("rules",))))
    assert (done.gained, done.lost, state_hash(memory)) == (0, 0, before)
    assert read_otherwise(memory, build_extractor(("rules",)).version) == 0
    assert walk(memory).broken is None


def test_what_another_extractor_read_is_counted_until_it_is_read_again(memory: Memory, stores: Stores) -> None:
    rules, every = build_extractor(("rules",)), build_extractor(ALL_METHODS)
    assert (read_otherwise(memory, rules.version), read_otherwise(memory, every.version)) == (0, len(SAID))
    rebuild(memory, circumstances(), reader=AgainReader(every))
    assert (read_otherwise(memory, rules.version), read_otherwise(memory, every.version)) == (len(SAID), 0)
    say(memory, "Fine, thanks.", NEXT)  # which leaves no assertion
    assert read_otherwise(memory, every.version) == 0  # it waits
    process(memory)
    assert read_otherwise(memory, every.version) == 1
    erase(stores, memory, f"u{NEXT}")
    process(memory)
    assert read_otherwise(memory, every.version) == 0
    erase(stores, memory, "u0")
    process(memory)
    assert read_otherwise(memory, every.version) == len(SAID) - 1  # they were read with it, and so are read anew
    flip(memory, 1, circumstances())
    assert read_otherwise(memory, rules.version) == 0


def test_readings_of_before_they_were_noted_are_told_by_their_assertions(memory: Memory) -> None:
    version = build_extractor(("rules",)).version
    assert read_by(memory) == [ReadBy(extractor=version, spans=((1, 4),))]
    assert told_by_evidence(memory) == [
        ReadBy(extractor=UNKNOWN, spans=((3, 3),)),  # of which rules alone made nothing
        ReadBy(extractor=version, spans=((1, 2), (4, 4))),
    ]


# ------------------------------------------------------------------------------------- a language model's budget

NOTHING = '{"statements": []}'


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


def listening(endpoint: Endpoint) -> AgainReader:
    """One run's reader: a sentence a question, so that the answers say how far it comes."""
    language = LanguageVoter(endpoint.model(), load_ontology(), batch=1, tokens=10**6)
    return AgainReader(build_extractor(ALL_METHODS, language.version), language=language)


def read_for(memory: Memory, generation: int) -> set[int]:
    read = memory.ledger.assertions_of_utterances(range(1, memory.ledger.head().seq + 1))
    return {each.seq for each in read if read_again_for(each) == generation}


@pytest.mark.usefixtures("asked")
def test_what_a_language_model_missed_is_told_and_gone_on_with(memory: Memory) -> None:
    with serving(NOTHING, NOTHING, Answer(status=403)) as spent:
        done = rebuild(memory, circumstances(), reader=listening(spent))
    assert (done.generation, done.read_again, done.missed, done.flipped) == (2, 2, 2, True)
    assert read_for(memory, 2) == {1, 2}
    assert not any(key == "spoons" for _, key in held(memory))  # it counts as it was read before
    assert ("likes", "jazz") in held(memory)
    assert reader_of(memory) == ""
    with serving(NOTHING) as endpoint:
        reader = listening(endpoint)
        done = rebuild(memory, circumstances(), reader=reader)
    assert len(endpoint.asked) == 2
    assert (done.generation, done.read_again, done.missed, done.lost) == (3, 2, 0, 0)
    assert (read_for(memory, 2), read_for(memory, 3)) == ({1, 2}, {3, 4})
    assert any(key == "spoons" for _, key in held(memory))
    assert reader_of(memory) == reader.version
    assert walk(memory).broken is None


@pytest.mark.usefixtures("asked")
def test_a_generation_that_was_left_beside_is_gone_on_with(memory: Memory) -> None:
    with serving(NOTHING, Answer(status=403)) as spent:
        done = rebuild(memory, circumstances(), reader=listening(spent), flip_to_it=False)
    assert (done.read_again, done.missed) == (1, 3)
    with serving(NOTHING) as endpoint:
        done = rebuild(memory, circumstances(), reader=listening(endpoint))
    assert len(endpoint.asked) == 3
    assert (done.generation, done.read_again, done.missed) == (2, 4, 0)
    assert any(key == "spoons" for _, key in held(memory))


@pytest.mark.usefixtures("asked")
def test_where_a_language_model_answers_nothing_at_all_nothing_is_rebuilt(memory: Memory) -> None:
    before = state_hash(memory)
    with serving(Answer(status=403)) as refusing, pytest.raises(NotReady, match="none of 4 utterances was read again"):
        rebuild(memory, circumstances(), reader=listening(refusing))
    assert (memory.graph.generation, state_hash(memory)) == (1, before)
    assert memory.graph.of(2).slot_hashes() == []


@pytest.mark.usefixtures("asked")
def test_an_answer_that_cannot_be_read_is_an_answer(memory: Memory) -> None:
    with serving("What?", "What?", NOTHING) as endpoint:
        done = rebuild(memory, circumstances(), reader=listening(endpoint))
    assert (done.read_again, done.missed) == (4, 0)


@given(st.sets(st.integers(1, 60)), st.sets(st.integers(1, 60)))
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_spans_cover_what_was_read_and_nothing_else(read: set[int], gone: set[int]) -> None:
    again = Again(generation=2, extractor="x", spans=spans_of(read))
    assert {seq for seq in range(62) if again.covers(seq)} == read
    assert size(again.spans) == len(read)
    left = again.without(gone)
    assert {seq for seq in range(62) if left.covers(seq)} == read - gone
    assert left.spans == spans_of(read - gone)


@given(st.lists(st.tuples(st.sets(st.integers(1, 40)), st.sets(st.integers(1, 40))), max_size=4))
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_what_was_to_be_read_is_either_read_or_missed(runs: list[tuple[set[int], set[int]]]) -> None:
    again = Again(generation=2, extractor="x")
    for wanted, missed in runs:
        again = again.read(sorted(wanted), missed & wanted)
        assert not wanted & missed & set(seqs_in(again.spans))
        assert wanted - missed <= set(seqs_in(again.spans))
        assert not {*seqs_in(again.spans)} & {*seqs_in(again.missed)}
    assert {*seqs_in(again.spans), *seqs_in(again.missed)} == set().union(*(wanted for wanted, _ in runs))
