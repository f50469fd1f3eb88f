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


def free_port() -> int:
    """One on which nothing of this machine listens now."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
