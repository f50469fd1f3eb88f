"""Erasure over every set: what the ports forget, whole conversations erased, and bytes looked for in the servers."""

import json
import os
import subprocess
from contextlib import ExitStack, closing
from pathlib import Path

import msgspec
import pytest

from kg_assets import journal
from kg_assets.graph.state import state_hash
from kg_assets.maintenance.generations import Circumstances, flip, rebuild
from kg_assets.model import Change, EntityChange, GraphRows, LedgerRows, MentionCount
from kg_assets.ports import Memory, Stores
from kg_assets.text.ontology import load_ontology
from quality.trail import walk
from resources.embedder import build_embedder
from tests.conformance.conftest import BACKENDS, MARKS, NOW, Connect
from tests.conformance.samples import (
    ORIGIN,
    append,
    assertion,
    decision,
    entity,
    fact,
    item,
    mention,
    record,
    score,
    slot_change,
    utterance,
)
from tests.maintenance.telling import clock, erase, erase_sessions, process, say

SERVERS = [pytest.param(name, marks=MARKS[name]) for name in ("postgres", "postgres+neo4j")]
SAID = [
    ("I live in Porto.", "s1"),
    ("I moved to Quarkington in May 2026.", "s1"),  # u2
    ("My sister Zebedea works at Acme.", "s2"),  # u3
    ("She lives in Quarkington.", "s2"),
    ("My sister's name is Berta.", "s2"),
    ("I like jazz.", "s3"),
]


def told(memory: Memory) -> None:
    for day, (text, session) in enumerate(SAID, start=1):
        say(memory, text, day, session=session)
        process(memory)


# the ledger


def test_utterances_go_with_scores_queue_and_counts_of_their_terms(memory: Memory) -> None:
    with memory.transaction():
        memory.ledger.append([(utterance(seq), score(seq), {"porto": 1, f"only{seq}": 2}) for seq in (1, 2, 3)])
    with memory.transaction():
        memory.ledger.forget(LedgerRows(seqs=(2,), terms={"porto": 1, "only2": 2, "never": 1}))
    assert [turn.seq for turn in memory.ledger.utterances_after(0, 9)] == [1, 3]
    assert memory.ledger.utterance_count() == 2
    assert [each.seq for each in memory.ledger.novelty([1, 2, 3])] == [1, 3]
    assert memory.ledger.pending("extract", ["batch"]) == [1, 3]
    assert memory.ledger.pending_counts()[("extract", "batch")] == 2
    assert memory.ledger.term_counts(["porto", "only1", "only2"]) == {"porto": 2, "only1": 2}
    assert memory.ledger.term_totals() == (6, 3)
    assert memory.ledger.head().seq == 3
    append(memory, [4])


def test_mentions_are_counted_again_from_the_assertions_that_are_left(memory: Memory) -> None:
    append(memory, [1, 2, 3])
    with memory.transaction():
        memory.ledger.add_assertions(
            [
                assertion("a1", 1),
                assertion("a2", 2, object=mention("porto")),
                assertion("a3", 3, subject=mention("ben"), object=mention("ana")),
            ]
        )
    with memory.transaction():
        memory.ledger.forget(LedgerRows(assertions=("a1", "a9")))
    assert [each.id for each in memory.ledger.assertions(["a1", "a2", "a3"])] == ["a2", "a3"]
    assert memory.ledger.mention_counts(["ana", "lisbon", "porto", "ben"]) == [
        MentionCount(key="ana", surface="Ana", type="person", first_seq=2, count=2),
        MentionCount(key="ben", surface="Ben", type="person", first_seq=3, count=1),
        MentionCount(key="porto", surface="Porto", type="person", first_seq=2, count=1),
    ]


def test_items_go_without_a_trace_and_decisions_payloads_and_scores_as_told(connect: Connect, memory: Memory) -> None:
    append(memory, [1])
    record(memory, "one", "two")
    with memory.transaction():
        memory.ledger.put_items([item("i1"), item("i2"), item("i3")])
        memory.ledger.add_decisions([decision("d1"), decision("d2")])
    with memory.transaction():
        memory.ledger.delete_items(["i3"])
    revision = memory.ledger.head().revision
    again = msgspec.structs.replace(score(1), conflicts=())
    with memory.transaction():
        memory.ledger.forget(LedgerRows(items=("i1", "i3"), decisions=("d1",), payloads=(1,), scores=(again,)))
    reader = connect().open(memory.info.id)
    assert [each.id for each in reader.ledger.items(["i1", "i2", "i3"])] == ["i2"]
    assert reader.ledger.deleted_after(0) == []
    assert reader.ledger.head().revision > revision
    assert [each.id for each in reader.ledger.decisions("slot-1")] == ["d2"]
    assert [entry.payload is None for entry in reader.ledger.journal_after(0, 9)] == [True, False]
    assert [entry.hash for entry in reader.ledger.journal_after(0, 9)][-1] == reader.ledger.head().journal_hash
    assert reader.ledger.novelty([1]) == [again]
    reader.close()


