"""verify, checkpoint, state-hash, export, import: what an auditor asks for, and what a person may take along."""

import argparse
from pathlib import Path

from palimpsest.commands.declaring import Commands, add_user, command


def register(commands: Commands) -> None:
    declared = command(
        commands, "verify", verify, "hold every row against the chained journal; fails at the first that was altered"
    )
    add_user(declared, required=False, help_text="whose memory (default: all)")
    declared.add_argument("--checkpoint", type=Path, metavar="FILE", help="hold all journals against this checkpoint")
    declared.add_argument("--certificate", type=Path, metavar="FILE", help="check a certificate of erasure instead")
    declared.add_argument("--key", type=Path, metavar="FILE", help="its public key (default: that of the home)")

    command(commands, "checkpoint", checkpoint, "sign one root over all journals; keep a copy elsewhere")

    declared = command(commands, "state-hash", state_hash, "print the hash of all that is believed now")
    add_user(declared)

    declared = command(
        commands, "erase", erase, "destroy a memory, or parts of it, for good; prints a signed certificate"
    )
    add_user(declared)
    declared.add_argument("--utterance", action="append", default=[], metavar="ID", help="only this; may be repeated")
    declared.add_argument("--session", action="append", default=[], metavar="ID", help="only this; may be repeated")
    declared.add_argument("--yes", action="store_true", help="really")

    declared = command(commands, "export", export, "write all that is kept of one memory, as JSON lines")
    add_user(declared)
    declared.add_argument("--out", type=Path, metavar="FILE", help="default: standard output")

    declared = command(commands, "import", import_, "append the evidence of an export, in its old order")
    declared.add_argument("file", type=Path, metavar="FILE")
    add_user(declared)


def verify(arguments: argparse.Namespace) -> int:
    from kg_assets.errors import InvalidInput
    from palimpsest.home import open_home
    from palimpsest.printing import show_json
    from palimpsest.verification import verify_memories
    from palimpsest.views import show_verified

    if arguments.checkpoint is not None:
        return verify_checkpoint(arguments)
    if arguments.certificate is not None:
        if arguments.user is not None:
            raise InvalidInput("a certificate of erasure names nobody; leave --user out", where="verify")
        return verify_certificate(arguments)
    with open_home() as home:
        report = verify_memories(home, arguments.user)
    (show_json if arguments.json else show_verified)(report)
    return 0 if report.whole else 1


def verify_checkpoint(arguments: argparse.Namespace) -> int:
    from palimpsest.checkpoints import hold_against
    from palimpsest.home import open_home
    from palimpsest.printing import say, show_json

    with open_home() as home:
        held = hold_against(home, arguments.checkpoint, arguments.key, arguments.user)
    if arguments.json:
        show_json(held)
        return 0 if held.whole else 1
    for each in held.findings:
        say(f"{each.user or arguments.checkpoint}: BROKEN: {each.message}")
    if held.whole:
        journals = "1 journal goes" if held.memories == 1 else f"{held.memories} journals go"
        say(f"{journals} on from the checkpoint of {held.taken_at}")
    return 0 if held.whole else 1


def verify_certificate(arguments: argparse.Namespace) -> int:
    from palimpsest.erasing import check_certificate, check_signature
    from palimpsest.home import home_is_here, open_home
    from palimpsest.printing import say, show_json

    if arguments.key is not None and not home_is_here():
        checked = check_signature(arguments.certificate, arguments.key)
    else:
        with open_home() as home:
            checked = check_certificate(home, arguments.certificate, arguments.key)
    whole = checked.sound and checked.kept is not False
    if arguments.json:
        show_json(checked)
    elif not checked.sound:
        say(f"{arguments.certificate}: BROKEN: altered, or signed with another key")
    elif checked.kept is False:
        say(f"{arguments.certificate}: BROKEN: what this home kept of the memory is not what it certifies")
    else:
        say(f"{arguments.certificate}: holds" + ("" if checked.kept is None else ", and so does the chain of headers"))
    return 0 if whole else 1


