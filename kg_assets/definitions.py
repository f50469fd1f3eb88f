"""The composition root: assets, jobs, sensors, schedules and checks, and what stands behind each port."""

import os
from collections.abc import Iterable, Sequence

import dagster as dg

from kg_assets.asset import ALL_ROUTES, ROUTES_TAG, USUAL_ROUTES
from kg_assets.graph.asset import merge_suggestions, temporal_graph
from kg_assets.graph.policies import Policy
from kg_assets.index.asset import embedding_index
from kg_assets.maintenance.asset import (
    journal_checkpoint,
    kept_generations,
    novelty_model,
    novelty_operating_curve,
    ontology_gaps,
    rebuilt_graph,
)
from kg_assets.maintenance.dropping import Keep
from kg_assets.maintenance.ontology_gaps import Least
from kg_assets.model import Route
from kg_assets.novelty.asset import novelty_scores
from kg_assets.novelty.scoring import Thresholds
from kg_assets.text.extra_ontology import ontology_with
from kg_assets.text.ontology import Ontology
from kg_assets.triples.asset import extracted_triples
from kg_assets.triples.extraction import Voters
from kg_assets.triples.language_voter import LanguageVoter
from kg_assets.utterances.asset import utterances
from quality.checks import CHECKS
from resources.clock import system_clock
from resources.dagster import BatchCompute, Checkpoints, Home, HomeStores, TextEncoder
from resources.llm import build_language_model
from sensors.schedules import (
    find_lost_work,
    hourly_batch,
    hourly_sweep,
    nightly,
    nightly_audit,
    weekly_measurement,
    weekly_ontology_report,
)
from sensors.waiting_work import high_novelty, left_by_the_night, long_queue

ASSETS = [utterances, novelty_scores, extracted_triples, temporal_graph, embedding_index]


class MemoryStores(HomeStores):
    """With the ontology's predicates, which Neo4j has as relation types."""

    def predicates(self) -> Iterable[str]:
        return declared_in(self.home).predicates


class DeclaredOntology(dg.ConfigurableResource[Ontology]):
    """The ontology that ships, with the extra file that the settings name."""

    home: Home

    def create_resource(self, context: dg.InitResourceContext) -> Ontology:  # noqa: ARG002
        return declared_in(self.home)


def declared_in(home: Home) -> Ontology:
    return ontology_with(home.settings().extra_ontology)


class NoveltyThresholds(dg.ConfigurableResource[Thresholds]):
    """From which score an utterance takes which route; from the settings."""

    home: Home

    def create_resource(self, context: dg.InitResourceContext) -> Thresholds:  # noqa: ARG002
        novelty = self.home.settings().novelty
        return Thresholds(immediate=novelty.immediate, batch=novelty.batch)


class BeliefPolicy(dg.ConfigurableResource[Policy]):
    """How conflicts are settled; from the settings."""

    home: Home

    def create_resource(self, context: dg.InitResourceContext) -> Policy:  # noqa: ARG002
        return Policy(self.home.settings().belief.policy)


class KeptGenerations(dg.ConfigurableResource[Keep]):
    """How many generations of belief are kept when old ones are dropped; from the settings."""

    home: Home

    def create_resource(self, context: dg.InitResourceContext) -> Keep:  # noqa: ARG002
        return Keep(self.home.settings().belief.keep_generations)


class NightlyRoutes(dg.ConfigurableResource[Sequence[Route]]):
    """What the night takes: the log too, unless the settings say never."""

    home: Home

    def create_resource(self, context: dg.InitResourceContext) -> Sequence[Route]:  # noqa: ARG002
        return ALL_ROUTES if self.home.settings().novelty.log_route == "nightly" else USUAL_ROUTES


class ChosenVoters(dg.ConfigurableResource[Voters]):
    """Who reads without a language model; from the settings."""

    home: Home

    def create_resource(self, context: dg.InitResourceContext) -> Voters:  # noqa: ARG002
        chosen = self.home.settings().extraction
        return Voters(methods=chosen.voters, parser=chosen.parser)


class LanguageReader(dg.ConfigurableResource[LanguageVoter | None]):
    """The language model that the settings name, with the budget of one run; None where they name none."""

    home: Home

    def create_resource(self, context: dg.InitResourceContext) -> LanguageVoter | None:  # noqa: ARG002
        settings = self.home.settings().llm
        model = build_language_model(settings, os.environ)
        if model is None:
            return None
        return LanguageVoter(model, declared_in(self.home), batch=settings.batch, tokens=settings.tokens_per_run)