def test_scrubbing_is_done_once_and_a_sweep_does_it_too(stores: Stores, memory: Memory) -> None:
    append(memory, [1])
    with memory.transaction():
        memory.ledger.forget(LedgerRows(seqs=(1,)))
    assert stores.scrub(memory.info.id)
    assert stores.scrub(memory.info.id)
    stores.sweep()


# the graph


def test_versions_slots_and_states_go_and_what_is_applied_again_stands(connect: Connect, memory: Memory) -> None:
    append(memory, [1, 2])
    record(memory, "one", "two", "three")
    value = fact("v3", object_id=None, object_key="text:secret", slot="slot-2", utterances=("u2",), assertions=("a2",))
    with memory.transaction():
        apply = memory.graph.apply
        apply(EntityChange(put=(entity("ana"), entity("lisbon")), dropped=()), recorded_at=100, journal_seq=1)
        apply(slot_change([fact("v1", utterances=("u1",))]), recorded_at=200, journal_seq=2)
        apply(slot_change([value], slot="slot-2", slot_hash="h2"), recorded_at=300, journal_seq=3)
    with memory.transaction():
        memory.graph.forget(
            GraphRows(
                versions=("v3", "v9"),
                slots=("slot-2",),
                entities=("e-ana", "e-nobody"),
                assertions=("a2",),
                utterances=("u2",),
            )
        )
        entry = record_in(memory, "four")
        memory.graph.apply(
            EntityChange(put=(entity("ana", name="Anita"),), dropped=()), recorded_at=400, journal_seq=entry
        )
    reader = connect().open(memory.info.id)
    for each in (memory, reader):
        assert [row.version_id for row in each.graph.facts(valid_at=None, known_at=None)] == ["v1"]
        assert each.graph.history("fact of v3") == []
        assert each.graph.slot_hashes() == ["h1"]
        assert each.graph.facts_of_utterances(["u1", "u2"]) == {"u1": ["fact of v1"]}
        assert {row.id: row.name for row in each.graph.all_entities()} == {"e-ana": "Anita", "e-lisbon": "Lisbon"}
        assert set(each.graph.entities_by_key(["ana", "lisbon"])) == {"ana", "lisbon"}
    reader.close()


def record_in(memory: Memory, op: str) -> int:
    """One entry, inside the caller's transaction."""
    at = journal.instant(memory.ledger, lambda: 0)
    return journal.record(memory.ledger, [Change(op=op, payload={})], origin=ORIGIN, at=at)[0].seq


# whole memories


def test_a_conversation_with_erasures_is_as_if_they_had_never_been_said(stores: Stores, connect: Connect) -> None:
    one, other = (stores.open(stores.create("tests", name, now=NOW).id) for name in ("one", "other"))
    told(one)
    for day, (text, session) in enumerate(SAID, start=1):
        if session == "s3" or day == 1:
            say(other, text, day, session=session)
    process(other)
    erase(stores, one, "u2")
    assert walk(one).broken is None
    process(one)
    erase_sessions(stores, one, ["s2"])
    process(one)
    again = connect().open(one.info.id)
    for each in (one, again):
        assert walk(each).broken is None
        assert state_hash(each) == state_hash(other)
        assert sorted((e.key, e.name, e.aliases) for e in each.graph.all_entities()) == sorted(
            (e.key, e.name, e.aliases) for e in other.graph.all_entities()
        )
    for each in (one, other, again):
        each.close()


# the servers, byte by byte


@pytest.mark.parametrize("name", SERVERS)
def test_no_byte_of_it_is_in_a_dump_of_the_servers(name: str, tmp_path: Path) -> None:
    with ExitStack() as opened:
        stores = opened.enter_context(closing(BACKENDS[name](tmp_path)()))
        memory = opened.enter_context(closing(stores.open(stores.create("tests", "ana", now=NOW).id)))
        told(memory)
        traces = [
            "quarkington",
            "zebedea",
            "acme",
            "berta",
            *(turn.content_hash for turn in memory.ledger.utterances([2, 3, 4, 5])),
        ]
        traces += [each.id for each in memory.ledger.assertions_of_utterances([2, 3, 4, 5])]
        before = dump(name)
        assert [trace for trace in traces if trace not in before] == []
        erase(stores, memory, "u2")
        erase_sessions(stores, memory, ["s2"])
        after = dump(name)
        assert [trace for trace in traces if trace in after] == []
        assert "porto" in after
        process(memory)
        assert [trace for trace in traces if trace in dump(name)] == []


