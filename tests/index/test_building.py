from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kg_assets.graph.wording import wording_version
from kg_assets.index.building import CURSOR, IndexReport, index_pending
from kg_assets.index.quantise import packed, pooled_of, tokens_of
from kg_assets.index.remember import remember
from kg_assets.index.windows import BLOCK, encode_turns
from kg_assets.journal import first_broken, item_hashes
from kg_assets.model import Draft, Encoded, Item, Origin
from kg_assets.novelty.scoring import Thresholds
from kg_assets.ports import Embedder, Memory
from kg_assets.text.ontology import load_ontology
from resources.embedder import build_embedder
from tests.novelty.drafts import SAID_AT, draft
from tests.novelty.memories import DAY, believe, fact_ids, new_memory

ORIGIN = Origin(actor="asset", cause="embedding_index", run_id="run-1")
TURNS = BLOCK * 2 + 1


class Contextual:
    """The hashing encoder with what a real one has: each vector depends on the whole text. Breaks after `calls`."""

    def __init__(self, version: str = "contextual", calls: int = 1_000_000) -> None:
        self.inner = build_embedder("hashing")
        self.version, self.dim, self.projection = version, self.inner.dim, self.inner.projection
        self.calls = calls

    def encode(self, texts: Sequence[str]) -> list[Encoded]:
        self.calls -= 1
        if self.calls < 0:
            raise KeyboardInterrupt
        return [msgspec.structs.replace(each, tokens=each.tokens + each.pooled) for each in self.inner.encode(texts)]


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    opened = new_memory(tmp_path)
    yield opened
    opened.close()


def turns(count: int, session: str = "s", start: int = 1) -> list[Draft]:
    return [
        msgspec.structs.replace(
            draft(f"Turn {number} of the talk in {session}"), id=f"{session}{number}", session=session
        )
        for number in range(start, start + count)
    ]


def say(memory: Memory, drafts: Sequence[Draft], embedder: Embedder | None = None) -> None:
    remember(
        memory,
        drafts,
        embedder=embedder or Contextual(),
        ontology=load_ontology(),
        thresholds=Thresholds(),
        origin=ORIGIN,
        clock=lambda: SAID_AT,
        cap_at_batch=True,
    )


def build(memory: Memory, embedder: Embedder | None = None, chunk: int = 256) -> IndexReport:
    embedder = embedder or Contextual()
    return index_pending(memory, embedder, load_ontology(), origin=ORIGIN, clock=lambda: SAID_AT, chunk=chunk)


def items(memory: Memory, kind: str = "utterance") -> dict[str, Item]:
    found = [item for item in memory.ledger.items_after(0) if item.kind == kind]
    return {item.id: msgspec.structs.replace(item, revision=0) for item in found}


# ------------------------------------------------------------------------------------------------------- turns


def test_a_turn_gets_the_vectors_of_its_window(memory: Memory) -> None:
    said, embedder = turns(TURNS), Contextual()
    say(memory, said)
    provisional = items(memory)
    report = build(memory)
    assert report == IndexReport(utterances=TURNS, facts=0, retired=0, index_version=embedder.version)
    found, expected = items(memory), encode_turns(said, range(TURNS), embedder)
    for position, turn in enumerate(said):
        item = found[turn.id]
        assert (item.pooled, item.tokens, item.token_ids) == packed(expected[position], embedder.projection)
        assert (item.provisional, provisional[turn.id].provisional) == (False, True)
        assert (item.text, item.speaker, item.session, item.said_at) == (turn.text, turn.speaker, "s", turn.said_at)
    assert found["s2"].tokens != provisional["s2"].tokens
    assert pooled_of(found["s2"].pooled).shape == (embedder.dim,)
    assert len(tokens_of(found["s2"].tokens)) == len(found["s2"].token_ids) // 4


def test_a_second_call_changes_nothing(memory: Memory) -> None:
    say(memory, turns(TURNS))
    believe(memory, ("lives_in", "Porto"))
    build(memory)
    head, everything = memory.ledger.head(), memory.ledger.items_after(0)
    report = build(memory)
    assert (report.utterances, report.facts, report.retired) == (0, 0, 0)
    assert (memory.ledger.head(), memory.ledger.items_after(0)) == (head, everything)
    assert memory.value(CURSOR) == str(head.journal_seq)


