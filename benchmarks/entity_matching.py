"""How many names are joined and suggested rightly, and what suggesting costs. One JSON line a measurement.

    python benchmarks/entity_matching.py [--entities 10000]

The pairs are those of `tests/graph/name_pairs*.tsv`. The memory is made up: people with two facts each, of whom one
in twenty is mentioned once more with a slip of the pen. Seconds are of
the processor, so that a busy machine shows less.
"""

import argparse
import json
import random
import tempfile
import time
from pathlib import Path

from kg_assets.graph.belief import derive_pending
from kg_assets.graph.suggesting import alike, suggestions
from kg_assets.model import Mention, Origin
from kg_assets.ports import Memory
from kg_assets.text.lexicon import bag
from kg_assets.text.ontology import load_ontology
from kg_assets.triples.asserting import AssertedStatement, assert_statements
from kg_assets.triples.reading import Interval
from resources.sqlite import SqliteStores
from tests.graph.test_name_pairs import tally

ORIGIN = Origin(actor="benchmark", cause="benchmark")
ALWAYS = Interval(None, None, start_known=False, precision="unknown")
NOW = 1_800_000_000_000_000
FIRST = sorted(
    bag(
        "anna john maria peter katarzyna michael sofia liam olga hassan yuki priya chen lucas emma noah olivia james "
        "mia amelia harper evelyn jack levi daniel henry ingrid mateo fatima kofi"
    )
)
SYLLABLES = sorted(bag("ka mo ri ta lu ber son ski dot man fel gor hin jas qua tre vol zan wick ford ley mar sen ova"))


def judged(file: str) -> None:
    found = tally(file)

    def count(verdict: str, outcome: str) -> int:
        return found.get((verdict, outcome), 0)

    joined = sum(number for (_, outcome), number in found.items() if outcome == "joined")
    suggested = count("ask", "suggested") + count("different", "suggested")
    figures = {
        "pairs": sum(found.values()),
        "joined": joined,
        "joined_precision": round(count("same", "joined") / joined, 3),
        "joined_recall": round(
            count("same", "joined") / sum(count("same", each) for each in ("joined", "suggested", "left")), 3
        ),
        "suggested": suggested,
        "suggested_precision": round(count("ask", "suggested") / suggested, 3),
        "suggested_recall": round(
            count("ask", "suggested") / sum(count("ask", each) for each in ("joined", "suggested", "left")), 3
        ),
    }
    print(json.dumps({"measurement": "name_pairs", "file": file, **figures}))


def people(count: int) -> list[str]:
    chance = random.Random(7)
    found: set[str] = set()
    while len(found) < count:
        found.add(f"{chance.choice(FIRST)} {''.join(chance.choice(SYLLABLES) for _ in range(chance.choice((2, 3))))}")
    names = sorted(found)
    for place in range(0, count, 20):
        name, at = names[place], chance.randrange(1, len(names[place]) - 1)
        names[place - 1] = name[:at] + name[at + 1] + name[at] + name[at + 2 :]
    return names


def told(memory: Memory, names: list[str]) -> float:
    """Seconds to derive: with two facts each."""
    statements = [
        AssertedStatement(
            subject=Mention(surface=name.title(), key=name, type="person"),
            predicate=predicate,
            object=Mention(surface=target, key=target.lower(), type="thing"),
            when=ALWAYS,
            said_at=NOW + number,
            authority="document",
            denied=False,
        )
        for number, name in enumerate(names)
        for predicate, target in (("likes", f"thing {number % 97}"), ("visited", f"Place {number % 89}"))
    ]
    assert_statements(memory, statements, load_ontology(), clock=lambda: NOW, origin=ORIGIN)
    start = time.process_time()
    derive_pending(memory, load_ontology(), routes=("batch",), origin=ORIGIN, clock=lambda: NOW)
    return time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--entities", type=int, default=10_000)
    arguments = parser.parse_args()
    for file in ("name_pairs.tsv", "name_pairs_held_out.tsv"):
        judged(file)
    for count in (arguments.entities // 4, arguments.entities // 2, arguments.entities):
        with tempfile.TemporaryDirectory() as folder:
            stores = SqliteStores(Path(folder), b"secret", clock=lambda: NOW)
            memory = stores.open(stores.create("benchmark", "people", now=NOW).id)
            derived = told(memory, people(count))
            entities = memory.graph.all_entities()
            start = time.process_time()
            pairs = alike(entities)
            compared = time.process_time()
            with memory.snapshot():
                found = suggestions(memory, load_ontology())
            figures = {
                "entities": len(entities),
                "alike": len(pairs),
                "suggested": len(found),
                "seconds_comparing": round(compared - start, 2),
                "seconds_suggesting": round(time.process_time() - compared, 2),
                "seconds_of_one": round(one(memory, entities[0].name), 2),
                "seconds_deriving": round(derived, 2),
            }
            print(json.dumps({"measurement": "suggesting", **figures}))
            memory.close()
            stores.close()


def one(memory: Memory, name: str) -> float:
    start = time.process_time()
    with memory.snapshot():
        suggestions(memory, load_ontology(), name=name)
    return time.process_time() - start


if __name__ == "__main__":
    main()
