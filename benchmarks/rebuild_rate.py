"""How fast belief is derived again into a new generation, and how long a flip takes.

    python benchmarks/rebuild_rate.py [--people N ...]
    python benchmarks/rebuild_rate.py --home DIR          with the stores that this home's settings name

Ten statements a person: homes and employers one after the other, a birthday, two likes. The hashing encoder stands in
for the real one, so that the figures are of belief and not of encoding.
"""

import argparse
import json
import secrets
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from kg_assets.graph.belief import derive_pending
from kg_assets.graph.state import state_hash
from kg_assets.maintenance.generations import Circumstances, flip, rebuild
from kg_assets.model import Origin
from kg_assets.text.ontology import Ontology, load_ontology
from kg_assets.triples.asserting import AssertedStatement, assert_statements, check_statement
from resources.clock import system_clock
from resources.embedder import build_embedder
from resources.settings import create_home, load_settings
from resources.stores import open_stores

ORIGIN = Origin(actor="benchmark", cause="rebuild_rate")
BATCH = 500


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--people", type=int, nargs="+", default=[100, 1000])
    parser.add_argument("--home", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = arguments.home or Path(folder)
        create_home(home)
        for people in arguments.people:
            print(json.dumps(measured(home, people)))


def measured(home: Path, people: int) -> dict[str, object]:
    settings, ontology = load_settings(home), load_ontology()
    stores = open_stores(settings, system_clock, predicates=lambda: ontology.predicates)
    name = f"rebuild-{secrets.token_hex(4)}"
    memory = stores.open(stores.create("benchmark", name, now=system_clock()).id)
    at = Circumstances(ontology=ontology, embedder=build_embedder("hashing"), origin=ORIGIN, clock=system_clock)
    statements = list(told(people, ontology))
    for start in range(0, len(statements), BATCH):
        assert_statements(memory, statements[start : start + BATCH], ontology, clock=system_clock, origin=ORIGIN)
        derive_pending(memory, ontology, routes=("immediate", "batch"), origin=ORIGIN, clock=system_clock)
    before = state_hash(memory)
    started = time.perf_counter()
    made = rebuild(memory, at, flip_to_it=False)
    built = time.perf_counter()
    flip(memory, made.generation, at)
    flipped = time.perf_counter()
    memory.close()
    stores.close()
    return {
        "benchmark": "rebuild_rate",
        "stores": settings.stores.kind,
        "assertions": len(statements),
        "facts": made.facts,
        "same_state_hash": made.state_hash == before,
        "rebuild_s": round(built - started, 3),
        "assertions_per_s": round(len(statements) / (built - started)),
        "flip_s": round(flipped - built, 3),
    }


def told(people: int, ontology: Ontology) -> Iterator[AssertedStatement]:
    for number in range(people):
        person = f"Person {number}"
        rows = [
            *(("lives_in", f"Town {(number + year) % 50}", f"{2010 + year}-03-01") for year in range(4)),
            *(("works_at", f"Company {(number + year) % 40}", f"{2011 + year}-06-01") for year in range(3)),
            ("born_on", f"{1950 + number % 50}-01-01", None),
            ("likes", f"Food {number % 30}", "2015-01-01"),
            ("likes", f"Sport {number % 20}", "2016-01-01"),
        ]
        for predicate, target, since in rows:
            raw = {"subject": person, "predicate": predicate, "object": target}
            raw |= {} if since is None else {"valid_from": f"{since}T00:00:00Z"}
            raw |= {} if since is None else {"valid_from": f"{since}T00:00:00Z"}
            yield check_statement(raw, ontology, where="")


if __name__ == "__main__":
    main()
