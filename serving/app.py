"""The application: what stands at which address."""

from typing import Any

import falcon.asgi

from kg_assets.graph.policies import Policy
from kg_assets.novelty.scoring import Thresholds
from kg_assets.ports import Clock, Embedder, Stores
from kg_assets.text.extra_ontology import ontology_with
from resources.checkpoints import CheckpointFolder
from resources.settings import Settings
from serving import errors
from serving.ask import Ask
from serving.auth import Authentication
from serving.credentials import Verifier
from serving.curation import FactCorrection, FactRetraction, ReviewDecision, Reviews
from serving.documents import Documents
from serving.entities import Entities, EntityMerge, EntityNames, EntitySplit
from serving.erasing import Session
from serving.facts import FactHistory, FactLineage, Facts
from serving.health import KnowledgeGraph, Live, Ready
from serving.logs import RequestLog
from serving.memories import Memories
from serving.one_utterance import Utterance
from serving.recall import Recall
from serving.suggestions import SuggestionDecision, Suggestions
from serving.utterances import Utterances
from serving.walks import EntityNeighbourhood, Paths


def create_app(settings: Settings, stores: Stores, embedder: Embedder, clock: Clock) -> falcon.asgi.App[Any, Any]:
    """Settings → collaborators → resources → addresses."""
    ontology = ontology_with(settings.extra_ontology)
    thresholds = Thresholds(immediate=settings.novelty.immediate, batch=settings.novelty.batch)
    policy = Policy(settings.belief.policy)
    memories = Memories(stores, embedder, clock)
    verifier = Verifier(settings.verifying_key, issuer=settings.tokens.issuer, audience=settings.tokens.audience)

    middleware: list[Any] = [RequestLog(), Authentication(verifier, stores), memories]
    app: falcon.asgi.App[Any, Any] = falcon.asgi.App(middleware=middleware)
    errors.install(app)
    app.add_route("/v1/utterances", Utterances(memories, ontology, thresholds, clock))
    app.add_route("/v1/documents", Documents(memories, ontology, thresholds, clock))
    app.add_route("/v1/recall", Recall(memories, clock))
    app.add_route("/v1/ask", Ask(memories, ontology, clock))
    curation = (memories, ontology, policy, clock)
    signing = (*curation, CheckpointFolder(settings.home).sign_published)
    app.add_route("/v1/utterances/{utterance_id:path}", Utterance(*signing))
    app.add_route("/v1/sessions/{session_id:path}", Session(*signing))
    app.add_route("/v1/facts", Facts(*curation))
    app.add_route("/v1/facts/{fact_id}/history", FactHistory(memories))
    app.add_route("/v1/facts/{fact_id}/lineage", FactLineage(memories))
    app.add_route("/v1/facts/{fact_id}/correct", FactCorrection(*curation))
    app.add_route("/v1/facts/{fact_id}/retract", FactRetraction(*curation))
    app.add_route("/v1/reviews", Reviews(*curation))
    app.add_route("/v1/reviews/{review_id}", ReviewDecision(*curation))
    app.add_route("/v1/entities", Entities(*curation))
    app.add_route("/v1/entities/merge", EntityMerge(*curation))
    app.add_route("/v1/entities/split", EntitySplit(*curation))
    app.add_route("/v1/entities/suggestions", Suggestions(*curation))
    app.add_route("/v1/entities/suggestions/{suggestion_id}", SuggestionDecision(*curation))
    app.add_route("/v1/entities/{entity}", EntityNames(*curation))
    app.add_route("/v1/entities/{entity}/neighbourhood", EntityNeighbourhood(memories, clock))
    app.add_route("/v1/paths", Paths(memories, clock))
    app.add_route("/health/live", Live())
    app.add_route("/health/ready", Ready(memories))
    app.add_route("/health/kg", KnowledgeGraph(memories))
    return app
