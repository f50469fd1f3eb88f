"""What was said is read again by another extractor, for a new generation; the old one keeps what it was made from."""

from itertools import count

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kg_assets.graph.generations import Again, generations
from kg_assets.graph.state import state_hash
from kg_assets.maintenance.comparing import difference
from kg_assets.maintenance.generations import Circumstances, flip, rebuild
from kg_assets.model import Assertion, Literal
from kg_assets.ports import Memory, Stores
from kg_assets.text.ontology import load_ontology
from kg_assets.triples.asserting import assert_statements, check_statement
from kg_assets.triples.extraction import ALL_METHODS, Extractor, build_extractor
from kg_assets.triples.reading_again import AgainReader, spans
from quality.trail import walk
from resources.embedder import build_embedder
from tests.maintenance.telling import NOW, ORIGIN, clock, erase, process, say

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
        def read(self, memory, generation, *, origin, clock):  # type: ignore[no-untyped-def]  # as its parent
            super().read(memory, generation, origin=origin, clock=clock)
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


@given(st.sets(st.integers(1, 60)), st.sets(st.integers(1, 60)))
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_spans_cover_what_was_read_and_nothing_else(read: set[int], gone: set[int]) -> None:
    again = Again(generation=2, extractor="x", spans=spans(sorted(read)))
    assert {seq for seq in range(62) if again.covers(seq)} == read
    left = again.without(gone)
    assert {seq for seq in range(62) if left.covers(seq)} == read - gone
    assert left.spans == spans(sorted(read - gone))
