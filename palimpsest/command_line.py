"""The command `palimpsest`. Each subcommand imports what it needs when it runs, so that `--help` is instant."""

import argparse
import os
import sys
from collections.abc import Sequence

from palimpsest.commands import curating, generations, homes, ontology, operations, proofs, reading, writing

DESCRIPTION = "Long-term memory for chat assistants: what was said, what is believed, and why."


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; 0 only when all of it was done, 1 when something was not, 2 for a mistake in the command."""
    arguments = parser().parse_args(argv)
    from kg_assets.errors import PalimpsestError

    try:
        return int(arguments.run(arguments))
    except PalimpsestError as ex:
        print(f"palimpsest: {ex}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("palimpsest: interrupted; what was done stays, run the command again for the rest", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader of a pipe went away, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def parser() -> argparse.ArgumentParser:
    """All commands, in the order in which someone new needs them."""
    top = argparse.ArgumentParser(
        prog="palimpsest",
        description=DESCRIPTION,
        epilog="The home directory is $PALIMPSEST_HOME, or ./.palimpsest.",
        allow_abbrev=False,
        formatter_class=lambda prog: argparse.HelpFormatter(prog, max_help_position=28),
    )
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for group in (homes, writing, reading, curating, ontology, generations, proofs, operations):
        group.register(commands)
    return top


if __name__ == "__main__":
    sys.exit(main())
