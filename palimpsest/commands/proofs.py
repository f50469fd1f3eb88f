"""verify, state-hash: that nothing was altered, and that two graphs are the same."""

import argparse

from palimpsest.commands.declaring import Commands, add_user, command


def register(commands: Commands) -> None:
    declared = command(
        commands, "verify", verify, "check the hash chain of every change; fails at the first broken entry"
    )
    add_user(declared, required=False, help_text="whose memory (default: all)")

    declared = command(commands, "state-hash", state_hash, "print the hash of all that is believed now")
    add_user(declared)


def verify(arguments: argparse.Namespace) -> int:
    from palimpsest.home import open_home
    from palimpsest.printing import show_json
    from palimpsest.verification import verify_memories
    from palimpsest.views import show_verified

    with open_home() as home:
        report = verify_memories(home, arguments.user)
    (show_json if arguments.json else show_verified)(report)
    return 0 if report.whole else 1


def state_hash(arguments: argparse.Namespace) -> int:
    from kg_assets.graph.state import state_hash as hash_of
    from palimpsest.home import open_home
    from palimpsest.printing import say, show_json

    with open_home() as home, home.memory(arguments.user) as memory:
        found = hash_of(memory)
    if arguments.json:
        show_json({"user": arguments.user, "state_hash": found})
    else:
        say(found)
    return 0