def erase(arguments: argparse.Namespace) -> int:
    from kg_assets.errors import InvalidInput
    from palimpsest.erasing import erase_user
    from palimpsest.home import open_home
    from palimpsest.printing import note, show_json

    if arguments.utterance or arguments.session:
        return erase_some(arguments)
    with open_home() as home:
        info = home.info(arguments.user)
        if not arguments.yes:
            raise InvalidInput(
                f"nothing was erased: the memory of {info.name!r} would go for good. Export it first if it is wanted, "
                "then say --yes"
            )
        certificate = erase_user(home, arguments.user)
    show_json(certificate)
    if not arguments.json:
        note("Keep this certificate; `palimpsest verify --certificate FILE` checks it.")
    return 0


def erase_some(arguments: argparse.Namespace) -> int:
    from kg_assets.errors import InvalidInput
    from palimpsest.erasing import erase_part
    from palimpsest.home import open_home
    from palimpsest.printing import note, show_json

    if arguments.utterance and arguments.session:
        raise InvalidInput("name utterances or sessions, one kind at a time", where="erase")
    if not arguments.yes:
        raise InvalidInput(
            "nothing was erased: what is named would go for good, with all traces of it. To do so say --yes"
        )
    with open_home() as home:
        done = erase_part(home, arguments.user, utterances=arguments.utterance, sessions=arguments.session)
        with home.memory(arguments.user) as memory:
            waits = any(memory.ledger.pending_counts().values())
    show_json(done.certificate)
    if not done.scrubbed:
        note("Old pages of the file are still being read; they go with the next sweep (within the hour).")
    if not arguments.json:
        note("Keep this certificate; `palimpsest verify --certificate FILE` checks it.")
    if waits and not arguments.json:
        note("Next: palimpsest materialise --all, which reads and embeds again what stood beside it.")
    return 0


def checkpoint(arguments: argparse.Namespace) -> int:
    from palimpsest.checkpoints import take_checkpoint
    from palimpsest.home import open_home
    from palimpsest.printing import say, show_json
    from palimpsest.views import number_of

    with open_home() as home:
        taken = take_checkpoint(home)
    if arguments.json:
        show_json(taken)
    else:
        say(f"{number_of(taken.memories, 'journal')}, root {taken.root}")
        say(f"Signed in {taken.file}; keep a copy elsewhere, with the public key beside it.")
    return 1 if taken.unread else 0


def state_hash(arguments: argparse.Namespace) -> int:
    from kg_assets.graph.state import state_hash as hash_of
    from palimpsest.home import open_home
    from palimpsest.printing import note, say, show_json

    with open_home() as home, home.memory(arguments.user) as memory:
        found = hash_of(memory)
        empty = not any(memory.graph.slot_hashes())
    if empty:
        note(
            "Nothing is believed in this memory yet, so this is the hash of nothing; see palimpsest materialise --all."
        )
    if arguments.json:
        show_json({"user": arguments.user, "state_hash": found})
    else:
        say(found)
    return 0


def export(arguments: argparse.Namespace) -> int:
    import sys

    from palimpsest.exporting import export_memory, export_to
    from palimpsest.home import open_home
    from palimpsest.printing import note, show_json

    with open_home() as home:
        if arguments.out is None:
            export_memory(home, arguments.user, sys.stdout.buffer)
            return 0
        report = export_to(home, arguments.user, arguments.out)
    if arguments.json:
        show_json(report)
    else:
        note(f"{report.user}: {report.lines} lines in {arguments.out}")
    return 0


def import_(arguments: argparse.Namespace) -> int:
    from palimpsest.exporting import import_file
    from palimpsest.home import open_home
    from palimpsest.printing import complain, say, show_json

    with open_home() as home:
        report = import_file(home, arguments.file, arguments.user, on_problem=complain)
    if arguments.json:
        show_json(report)
    else:
        say(f"{report.user}: {report.new} new, {report.known} already known")
        if report.new:
            say("Next: palimpsest materialise --all")
    return 1 if report.problems else 0
