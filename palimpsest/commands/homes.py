"""init, token, status: the home directory and who may speak to it."""

import argparse
import os

from palimpsest.commands.declaring import Commands, add_user, command

TOKEN_SECONDS = 24 * 3600


def register(commands: Commands) -> None:
    declared = command(commands, "init", init, "make a home directory with settings and development keys")
    declared.add_argument("--quiet", action="store_true", help="say nothing when all is well")

    declared = command(commands, "token", token, "print a development token, valid for a day")
    add_user(declared, help_text="the subject of the token")
    declared.add_argument("--role", default="user", help="user, curator, auditor, admin or service (default: user)")

    command(commands, "status", status, "show the memories of this home and what waits in them")


def init(arguments: argparse.Namespace) -> int:
    """A second run changes nothing. Where the stores stand on servers, their schemas are made or updated."""
    from palimpsest.printing import say, show_json
    from resources.settings import create_home, home_path, load_settings
    from resources.stores import prepare_stores

    home = home_path()
    existed = (home / "settings.toml").exists()
    create_home(home)
    settings = load_settings(home)
    prepare_stores(settings, os.environ.get("PALIMPSEST_POSTGRES_OWNER_DSN", ""))
    if arguments.json:
        show_json({"home": str(home), "created": not existed})
    elif not arguments.quiet:
        say(f"{home} was there already; its settings and keys are as they were." if existed else f"Made {home}.")
        if settings.stores.kind != "sqlite":
            say("The schemas of its databases are those of this version.")
        say("Next: palimpsest ingest FILE --user NAME, then palimpsest materialise; or palimpsest up.")
    return 0


def token(arguments: argparse.Namespace) -> int:
    """Nothing but the token on standard output, so that it can be put into a variable."""
    from kg_assets.text.instants import format_instant
    from palimpsest.home import development_token, home_settings
    from palimpsest.printing import say, show_json
    from resources.clock import system_clock

    now = system_clock()
    text = development_token(home_settings(), arguments.user, arguments.role, now=now, seconds=TOKEN_SECONDS)
    if arguments.json:
        show_json({"token": text, "expires_at": format_instant((now // 1_000_000 + TOKEN_SECONDS) * 1_000_000)})
    else:
        say(text)
    return 0


def status(arguments: argparse.Namespace) -> int:
    """Memories with their watermarks, and what waits for which stage."""
    from palimpsest.home import open_home
    from palimpsest.printing import show_json
    from palimpsest.standing import standing_of
    from palimpsest.views import show_status

    with open_home() as home:
        standing = standing_of(home)
    if arguments.json:
        show_json(standing)
    else:
        show_status(standing)
    return 0
