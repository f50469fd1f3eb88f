"""Laws of the graph store on many small examples: what a naive list of rows would answer."""

from collections.abc import Sequence
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from kg_assets.model import EntityChange, Fact, SlotChange
from kg_assets.ports import Memory
from tests.conformance.conftest import Fresh
from tests.conformance.samples import entity, fact, slot_change

# `fresh` hands out a new memory at each call, so that examples do not meet.
laws = settings(max_examples=40, deadline=None)

TIMES = st.integers(0, 8)
SUBJECTS, PREDICATES, OBJECTS = ("s1", "s2"), ("p1", "p2"), ("o1", "o2", "o3")


@st.composite
def histories(draw: st.DrawFn) -> list[SlotChange]:
    """Changes in journal order: entry n is recorded at n, closes some open rows of a slot and opens others."""
    changes: list[SlotChange] = []
    standing: dict[str, list[str]] = {}
    for seq in range(1, draw(st.integers(1, 8)) + 1):
        subject, predicate = draw(st.sampled_from(SUBJECTS)), draw(st.sampled_from(PREDICATES))
        slot = f"{subject} {predicate}"
        closed = [each for each in standing.get(slot, []) if draw(st.booleans())]
        opened = []
        for number in range(draw(st.integers(0, 3))):
            start, end = draw(st.none() | TIMES), draw(st.none() | TIMES)
            if start is not None and end is not None and end <= start:
                end = None
            target = draw(st.sampled_from(OBJECTS))
            # Random first letter: version ids do not ascend with time.
            version = f"{draw(st.integers(0, 9))}-{seq}-{number}"
            opened.append(
                fact(
                    version,
                    id=f"{slot} {target}",
                    slot=slot,
                    subject_id=subject,
                    predicate=predicate,
                    object_id=target,
                    valid_from=start,
                    valid_to=end,
                    recorded_from=seq,
                    opened_by=seq,
                    utterances=tuple(sorted(draw(st.sets(st.sampled_from(("u1", "u2", "u3")), min_size=1)))),
                )
            )
        standing[slot] = [each for each in standing.get(slot, []) if each not in closed]
        standing[slot] += [each.version_id for each in opened]
        hashed = f"hash of {slot} {sorted(standing[slot])}" if standing[slot] else ""
        changes.append(slot_change(opened, closed, slot=slot, slot_hash=hashed))
    return changes


def write(memory: Memory, changes: Sequence[SlotChange | EntityChange], seqs: Sequence[int]) -> None:
    for seq in seqs:
        with memory.transaction():
            memory.graph.apply(changes[seq - 1], recorded_at=seq, journal_seq=seq)


def naive_rows(changes: Sequence[SlotChange]) -> list[Fact]:
    """The same changes applied to a plain list, by version id."""
    rows: dict[str, Fact] = {}
    for seq, change in enumerate(changes, start=1):
        for version in change.closed:
            rows[version] = msgspec.structs.replace(rows[version], recorded_to=seq, closed_by=seq)
        rows.update({each.version_id: each for each in change.opened})
    return [rows[version] for version in sorted(rows)]


def visible(row: Fact, valid_at: int | None, known_at: int | None) -> bool:
    if known_at is None:
        known = row.recorded_to is None
    else:
        known = row.recorded_from <= known_at and (row.recorded_to is None or known_at < row.recorded_to)
    if valid_at is None:
        return known
    b = row.belief
    return (
        known and (b.valid_from is None or b.valid_from <= valid_at) and (b.valid_to is None or valid_at < b.valid_to)
    )


QUERIES = st.fixed_dictionaries(
    {
        "valid_at": st.none() | TIMES,
        "known_at": st.none() | TIMES,
        "subjects": st.none() | st.lists(st.sampled_from(SUBJECTS), unique=True),
        "predicates": st.none() | st.lists(st.sampled_from(PREDICATES), unique=True),
        "objects": st.none() | st.lists(st.sampled_from(OBJECTS), unique=True),
        "limit": st.integers(1, 30),
        "after": st.sampled_from(("", "3", "7")),
    }
)


@laws
@given(changes=histories(), query=QUERIES)
def test_an_as_of_read_equals_a_scan_of_all_rows(
    fresh: Fresh, changes: list[SlotChange], query: dict[str, Any]
) -> None:
    memory = fresh()
    write(memory, changes, range(1, len(changes) + 1))
    expected = [
        row
        for row in naive_rows(changes)
        if visible(row, query["valid_at"], query["known_at"])
        and (query["subjects"] is None or row.belief.subject_id in query["subjects"])
        and (query["predicates"] is None or row.belief.predicate in query["predicates"])
        and (query["objects"] is None or row.belief.object_id in query["objects"])
        and row.version_id > query["after"]
    ]
    assert memory.graph.facts(**query) == expected[: query["limit"]]
    memory.close()


def picture(memory: Memory) -> dict[str, Any]:
    """All that can be read of a graph."""
    graph = memory.graph
    rows = graph.changed_facts(after_journal_seq=0, limit=1000)
    return {
        "rows": rows,
        "slots": {row.belief.slot: graph.slot(row.belief.slot) for row in rows},
        "hashes": graph.slot_hashes(),
        "support": graph.facts_of_utterances(["u1", "u2", "u3"]),
        "entities": graph.all_entities(),
        "keys": graph.entities_by_key([*"abcd"]),
    }


@laws
@given(changes=histories(), data=st.data())
def test_applying_changes_again_changes_nothing(fresh: Fresh, changes: list[SlotChange], data: st.DataObject) -> None:
    memory = fresh()
    seqs = range(1, len(changes) + 1)
    write(memory, changes, seqs)
    before = picture(memory)
    again = data.draw(st.lists(st.sampled_from(seqs), max_size=6))
    write(memory, changes, again)
    assert picture(memory) == before
    assert before["support"] == support_of(before["rows"])
    memory.close()


def support_of(rows: Sequence[Fact]) -> dict[str, list[str]]:
    found: dict[str, set[str]] = {}
    for row in rows:
        if row.recorded_to is None:
            for utterance in row.belief.utterances:
                found.setdefault(utterance, set()).add(row.id)
    return {utterance: sorted(facts) for utterance, facts in found.items()}


@st.composite
def resolutions(draw: st.DrawFn) -> list[EntityChange]:
    """Four names, parted anew into entities each time: merges and splits."""
    changes = []
    standing: set[str] = set()
    for _ in range(draw(st.integers(1, 5))):
        groups: dict[int, list[str]] = {}
        for name in "abcd":
            groups.setdefault(draw(st.integers(0, 3)), []).append(name)
        put = tuple(entity(names[0], *names[1:]) for names in groups.values())
        kept = {each.id for each in put}
        changes.append(EntityChange(put=put, dropped=tuple(sorted(standing - kept))))
        standing = kept
    return changes


@laws
@given(changes=resolutions(), data=st.data())
def test_every_name_leads_to_the_entity_that_the_last_resolution_gave_it(
    fresh: Fresh, changes: list[EntityChange], data: st.DataObject
) -> None:
    memory = fresh()
    seqs = range(1, len(changes) + 1)
    write(memory, changes, [*seqs, *data.draw(st.lists(st.sampled_from(seqs), max_size=4))])
    last = changes[-1].put
    assert memory.graph.entities_by_key([*"abcd"]) == {
        name: each for each in last for name in (each.key, *each.aliases)
    }
    assert sorted(memory.graph.all_entities(), key=lambda each: each.id) == sorted(last, key=lambda each: each.id)
    memory.close()
