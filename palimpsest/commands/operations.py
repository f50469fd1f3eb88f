"""serve, up: the running service."""

import argparse

from palimpsest.commands.declaring import Commands, command


def register(commands: Commands) -> None:
    declared = command(commands, "serve", serve, "run the HTTP interface")
    declared.add_argument("--port", type=port, help="default: that of the settings")

    declared = command(commands, "up", up, "run the HTTP interface, the Dagster UI and the Dagster daemon together")
    declared.add_argument("--port", type=port, help="of the HTTP interface (default: that of the settings)")
    declared.add_argument("--dagster-port", type=port, help="of the Dagster UI (default: that of the settings)")


def port(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 65535:
        raise argparse.ArgumentTypeError("a port is a number from 1 to 65535")
    return int(text)


def serve(arguments: argparse.Namespace) -> int:
    """Until it is stopped by Ctrl-C or SIGTERM."""
    from palimpsest.addresses import require_free
    from palimpsest.home import home_settings
    from palimpsest.printing import note, show_json
    from serving.server import serve_forever

    settings = home_settings()
    host, number = settings.serve.host, arguments.port or settings.serve.port
    require_free(host, number, "--port")
    address = f"http://{host}:{number}"
    if arguments.json:
        show_json({"address": address})
    else:
        note(f"Serving {settings.home} at {address}; stop with Ctrl-C.")
    serve_forever(settings.home, host, number)
    return 0


def up(arguments: argparse.Namespace) -> int:
    """Until it is stopped by Ctrl-C or SIGTERM, or until one of the three dies."""
    from palimpsest.home import home_settings
    from palimpsest.together import run_together

    settings = home_settings()
    ports = (arguments.port or settings.serve.port, arguments.dagster_port or settings.dagster.port)
    return run_together(settings, *ports, as_json=arguments.json)
