"""ontology: what is declared, and what users say beyond it."""

import argparse
from pathlib import Path

from palimpsest.commands.declaring import Commands, add_user, command


def register(commands: Commands) -> None:
    declared = command(
        commands,
        "ontology",
        ontology,
        "list the predicates, or what users say that the ontology lacks",
        json_help="print JSON",
    )
    declared.add_argument("--gaps", action="store_true", help="provisional predicates, counted over all memories")
    add_user(declared, required=False, help_text="with --gaps: the gaps of this memory, with what was said")
    declared.add_argument(
        "--extra", type=Path, metavar="FILE", help="as if the settings named this file of more declarations: a trial"
    )


def ontology(arguments: argparse.Namespace) -> int:
    from kg_assets.errors import InvalidInput
    from palimpsest.home import open_home
    from palimpsest.ontology import declared, gaps_of_home, gaps_of_user, ontology_of
    from palimpsest.ontology_views import show_declared, show_gaps, show_memory_gaps
    from palimpsest.printing import show_json

    if arguments.user and not arguments.gaps:
        raise InvalidInput("--user goes with --gaps; the ontology is the same for all", where="ontology")
    with open_home() as home:
        chosen = ontology_of(home, arguments.extra)
        if not arguments.gaps:
            listed = declared(chosen, arguments.extra or home.settings.extra_ontology)
            (show_json if arguments.json else show_declared)(listed)
        elif arguments.user:
            own = gaps_of_user(home, arguments.user, chosen)
            (show_json if arguments.json else show_memory_gaps)(own)
        else:
            gaps = gaps_of_home(home, chosen)
            (show_json if arguments.json else show_gaps)(gaps)
    return 0