def dump(name: str) -> str:
    """All that a server would hand out, casefolded. Bytes columns stand there as hexadecimal; their text is added."""
    from tests.conformance.postgres_server import binaries, owner_dsn, shared_database

    command = [str((binaries() or Path()) / "pg_dump"), "--inserts", "-d", owner_dsn(shared_database())]
    text = subprocess.run(command, check=True, capture_output=True, text=True, env={**os.environ}).stdout
    parts = [text]
    for word in text.replace("'", " ").split():
        if word.startswith("\\x"):
            parts.append(bytes.fromhex(word[2:].rstrip(",);")).decode("utf-8", errors="replace"))
    if "neo4j" in name:
        from tests.conformance.neo4j_server import server

        with server().driver() as driver:
            for statement in (
                "MATCH (n) RETURN labels(n), properties(n)",
                "MATCH ()-[r]->() RETURN type(r), properties(r)",
            ):
                rows = driver.execute_query(statement).records
                parts.append(json.dumps([row.values() for row in rows], default=str))
    return "\n".join(parts).casefold()


@pytest.mark.neo4j
def test_a_graph_that_missed_an_erasure_begins_anew_from_what_the_journal_still_tells(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from kg_assets.errors import NotReady
    from resources.neo4j.connection import Writing

    def cut_off(writing: Writing) -> None:
        writing.rollback()
        raise NotReady("the line was cut")

    with ExitStack() as opened:
        connect = BACKENDS["postgres+neo4j"](tmp_path)
        stores = opened.enter_context(closing(connect()))
        memory = opened.enter_context(closing(stores.open(stores.create("tests", "ana", now=NOW).id)))
        told(memory)
        with monkeypatch.context() as patched:
            patched.setattr(Writing, "commit", cut_off)
            patched.setattr(type(stores), "scrub", lambda *_: False)
            erase(stores, memory, "u2", "u4")
        assert "quarkington" in dump("neo4j")
        other = opened.enter_context(closing(connect()))
        other.sweep()
        assert "quarkington" not in dump("neo4j")
        again = opened.enter_context(closing(other.open(memory.info.id)))
        assert walk(again).broken is None
        process(again)
        assert walk(again).broken is None
        assert "quarkington" not in dump("neo4j")


@pytest.mark.neo4j
def test_a_graph_that_learns_of_rebuilds_flips_and_erasures_from_the_journal_alone_holds_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from kg_assets.errors import NotReady
    from resources.neo4j.connection import Writing
    from tests.conformance.neo4j_server import server

    def cut_off(writing: Writing) -> None:
        writing.rollback()
        raise NotReady("the line was cut")

    with ExitStack() as opened:
        connect = BACKENDS["postgres+neo4j"](tmp_path)
        stores = opened.enter_context(closing(connect()))
        memory = opened.enter_context(closing(stores.open(stores.create("tests", "ana", now=NOW).id)))
        told(memory)
        rules = msgspec.structs.replace(load_ontology(), version="another")
        at = Circumstances(ontology=rules, embedder=build_embedder("hashing"), origin=ORIGIN, clock=clock)
        with monkeypatch.context() as patched:
            patched.setattr(Writing, "commit", cut_off)
            rebuild(memory, at)
            erase(stores, memory, "u2", "u4")
            flip(memory, 1, at)
            process(memory)
            flip(memory, 2, at)
        again = opened.enter_context(closing(opened.enter_context(closing(connect())).open(memory.info.id)))
        assert [each.generation for each in again.graph.served()] == [1, 2, 1, 2]
        assert walk(again).broken is None
        served = {fact.version_id for fact in again.graph.facts(valid_at=None, known_at=None, limit=100)}
        with server().driver() as driver:
            shown = driver.execute_query(
                "MATCH ()-[r {memory: $memory}]->() WHERE r.version_id IS NOT NULL AND r.recorded_to IS NULL "
                "RETURN r.version_id",
                {"memory": memory.info.id},
            ).records
        assert sorted(each[0] for each in shown) == sorted(served)
        assert served