def test_a_new_turn_renews_its_own_block_only(memory: Memory) -> None:
    say(memory, turns(BLOCK + 1))
    build(memory)
    revision = memory.ledger.head().revision
    say(memory, turns(1, start=BLOCK + 2))
    assert build(memory).utterances == 2
    assert {item.ref for item in memory.ledger.items_after(revision)} == {f"s{BLOCK + 1}", f"s{BLOCK + 2}"}


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    cuts=st.lists(st.integers(1, 5), min_size=1, max_size=8),
    chunk=st.integers(1, 9),
    building=st.lists(st.booleans(), min_size=8, max_size=8),
)
def test_vectors_do_not_depend_on_batches(
    tmp_path_factory: pytest.TempPathFactory, cuts: list[int], chunk: int, building: list[bool]
) -> None:
    """Two sessions, said in turn: appended and built at once, or bit by bit."""
    mixed = [turn for pair in zip(turns(TURNS), turns(TURNS, "t"), strict=True) for turn in pair]
    outcomes = []
    for sizes, portion in (([len(mixed)], 256), (cuts, chunk)):
        opened = new_memory(tmp_path_factory.mktemp("memory"))
        rest = list(mixed)
        for size, now in zip([*sizes, len(mixed)], [*building, True], strict=False):
            say(opened, rest[:size])
            rest = rest[size:]
            if now:
                build(opened, chunk=portion)
        say(opened, rest)
        build(opened, chunk=portion)
        outcomes.append(items(opened))
        opened.close()
    assert outcomes[0] == outcomes[1]
    assert not any(item.provisional for item in outcomes[0].values())


def test_a_run_that_breaks_off_is_taken_up_where_it_stopped(memory: Memory, tmp_path: Path) -> None:
    said = turns(TURNS)
    say(memory, said)
    believe(memory, ("lives_in", "Porto"))
    for calls in range(3):
        with pytest.raises(KeyboardInterrupt):
            build(memory, Contextual(calls=calls), chunk=BLOCK)
    build(memory)
    undisturbed = new_memory(tmp_path / "other")
    say(undisturbed, said)
    believe(undisturbed, ("lives_in", "Porto"))
    build(undisturbed)
    assert items(memory) == items(undisturbed)
    assert len(items(memory, "fact")) == 1
    assert memory.ledger.pending("index", ["immediate", "batch", "log"]) == []
    assert first_broken(memory.ledger.journal_after(0, 1000)) is None
    undisturbed.close()


def test_another_encoder_encodes_everything_again(memory: Memory) -> None:
    say(memory, turns(TURNS))
    believe(memory, ("lives_in", "Porto"))
    build(memory)
    report = build(memory, Contextual("another"))
    assert (report.utterances, report.facts) == (TURNS + 1, 1)
    assert {item.index_version for item in memory.ledger.items_after(0)} == {"another"}
    assert build(memory, Contextual("another")).utterances == 0


# ------------------------------------------------------------------------------------------------------- facts


def test_a_fact_becomes_an_item_that_reads_like_a_sentence(memory: Memory) -> None:
    believe(memory, ("lives_in", "Porto"), days_ago=50)
    assert build(memory).facts == 1
    (item,) = items(memory, "fact").values()
    assert (item.ref,) == fact_ids(memory, "lives_in")
    (fact,) = memory.graph.history(item.ref)
    assert (item.id, item.text, item.speaker) == (fact.version_id, "Ana lives in Porto.", "Ana")
    assert (item.said_at, item.seq, item.session) == (SAID_AT - 50 * DAY, 1, "")


def test_a_belief_that_changed_leaves_with_its_old_row(memory: Memory) -> None:
    believe(memory, ("lives_in", "Porto"), days_ago=50)
    build(memory)
    before = items(memory, "fact")
    revision = memory.ledger.head().revision
    believe(memory, ("lives_in", "Lisbon"), days_ago=10)
    report = build(memory)
    after = items(memory, "fact")
    assert report.retired == 1
    assert memory.ledger.deleted_after(revision) == list(before)
    assert {fact.version_id for fact in memory.graph.facts(valid_at=None, known_at=None)} == set(after)
    assert any(item.text.startswith("Ana lives in Lisbon") for item in after.values())


def test_the_journal_says_what_was_written_and_no_more(memory: Memory) -> None:
    say(memory, turns(2))
    believe(memory, ("lives_in", "Porto"))
    build(memory)
    entries = [entry for entry in memory.ledger.journal_after(0, 100) if entry.op == "index"]
    version = Contextual().version
    turns_of, facts_of = (
        item_hashes(each for each in memory.ledger.items_after(0) if each.kind == kind)
        for kind in ("utterance", "fact")
    )
    written = {"facts": 1, "retired": 0, "wording": wording_version(load_ontology())}
    assert [msgspec.json.decode(entry.payload or b"") for entry in entries] == [
        {"index_version": version, "utterances": 3, "items": turns_of},
        {"index_version": version, **written, "items": facts_of},
    ]
    assert {entry.run_id for entry in entries} == {"run-1"}
