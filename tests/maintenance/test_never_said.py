"""What was erased leaves the memory as if it had never been said."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import apsw
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kg_assets.graph.state import state_hash
from kg_assets.maintenance.generations import Circumstances, flip, rebuild
from kg_assets.model import Fact
from kg_assets.ports import Memory
from kg_assets.text.ontology import load_ontology
from kg_assets.triples.extraction import METHODS
from quality.trail import walk
from resources.embedder import build_embedder
from resources.sqlite import SqliteStores
from tests.maintenance.telling import ORIGIN, RULES, clock, erase, process, say

SAID = (
    "My name is Ana.",
    "I live in Porto.",
    "My sister Anna lives in Braga.",
    "She works at Acme.",
    "I moved to Lisbon in May 2026.",
    "My sister's name is Berta.",
    "I meant Graz, not Lisbon.",
    "I have a dog named Max.",
    "The dog likes bones.",
    "Max died yesterday.",
    "I like jazz.",
    "I like pizza and jazz.",
    "I no longer live in Porto.",
    "Max is five years old.",
    "Anna moved to Rome.",
    "My friend Carlos is married to Berta.",
    "I work at Siemens.",
    "I left Siemens.",
    "He lives in Madrid.",
    "Her birthday is on 5 May.",
    "My name is Anna.",
    "I stay in Vienna.",
    "I am married to Carlos.",
    "Carlos married Dora in March 2026.",
    "My husband Carlos works at Acme.",
    "Dora is married to Emil.",
    "José lives in Porto.",
    "Jose moved to Málaga.",
    "My friend José works at Acme.",
    "I visited Malaga.",
)
SPELT = (
    "José lives in Porto.",
    "Jose moved to Málaga in May 2026.",
    "My friend José works at Acme.",
    "I visited Malaga.",
    "My name is José.",
    "José is married to Carla.",
    "Jose is married to Dora.",
    "My sister's name is Jose.",
    "José's sister lives in Braga.",
    "Jose's sister is called Rita.",
    "José's sister is called Carla.",
    "I meant José, not Jose.",
)
SPEAKERS = (("Ana", "user"), ("Ana", "user"), ("Ana", "user"), ("Bot", "assistant"), ("Berta", "other"))
CIRCUMSTANCES = Circumstances(ontology=load_ontology(), embedder=build_embedder("hashing"), origin=ORIGIN, clock=clock)
KEY = b"one key for both, so that ids can be compared".ljust(32)[:32]


def opened(folder: Path) -> tuple[SqliteStores, Memory]:
    stores = SqliteStores(folder, b"secret" * 8, clock=clock)
    info = stores.create("test", "ana", now=clock())
    connection = apsw.Connection(str(folder / "memories" / f"{info.id}.db"))
    connection.execute("UPDATE state SET key = ?", (KEY,))
    connection.close()
    return stores, stores.open(info.id)


Turn = tuple[int, str, str, str]  # day, text, speaker, role


def told(memory: Memory, turns: Iterable[Turn], chunk: int, methods: tuple[str, ...]) -> None:
    """Processed after every few turns, so that belief has a history."""
    for number, (day, text, speaker, role) in enumerate(turns, start=1):
        say(memory, text, day, speaker=speaker, role=role)
        if number % chunk == 0:
            process(memory, methods)
    process(memory, methods)


def content(memory: Memory) -> dict[str, object]:
    """All that two memories of one key must agree on; the number of an utterance is none of it."""
    ledger = memory.ledger
    turns = {turn.seq: turn.id for turn in ledger.utterances_after(0, 1000)}
    assertions = ledger.assertions_of_utterances(list(turns))
    entities = memory.graph.all_entities()
    keys = sorted({key for entity in entities for key in (entity.key, *entity.aliases)})
    facts = memory.graph.facts(valid_at=None, known_at=None, limit=1000)
    items = ledger.items([*turns.values(), *(fact.version_id for fact in facts)])
    words = {word for turn in ledger.utterances(list(turns)) for word in turn.text.casefold().split()}
    return {
        "assertions": sorted(each.id for each in assertions),
        "entities": sorted((each.id, each.name, each.type, each.aliases, turns[each.first_seq]) for each in entities),
        "mentions": [(each.key, each.surface, each.type, each.count) for each in ledger.mention_counts(keys)],
        "facts": sorted((each.id, each.belief.valid_from or 0, each.belief.confidence) for each in facts),
        "items": sorted((each.kind, each.text, each.speaker, each.tokens, each.token_ids) for each in items),
        "count": ledger.item_count() - sum(hidden(memory, each) for each in history(memory)),
        "terms": (ledger.term_totals(), ledger.term_counts(words)),
    }


def hidden(memory: Memory, fact: Fact) -> bool:
    return fact.recorded_to is not None or fact.generation != memory.graph.generation


def history(memory: Memory) -> list[Fact]:
    return [*memory.graph.changed_facts(after_journal_seq=0, limit=100_000)]


def compared(
    folder: Path, turns: Sequence[Turn], going: set[int], chunk: int, methods: tuple[str, ...], rebuilt: int = 0
) -> None:
    """`rebuilt`: after how many turns another generation of belief serves; 0 is never."""
    stores, one = opened(folder / "one")
    others, other = opened(folder / "other")
    if rebuilt:
        told(one, turns[:rebuilt], chunk, methods)
        rebuild(one, CIRCUMSTANCES, most_lost=1.0)
    told(one, turns[rebuilt:], chunk, methods)
    told(other, [turn for turn in turns if turn[0] not in going], chunk, methods)
    erase(stores, one, *(f"u{day}" for day in sorted(going)))
    assert walk(one).broken is None
    process(one, methods)
    assert walk(one).broken is None
    try:
        assert state_hash(one) == state_hash(other)
        assert content(one) == content(other)
        if rebuilt:
            flip(one, 1, CIRCUMSTANCES)
            process(one, methods)
            assert walk(one).broken is None
            assert state_hash(one) == state_hash(other)
            assert content(one) == content(other)
    finally:
        for each in (one, other):
            each.close()
        for each in (stores, others):
            each.close()


@st.composite
def conversations(draw: st.DrawFn, said: Sequence[str] = SAID) -> tuple[list[Turn], set[int]]:
    texts = draw(st.lists(st.sampled_from(said), min_size=2, max_size=9))
    turns = [(day, text, *draw(st.sampled_from(SPEAKERS))) for day, text in enumerate(texts, start=1)]
    return turns, draw(st.sets(st.integers(1, len(turns)), min_size=1, max_size=3))


@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(conversation=conversations(), chunk=st.sampled_from([1, 2, 100]))
def test_what_was_erased_leaves_what_there_would_be_without_it(
    tmp_path_factory: pytest.TempPathFactory, conversation: tuple[list[Turn], set[int]], chunk: int
) -> None:
    compared(tmp_path_factory.mktemp("never"), *conversation, chunk, RULES)


@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(conversation=conversations(SPELT), chunk=st.sampled_from([1, 2, 100]), rebuilt=st.integers(0, 5))
def test_it_leaves_spellings_joined_as_they_would_be_without_it(
    tmp_path_factory: pytest.TempPathFactory, conversation: tuple[list[Turn], set[int]], chunk: int, rebuilt: int
) -> None:
    compared(tmp_path_factory.mktemp("never"), *conversation, chunk, RULES, min(rebuilt, len(conversation[0])))


@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(conversation=conversations(), chunk=st.sampled_from([1, 3]), rebuilt=st.integers(1, 9))
def test_it_leaves_every_generation_of_belief(
    tmp_path_factory: pytest.TempPathFactory, conversation: tuple[list[Turn], set[int]], chunk: int, rebuilt: int
) -> None:
    compared(tmp_path_factory.mktemp("never"), *conversation, chunk, RULES, min(rebuilt, len(conversation[0])))


@pytest.mark.parametrize(
    "going",
    [
        *({1}, {3}, {6}, {8}, {5, 7}, {2, 11}, set(range(1, 12)), set(range(3, 27))),
        *({23}, {24, 25}, {26}, {27}, {28, 30}),
    ],
)
def test_each_turn_of_a_conversation_can_be_erased_with_the_parser_at_work(tmp_path: Path, going: set[int]) -> None:
    turns = [(day, text, "Ana", "user") for day, text in enumerate(SAID, start=1)]
    compared(tmp_path, turns, going, 3, METHODS)
