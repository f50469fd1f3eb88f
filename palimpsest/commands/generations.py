"""rebuild, generations, flip, diff, replay: other generations of belief, and the graph made again."""

import argparse
from typing import TYPE_CHECKING

from palimpsest.commands.declaring import Commands, add_user, command

if TYPE_CHECKING:
    from kg_assets.maintenance.generations import Rebuilt
    from palimpsest.rebuilding import DroppedMemory

MOST_LOST = 0.2
SETTING = 0  # of --keep without a number


def register(commands: Commands) -> None:
    declared = command(commands, "rebuild", rebuild, "derive all belief again beside what serves, then let it serve")
    add_user(declared, required=False, help_text="whose memory (default: all, one after the other)")
    declared.add_argument(
        "--read-again", action="store_true", help="read all utterances again first, by the voters and rules of today"
    )
    declared.add_argument("--no-flip", action="store_true", help="build and check it, and leave the old one serving")
    declared.add_argument(
        "--most-lost",
        type=float,
        default=MOST_LOST,
        metavar="SHARE",
        help=f"of the statements believed so far that it may give up and still serve (default: {MOST_LOST})",
    )

    declared = command(
        commands, "generations", generations, "list the generations of a memory, and when each served; or drop old ones"
    )
    add_user(declared, required=False, help_text="whose memory (default, with --keep: all)")
    dropping = declared.add_mutually_exclusive_group()
    dropping.add_argument(
        "--drop",
        type=int,
        action="append",
        metavar="GENERATION",
        help="drop one that does not serve: reads as of when it did are refused from then on; may be repeated",
    )
    dropping.add_argument(
        "--keep",
        type=at_least_one,
        nargs="?",
        const=SETTING,
        metavar="NUMBER",
        help="drop all but the last so many to serve (default: keep_generations of the settings)",
    )

    declared = command(commands, "flip", flip, "let another generation serve, or an old one again")
    declared.add_argument("generation", type=int, metavar="GENERATION")
    add_user(declared)

    declared = command(commands, "diff", diff, "tell in words what two generations disagree about")
    declared.add_argument("a", type=int, metavar="A")
    declared.add_argument("b", type=int, metavar="B")
    add_user(declared)

    declared = command(commands, "replay", replay, "throw the graph away and apply the journal again: the same rows")
    add_user(declared)


