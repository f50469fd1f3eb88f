"""Ports of this machine."""

import socket

from kg_assets.errors import InvalidInput


def require_free(host: str, port: int, option: str) -> None:
    """Raises `InvalidInput` where something listens there already."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as ex:
            raise InvalidInput(
                f"port {port} of {host} cannot be used ({ex.strerror}); choose another", where=option
            ) from ex
