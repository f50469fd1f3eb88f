"""Asset checks over all memories. They run in the job `audit`, or one by one from the UI; never with a run of a shard.

What they report are counts, ids and the names of rules.
"""

from collections.abc import Callable

import dagster as dg
import msgspec

from kg_assets.graph.generations import read_otherwise
from kg_assets.novelty.scoring import Thresholds
from kg_assets.ports import Embedder, Memory, Stores
from kg_assets.shards import STAGES, opened, quarantine_of
from kg_assets.text.ontology import Ontology
from kg_assets.triples.extraction import Voters
from kg_assets.triples.language_voter import LanguageVoter
from quality import belief, contracts, frames
from quality.contracts import Finding

MOST_ROWS = 50


def over_all_memories(
    stores: Stores,
    look: Callable[[Memory], list[Finding]],
    *,
    severity: dg.AssetCheckSeverity = dg.AssetCheckSeverity.ERROR,
) -> dg.AssetCheckResult:
    """Failed with a table where something was found; a memory that cannot be read is a finding too."""
    infos = stores.memories()
    findings: list[Finding] = []
    for info in infos:
        try:
            with opened(stores, info.id) as memory:
                findings += look(memory)
        # Damage shows in many ways, down to a row that is no JSON; one memory must not hide what the others hold.
        except Exception as ex:  # noqa: BLE001
            findings.append(Finding(memory=info.id, rule=f"can be read ({type(ex).__name__})", rows=1))
    shown = [{**msgspec.structs.asdict(each), "examples": ", ".join(each.examples)} for each in findings[:MOST_ROWS]]
    broken = len({each.memory for each in findings})
    return dg.AssetCheckResult(
        passed=not findings,
        severity=severity,
        description=f"{broken} of {len(infos)} memories break a rule" if broken else f"holds in {len(infos)} memories",
        metadata={
            "memories": len(infos),
            "memories_with_findings": broken,
            "rows": sum(each.rows for each in findings),
            **({"findings": dg.MetadataValue.table([dg.TableRecord(row) for row in shown])} if shown else {}),
        },
    )


@dg.asset_check(asset="utterances", description="Roles, order and texts are sound, and each content has its hash.")
def utterances_are_as_they_were_said(stores: dg.ResourceParam[Stores]) -> dg.AssetCheckResult:
    schema = contracts.utterance_contract()
    return over_all_memories(
        stores, lambda memory: contracts.broken_rules(memory.info.id, schema, frames.utterance_rows(memory))
    )


@dg.asset_check(asset="novelty_scores", description="Each utterance has a score from 0 to 100, and its route fits.")
def routes_follow_from_scores(
    stores: dg.ResourceParam[Stores], thresholds: dg.ResourceParam[Thresholds]
) -> dg.AssetCheckResult:
    schema = contracts.score_contract(thresholds)
    return over_all_memories(
        stores, lambda memory: contracts.broken_rules(memory.info.id, schema, frames.score_rows(memory))
    )


@dg.asset_check(asset="extracted_triples", description="Each assertion points at an utterance and a span of its text.")
def assertions_point_into_utterances(stores: dg.ResourceParam[Stores]) -> dg.AssetCheckResult:
    schema = contracts.assertion_contract()
    return over_all_memories(
        stores, lambda memory: contracts.broken_rules(memory.info.id, schema, frames.assertion_rows(memory))
    )


@dg.asset_check(
    asset="extracted_triples",
    description="Each utterance was read by the voters and rules of today. Nothing is wrong with what an older release "
    "read; the job rebuild_generation with read_again, or `palimpsest rebuild --read-again`, reads it anew.",
)
def all_was_read_by_todays_extractor(
    stores: dg.ResourceParam[Stores],
    voters: dg.ResourceParam[Voters],
    language_voter: dg.ResourceParam[LanguageVoter | None],
    ontology: dg.ResourceParam[Ontology],
) -> dg.AssetCheckResult:
    extractor = voters.extractor(ontology, language_voter.version if language_voter else "")

    def look(memory: Memory) -> list[Finding]:
        count = read_otherwise(memory, extractor.version)
        return [Finding(memory=memory.info.id, rule="is read by today's extractor", rows=count)] if count else []

    return over_all_memories(stores, look, severity=dg.AssetCheckSeverity.WARN)


@dg.asset_check(asset="temporal_graph", description="Provenance is complete: no fact without evidence that is there.")
def facts_rest_on_evidence(stores: dg.ResourceParam[Stores]) -> dg.AssetCheckResult:
    schema = contracts.fact_contract()
    return over_all_memories(
        stores, lambda memory: contracts.broken_rules(memory.info.id, schema, frames.fact_rows(memory))
    )


@dg.asset_check(asset="temporal_graph", description="No two values of a functional slot at one valid time.")
def one_value_at_a_time(stores: dg.ResourceParam[Stores], ontology: dg.ResourceParam[Ontology]) -> dg.AssetCheckResult:
    return over_all_memories(stores, lambda memory: belief.one_value_at_a_time(memory, ontology))


@dg.asset_check(asset="temporal_graph", description="The hash stored for each slot is that of its rows.")
def belief_is_what_its_hash_says(stores: dg.ResourceParam[Stores]) -> dg.AssetCheckResult:
    return over_all_memories(stores, belief.stored_hashes)


@dg.asset_check(asset="temporal_graph", description="The journal's hash chain holds from the first entry to the head.")
def journal_is_whole(stores: dg.ResourceParam[Stores], ontology: dg.ResourceParam[Ontology]) -> dg.AssetCheckResult:
    return over_all_memories(stores, lambda memory: belief.journal_is_whole(memory, ontology))


@dg.asset_check(
    asset="embedding_index", description="Vectors have their sizes, and are provisional only while waiting."
)
def items_are_whole(stores: dg.ResourceParam[Stores], embedder: dg.ResourceParam[Embedder]) -> dg.AssetCheckResult:
    schema = contracts.item_contract()
    return over_all_memories(
        stores, lambda memory: contracts.broken_rules(memory.info.id, schema, frames.item_rows(memory, embedder.dim))
    )


@dg.asset_check(asset="embedding_index", description="Each utterance has an item, so that recall can find it.")
def every_utterance_can_be_found(stores: dg.ResourceParam[Stores]) -> dg.AssetCheckResult:
    return over_all_memories(stores, belief.every_utterance_is_an_item)


def nothing_is_in_quarantine(stage: str) -> dg.AssetChecksDefinition:
    @dg.asset_check(
        asset=stage, name="nothing_is_in_quarantine", description="No memory failed at this stage and still waits."
    )
    def check(stores: dg.ResourceParam[Stores]) -> dg.AssetCheckResult:
        def look(memory: Memory) -> list[Finding]:
            found = quarantine_of(memory)
            if found is None or found.stage != stage:
                return []
            rule = f"is processed ({found.error} at {found.place})"
            return [Finding(memory=memory.info.id, rule=rule, rows=found.times)]

        return over_all_memories(stores, look)

    return check


CHECKS = [
    utterances_are_as_they_were_said,
    routes_follow_from_scores,
    assertions_point_into_utterances,
    all_was_read_by_todays_extractor,
    facts_rest_on_evidence,
    one_value_at_a_time,
    belief_is_what_its_hash_says,
    journal_is_whole,
    items_are_whole,
    every_utterance_can_be_found,
    *map(nothing_is_in_quarantine, STAGES),
]
