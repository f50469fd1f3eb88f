"""What the parsers of several commands share."""

import argparse
from collections.abc import Callable
from typing import Any

Commands = Any  # argparse's own type of a group of subparsers is private
Run = Callable[[argparse.Namespace], int]


JSON = "print JSON with the fields of the HTTP contract"


def command(commands: Commands, name: str, run: Run, help_text: str, json_help: str = JSON) -> argparse.ArgumentParser:
    """A subcommand with `--json`; options are never abbreviated, so that a new one breaks no script."""
    declared: argparse.ArgumentParser = commands.add_parser(
        name, help=help_text, description=help_text[:1].upper() + help_text[1:] + ".", allow_abbrev=False
    )
    declared.add_argument("--json", action="store_true", help=json_help)
    declared.set_defaults(run=run)
    return declared


def add_user(declared: argparse.ArgumentParser, *, required: bool = True, help_text: str = "whose memory") -> None:
    declared.add_argument("--user", required=required, metavar="NAME", help=help_text)


def add_times(declared: argparse.ArgumentParser) -> None:
    """The two axes."""
    declared.add_argument(
        "--valid-at", metavar="TIME", help="when it was true: RFC 3339, or a date for its start in UTC (default: now)"
    )
    declared.add_argument("--known-at", metavar="TIME", help="when the system believed it; likewise (default: now)")
