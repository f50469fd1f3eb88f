"""Tests that need a server run only where their marker is named: `pytest -m postgres`, `-m neo4j`, `-m llm`."""

import pytest

SERVERS = {
    "postgres": "starts a real Postgres server; run by `make test-postgres`",
    "neo4j": "starts a real Neo4j server, and Postgres beside it; run by `make test-neo4j`",
    "llm": "starts a server with a small language model; run by `make test-llm`",
}


def pytest_configure(config: pytest.Config) -> None:
    for name, what in SERVERS.items():
        config.addinivalue_line("markers", f"{name}: {what}")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    asked = str(config.getoption("markexpr"))
    left_out = [each for each in items if any(each.get_closest_marker(name) and name not in asked for name in SERVERS)]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [each for each in items if each not in left_out]
