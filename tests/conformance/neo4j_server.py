"""A real Neo4j server for the tests: Community edition from its published jars, stopped when the tests end."""

import atexit
import functools
import os
import secrets
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import neo4j
import pytest
from neo4j.exceptions import DriverError, Neo4jError

from resources.neo4j.schema import migrate

JARS = Path(os.environ.get("PALIMPSEST_NEO4J_JARS") or Path(__file__).parents[2] / ".cache" / "neo4j" / "lib")
START_SECONDS = 120
_OPENED = ("java.base/java.nio", "java.base/java.io", "java.base/sun.nio.ch", "java.base/java.util.concurrent")
_CONFIGURATION = """\
server.bolt.listen_address=127.0.0.1:{port}
server.http.enabled=false
server.memory.heap.max_size=512m
server.memory.pagecache.size=128m
dbms.usage_report.enabled=false
db.tx_log.preallocate=false
"""


class Server:
    """One process with a home of its own. `kill` is kill -9; `start` brings it up again over the same data."""

    user = "neo4j"

    def __init__(self, folder: Path) -> None:
        self.password = secrets.token_urlsafe(12)
        self._home = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.uri = f"bolt://127.0.0.1:{port}"
        (folder / "conf").mkdir()
        (folder / "conf" / "neo4j.conf").write_text(_CONFIGURATION.format(port=port))
        self.start()
        self._set_password()

    def start(self) -> None:
        opened = [f"--add-opens={name}=ALL-UNNAMED" for name in _OPENED]
        entry = ["org.neo4j.server.CommunityEntryPoint", f"--home-dir={self._home}", f"--config-dir={self._home}/conf"]
        self._process = subprocess.Popen(
            ["java", "-Xms512m", "-Xmx512m", "-XX:+UseG1GC", *opened, "-cp", f"{JARS}/*", *entry],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._wait()

    def _wait(self) -> None:
        host, port = self.uri.removeprefix("bolt://").split(":")
        until = time.monotonic() + START_SECONDS
        while time.monotonic() < until:
            if self._process.poll() is not None:
                break
            try:
                socket.create_connection((host, int(port)), timeout=1).close()
                return
            except OSError:
                time.sleep(0.2)
        log = self._home / "logs" / "neo4j.log"
        raise RuntimeError(f"Neo4j did not start: {log.read_text() if log.exists() else 'it wrote no log'}")

    def _set_password(self) -> None:
        with neo4j.GraphDatabase.driver(self.uri, auth=(self.user, "neo4j")) as driver:
            until = time.monotonic() + START_SECONDS
            while True:
                try:
                    driver.execute_query(
                        "ALTER CURRENT USER SET PASSWORD FROM 'neo4j' TO $new",
                        {"new": self.password},
                        database_="system",
                    )
                    return
                except (DriverError, Neo4jError):
                    if time.monotonic() > until:
                        raise
                    time.sleep(0.2)  # the port is open before the database is

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def driver(self) -> neo4j.Driver:
        """The driver itself, for tests that look at the database from outside."""
        return neo4j.GraphDatabase.driver(self.uri, auth=(self.user, self.password), notifications_min_severity="OFF")


@functools.cache
def server() -> Server:
    """Started once a process."""
    if not any(JARS.glob("neo4j-server-*.jar")) or shutil.which("java") is None:
        pytest.skip(f"there is no Neo4j server in {JARS}, or no Java: `make test-neo4j` brings it (Maven and Java 17)")
    folder = Path(tempfile.mkdtemp(prefix="palimpsest-neo4j-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    started = Server(folder)
    atexit.register(started.kill)
    return started


def empty_server() -> Server:
    """The server that tests share one after the other, emptied."""
    with server().driver() as driver:
        _schema(server().uri)
        while driver.execute_query(
            "MATCH (n) WHERE NOT n:PalimpsestSchema WITH n LIMIT 10000 DETACH DELETE n RETURN count(*)"
        ).records[0][0]:
            pass
    return server()


@functools.cache
def _schema(_: str) -> None:
    with server().driver() as driver:
        migrate(driver)