def at_least_one(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError("the generation that serves is kept at least: 1 or more")
    return int(text)


def replay(arguments: argparse.Namespace) -> int:
    from palimpsest.home import open_home
    from palimpsest.printing import say, show_json
    from palimpsest.rebuilding import replay_memory

    with open_home() as home:
        done = replay_memory(home, arguments.user)
    if arguments.json:
        show_json(done)
    else:
        say(f"{arguments.user}: {done.applied} journal entries applied")
        was = "as before" if done.before == done.after else f"it was {done.before}: the graph had been damaged"
        say(f"  state hash {done.after}, {was}")
    return 0


def rebuild(arguments: argparse.Namespace) -> int:
    from palimpsest.home import open_home
    from palimpsest.printing import complain, say, show_json
    from palimpsest.rebuilding import rebuild_memories
    from palimpsest.views import number_of

    made, failed = [], 0
    with open_home() as home:
        done = rebuild_memories(
            home,
            arguments.user,
            read_again=arguments.read_again,
            flip_to_it=not arguments.no_flip,
            most_lost=arguments.most_lost,
        )
        for each in done:
            made.append(each)
            if each.rebuilt is None:
                failed += 1
                complain(f"{each.user}: {each.problem}")
                continue
            if not arguments.json:
                serving = "serves" if each.rebuilt.flipped else f"stands beside {each.rebuilt.served}, which serves"
                facts = number_of(each.rebuilt.facts, "fact")
                counts = f"{facts}, {each.rebuilt.gained} gained, {each.rebuilt.lost} lost"
                say(f"{each.user}: generation {each.rebuilt.generation} {serving}: {counts}")
                say(f"  state hash {each.rebuilt.state_hash}")
            if each.rebuilt.missed:
                failed += 1
                complain(f"{each.user}: {missed(each.rebuilt)}; go on with: palimpsest rebuild --read-again")
    if arguments.json:
        show_json(made)
    return 1 if failed else 0


def missed(rebuilt: "Rebuilt") -> str:
    from palimpsest.views import number_of

    left, others = number_of(rebuilt.missed, "utterance"), number_of(rebuilt.read_again, "other")
    why = "the language model had no budget left for them or did not answer"
    return f"{others} read again, {left} left as read before, because {why}"


def generations(arguments: argparse.Namespace) -> int:
    from kg_assets.errors import InvalidInput
    from palimpsest.home import open_home
    from palimpsest.rebuilding import drop_generations, generations_of, keep_generations

    if arguments.user is None and arguments.keep is None:
        raise InvalidInput("name whose memory; only --keep goes through all", where="--user")
    with open_home() as home:
        if arguments.drop:
            return show_dropped(arguments, [drop_generations(home, arguments.user, arguments.drop)])
        if arguments.keep is not None:
            keep = arguments.keep or None
            return show_dropped(arguments, list(keep_generations(home, arguments.user, keep)))
        found = generations_of(home, arguments.user)
    show(arguments, found)
    return 0


def show_dropped(arguments: argparse.Namespace, done: "list[DroppedMemory]") -> int:
    from palimpsest.printing import complain, say, show_json
    from palimpsest.views import number_of

    if arguments.json:
        show_json(done)
    for each in done:
        if each.dropped is None:
            complain(f"{each.user}: {each.problem}")
        elif not arguments.json and not each.dropped.numbers:
            say(f"{each.user}: nothing to drop")
        elif not arguments.json:
            numbers = ", ".join(map(str, each.dropped.numbers))
            versions = number_of(each.dropped.fact_versions, "fact version")
            say(f"{each.user}: dropped {numbers}, with {versions} and {each.dropped.index_items:,} index items")
    return 1 if any(each.dropped is None for each in done) else 0


def flip(arguments: argparse.Namespace) -> int:
    from palimpsest.home import open_home
    from palimpsest.rebuilding import flip_memory

    with open_home() as home:
        found = flip_memory(home, arguments.user, arguments.generation)
    show(arguments, found)
    return 0


def show(arguments: argparse.Namespace, found: list) -> None:  # type: ignore[type-arg]
    from palimpsest.printing import console, show_json
    from palimpsest.views import moment, table

    if arguments.json:
        show_json(found)
        return
    rows = [
        [
            str(each.generation),
            "serves" if each.serves else "dropped" if each.dropped else "" if each.whole else "half built",
            "yes" if each.up_to_date else "no",
            f"but for {each.missed}" if each.missed else "yes" if each.reader else "",
            each.state_hash[:16],
            "; ".join(
                f"{moment(span.recorded_from) or 'the beginning'} to {moment(span.recorded_to) or 'now'}"
                for span in each.served
            ),
        ]
        for each in found
    ]
    columns = ("generation", "", "rules of today", "read again", "state hash", "served")
    console().print(table(*columns, rows=rows, wraps=["served"]))


def diff(arguments: argparse.Namespace) -> int:
    from kg_assets.maintenance.comparing import in_words
    from palimpsest.home import open_home
    from palimpsest.printing import say, show_json
    from palimpsest.rebuilding import difference_of

    with open_home() as home:
        found = difference_of(home, arguments.user, arguments.a, arguments.b)
    if arguments.json:
        show_json(found)
        return 0
    for line in in_words(found):
        say(line)
    counts = {kind: sum(each.kind == kind for each in found.differing) for kind in ("gained", "lost", "changed")}
    told = ", ".join(f"{count} {kind}" for kind, count in counts.items())
    say(f"{found.same} statements alike, {told}, from generation {found.a} to {found.b}")
    return 0
