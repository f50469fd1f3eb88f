"""Latency over HTTP of appending one utterance and of recall, with the start-up time and size of the service.

Starts `palimpsest serve` on a fresh home, fills one memory over HTTP, then measures one request after the other on one
connection. Texts are made from small word lists, seeded, so that two runs ask the same. Prints a JSON line a measure.

    python benchmarks/http_recall.py [--items 10000] [--requests 200] [--embedder minilm-int8] [--k 10]
"""

import argparse
import http.client
import json
import os
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PEOPLE = ("Ana", "Ben", "Chiara", "Dana", "Emil", "Farah", "Goran", "Hana", "Ivo", "Jun", "Kira", "Liam")
DEEDS = (
    "moved to {place} last spring", "started to learn the {thing} with {other}", "met {other} for lunch in {place}",
    "lost the {thing} that {other} gave me", "works with {other} at the harbour of {place}",
    "is planning a trip to {place} with {other}", "cooked {thing} soup for {other}",
    "cannot stand the noise in {place}", "told {other} about the {thing} from {place}",
    "bought a {thing} at the market of {place}",
)  # fmt: skip
PLACES = ("Lisbon", "Porto", "Oslo", "Riga", "Turin", "Ghent", "Leeds", "Lyon", "Graz", "Split", "Cork", "Malmo")
THINGS = (
    "cello",
    "pumpkin",
    "bicycle",
    "lantern",
    "violin",
    "kettle",
    "garlic",
    "compass",
    "tulip",
    "camera",
    "lentil",
    "ladder",
)


def main() -> None:
    arguments = parsed()
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PALIMPSEST_HOME": folder, "PALIMPSEST_EMBEDDER": arguments.embedder}
        command([sys.executable, "-m", "palimpsest.command_line", "init", "--quiet"], environment)
        token = command([sys.executable, "-m", "palimpsest.command_line", "token", "--user", "bench"], environment)
        with service(environment) as (port, process, seconds):
            circumstances = {"embedder": arguments.embedder, "items": arguments.items}
            report("start", seconds=round(seconds, 2), **memory_of(process.pid, "started"))
            client = Client(port, token.strip())
            started = time.perf_counter()
            fill(client, arguments.items)
            report(
                "fill", utterances_per_second=round(arguments.items / (time.perf_counter() - started)), **circumstances
            )
            client.post("/v1/recall", {"query": "warm up"})
            choice = random.Random(7)
            report("append", **timed(client, appends(choice, arguments.requests)), **circumstances)
            report("recall", k=arguments.k, **timed(client, recalls(choice, arguments)), **circumstances)
            report("recall after append", **alternating(client, choice, arguments), **circumstances)
            report("end", **memory_of(process.pid, "filled"), **circumstances)


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=10_000)
    parser.add_argument("--requests", type=int, default=200)
    parser.add_argument("--k", type=int, default=10)
    parser.add_argument("--embedder", default="minilm-int8")
    return parser.parse_args()


def report(measure: str, **figures: object) -> None:
    print(json.dumps({"benchmark": "http_recall", "measure": measure, **figures}), flush=True)


# -------------------------------------------------------------------------------------------------------- the service


def command(words: list[str], environment: dict[str, str]) -> str:
    return subprocess.run(words, env=environment, check=True, capture_output=True, text=True).stdout


@contextmanager
def service(environment: dict[str, str]) -> Iterator[tuple[int, subprocess.Popen[bytes], float]]:
    """(port, process, seconds from the command to the first ready answer)."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    started = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "palimpsest.command_line", "serve", "--port", str(port)],
        env=environment,
        stderr=subprocess.DEVNULL,
    )
    try:
        while not ready(port):
            if process.poll() is not None:
                sys.exit(f"the service ended with code {process.returncode}; run `palimpsest serve` to see why")
            time.sleep(0.01)
        yield port, process, time.perf_counter() - started
    finally:
        process.terminate()
        process.wait(20)


def ready(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", "/health/ready")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


def memory_of(pid: int, when: str) -> dict[str, float]:
    """Resident megabytes of the process and its children: shared pages counted once (PSS) and each time (RSS)."""
    pids = [pid, *children(pid)]
    found = {"Pss": 0, "Rss": 0}
    for each in pids:
        for line in Path(f"/proc/{each}/smaps_rollup").read_text().splitlines():
            name, _, rest = line.partition(":")
            if name in found:
                found[name] += int(rest.split()[0])
    return {f"{when}_{name.lower()}_mb": round(size / 1024, 1) for name, size in found.items()}


def children(pid: int) -> list[int]:
    direct = [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return direct + [below for each in direct for below in children(each)]


class Client:
    """One connection that stays open."""

    def __init__(self, port: int, token: str) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        self.connection.connect()
        self.connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def post(self, path: str, body: object) -> bytes:
        self.connection.request("POST", path, json.dumps(body), self.headers)
        response = self.connection.getresponse()
        content = response.read()
        if response.status >= 300:
            sys.exit(f"{path} answered {response.status}: {content.decode()}")
        return content


# ------------------------------------------------------------------------------------------------------ the measures


def sentence(choice: random.Random) -> str:
    deed = choice.choice(DEEDS).format(
        place=choice.choice(PLACES), thing=choice.choice(THINGS), other=choice.choice(PEOPLE)
    )
    return f"{choice.choice(PEOPLE)} {deed}, number {choice.randrange(100_000)}."


def utterance(choice: random.Random, number: int) -> dict[str, str]:
    said_at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(1_735_689_600 + number * 600))
    return {"session": f"s-{number // 20}", "speaker": "Ana", "text": sentence(choice), "said_at": said_at}


def fill(client: Client, items: int) -> None:
    choice = random.Random(3)
    for start in range(0, items, 500):
        batch = [utterance(choice, number) for number in range(start, min(start + 500, items))]
        client.post("/v1/utterances", {"utterances": batch})


def appends(choice: random.Random, count: int) -> list[tuple[str, object]]:
    return [("/v1/utterances", {"utterances": [utterance(choice, 1_000_000 + n)]}) for n in range(count)]


def recalls(choice: random.Random, arguments: argparse.Namespace) -> list[tuple[str, object]]:
    return [
        ("/v1/recall", {"query": f"Who {sentence(choice)[:-1]}?", "k": arguments.k}) for _ in range(arguments.requests)
    ]


def timed(client: Client, requests: list[tuple[str, object]]) -> dict[str, float]:
    took = []
    for path, body in requests:
        started = time.perf_counter()
        client.post(path, body)
        took.append((time.perf_counter() - started) * 1000)
    return percentiles(took)


def alternating(client: Client, choice: random.Random, arguments: argparse.Namespace) -> dict[str, float]:
    """Recall right after an append: the read model takes the new item in first."""
    took = []
    for one, other in zip(appends(choice, arguments.requests), recalls(choice, arguments), strict=True):
        client.post(*one)
        started = time.perf_counter()
        client.post(*other)
        took.append((time.perf_counter() - started) * 1000)
    return percentiles(took)


def percentiles(took: list[float]) -> dict[str, float]:
    cuts = statistics.quantiles(took, n=100, method="inclusive")
    return {"n": len(took), "p50_ms": round(cuts[49], 2), "p95_ms": round(cuts[94], 2), "max_ms": round(max(took), 2)}


if __name__ == "__main__":
    main()
