"""The asset checks: sound memories pass, and each kind of damage is found by the check that is there for it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import dagster as dg
import pytest

from kg_assets.graph.belief import derive_pending
from kg_assets.index.building import index_pending
from kg_assets.model import MemoryInfo
from kg_assets.novelty.scoring import Thresholds
from kg_assets.ports import Memory
from kg_assets.shards import Visit, go_through, opened
from kg_assets.text.ontology import load_ontology
from kg_assets.triples.backlog import extract_pending
from kg_assets.triples.extraction import Voters, build_extractor
from kg_assets.utterances.sealing import seal_pending
from quality import checks
from resources.embedder import build_embedder
from resources.sqlite import SqliteStores
from tests.shards.memories import NOW, ORIGIN, damage, of_one_shard, say

ROUTES = ("immediate", "batch", "log")
TODAY = Voters()


@pytest.fixture
def stores(tmp_path: Path) -> Iterator[SqliteStores]:
    found = SqliteStores(tmp_path, b"secret", clock=lambda: NOW)
    yield found
    found.close()


@pytest.fixture
def infos(stores: SqliteStores) -> list[MemoryInfo]:
    """Two memories with evidence, belief and an index."""
    found = of_one_shard(stores, 2)
    for info in found:
        for text in ("I live in Porto.", "My sister Anna works at Nordwind.", "Fine, thanks."):
            say(stores, info, text)
        with opened(stores, info.id) as memory:
            process(memory)
    return found


def process(memory: Memory) -> None:
    seal_pending(memory, origin=ORIGIN, clock=lambda: NOW)
    extract_pending(memory, build_extractor(), routes=ROUTES, origin=ORIGIN, clock=lambda: NOW)
    derive_pending(memory, load_ontology(), routes=ROUTES, origin=ORIGIN, clock=lambda: NOW)
    index_pending(memory, build_embedder("hashing"), load_ontology(), origin=ORIGIN, clock=lambda: NOW)


def results(stores: SqliteStores, voters: Voters = TODAY) -> dict[str, dg.AssetCheckResult]:
    """Every check, as Dagster runs it."""
    given = {"stores": stores, "thresholds": Thresholds(), "embedder": build_embedder("hashing")}
    given |= {"ontology": load_ontology(), "voters": voters, "language_voter": None}
    found = {}
    for check in checks.CHECKS:
        needed = {name: given[name] for name in check.required_resource_keys & given.keys()}
        (key,) = check.check_keys
        result = check(**needed)
        assert isinstance(result, dg.AssetCheckResult)
        found[f"{key.asset_key.to_user_string()}: {key.name}"] = result
    return found


def failed(stores: SqliteStores) -> set[str]:
    return {name.partition(": ")[2] for name, result in results(stores).items() if not result.passed}


def alter(tmp_path: Path, info: MemoryInfo, sql: str) -> None:
    connection = apsw.Connection(str(tmp_path / "memories" / f"{info.id}.db"))
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute(sql)
    connection.close()


def test_sound_memories_pass_every_check(stores: SqliteStores, infos: list[MemoryInfo]) -> None:
    found = results(stores)
    assert {name: result.description for name, result in found.items() if not result.passed} == {}
    assert {result.metadata["memories"].value for result in found.values()} == {len(infos)}


def test_what_other_voters_read_is_a_warning_with_its_count(stores: SqliteStores, infos: list[MemoryInfo]) -> None:
    found = results(stores, Voters(methods=("rules",)))
    (wrong,) = [result for result in found.values() if not result.passed]
    assert wrong == found["extracted_triples: all_was_read_by_todays_extractor"]
    assert wrong.severity == dg.AssetCheckSeverity.WARN
    assert (wrong.metadata["memories_with_findings"].value, wrong.metadata["rows"].value) == (len(infos), 6)


ALTERATIONS = [
    ("UPDATE utterances SET text = 'I live in Rome.' WHERE seq = 1", "utterances_are_as_they_were_said"),
    ("UPDATE novelty SET route = 'log', score = 99.0", "routes_follow_from_scores"),
    ("DELETE FROM assertions", "facts_rest_on_evidence"),
    ("UPDATE facts SET confidence = 1", "belief_is_what_its_hash_says"),
    ("UPDATE facts SET recorded_to = 1 WHERE predicate = 'lives_in'", "belief_is_what_its_hash_says"),
    ("UPDATE journal SET actor = 'nobody' WHERE seq = 2", "journal_is_whole"),
    ("UPDATE items SET pooled = x'00'", "items_are_whole"),
    ("DELETE FROM items WHERE kind = 'utterance'", "every_utterance_can_be_found"),
]


@pytest.mark.parametrize(("sql", "check"), ALTERATIONS)
def test_what_was_altered_is_found_by_the_check_that_is_there_for_it(
    stores: SqliteStores, infos: list[MemoryInfo], tmp_path: Path, sql: str, check: str
) -> None:
    alter(tmp_path, infos[0], sql)
    found = {name.partition(": ")[2]: result for name, result in results(stores).items()}
    assert not found[check].passed
    assert found[check].metadata["memories_with_findings"].value == 1


def test_two_homes_at_one_time_are_found(stores: SqliteStores, infos: list[MemoryInfo], tmp_path: Path) -> None:
    columns = "fact_id, generation, slot, subject_id, subject_key, predicate, object_id, value, start_known, precision"
    alter(
        tmp_path,
        infos[0],
        f"""INSERT INTO facts (version_id, object_key, valid_from, valid_to, confidence, authority, assertions,
                               utterances, recorded_from, recorded_to, opened_by, closed_by, run_id, {columns})
            SELECT 'another', 'rome', valid_from, valid_to, confidence, authority, assertions, utterances,
                   recorded_from, recorded_to, opened_by, closed_by, run_id, {columns}
            FROM facts WHERE predicate = 'lives_in'""",
    )
    assert "one_value_at_a_time" in failed(stores)


def test_a_memory_that_cannot_be_read_is_a_finding_and_hides_no_other(
    stores: SqliteStores, infos: list[MemoryInfo], tmp_path: Path
) -> None:
    damage(tmp_path, infos[0], "utterances")
    alter(tmp_path, infos[1], "UPDATE utterances SET text = 'I live in Rome.' WHERE seq = 1")
    result = results(stores)["utterances: utterances_are_as_they_were_said"]
    assert not result.passed
    rules = {record.data["memory"]: record.data["rule"] for record in result.metadata["findings"].records}
    assert rules == {infos[0].id: "can be read (Corrupt)", infos[1].id: "matches_its_hash: does not hold"}


def test_a_row_that_is_no_json_is_a_finding(stores: SqliteStores, infos: list[MemoryInfo], tmp_path: Path) -> None:
    alter(tmp_path, infos[0], "UPDATE facts SET assertions = '[\"cut'")
    assert "facts_rest_on_evidence" in failed(stores)


def test_a_memory_in_quarantine_is_told_at_the_stage_that_failed(stores: SqliteStores, infos: list[MemoryInfo]) -> None:
    def work(memory: Memory) -> None:
        raise ZeroDivisionError(memory.info.name)

    visit = Visit(wanted=lambda memory: memory.info.id == infos[0].id, work=work, fingerprint=lambda _: 0, version="1")
    stage: Callable[[str], str] = "{}: nothing_is_in_quarantine".format
    go_through(
        stores, infos[0].shard, "temporal_graph", visit, routes=ROUTES, holder="r", clock=lambda: NOW, patience=0
    )
    found = results(stores)
    assert not found[stage("temporal_graph")].passed
    assert found[stage("utterances")].passed
    (row,) = found[stage("temporal_graph")].metadata["findings"].records
    assert row.data["rule"].startswith("is processed (ZeroDivisionError at test_checks.py:")


def test_no_word_of_a_person_stands_in_what_a_check_reports(
    stores: SqliteStores, infos: list[MemoryInfo], tmp_path: Path
) -> None:
    for sql, _ in ALTERATIONS:
        alter(tmp_path, infos[0], sql)
    for result in results(stores).values():
        told = str(result).casefold()
        assert not any(word in told for word in ("porto", "rome", "anna", "nordwind", "user 0"))