class NamedFrom(dg.ConfigurableResource[Least]):
    """How many memories must use a provisional predicate for the report to name it; from the settings."""

    home: Home

    def create_resource(self, context: dg.InitResourceContext) -> Least:  # noqa: ARG002
        return Least(self.home.settings().ontology.least_memories)


# In one process: a process per step would import everything five times, which costs more than the work of a shard.
incremental_memory = dg.define_asset_job(
    "incremental_memory",
    selection=dg.AssetSelection.assets(*ASSETS).without_checks(),
    executor_def=dg.in_process_executor,
    description="One shard, from what was said to what recall searches: the immediate and the batch path.",
)
nightly_memory = dg.define_asset_job(
    "nightly_memory",
    selection=dg.AssetSelection.assets(*ASSETS).without_checks(),
    executor_def=dg.in_process_executor,
    tags={ROUTES_TAG: ",".join(ALL_ROUTES)},
    description="The same with what was routed to the log.",
)
audit = dg.define_asset_job(
    "audit",
    selection=dg.AssetSelection.checks(*CHECKS) | dg.AssetSelection.assets(journal_checkpoint, merge_suggestions),
    executor_def=dg.in_process_executor,
    description="Every contract between the stages, over all memories, a signed checkpoint of their journals, and "
    "how many entities wait to be merged.",
)

rebuild_generation = dg.define_asset_job(
    "rebuild_generation",
    selection=dg.AssetSelection.assets(rebuilt_graph).without_checks(),
    executor_def=dg.in_process_executor,
    description="One shard's belief derived again beside what serves, then flipped to; a backfill over all shards is "
    "the roll-out of another ontology or policy.",
)

drop_generations = dg.define_asset_job(
    "drop_generations",
    selection=dg.AssetSelection.assets(kept_generations).without_checks(),
    executor_def=dg.in_process_executor,
    description="One shard's old generations of belief dropped, but for the last few; reads as of when they served are "
    "refused from then on.",
)

measure_novelty = dg.define_asset_job(
    "measure_novelty",
    selection=dg.AssetSelection.assets(novelty_operating_curve, novelty_model).without_checks(),
    executor_def=dg.in_process_executor,
    description="What each threshold of novelty would miss in these memories, and how good its shipped weights are.",
)

report_ontology_gaps = dg.define_asset_job(
    "report_ontology_gaps",
    selection=dg.AssetSelection.assets(ontology_gaps).without_checks(),
    executor_def=dg.in_process_executor,
    description="What users say that the ontology has no predicate for, over all memories.",
)

home = Home()

defs = dg.Definitions(
    assets=[
        *ASSETS,
        rebuilt_graph,
        kept_generations,
        journal_checkpoint,
        merge_suggestions,
        novelty_operating_curve,
        novelty_model,
        ontology_gaps,
    ],
    asset_checks=CHECKS,
    jobs=[
        incremental_memory,
        nightly_memory,
        rebuild_generation,
        drop_generations,
        measure_novelty,
        report_ontology_gaps,
        audit,
        find_lost_work,
    ],
    sensors=[
        high_novelty(incremental_memory.name),
        long_queue(incremental_memory.name),
        left_by_the_night(nightly_memory.name),
    ],
    schedules=[
        hourly_batch(incremental_memory.name),
        nightly(nightly_memory.name),
        nightly_audit(audit.name),
        weekly_measurement(measure_novelty.name),
        weekly_ontology_report(report_ontology_gaps.name),
        hourly_sweep,
    ],
    resources={
        "stores": MemoryStores(home=home),
        "embedder": TextEncoder(home=home),
        "voters": ChosenVoters(home=home),
        "language_voter": LanguageReader(home=home),
        "compute": BatchCompute(home=home),
        "ontology": DeclaredOntology(home=home),
        "least": NamedFrom(home=home),
        "thresholds": NoveltyThresholds(home=home),
        "policy": BeliefPolicy(home=home),
        "keep": KeptGenerations(home=home),
        "nightly_routes": NightlyRoutes(home=home),
        "checkpoints": Checkpoints(home=home),
        "clock": system_clock,
    },
)
