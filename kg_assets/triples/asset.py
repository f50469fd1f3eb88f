import dagster as dg

from kg_assets.asset import ALL_ROUTES, materialise, memory_asset, origin_of, routes_of
from kg_assets.ports import Clock, Compute, Memory, Stores
from kg_assets.shards import Visit
from kg_assets.text.ontology import Ontology
from kg_assets.triples.backlog import ExtractionReport, extract_pending
from kg_assets.triples.extraction import Voters
from kg_assets.triples.language_voter import LanguageVoter


@memory_asset("extracted_triples", deps=("novelty_scores",), kinds={"python", "spacy", "sqlite"}, reads="evidence")
def extracted_triples(
    context: dg.AssetExecutionContext,
    stores: dg.ResourceParam[Stores],
    voters: dg.ResourceParam[Voters],
    language_voter: dg.ResourceParam[LanguageVoter | None],
    compute: dg.ResourceParam[Compute],
    ontology: dg.ResourceParam[Ontology],
    clock: dg.ResourceParam[Clock],
) -> dg.MaterializeResult[None]:
    """Assertions: who said what of whom, when it holds, how surely, and read by which extractor.

    Several readers vote on each utterance: plain patterns, one pass of the parser, and whoever else the settings name
    (every clause in its own words, a language model). What they agree on becomes one assertion with a span into the
    text. Assertions are evidence: they are added, never edited.

    Takes the routes that the run's tag `palimpsest/routes` names: `immediate,batch` unless it says otherwise.

    *Data version*: per log its head, what still waits, and the extractor's version.
    """
    routes = routes_of(context)
    extractor = voters.extractor(ontology, language_voter.version if language_voter else "")

    def wanted(memory: Memory) -> bool:
        return bool(memory.ledger.pending("extract", routes, 1))

    def work(memory: Memory) -> ExtractionReport:
        return extract_pending(
            memory,
            extractor,
            routes=routes,
            origin=origin_of(context),
            clock=clock,
            language=language_voter,
            compute=compute,
        )

    def fingerprint(memory: Memory) -> list[int | str | list[int]]:
        return [memory.ledger.head().seq, memory.ledger.pending("extract", ALL_ROUTES), extractor.version]

    return materialise(
        context,
        stores,
        clock,
        Visit(wanted=wanted, work=work, fingerprint=fingerprint, version=extractor.version),
        metadata={"routes": ", ".join(routes), "extractor": extractor.version},
    )
