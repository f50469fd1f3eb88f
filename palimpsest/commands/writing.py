"""ingest, assert, extract, materialise: from a file to facts."""

import argparse
from pathlib import Path

from palimpsest.commands.declaring import Commands, add_user, command

FORMATS = ("jsonl", "locomo", "chat", "document")


def register(commands: Commands) -> None:
    declared = command(commands, "ingest", ingest, "append the utterances of a file; they are found by recall at once")
    declared.add_argument("file", type=Path, metavar="FILE")
    add_user(declared, required=False, help_text="whose memory (locomo names its memories itself)")
    declared.add_argument("--format", choices=FORMATS, help="default: told from how the file begins")

    declared = command(commands, "assert", assert_, "append dated statements that have no text, as evidence")
    declared.add_argument(
        "file", type=Path, metavar="FILE", help="JSON lines: subject, predicate, object, valid_from …"
    )
    add_user(declared, help_text="whose memory")

    declared = command(
        commands,
        "extract",
        extract,
        "show what would be read from each line of a text or of a chat in JSON lines; stores nothing",
        json_help="print JSON Lines: one object for each triple",
    )
    declared.add_argument("file", type=Path, metavar="FILE")
    declared.add_argument(
        "--open",
        action="store_true",
        help="keep predicates as worded and tokens as in the line (open information extraction); "
        "nobody is resolved and nothing dated, so the options below change nothing",
    )
    declared.add_argument("--speaker", metavar="NAME", help="who says the lines (those of a chat may tell it)")
    declared.add_argument("--said-at", metavar="TIME", help="when they were said (default: now)")

    declared = command(
        commands, "materialise", materialise, "bring what waits into the graph through Dagster, and wait"
    )
    declared.add_argument("--shard", help="one shard, such as shard-07 (default: those where something waits)")
    declared.add_argument("--all", action="store_true", help="also what was routed to the log only")


def ingest(arguments: argparse.Namespace) -> int:
    """Good lines are kept, each bad one is reported, and the exit code says whether there was one."""
    from kg_assets.errors import InvalidInput
    from kg_assets.utterances.formats import recognised
    from palimpsest.home import open_home
    from palimpsest.ingestion import ingest_file
    from palimpsest.printing import complain, show_json
    from palimpsest.views import show_ingested

    format_name = arguments.format or recognised(arguments.file)
    names_itself = format_name == "locomo"
    if not names_itself and not arguments.user:
        raise InvalidInput("say whose memory: --user NAME", where=f"ingest --format {format_name}")
    if names_itself and arguments.user:
        complain("locomo names one memory for each conversation; --user is left aside")
    with open_home() as home:
        report = ingest_file(home, arguments.file, format_name, arguments.user or "", on_problem=complain)
    if arguments.json:
        show_json(report)
    else:
        show_ingested(report)
    return 1 if report.problems else 0


def assert_(arguments: argparse.Namespace) -> int:
    """Good lines are kept, each bad one is reported, and the exit code says whether there was one."""
    from palimpsest.asserting import assert_file
    from palimpsest.home import open_home
    from palimpsest.printing import complain, say, show_json

    with open_home() as home:
        report = assert_file(home, arguments.file, arguments.user, on_problem=complain)
    if arguments.json:
        show_json(report)
    else:
        say(f"{report.user}: {report.new} new, {report.known} already known")
        if report.new:
            say("Next: palimpsest materialise (with --all also what is kept in the log)")
    return 1 if report.problems else 0


def extract(arguments: argparse.Namespace) -> int:
    """With --json one JSON object a triple and line, as they are found; else a table."""
    from kg_assets.utterances.lines import Problem
    from palimpsest.extraction import open_triples_of_file, triples_of_file
    from palimpsest.home import instant
    from palimpsest.printing import complain, show_json_line
    from palimpsest.views import show_triples
    from resources.clock import system_clock

    said_at = instant(arguments.said_at, "--said-at")
    said_at = system_clock() if said_at is None else said_at
    triples, problems = [], 0
    for found in (
        open_triples_of_file(arguments.file)
        if arguments.open
        else triples_of_file(arguments.file, speaker=arguments.speaker, said_at=said_at)
    ):
        if isinstance(found, Problem):
            complain(f"{found.where}: {found.message}")
            problems += 1
        elif arguments.json:
            show_json_line(found)
        else:
            triples.append(found)
    if not arguments.json:
        show_triples(triples)
    return 1 if problems else 0


def materialise(arguments: argparse.Namespace) -> int:
    """Runs in this process on the home's Dagster instance, so that they are in its UI afterwards."""
    from kg_assets.errors import InvalidInput
    from kg_assets.partitions import SHARDS
    from palimpsest.home import home_settings
    from palimpsest.materialising import materialise as materialise_shards
    from palimpsest.printing import show_json
    from palimpsest.progress import Progress
    from palimpsest.views import show_materialised

    settings = home_settings()
    if arguments.shard and arguments.shard not in SHARDS:
        raise InvalidInput(f"there is no {arguments.shard!r}; they are {SHARDS[0]} to {SHARDS[-1]}", where="--shard")
    with Progress("materialising shards") as progress:
        summary = materialise_shards(
            settings,
            shards=[arguments.shard] if arguments.shard else None,
            everything=arguments.all,
            on_progress=lambda done, total, _shard: progress.show(done, total),
        )
    (show_json if arguments.json else show_materialised)(summary)
    return 0 if summary.ok else 1
