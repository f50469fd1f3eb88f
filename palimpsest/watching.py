"""Whether a server of this machine answers."""

import socket
import urllib.error
import urllib.request
from contextlib import suppress

import msgspec

SECONDS = 2.0
DAEMONS = b'{"query": "{ instance { daemonHealth { allDaemonStatuses { daemonType required healthy } } } }"}'


def answers(address: str, body: bytes | None = None) -> bytes | None:
    """What it says, or None where it does not answer with success."""
    request = urllib.request.Request(address, data=body, headers={"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=SECONDS) as response:
            found: bytes = response.read()
            return found or b"{}"
    except (urllib.error.URLError, OSError, ValueError):
        return None


def listens(host: str, port: int) -> bool:
    with suppress(OSError), socket.create_connection((host, port), SECONDS):
        return True
    return False


class DaemonStatus(msgspec.Struct, rename="camel"):
    daemon_type: str
    required: bool
    healthy: bool | None


def daemons_healthy(graphql: str) -> bool:
    """Every daemon that this instance requires has sent a heartbeat, as Dagster's own server tells."""
    reply = answers(graphql, DAEMONS)
    if reply is None:
        return False
    statuses = msgspec.json.decode(reply)["data"]["instance"]["daemonHealth"]["allDaemonStatuses"]
    return all(each.healthy for each in msgspec.convert(statuses, list[DaemonStatus]) if each.required)
