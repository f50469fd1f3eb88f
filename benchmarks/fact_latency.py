"""From a novel utterance posted over HTTP to its fact with its lineage down to the Dagster run.

Against a running `palimpsest up`: posts utterances one at a time, at random moments (seeded), so that no rhythm of the
sensor is met; looks for each in the next recall, then polls until the fact is there with a run of `temporal_graph` in
its lineage. Prints a JSON line for each with --each, and one for all.

    python benchmarks/fact_latency.py --url http://127.0.0.1:8707 --token "$(palimpsest token --user bench)"
"""

import argparse
import json
import random
import statistics
import time
import urllib.error
import urllib.parse
import urllib.request
from datetime import datetime, timezone
from typing import Any

CITIES = (
    "Lisbon", "Porto", "Oslo", "Riga", "Turin", "Ghent", "Leeds", "Lyon", "Graz", "Seville", "Cork", "Malmo", "Vienna",
    "Prague", "Athens", "Dublin", "Krakow", "Geneva", "Bologna", "Hamburg",
)  # fmt: skip
EMPLOYERS = (
    "Siemens", "Nokia", "Airbus", "Bosch", "Philips", "Ericsson", "Novartis", "Unilever", "Renault", "Volvo", "Maersk",
    "Heineken", "Lufthansa", "Santander", "Allianz", "Danone", "Ikea", "Spotify", "Nestle", "Roche",
)  # fmt: skip
POLL_SECONDS = 0.1
GIVE_UP_SECONDS = 90.0


def main() -> None:
    arguments = parsed()
    service = Service(arguments.url.rstrip("/"), arguments.token)
    choice = random.Random(arguments.seed)
    results = []
    for number in range(arguments.count):
        time.sleep(choice.uniform(0, arguments.spacing))
        result = one(service, *statement(number), session=f"latency-{arguments.seed}")
        results.append(result)
        if arguments.each:
            print(json.dumps({"measure": "novel utterance", "number": number, **result}), flush=True)
    report(results)


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--url", required=True, help="of the HTTP interface")
    parser.add_argument("--token", required=True, help="of a user that has said none of this before")
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--spacing", type=float, default=6.0, help="most seconds between a fact and the next utterance")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", action="store_true", help="print a line for each utterance too")
    return parser.parse_args()


def statement(number: int) -> tuple[str, str, str]:
    """(text, predicate, object): a move and a change of job in turn, each to somewhere else than before."""
    place = number // 2
    if number % 2:
        return f"I work at {EMPLOYERS[place % len(EMPLOYERS)]} now.", "works_at", EMPLOYERS[place % len(EMPLOYERS)]
    return f"I moved to {CITIES[place % len(CITIES)]} this week.", "lives_in", CITIES[place % len(CITIES)]


class Service:
    def __init__(self, url: str, token: str) -> None:
        self.url, self.token = url, token

    def call(self, path: str, body: Any = None) -> Any:
        """The JSON answer; None for 404."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        request = urllib.request.Request(self.url + path, data=data, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as ex:
            if ex.code == 404:
                return None
            raise SystemExit(f"{path}: HTTP {ex.code} {ex.read().decode(errors='replace')[:300]}") from ex


def one(service: Service, text: str, predicate: str, value: str, *, session: str) -> dict[str, Any]:
    """Seconds from just before the request was sent."""
    said_at = datetime.now(timezone.utc).isoformat()  # noqa: UP017
    utterance = {"session": session, "speaker": "Bench", "role": "user", "text": text, "said_at": said_at}
    started = time.perf_counter()
    posted = service.call("/v1/utterances", {"utterances": [utterance]})["utterances"][0]
    acknowledged = time.perf_counter() - started
    recalled = service.call("/v1/recall", {"query": text, "k": 5})
    found = any(result["id"] == posted["id"] for result in recalled["results"])
    fact = wait_for_fact(service, predicate, value, posted["id"], started)
    return {
        "route": posted["novelty"]["route"],
        "acknowledged": round(acknowledged, 3),
        "in_next_recall": found,
        "fact": None if fact is None else round(fact, 2),
    }


def wait_for_fact(service: Service, predicate: str, value: str, utterance_id: str, started: float) -> float | None:
    query = urllib.parse.urlencode({"predicate": predicate, "object": value, "limit": 10})
    while time.perf_counter() - started < GIVE_UP_SECONDS:
        for fact in (service.call(f"/v1/facts?{query}") or {"facts": []})["facts"]:
            if has_lineage(service.call(f"/v1/facts/{fact['id']}/lineage"), utterance_id):
                return time.perf_counter() - started
        time.sleep(POLL_SECONDS)
    return None


def has_lineage(lineage: Any, utterance_id: str) -> bool:
    """From this utterance, and down to a materialisation of the graph."""
    if lineage is None:
        return False
    said = any(each["utterance"]["id"] == utterance_id for each in lineage["assertions"])
    return said and any(run["asset"] == "temporal_graph" for run in lineage["runs"])


def report(results: list[dict[str, Any]]) -> None:
    facts = sorted(each["fact"] for each in results if each["fact"] is not None)
    summary = {
        "measure": "novel utterance to fact with lineage, seconds",
        "utterances": len(results),
        "facts": len(facts),
        "immediate": sum(each["route"] == "immediate" for each in results),
        "in_next_recall": sum(each["in_next_recall"] for each in results),
    }
    if facts:
        summary |= {"p50": statistics.median(facts), "p95": facts[max(0, -(-95 * len(facts) // 100) - 1)]}
        summary |= {"max": facts[-1], "acknowledged_p50": statistics.median(each["acknowledged"] for each in results)}
    print(json.dumps(summary))
    if len(facts) < len(results):
        raise SystemExit(f"{len(results) - len(facts)} facts did not come within {GIVE_UP_SECONDS:g} s")


if __name__ == "__main__":
    main()
