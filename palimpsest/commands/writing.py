"""ingest, extract, materialise: from a file to facts."""

import argparse
from pathlib import Path

from palimpsest.commands.declaring import Commands, add_user, command

FORMATS = ("jsonl", "locomo", "chat")


def register(commands: Commands) -> None:
    declared = command(commands, "ingest", ingest, "append the utterances of a file; they are found by recall at once")
    declared.add_argument("file", type=Path, metavar="FILE")
    add_user(declared, required=False, help_text="whose memory (locomo names its memories itself)")
    declared.add_argument("--format", choices=FORMATS, default="jsonl", help="default: jsonl")

    declared = command(commands, "extract", extract, "show what would be read from each line of a text; stores nothing")
    declared.add_argument("file", type=Path, metavar="FILE")
    declared.add_argument("--open", action="store_true", help="keep predicates as worded (open information extraction)")
    declared.add_argument("--speaker", metavar="NAME", help="who says the lines")
    declared.add_argument("--said-at", metavar="TIME", help="when they were said (default: now)")

    declared = command(
        commands, "materialise", materialise, "bring what waits into the graph through Dagster, and wait"
    )
    declared.add_argument("--shard", help="one shard, such as shard-07 (default: those where something waits)")
    declared.add_argument("--all", action="store_true", help="also what was routed to the log only")


def ingest(arguments: argparse.Namespace) -> int:
    """Good lines are kept, each bad one is reported, and the exit code says whether there was one."""
    from kg_assets.errors import InvalidInput
    from palimpsest.home import open_home
    from palimpsest.ingestion import ingest_file
    from palimpsest.printing import complain, show_json
    from palimpsest.views import show_ingested

    names_itself = arguments.format == "locomo"
    if not names_itself and not arguments.user:
        raise InvalidInput("say whose memory: --user NAME", where=f"ingest --format {arguments.format}")
    if names_itself and arguments.user:
        complain("locomo names one memory for each conversation; --user is left aside")
    with open_home() as home:
        report = ingest_file(home, arguments.file, arguments.format, arguments.user or "", on_problem=complain)
    if arguments.json:
        show_json(report)
    else:
        show_ingested(report)
    return 1 if report.problems else 0


def extract(arguments: argparse.Namespace) -> int:
    """One JSON object a triple with --json, else a table."""
    from palimpsest.extraction import show_triple_lines, show_triples
    from palimpsest.printing import complain
    from palimpsest.triples import triples_of_file

    triples, problems = triples_of_file(
        arguments.file, keep_wording=arguments.open, speaker=arguments.speaker, said_at=arguments.said_at
    )
    (show_triple_lines if arguments.json else show_triples)(triples)
    for problem in problems:
        complain(problem)
    return 1 if problems else 0


def materialise(arguments: argparse.Namespace) -> int:
    """Runs in this process on the home's Dagster instance, so that the run is in its UI afterwards."""
    from palimpsest.materialisation import materialise_waiting, show_materialised
    from palimpsest.printing import show_json

    report = materialise_waiting(shard=arguments.shard, everything=arguments.all)
    if arguments.json:
        show_json(report)
    else:
        show_materialised(report)
    return 0 if report.done else 1
